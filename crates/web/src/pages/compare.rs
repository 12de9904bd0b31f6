//! Subjects of a run against one of them, or the subjects of two runs each against itself: family by family, with a test.

use super::{Address, Choice, Frame, Page, asked, choice, count, html};
use crate::Site;
use crate::error::PageError;
use crate::texts;
use askama::Template;
use axum::extract::{Path, Query, State};
use std::collections::BTreeSet;
use waterjar_core::{MetricColumn, MetricKind};
use waterjar_scoring::stats::ENOUGH_FAMILIES;
use waterjar_views::comparison::{Comparison, correct};
use waterjar_views::contenders::{Compared, Contest, LeftOut, of_study, shared};
use waterjar_views::refuse_other_cases;
use waterjar_views::sides::{headline, metrics};
use waterjar_views::told::{NONE, Told};

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
    /// What of the address could not be followed, and how little two runs share.
    told: Vec<String>,
    /// The last column counts the stories that families are told of, not the families.
    by_story: bool,
    /// Why some have no bootstrap's interval and p.
    few: Option<String>,
    has_references: bool,
    rows: Vec<Row>,
    /// Who could not be compared, and why.
    left_out: Vec<String>,
}

struct Row {
    /// The first is there for orientation and competes with nobody.
    reference: bool,
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
    let contenders = of_study(planned);
    let kept = metrics(&run.opened.store, planned.id(), &contenders).await?;
    let offered: Vec<&MetricColumn> = card.columns.iter().filter(|it| kept.contains(&it.name)).collect();
    let column = column(&card.columns, &kept, wanted.metric);
    let (column, instead) = column.ok_or_else(|| PageError::NotFound(format!("“{suite}” measures nothing.")))?;
    let mut told = Vec::from_iter(instead);
    let contest = Contest { suite: planned.id(), metric: &column.name, seed: run.opened.plan.seed };
    let other = if wanted.with.is_empty() { None } else { Some(site.shelf.run(wanted.with).await?) };
    let found = match &other {
        Some(other) => {
            let (one, two) = ((run.name.as_str(), &run.opened.store), (other.name.as_str(), &other.opened.store));
            let common = refuse_other_cases(one, two, planned.id(), false).await?;
            told.extend(common.told().map(|line| format!("{line}.")));
            let theirs = other.suite(&suite).map(of_study).unwrap_or_default();
            contest.across([one, two], &shared(contenders, &theirs)).await?
        }
        None => {
            let (store, asked) = (&run.opened.store, Some(wanted.against).filter(|it| !it.is_empty()));
            match contest.within(store, &contenders, asked).await? {
                // A page shows something all the same, and says what could not be followed.
                Compared { against: None, .. } => contest.within(store, &contenders, None).await?,
                found => found,
            }
        }
    };
    let Compared { mut comparisons, references, against, left_out, .. } = found;
    if !wanted.against.is_empty() && planned.subjects.iter().all(|it| it.id.as_str() != wanted.against) {
        let instead = match (&other, &against) {
            (Some(_), _) => ": with two runs each subject is compared with itself".to_owned(),
            (None, Some(against)) => format!(": others are compared with {against}"),
            (None, None) => String::new(),
        };
        told.push(format!("No subject here is called “{}”{instead}.", wanted.against));
    }
    correct(&mut comparisons);
    let every: Vec<&Comparison> = comparisons.iter().chain(&references).collect();
    let competing = comparisons.iter().map(|it| row(it, column.kind));
    let orienting = references.iter().map(|it| beside(row(it, column.kind)));
    let others = site.shelf.slots();
    let others = others.iter().filter(|slot| slot.name != run.name);
    let chosen = against.as_deref().unwrap_or(wanted.against);
    html(&Compare {
        frame: Frame::new(texts::spoken().compare.as_str())
            .under_runs()
            .under(run.opened.plan.name.as_str(), Address::run(&run.name))
            .under(card.title, Address::suite(&run.name, &suite)),
        address: Address::compare(&run.name, &suite),
        metrics: offered.iter().map(|it| choice(&it.name, &it.title, &column.name)).collect(),
        subjects: planned.subjects.iter().map(|it| choice(it.id.as_str(), it.id.as_str(), chosen)).collect(),
        others: others.map(|it| choice(&it.name, &it.name, wanted.with)).collect(),
        metric: column.title.clone(),
        told,
        by_story: every.iter().any(|it| it.families_within.is_some()),
        few: every.iter().any(|it| it.p.is_none()).then(|| too_few(&texts::spoken().few_note)),
        has_references: !references.is_empty(),
        rows: competing.chain(orienting).collect(),
        left_out: left_out.iter().map(sentence).collect(),
    })
}

/// The figure to compare by, and what to say where it is not the one that was asked for.
fn column<'c>(
    columns: &'c [MetricColumn],
    kept: &BTreeSet<String>,
    asked: &str,
) -> Option<(&'c MetricColumn, Option<String>)> {
    let known = columns.iter().find(|it| it.name == asked);
    if let Some(named) = known.filter(|it| kept.contains(&it.name)) {
        return Some((named, None));
    }
    let column = headline(columns, kept).or_else(|| columns.first())?;
    let instead = match known {
        _ if asked.is_empty() => None,
        Some(known) => Some(format!("Subjects cannot be compared by “{}”: this is {}.", known.title, column.title)),
        None => Some(format!("No figure here is called “{asked}”: this is {}.", column.title)),
    };
    Some((column, instead))
}

/// Backticks mark names in a terminal; on a page they would be printed.
fn sentence(left_out: &LeftOut) -> String {
    format!("{left_out}.").replace('`', "")
}

/// What a reference is told with: no test of it is corrected for.
fn beside(row: Row) -> Row {
    Row { reference: true, holm: NONE.to_owned(), ..row }
}

fn row(it: &Comparison, kind: MetricKind) -> Row {
    let Told { first, second, difference, interval, p, exact, holm } = Told::new(it, kind);
    Row {
        reference: false,
        first: it.first.clone(),
        second: it.second.clone(),
        // A share of five cases looks like any other, so it says of how many it is.
        values: format!("{first} (n {}) and {second} (n {})", count(it.first_n), count(it.second_n)),
        difference,
        range: interval,
        p,
        exact,
        holm,
        families: it.difference.families as u64,
    }
}

/// The language's words, with the number.
fn too_few(note: &str) -> String {
    note.replace("{}", &ENOUGH_FAMILIES.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::metric::Share;
    use waterjar_core::{FamilyId, Seed, SuiteId};
    use waterjar_views::comparison::{Side, compare};

    #[test]
    fn a_reference_is_no_part_of_holms_table() {
        // All families speak for the second.
        let side = |name: &str, part: f64| Side {
            suite: SuiteId::from("einstellung"),
            name: name.to_owned(),
            shares: (0..20).map(|at| Share::new(FamilyId::new(format!("{at:03}")), part, 1.0)).collect(),
        };
        let compared = compare("accuracy", Seed(7), &side("a", 0.0), &side("b", 1.0)).unwrap();
        let row = beside(row(&compared, MetricKind::Share));
        assert_eq!((row.reference, row.holm.as_str(), row.exact.as_str()), (true, "–", "< 0.001"));
    }

    #[test]
    fn who_is_left_out_is_told_without_the_marks_of_a_terminal() {
        let who = ["plain@a", "plain@b"].map(str::to_owned).to_vec();
        let left_out = LeftOut { who, why: "`plain@a` has no value: no family counts".to_owned() };
        let told = "plain@a and plain@b are left out: plain@a has no value: no family counts.";
        assert_eq!(sentence(&left_out), told);
    }
}
