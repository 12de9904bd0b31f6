//! The difference of two subjects on the same families.

use super::{Bootstrap, Interval, Ratio, StatsError, Tally, columns::Columns, quantile::percentile_95};
use serde::Serialize;

/// First minus second, over the families both answered.
///
/// The p-values count replicates on the wrong side of zero, with one added above and below so that none is ever zero
/// (Davison and Hinkley 1997, 4.2): `p_less` = (1 + #{Δ* ≥ 0}) / (B + 1) speaks for "first is below second",
/// `p_greater` likewise, and `p` is twice the smaller, at most 1. They are evidence only where it [`has_enough`](Self::has_enough), so
/// whoever writes them down looks at that first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    pub value: f64,
    /// `None` only if no replicate had both denominators.
    pub interval: Option<Interval>,
    #[serde(skip)]
    pub p: f64,
    #[serde(skip)]
    pub p_less: f64,
    #[serde(skip)]
    pub p_greater: f64,
    pub first: f64,
    pub second: f64,
    /// Families both answered; the others are not looked at.
    pub families: usize,
    /// Of these, those with something in the denominator, of the one of the two that has fewer: what the difference rests on.
    pub counting: usize,
    /// Replicates in which one of the two had no denominator.
    pub left_out: usize,
}

/// Below so many families a bootstrap's p is no evidence. It draws from the spread of the few, which is too small: of two subjects that do
/// not differ (normal differences, 2,000 simulated comparisons each) it says p ≤ 0.05 in 16 % of the comparisons of 5 families, in 11 % of 10
/// and in 6 % of 20 (`cargo run --release -p waterjar-scoring --example few_families`). That tests made for many clusters reject too often
/// with five to thirty is known (Cameron, Gelbach and Miller 2008, Review of Economics and Statistics 90). Of five families that all say the
/// same every resample does too, and p is the smallest there is; an exact test says 0.06.
pub const ENOUGH_FAMILIES: usize = 20;

impl Difference {
    /// Whether its p-values are evidence.
    pub fn has_enough(&self) -> bool {
        self.counting >= ENOUGH_FAMILIES
    }
}

/// (part, whole) of the first and of the second.
type Row = ((f64, f64), (f64, f64));

