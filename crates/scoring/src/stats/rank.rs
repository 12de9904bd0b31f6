//! Ranks: of values, and of subjects with a bootstrap interval.

use super::{Interval, Ratio, Resampled, quantile::percentile_95};
use serde::Serialize;

/// Which end of a metric is rank 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    HigherIsBetter,
    LowerIsBetter,
}

/// A place in a league table, and how far it moves when the cases are drawn again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankEstimate {
    /// 1 is best; ties share the mean of their places.
    pub rank: f64,
    pub interval: Option<Interval>,
    /// Replicates in which one of the ranked ratios had no denominator.
    pub left_out: usize,
}

impl Resampled {
    /// One entry per ratio. `None` if one of them has no value, because then the places of the others are unknown too.
    pub fn ranks(&self, ratios: &[Ratio], direction: Direction) -> Option<Vec<RankEstimate>> {
        let ranked = |values: Vec<f64>| match direction {
            Direction::LowerIsBetter => mid_ranks(&values),
            Direction::HigherIsBetter => mid_ranks(&values.iter().map(|v| -v).collect::<Vec<_>>()),
        };
        let point = ranked(ratios.iter().map(|r| self.value(*r)).collect::<Option<_>>()?);

        let mut columns: Vec<_> = ratios.iter().map(|r| self.replicates(*r)).collect();
        let mut replicated = vec![Vec::new(); ratios.len()];
        let mut left_out = 0;
        while let Some(row) = columns.iter_mut().map(Iterator::next).collect::<Option<Vec<_>>>() {
            if row.is_empty() {
                break;
            }
            let Some(values) = row.into_iter().collect() else {
                left_out += 1;
                continue;
            };
            for (ranks, rank) in replicated.iter_mut().zip(ranked(values)) {
                ranks.push(rank);
            }
        }
        let estimates = point.into_iter().zip(replicated);
        let estimates = estimates.map(|(rank, ranks)| RankEstimate { rank, interval: percentile_95(ranks), left_out });
        Some(estimates.collect())
    }
}

/// Ranks from 1 for the smallest; equal values share the mean of their places.
pub fn mid_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut place = 0;
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let mean = place as f64 + (tied.len() + 1) as f64 / 2.0;
        for &index in tied {
            ranks[index] = mean;
        }
        place += tied.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Bootstrap, Tally};
    use waterjar_core::Seed;

    #[test]
    fn ties_share_the_mean_of_their_places() {
        assert_eq!(mid_ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
    }

    /// Subjects with that many right of 100.
    fn check(right: &[u32], direction: Direction) -> Vec<RankEstimate> {
        let mut tally = Tally::new();
        let mut ratios = Vec::new();
        for (subject, right) in right.iter().enumerate() {
            let ratio = tally.ratio(&subject.to_string());
            ratios.push(ratio);
            for case in 0..100_u32 {
                // 37 and 100 share no factor, so this scatters the right ones over the cases.
                let part = f64::from(case * 37 % 100 < *right);
                tally.push(&case.to_string(), ratio, part, 1.0).unwrap();
            }
        }
        let resampled = Bootstrap::new(Seed(7)).resample(&tally);
        resampled.ranks(&ratios, direction).unwrap()
    }

    #[test]
    fn a_clear_lead_is_certain() {
        let ranks = check(&[90, 10], Direction::HigherIsBetter);
        assert_eq!(ranks[0].rank, 1.0);
        assert_eq!(ranks[0].interval, Some(Interval { low: 1.0, high: 1.0 }));
        assert_eq!(check(&[90, 10], Direction::LowerIsBetter)[0].rank, 2.0);
    }

    #[test]
    fn a_tie_is_shared() {
        let ranks = check(&[50, 50, 10], Direction::HigherIsBetter);
        assert_eq!([ranks[0].rank, ranks[1].rank, ranks[2].rank], [1.5, 1.5, 3.0]);
    }

    #[test]
    fn ranking_nobody_is_an_empty_table() {
        assert!(check(&[], Direction::HigherIsBetter).is_empty());
    }

    #[test]
    fn a_replicate_without_a_value_for_one_ranks_nobody() {
        let mut tally = Tally::new();
        let (some, all) = (tally.ratio("some"), tally.ratio("all"));
        for (family, whole) in [("a", 1.0), ("b", 0.0)] {
            tally.push(family, some, whole, whole).unwrap();
            tally.push(family, all, 0.0, 1.0).unwrap();
        }
        let resampled = Bootstrap::new(Seed(7)).resample(&tally);
        let without = resampled.estimate(some).unwrap().left_out;
        let ranks = resampled.ranks(&[some, all], Direction::HigherIsBetter).unwrap();
        assert!(without > 0);
        assert_eq!([ranks[0].left_out, ranks[1].left_out], [without; 2]);
    }
}
