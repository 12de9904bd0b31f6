//! Whom the best of each column leads by more than chance: everybody against the best, as `waterjar compare --against` tests them, with Holm's
//! correction over the column.

use crate::exact::{Exact, Rows};
use std::collections::BTreeSet;
use waterjar_core::{Better, MetricColumn, MetricKind, SubjectId, SubjectResult};
use waterjar_engine::EngineError;
use waterjar_report::{Lead, Leads, leader, ranked};
use waterjar_scoring::stats::holm;
use waterjar_store::Store;

const SIGNIFICANT: f64 = 0.05;
/// Rows of the table of shares that are read at a time.
const PAGE: u32 = 16;

/// By column; without those whose figures are not kept by family, or are means over each subject's own cases.
pub async fn leads(store: &Store, results: &[SubjectResult], columns: &[MetricColumn]) -> Result<Leads, EngineError> {
    let mut leads = Leads::new();
    for column in columns.iter().filter(|it| !it.drawn) {
        let Some(best) = leader(results, column) else { continue };
        let ours = rows(store, best, &column.name).await?;
        if ours.is_empty() {
            continue;
        }
        let (mut tested, mut shares_few) = (Vec::new(), false);
        // Who is not ranked, for few cases, is no test to correct for.
        for (other, _) in ranked(results, column).into_iter().filter(|(it, _)| it.subject != best.subject) {
            // One after the other: of a large benchmark all of them would be too many to hold.
            let theirs = rows(store, other, &column.name).await?;
            let exact = Exact::of(&ours, &theirs);
            shares_few |= 2 * (exact.higher + exact.same + exact.lower) < ours.counted().min(theirs.counted());
            tested.push((other.subject.clone(), exact));
        }
        // A mean over the cases that each was trapped by is not over the same cases: the few that two share are no test of it.
        if column.kind == MetricKind::Number && shares_few {
            continue;
        }
        let lead = Lead { of: best.subject.clone(), over: behind(tested, column.better) };
        leads.insert(column.name.clone(), lead);
    }
    Ok(leads)
}

async fn rows(store: &Store, of: &SubjectResult, metric: &str) -> Result<Rows, EngineError> {
    let mut rows = Rows::default();
    let mut after = Some(-1);
    while let Some(position) = after {
        let page = store.shares_page(&of.suite, &of.subject, metric, position, PAGE).await?;
        rows.extend(&page.items);
        after = page.next;
    }
    Ok(rows)
}

/// Who is behind the best by more than chance; each with its test, in which the best is first.
fn behind(mut tested: Vec<(SubjectId, Exact)>, better: Better) -> BTreeSet<SubjectId> {
    // As in `compare`, who has nothing to be compared by is left out, and is no test to correct for.
    tested.retain(|(_, exact)| exact.is_paired);
    let corrected = holm(&tested.iter().map(|(_, exact)| exact.p()).collect::<Vec<_>>());
    // A figure may be better by a few families that weigh much, while the other is ahead in most: that is no lead.
    let is_ahead = |exact: &Exact| match better {
        Better::Higher => exact.higher > exact.lower,
        Better::Lower => exact.higher < exact.lower,
        Better::Neither => false,
    };
    let told = tested.into_iter().zip(corrected).filter(|((_, exact), p)| *p < SIGNIFICANT && is_ahead(exact));
    told.map(|((subject, _), _)| subject).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of subjects `a`, `b` and so on, in how many families the best is higher and lower than each; who is behind it, where lower is better.
    fn check(counted: &[(u64, u64)], expected: &[&str]) {
        let exact = |&(higher, lower): &(u64, u64)| Exact {
            higher,
            lower,
            same: 3,
            apart: 1.0,
            is_yes_or_no: true,
            is_paired: higher + lower > 0,
        };
        let names = ["a", "b", "c", "d"].into_iter().map(SubjectId::from);
        let found = behind(names.zip(counted.iter().map(exact)).collect(), Better::Lower);
        assert_eq!(found.iter().map(SubjectId::as_str).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_difference_that_chance_may_have_made_is_no_lead() {
        check(&[(4, 9), (0, 9)], &["b"]);
    }

    #[test]
    fn who_is_told_apart_alone_may_not_be_among_several() {
        // p is 0.031 of one test, and 0.063 after Holm of two of them.
        check(&[(0, 6)], &["a"]);
        check(&[(0, 6), (0, 6)], &[]);
    }

    #[test]
    fn who_has_nothing_to_be_compared_by_is_no_test_to_correct_for() {
        check(&[(0, 6), (0, 0)], &["a"]);
    }

    #[test]
    fn whoever_is_ahead_in_most_families_is_not_behind() {
        check(&[(9, 0)], &[]);
    }
}