impl Bootstrap {
    /// Both ratios are computed on the same resample, so that a hard case weighs on both alike.
    pub fn difference(&self, tally: &Tally, first: Ratio, second: Ratio) -> Result<Difference, StatsError> {
        let rows = tally.by_family(first).zip(tally.by_family(second));
        let common: Vec<Row> = rows.filter_map(|(a, b)| a.zip(b)).collect();
        if common.is_empty() {
            return Err(StatsError::NothingInCommon {
                first: tally.name(first).to_owned(),
                second: tally.name(second).to_owned(),
            });
        }
        let counting = |whole: fn(&Row) -> f64| common.iter().filter(|row| whole(row) > 0.0).count();
        let counting = counting(|(a, _)| a.1).min(counting(|(_, b)| b.1));
        let mut columns = Columns::default();
        let mut place = |value: fn(&Row) -> f64| columns.place(common.iter().map(value).collect());
        let places = vec![(place(|(a, _)| a.0), place(|(a, _)| a.1)), (place(|(_, b)| b.0), place(|(_, b)| b.1))];
        let resampled = self.run(&columns, places, common.len());
        let value = |ratio, asked| {
            let without = || StatsError::NoDenominator { ratio: tally.name(asked).to_owned() };
            resampled.value(ratio).ok_or_else(without)
        };
        let (one, two) = (Ratio(0), Ratio(1));
        let (first, second) = (value(one, first)?, value(two, second)?);
        let replicates = resampled.replicates(one).zip(resampled.replicates(two));
        let differences: Vec<f64> = replicates.filter_map(|(a, b)| Some(a? - b?)).collect();

        let share = |extreme: usize| (1 + extreme) as f64 / (1 + differences.len()) as f64;
        let p_less = share(differences.iter().filter(|d| **d >= 0.0).count());
        let p_greater = share(differences.iter().filter(|d| **d <= 0.0).count());
        Ok(Difference {
            value: first - second,
            p: (2.0 * p_less.min(p_greater)).min(1.0),
            p_less,
            p_greater,
            first,
            second,
            families: common.len(),
            counting,
            left_out: self.replicates - differences.len(),
            interval: percentile_95(differences),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::Seed;

    /// Outcomes of two subjects by family: right, wrong, or no answer.
    fn check(rows: &[(Option<bool>, Option<bool>)]) -> Result<Difference, StatsError> {
        let mut tally = Tally::new();
        let (a, b) = (tally.ratio("a"), tally.ratio("b"));
        for (index, (of_a, of_b)) in rows.iter().enumerate() {
            for (ratio, outcome) in [(a, of_a), (b, of_b)] {
                if let Some(right) = outcome {
                    let part = f64::from(*right);
                    tally.push(&format!("{index:04}"), ratio, part, 1.0).unwrap();
                }
            }
        }
        Bootstrap { seed: Seed(7), replicates: 999 }.difference(&tally, a, b)
    }

    #[test]
    fn a_subject_does_not_differ_from_itself() {
        let rows: Vec<_> = (0..50).map(|i| (Some(i % 3 == 0), Some(i % 3 == 0))).collect();
        let same = check(&rows).unwrap();
        assert_eq!((same.value, same.p), (0.0, 1.0));
        assert_eq!(same.interval, Some(Interval { low: 0.0, high: 0.0 }));
    }

    #[test]
    fn the_smallest_p_is_two_in_the_number_of_replicates_plus_one() {
        let rows = [(Some(true), Some(false)); 40];
        let clear = check(&rows).unwrap();
        assert_eq!((clear.value, clear.p), (1.0, 2.0 / 1000.0));
        assert_eq!((clear.p_less, clear.p_greater), (1.0, 1.0 / 1000.0));
    }

    #[test]
    fn few_families_that_all_say_the_same_are_not_enough() {
        let of = |families: usize| check(&vec![(Some(true), Some(false)); families]).unwrap();
        let (few, enough) = (of(ENOUGH_FAMILIES - 1), of(ENOUGH_FAMILIES));
        assert_eq!(few.p, enough.p, "the bootstrap is as sure of the one as of the other");
        assert_eq!((few.has_enough(), enough.has_enough()), (false, true));
    }

    #[test]
    fn a_family_that_counts_for_one_alone_bears_no_difference() {
        let mut tally = Tally::new();
        let (a, b) = (tally.ratio("a"), tally.ratio("b"));
        for index in 0..30 {
            let family = format!("{index:02}");
            tally.push(&family, a, 0.0, 1.0).unwrap();
            tally.push(&family, b, 0.0, if index < 5 { 1.0 } else { 0.0 }).unwrap();
        }
        let found = Bootstrap { seed: Seed(7), replicates: 999 }.difference(&tally, a, b).unwrap();
        assert_eq!((found.families, found.counting, found.has_enough()), (30, 5, false));
    }

    #[test]
    fn pairing_sees_a_small_steady_difference() {
        // Both fail on the same half of the cases; the first is better in one of ten.
        let rows: Vec<_> = (0..200).map(|i| (Some(i % 2 == 0 || i % 10 == 1), Some(i % 2 == 0))).collect();
        let steady = check(&rows).unwrap();
        assert!((steady.value - 0.1).abs() < 1e-12);
        assert_eq!(steady.left_out, 0);
        assert!(steady.interval.unwrap().low > 0.05 && steady.p < 0.01);
    }

    #[test]
    fn only_common_families_are_compared() {
        let found = check(&[(Some(true), None), (Some(true), Some(true)), (None, Some(false))]).unwrap();
        assert_eq!((found.families, found.value), (1, 0.0));
    }

    #[test]
    fn without_common_families_there_is_nothing_to_compare() {
        let apart = check(&[(Some(true), None), (None, Some(true))]);
        assert_eq!(apart, Err(StatsError::NothingInCommon { first: "a".to_owned(), second: "b".to_owned() }));
    }

    /// What each of two families adds to the second subject's ratio; the first subject is right in both.
    fn against(second: [f64; 2]) -> Result<Difference, StatsError> {
        let mut tally = Tally::new();
        let (a, b) = (tally.ratio("a"), tally.ratio("b"));
        for (family, whole) in ["one", "two"].into_iter().zip(second) {
            tally.push(family, a, 1.0, 1.0).unwrap();
            tally.push(family, b, 0.0, whole).unwrap();
        }
        Bootstrap { seed: Seed(7), replicates: 999 }.difference(&tally, a, b)
    }

    #[test]
    fn a_replicate_without_a_denominator_is_left_out_and_counted() {
        // The family that counts is missed by a quarter of the resamples of two: 250, and the sd is 14.
        let found = against([1.0, 0.0]).unwrap();
        assert!((180..320).contains(&found.left_out), "{}", found.left_out);
        assert_eq!((found.value, found.families), (1.0, 2));
    }

    #[test]
    fn a_subject_without_a_denominator_is_named() {
        assert_eq!(against([0.0, 0.0]), Err(StatsError::NoDenominator { ratio: "b".to_owned() }));
    }
}
