//! How many cases bear a figure. Its `n` counts answers, and those of a family that is asked again, or of families that are told of one story
//! or chart, are not independent.

use crate::{EngineError, Run};
use std::collections::HashMap;
use waterjar_core::{SubjectResult, metric::Share};

impl Run<'_> {
    /// Those that add to its denominator, what is drawn together as one. Of a figure that is not kept family by family, such as a stratum, as
    /// many as there are at least.
    pub(super) async fn cases_bearing(&self, result: &SubjectResult, metric: &str) -> Result<u64, EngineError> {
        let (suite, subject) = (&result.suite, &result.subject);
        if let Some(shares) = self.store.shares(suite, subject, metric).await? {
            return Ok(cases(&shares));
        }
        let mut most = f64::from(self.plan.repeats);
        for kept in self.store.metrics_with_shares(suite, subject).await? {
            let shares = self.store.shares(suite, subject, &kept).await?.unwrap_or_default();
            most = most.max(heaviest(&shares));
        }
        let n = result.metrics.get(metric).map_or(0, |figure| figure.n);
        Ok(at_least(n, most))
    }
}

fn cases(shares: &[Share]) -> u64 {
    by_case(shares).into_values().filter(|whole| *whole > 0.0).count() as u64
}

/// The most that one case adds to a denominator.
fn heaviest(shares: &[Share]) -> f64 {
    by_case(shares).into_values().fold(0.0, f64::max)
}

fn by_case(shares: &[Share]) -> HashMap<&str, f64> {
    let mut wholes = HashMap::new();
    for share in shares {
        *wholes.entry(share.cluster().as_str()).or_insert(0.0) += share.whole;
    }
    wholes
}

/// So many cases give `n` answers, if none gives more than `most`.
fn at_least(n: u64, most: f64) -> u64 {
    (n as f64 / most.max(1.0)).ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::FamilyId;

    /// Shares of a family, of what it is drawn with, and of how many answers.
    fn check(shares: &[(&str, Option<&str>, f64)], is: (u64, f64)) {
        let share = |(family, within, whole): &(&str, Option<&str>, f64)| Share {
            within: within.map(FamilyId::from),
            ..Share::new(FamilyId::from(*family), 0.0, *whole)
        };
        let shares: Vec<Share> = shares.iter().map(share).collect();
        assert_eq!((cases(&shares), heaviest(&shares)), is);
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
