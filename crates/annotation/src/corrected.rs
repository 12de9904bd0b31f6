//! What a figure would be if people had judged everything, told from the part they did judge.
//!
//! The judge's error is measured where people have judged too and taken off the judge's figure for the whole (prediction-powered inference,
//! Angelopoulos et al., Science 2023): corrected = judge on all + (people on the part − judge on the part). Both terms are resampled, the
//! whole and the part apart, so that the interval holds the doubt of a small part.

use crate::humans::family_of;
use rand::RngExt;
use serde::Serialize;
use std::collections::BTreeMap;
use waterjar_core::{Interval, Seed, metric::Share};
use waterjar_scoring::stats::{percentile_95, wilson};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Corrected {
    pub metric: String,
    /// On all families, by the run's judge.
    pub judge: f64,
    /// On the families people have judged, by both.
    pub judge_on_part: f64,
    pub people: f64,
    /// Of these, those that count in this figure.
    pub families: usize,
    /// `None` where too few families are rated to say how far off it may be.
    pub corrected: Option<f64>,
    pub interval: Option<Interval>,
}

/// Parts and wholes that are resampled together.
#[derive(Clone, Copy, Default)]
struct Sums {
    judge: (f64, f64),
    people: (f64, f64),
}

const REPLICATES: usize = 2_000;

/// Rated families below which nothing is corrected: resampled, one or two of a kind look like certainty.
pub const FEWEST: usize = 5;

/// `None` where one of the three figures has no denominator.
pub fn corrected(
    metric: &str,
    all: &[Share],
    part: &[Share],
    people: &[Share],
    weights: &BTreeMap<String, f64>,
    seed: Seed,
) -> Option<Corrected> {
    let whole: Vec<Sums> = by_cluster(all, &[], &BTreeMap::new());
    let both: Vec<Sums> = by_cluster(part, people, weights);
    let judge = ratio(whole.iter().map(|it| it.judge))?;
    let judge_on_part = ratio(both.iter().map(|it| it.judge))?;
    let by_people = ratio(both.iter().map(|it| it.people))?;
    let mut rng = seed.rng("corrected", metric);
    let mut drawn: Vec<f64> = Vec::with_capacity(REPLICATES);
    for _ in 0..REPLICATES {
        let whole: Vec<Sums> = (0..whole.len()).map(|_| whole[rng.random_range(0..whole.len())]).collect();
        let both: Vec<Sums> = (0..both.len()).map(|_| both[rng.random_range(0..both.len())]).collect();
        let replicate = || {
            let judge = ratio(whole.iter().map(|it| it.judge))?;
            Some(judge + ratio(both.iter().map(|it| it.people))? - ratio(both.iter().map(|it| it.judge))?)
        };
        drawn.extend(replicate());
    }
    // Families that add nothing to the figure are no evidence about it.
    let families = both.iter().filter(|it| it.judge.1 > 0.0 || it.people.1 > 0.0).count();
    let known = families >= FEWEST && drawn.len() > REPLICATES / 2;
    let estimate = judge + by_people - judge_on_part;
    let is_share = [all, part, people].iter().all(|shares| shares.iter().all(|it| (0.0..=it.whole).contains(&it.part)));
    let agree = both.iter().all(|it| it.judge == it.people);
    let interval = percentile_95(drawn).filter(|_| known);
    Some(Corrected {
        metric: metric.to_owned(),
        judge,
        judge_on_part,
        people: by_people,
        families,
        corrected: known.then(|| if is_share { estimate.clamp(0.0, 1.0) } else { estimate }),
        interval: if is_share { interval.map(|it| of_share(it, agree, families)) } else { interval },
    })
}

/// A share is never below none or above all. Where people agree with the judge on every family they rated, resampling would take the judge for
/// faultless: what may still be wrong of a judge who was right n times of n (Wilson) is added on both sides.
fn of_share(interval: Interval, agree: bool, families: usize) -> Interval {
    let doubt = if agree { wilson(0, families as u64).map_or(0.0, |it| it.high) } else { 0.0 };
    Interval { low: (interval.low - doubt).clamp(0.0, 1.0), high: (interval.high + doubt).clamp(0.0, 1.0) }
}

fn by_cluster(judge: &[Share], people: &[Share], weights: &BTreeMap<String, f64>) -> Vec<Sums> {
    let mut sums: BTreeMap<&str, Sums> = BTreeMap::new();
    // An item is named after its family; several of one family are drawn as one, each with its own weight.
    let named = |share: &Share| weights.get(share.family.as_str()).or_else(|| weights.get(share.cluster().as_str()));
    let weight = |share: &Share| named(share).copied().unwrap_or(1.0);
    for share in judge {
        let sum = sums.entry(family_of(share.cluster().as_str())).or_default();
        sum.judge.0 += share.part * weight(share);
        sum.judge.1 += share.whole * weight(share);
    }
    for share in people {
        let sum = sums.entry(family_of(share.cluster().as_str())).or_default();
        sum.people.0 += share.part * weight(share);
        sum.people.1 += share.whole * weight(share);
    }
    sums.into_values().collect()
}

