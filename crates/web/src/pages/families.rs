//! The families of a suite that fit a filter, and how the subjects did on them.

use super::{Address, Choice, Frame, Page, choice, count, html};
use crate::Site;
use crate::filter::{Filter, STRATUM, Shows};
use crate::index::{Index, Intervals, State as Became};
use crate::texts;
use askama::Template;
use axum::extract::{Path, Query, State};
use waterjar_core::{Outcome, Seed, SubjectId};
use waterjar_engine::PlannedSuite;
use waterjar_scoring::stats::{Bootstrap, Ratio, Tally, wilson};

/// Rows of a page.
const SHOWN: usize = 50;
/// A stratum with more values is found by its words: nobody chooses from such a list.
const MOST_VALUES: usize = 150;

#[derive(Template)]
#[template(path = "families.html")]
struct Families {
    frame: Frame,
    address: String,
    filter: Filter,
    failing: &'static str,
    /// Of titles, which name conditions as texts do.
    language: String,
    subjects: Vec<Choice>,
    shows: Vec<Choice>,
    strata: Vec<(String, String, Vec<Choice>)>,
    /// Of the families that fit.
    found: String,
    all: String,
    is_filtered: bool,
    shares: Vec<Share>,
    rows: Vec<Row>,
    earlier: Option<String>,
    later: Option<String>,
    range: String,
}

/// How often a subject failed the families that fit.
struct Share {
    subject: String,
    reference: bool,
    failed: String,
    judged: String,
    percent: String,
    range: String,
}

struct Row {
    address: String,
    id: String,
    title: String,
    cells: Vec<(&'static str, &'static str)>,
}

pub async fn page(
    State(site): State<Site>,
    Path((run, suite)): Path<(String, String)>,
    Query(query): Query<Vec<(String, String)>>,
) -> Page {
    let run = site.shelf.run(&run).await?;
    let planned = run.suite(&suite)?;
    let index = run.index(planned).await?;
    let filter = Filter::of(&query);
    let places = filter.places(&index);
    let pages = places.len().div_ceil(SHOWN).max(1);
    let wanted = query.iter().find(|(key, _)| key == "page").and_then(|(_, page)| page.parse::<usize>().ok());
    let page = wanted.unwrap_or(1).clamp(1, pages);
    let shown = &places[(page - 1) * SHOWN..places.len().min(page * SHOWN)];
    let address = Address::families(&run.name, &suite);
    let failing = planned.suite().failing();
    let at = |page: usize| {
        let query = filter.query();
        let joint = if query.is_empty() { '?' } else { '&' };
        format!("{address}{query}{joint}page={page}")
    };
    html(&Families {
        frame: Frame::new(texts::spoken().cases.as_str())
            .under_runs()
            .under(run.opened.plan.name.as_str(), Address::run(&run.name))
            .under(planned.suite().card().title, Address::suite(&run.name, &suite)),
        subjects: index.subjects.iter().map(|it| choice(it.as_str(), it.as_str(), &filter.subject)).collect(),
        shows: Shows::EVERY.iter().map(|it| choice(it.as_str(), &told(*it, failing), filter.shows.as_str())).collect(),
        strata: strata(&index, &filter),
        failing,
        language: planned.suite().language().to_owned(),
        found: count(places.len() as u64),
        all: count(index.families.len() as u64),
        is_filtered: filter != Filter::default(),
        shares: shares(planned, &index, &filter, &places, run.opened.plan.seed).await,
        rows: shown.iter().map(|place| row(&run.name, &suite, &index, *place, &filter, failing)).collect(),
        earlier: (page > 1).then(|| at(page - 1)),
        later: (page < pages).then(|| at(page + 1)),
        range: format!("page {page} of {pages}"),
        filter,
        address,
    })
}

fn told(shows: Shows, failing: &str) -> String {
    match shows {
        Shows::All => "all".to_owned(),
        Shows::Failed => failing.to_owned(),
        Shows::Held => format!("not {failing}"),
        Shows::Missing => "an answer missing".to_owned(),
    }
}

