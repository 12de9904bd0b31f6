//! How many cases bear a figure. Its `n` counts answers, and those of a family that is asked again, or of families that are told of one story
//! or chart, are not independent.

use crate::{EngineError, Run};
use std::collections::HashMap;
use waterjar_core::metric::Share;
use waterjar_core::{FamilyId, SubjectResult};
use waterjar_store::Store;

/// Rows of the table of shares that are read at a time.
const PAGE: u32 = 16;

impl Run<'_> {
    /// Those that add to its denominator, what is drawn together as one. Of a figure that is not kept family by family, such as a stratum, as
    /// many as there are at least.
    pub(super) async fn cases_bearing(&self, result: &SubjectResult, metric: &str) -> Result<u64, EngineError> {
        let kept = self.store.metrics_with_shares(&result.suite, &result.subject).await?;
        if kept.iter().any(|it| it == metric) {
            return Ok(Wholes::read(&self.store, result, metric, PAGE).await?.cases());
        }
        let mut most = f64::from(self.plan.repeats);
        for kept in &kept {
            most = most.max(Wholes::read(&self.store, result, kept, PAGE).await?.heaviest());
        }
        let n = result.metrics.get(metric).map_or(0, |figure| figure.n);
        Ok(at_least(n, most))
    }
}

/// What each case adds to a denominator: of its answers, however many it gave, only the sum is held.
#[derive(Debug, Default, PartialEq)]
struct Wholes(HashMap<FamilyId, f64>);

impl Wholes {
    async fn read(store: &Store, of: &SubjectResult, metric: &str, rows: u32) -> Result<Self, EngineError> {
        let mut wholes = Self::default();
        let mut after = Some(-1);
        while let Some(position) = after {
            let page = store.shares_page(&of.suite, &of.subject, metric, position, rows).await?;
            wholes.add(&page.items);
            after = page.next;
        }
        Ok(wholes)
    }

    fn add(&mut self, shares: &[Share]) {
        for share in shares {
            match self.0.get_mut(share.cluster()) {
                Some(whole) => *whole += share.whole,
                None => {
                    self.0.insert(share.cluster().clone(), share.whole);
                }
            }
        }
    }

    fn cases(&self) -> u64 {
        self.0.values().filter(|whole| **whole > 0.0).count() as u64
    }

    /// The most that one case adds.
    fn heaviest(&self) -> f64 {
        self.0.values().copied().fold(0.0, f64::max)
    }
}

/// So many cases give `n` answers, if none gives more than `most`.
fn at_least(n: u64, most: f64) -> u64 {
    (n as f64 / most.max(1.0)).ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::Shares;
    use waterjar_store::Mode;

    /// Shares of a family, of what it is drawn with, and of how many answers.
    fn check(shares: &[(&str, Option<&str>, f64)], is: (u64, f64)) {
        let share = |(family, within, whole): &(&str, Option<&str>, f64)| Share {
            within: within.map(FamilyId::from),
            ..Share::new(FamilyId::from(*family), 0.0, *whole)
        };
        let mut wholes = Wholes::default();
        wholes.add(&shares.iter().map(share).collect::<Vec<_>>());
        assert_eq!((wholes.cases(), wholes.heaviest()), is);
    }

    #[tokio::test]
    async fn read_page_by_page_they_are_to_the_bit_what_they_are_read_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().join("run.sqlite"), Mode::Create).await.unwrap();
        // Asked again and again, so that what one case adds lies on several pages; the order of the thirds decides the last bit.
        let share = |at: usize| Share::new(format!("p{}", at % 40).as_str().into(), 0.0, 1.0 / (1 + at % 7) as f64);
        let all: Vec<Share> = (0..3000).map(share).collect();
        let mut shares = Shares::default();
        all.iter().for_each(|share| shares.push("css", share));
        let result = SubjectResult {
            suite: "sensitivity".into(),
            subject: "plain@echo".into(),
            n: 40,
            missing: 0,
            reference: false,
            metrics: [].into(),
            breakdown: Vec::new(),
        };
        store.replace_result(&result, &shares).await.unwrap();
        let mut at_once = Wholes::default();
        at_once.add(&all);
        for rows in [1, 5, 100] {
            assert_eq!(Wholes::read(&store, &result, "css", rows).await.unwrap(), at_once, "{rows} at a time");
        }
        assert_eq!((at_once.0.len(), at_once.cases()), (40, 40), "held by case and not by answer");
        store.close().await;
    }

    #[test]
    fn a_family_that_is_asked_again_is_one_case() {
        check(&[("a", None, 1.0), ("b", None, 1.0), ("a", None, 1.0), ("b", None, 1.0)], (2, 2.0));
    }

    #[test]
    fn families_of_one_story_are_one_case() {
        check(&[("a", None, 1.0), ("a~1", Some("a"), 1.0), ("a~2", Some("a"), 1.0), ("b", None, 1.0)], (2, 3.0));
    }

    #[test]
    fn a_chart_with_many_changes_is_one_case() {
        check(&[("a", None, 12.0), ("b", None, 5.0)], (2, 12.0));
    }

    #[test]
    fn a_family_that_adds_nothing_bears_nothing() {
        check(&[("a", None, 0.0), ("b", None, 1.0), ("a", None, 0.0)], (1, 1.0));
        check(&[], (0, 0.0));
    }

    #[test]
    fn of_what_is_not_kept_by_family_the_fewest_there_can_be_are_counted() {
        assert_eq!([at_least(90, 3.0), at_least(91, 3.0), at_least(30, 0.0), at_least(0, 3.0)], [30, 31, 30, 0]);
    }
}