fn ratio(sums: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (part, whole) = sums.fold((0.0, 0.0), |(part, whole), it| (part + it.0, whole + it.1));
    (whole > 0.0).then(|| part / whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(of: impl Iterator<Item = bool>) -> Vec<Share> {
        let share = |(at, yes): (usize, bool)| Share::new(format!("f{at}").as_str().into(), f64::from(yes), 1.0);
        of.enumerate().map(share).collect()
    }

    #[test]
    fn the_judges_error_is_taken_off_and_few_cases_leave_it_in_doubt() {
        // The judge calls 40 of 100 trapped; of the first 50 people find 10 where the judge has 20.
        let all = shares((0..100).map(|at| at % 5 < 2));
        let part = shares((0..50).map(|at| at % 5 < 2));
        let people = shares((0..50).map(|at| at % 5 < 1));
        let told = corrected("trap", &all, &part, &people, &BTreeMap::new(), Seed(1)).unwrap();
        assert_eq!((told.judge, told.judge_on_part, told.people, told.families), (0.4, 0.4, 0.2, 50));
        assert!((told.corrected.unwrap() - 0.2).abs() < 1e-12);
        let wide = told.interval.unwrap();
        let same = corrected("trap", &all, &part, &part, &BTreeMap::new(), Seed(1)).unwrap();
        let narrow = same.interval.unwrap();
        assert_eq!(same.corrected, Some(0.4), "where people agree with the judge nothing changes");
        assert!(wide.low < 0.2 && 0.2 < wide.high, "{wide:?}");
        let few = corrected("trap", &all, &part[..5], &part[..5], &BTreeMap::new(), Seed(1)).unwrap().interval.unwrap();
        assert!(
            few.high - few.low > narrow.high - narrow.low + 0.3,
            "five cases leave more in doubt: {few:?} {narrow:?}"
        );
    }

    #[test]
    fn a_family_that_stands_for_many_weighs_as_many() {
        let all = shares((0..10).map(|_| false));
        let part = shares([false, false].into_iter());
        let people = shares([true, false].into_iter());
        let weights = BTreeMap::from([("f0".to_owned(), 1.0), ("f1".to_owned(), 9.0)]);
        let told = corrected("trap", &all, &part, &people, &weights, Seed(1)).unwrap();
        assert!((told.people - 0.1).abs() < 1e-12, "{told:?}");
        assert!(corrected("trap", &all, &[], &[], &weights, Seed(1)).is_none(), "nobody judged anything");
    }

    #[test]
    fn fewer_than_five_rated_families_correct_nothing() {
        let all = shares((0..100).map(|at| at % 5 < 4));
        for rated in 1..=FEWEST {
            let part = shares((0..rated).map(|_| true));
            let people = shares((0..rated).map(|at| at > 0));
            let told = corrected("trap", &all, &part, &people, &BTreeMap::new(), Seed(1)).unwrap();
            let enough = rated == FEWEST;
            assert_eq!((told.families, told.corrected.is_some(), told.interval.is_some()), (rated, enough, enough));
            assert_eq!(told.judge, 0.8, "the judge's own figure stays");
        }
    }

    #[test]
    fn a_family_that_adds_nothing_to_a_figure_is_not_counted_for_it() {
        let all = shares((0..100).map(|at| at % 2 == 0));
        let idle = |at: usize| Share::new(format!("idle{at}").as_str().into(), 0.0, 0.0);
        let part: Vec<Share> = shares([true, false].into_iter()).into_iter().chain((0..8).map(idle)).collect();
        let told = corrected("trap", &all, &part, &part, &BTreeMap::new(), Seed(1)).unwrap();
        assert_eq!((told.families, told.corrected, told.interval), (2, None, None));
    }

    #[test]
    fn where_all_say_the_same_of_few_the_rest_stays_in_doubt() {
        let all = shares((0..100).map(|_| true));
        let part = shares((0..10).map(|_| true));
        let told = corrected("kept", &all, &part, &part, &BTreeMap::new(), Seed(1)).unwrap();
        let interval = told.interval.unwrap();
        assert!(interval.low > 0.6 && interval.low < 0.8 && interval.high == 1.0, "{interval:?}");
    }
}