fn strata(index: &Index, filter: &Filter) -> Vec<(String, String, Vec<Choice>)> {
    let kept = index.strata.iter().filter(|(_, values)| (2..=MOST_VALUES).contains(&values.len()));
    kept.map(|(key, values)| {
        let chosen = filter.strata.get(key).map_or("", String::as_str);
        let choices = values.keys().map(|value| choice(value, &value.replace('_', " "), chosen)).collect();
        (format!("{STRATUM}{key}"), capital(&key.replace('_', " ")), choices)
    })
    .collect()
}

/// As the other labels of the form begin.
fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

async fn shares(planned: &PlannedSuite, index: &Index, filter: &Filter, places: &[usize], seed: Seed) -> Vec<Share> {
    // Wilson's where families are independent.
    let intervals = match places.iter().any(|place| index.families[*place].cluster.is_some()) {
        true => Some(index.intervals(&filter.query(), drawn(index, places, seed)).await),
        false => None,
    };
    let is_reference = |subject: &SubjectId| planned.subjects.iter().any(|it| it.reference && it.id == *subject);
    let share = |(at, subject): (usize, &SubjectId)| {
        let states = places.iter().map(|place| index.families[*place].states[at]);
        let (judged, failed) = states.fold((0_u64, 0_u64), |(judged, failed), state| {
            (judged + u64::from(state.judged), failed + u64::from(state.failed))
        });
        let interval = match &intervals {
            Some(drawn) => drawn[at],
            None => wilson(failed, judged),
        };
        Share {
            subject: subject.to_string(),
            reference: is_reference(subject),
            failed: count(failed),
            judged: count(judged),
            percent: if judged == 0 {
                "–".to_owned()
            } else {
                format!("{:.1}", 100.0 * failed as f64 / judged as f64)
            },
            range: interval.map_or_else(String::new, |it| format!("{:.1} to {:.1}", 100.0 * it.low, 100.0 * it.high)),
        }
    };
    index.subjects.iter().enumerate().map(share).collect()
}

/// Of each subject, as the suite's tables have them: what families are versions of is drawn as one.
async fn drawn(index: &Index, places: &[usize], seed: Seed) -> Intervals {
    let families = || places.iter().map(|place| &index.families[*place]);
    let mut tally = Tally::new();
    let ratios: Vec<Ratio> = index.subjects.iter().map(|subject| tally.ratio(subject.as_str())).collect();
    for family in families() {
        let cluster = family.cluster.as_deref().unwrap_or(family.id.as_str());
        for (ratio, state) in ratios.iter().zip(&family.states).filter(|(_, state)| state.judged) {
            let failed = f64::from(u8::from(state.failed));
            tally.push(cluster, *ratio, failed, 1.0).expect("none and one are numbers");
        }
    }
    // Of a large run it takes a while, and other pages need not wait for it.
    let drawn = tokio::task::spawn_blocking(move || {
        let resampled = Bootstrap::new(seed).resample(&tally);
        ratios.iter().map(|ratio| resampled.estimate(*ratio)?.interval_of_share()).collect()
    });
    drawn.await.expect("drawing among families does not panic")
}

fn row(run: &str, suite: &str, index: &Index, place: usize, filter: &Filter, failing: &'static str) -> Row {
    let entry = &index.families[place];
    Row {
        address: format!("{}{}", Address::family(run, suite, entry.id.as_str()), filter.query()),
        id: entry.id.to_string(),
        title: entry.title.clone(),
        cells: entry.states.iter().map(|state| sign(*state, failing)).collect(),
    }
}

/// A sign and what it means, in the suite's own word where it failed; none has a coloured picture form on phones.
fn sign(state: Became, failing: &'static str) -> (&'static str, &'static str) {
    match state {
        Became { judged: false, .. } => ("·", "not judged yet"),
        it if it.failed => ("↺", failing),
        it if it.saw(Outcome::Missing) => ("–", "an answer missing"),
        it if it.saw(Outcome::Missed) => ("✗", "missed"),
        it if it.saw(Outcome::Partly) => ("½", "partly"),
        _ => ("✓", "held"),
    }
}
