//! Subjects of a run against one of them, or the subjects of two runs each against itself: family by family, with a test.

use super::{Address, Choice, Frame, Page, asked, choice, count, html};
use crate::Site;
use crate::error::PageError;
use crate::shelf::ServedRun;
use crate::texts;
use askama::Template;
use axum::extract::{Path, Query, State};
use waterjar_core::{MetricKind, SubjectId, SuiteId};
use waterjar_engine::PlannedSuite;
use waterjar_views::comparison::{Comparison, Side, compare, correct};
use waterjar_views::refuse_other_cases;

struct Wanted<'a> {
    metric: &'a str,
    against: &'a str,
    /// Another run of the same questions.
    with: &'a str,
}

#[derive(Template)]
#[template(path = "compare.html")]
struct Compare {
    frame: Frame,
    address: String,
    metrics: Vec<Choice>,
    subjects: Vec<Choice>,
    others: Vec<Choice>,
    metric: String,
    /// That the address names a figure which is not there.
    unknown: Option<String>,
    rows: Vec<Row>,
    /// Who could not be compared, and why.
    left_out: Vec<String>,
}

struct Row {
    first: String,
    second: String,
    values: String,
    difference: String,
    range: String,
    p: String,
    exact: String,
    holm: String,
    families: u64,
}

pub async fn page(
    State(site): State<Site>,
    Path((run, suite)): Path<(String, String)>,
    Query(query): Query<Vec<(String, String)>>,
) -> Page {
    let of = |key: &str| asked(&query, key);
    let wanted = Wanted { metric: of("metric"), against: of("against"), with: of("with") };
    let run = site.shelf.run(&run).await?;
    let planned = run.suite(&suite)?;
    let card = planned.suite().card();
    let named = card.columns.iter().find(|it| it.name == wanted.metric);
    let headline = || card.columns.iter().find(|it| it.primary).or_else(|| card.columns.first());
    let column = named.or_else(headline);
    let column = column.ok_or_else(|| PageError::NotFound(format!("“{suite}” measures nothing.")))?;
    let other = if wanted.with.is_empty() { None } else { Some(site.shelf.run(wanted.with).await?) };
    if let Some(other) = &other {
        let (one, two) = ((run.name.as_str(), &run.opened.store), (other.name.as_str(), &other.opened.store));
        refuse_other_cases(one, two, planned.id(), false).await?;
    }
    let against =
        planned.subjects.iter().find(|it| it.id.as_str() == wanted.against).or_else(|| planned.subjects.first());
    let unknown = (named.is_none() && !wanted.metric.is_empty())
        .then(|| format!("No figure here is called “{}”: this is {}.", wanted.metric, column.title));
    let pairs = match (&other, against) {
        (Some(other), _) => across(&run, other, planned, &column.name).await?,
        (None, Some(against)) => within(&run, planned, &against.id, &column.name).await?,
        (None, None) => Vec::new(),
    };
    let (mut comparisons, mut left_out) = (Vec::new(), Vec::new());
    for (first, second) in &pairs {
        match compare(&column.name, run.opened.plan.seed, first, second) {
            Ok(comparison) => comparisons.push(comparison),
            Err(error) => left_out.push(format!("{} and {}: {error}", first.name, second.name)),
        }
    }
    correct(&mut comparisons);
    let others = site.shelf.slots();
    let others = others.iter().filter(|slot| slot.name != run.name);
    let chosen = against.map_or("", |it| it.id.as_str());
    html(&Compare {
        frame: Frame::new(texts::spoken().compare.as_str())
            .under_runs()
            .under(run.opened.plan.name.as_str(), Address::run(&run.name))
            .under(card.title, Address::suite(&run.name, &suite)),
        address: format!("{}/compare", Address::suite(&run.name, &suite)),
        metrics: card.columns.iter().map(|it| choice(&it.name, &it.title, &column.name)).collect(),
        subjects: planned.subjects.iter().map(|it| choice(it.id.as_str(), it.id.as_str(), chosen)).collect(),
        others: others.map(|it| choice(&it.name, &it.name, wanted.with)).collect(),
        metric: column.title.clone(),
        unknown,
        rows: comparisons.iter().map(|it| row(it, column.kind)).collect(),
        left_out,
    })
}

/// Every subject against one of them.
async fn within(
    run: &ServedRun,
    planned: &PlannedSuite,
    against: &SubjectId,
    metric: &str,
) -> Result<Vec<(Side, Side)>, PageError> {
    let mut pairs = Vec::new();
    for subject in planned.subjects.iter().filter(|it| it.id != *against) {
        let first = side(run, planned.id(), &subject.id, metric, false).await?;
        let second = side(run, planned.id(), against, metric, false).await?;
        pairs.extend(first.zip(second));
    }
    Ok(pairs)
}

/// Every subject of a run against itself in another.
async fn across(
    run: &ServedRun,
    other: &ServedRun,
    planned: &PlannedSuite,
    metric: &str,
) -> Result<Vec<(Side, Side)>, PageError> {
    let mut pairs = Vec::new();
    for subject in &planned.subjects {
        let first = side(run, planned.id(), &subject.id, metric, true).await?;
        let second = side(other, planned.id(), &subject.id, metric, true).await?;
        pairs.extend(first.zip(second));
    }
    Ok(pairs)
}

/// `None` where the subject was not measured there.
async fn side(
    run: &ServedRun,
    suite: &SuiteId,
    subject: &SubjectId,
    metric: &str,
    with_run: bool,
) -> Result<Option<Side>, PageError> {
    let shares = run.opened.store.shares(suite, subject, metric).await?;
    let name = if with_run { format!("{subject} ({})", run.name) } else { subject.to_string() };
    Ok(shares.map(|shares| Side { suite: suite.clone(), name, shares }))
}

fn row(it: &Comparison, kind: MetricKind) -> Row {
    let (scale, places) = match kind {
        MetricKind::Share => (100.0, 1),
        MetricKind::Number => (1.0, 3),
    };
    let told = |value: f64| format!("{:.places$}", scale * value);
    let signed = |value: f64| format!("{:+.places$}", scale * value);
    let difference = &it.difference;
    Row {
        first: it.first.clone(),
        second: it.second.clone(),
        // A share of five cases looks like any other, so it says of how many it is.
        values: format!(
            "{} (n {}) and {} (n {})",
            told(difference.first),
            count(it.first_n),
            told(difference.second),
            count(it.second_n)
        ),
        difference: signed(difference.value),
        range: difference.interval.map_or_else(String::new, |i| format!("{} to {}", signed(i.low), signed(i.high))),
        p: p_value(difference.p),
        exact: it.exact_p().map_or_else(|| "–".to_owned(), p_value),
        holm: p_value(it.holm_p),
        families: difference.families as u64,
    }
}

fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}
