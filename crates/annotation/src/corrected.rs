//! What a figure would be if people had judged everything, told from the part they did judge.
//!
//! The judge's error is measured where people have judged too and taken off the judge's figure for the whole (prediction-powered inference,
//! Angelopoulos et al., Science 2023): corrected = judge on all + (people on the part − judge on the part). Both terms are resampled, the
//! whole and the part apart, so that the interval holds the doubt of a small part.

use rand::RngExt;
use serde::Serialize;
use std::collections::BTreeMap;
use waterjar_core::{Interval, Seed, metric::Share};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Corrected {
    pub metric: String,
    /// On all families, by the run's judge.
    pub judge: f64,
    /// On the families people have judged, by both.
    pub judge_on_part: f64,
    pub people: f64,
    pub families: usize,
    pub corrected: f64,
    pub interval: Option<Interval>,
}

/// Parts and wholes that are resampled together.
#[derive(Clone, Copy, Default)]
struct Sums {
    judge: (f64, f64),
    people: (f64, f64),
}

const REPLICATES: usize = 2_000;

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
    drawn.sort_by(f64::total_cmp);
    let at = |share: f64| drawn[((drawn.len() - 1) as f64 * share).round() as usize];
    // One family says nothing of others.
    let known = both.len() > 1 && drawn.len() > REPLICATES / 2;
    Some(Corrected {
        metric: metric.to_owned(),
        judge,
        judge_on_part,
        people: by_people,
        families: both.len(),
        corrected: judge + by_people - judge_on_part,
        interval: known.then(|| Interval { low: at(0.025), high: at(0.975) }),
    })
}

fn by_cluster(judge: &[Share], people: &[Share], weights: &BTreeMap<String, f64>) -> Vec<Sums> {
    let mut sums: BTreeMap<&str, Sums> = BTreeMap::new();
    let weight = |share: &Share| weights.get(share.cluster().as_str()).copied().unwrap_or(1.0);
    for share in judge {
        let sum = sums.entry(share.cluster().as_str()).or_default();
        sum.judge.0 += share.part * weight(share);
        sum.judge.1 += share.whole * weight(share);
    }
    for share in people {
        let sum = sums.entry(share.cluster().as_str()).or_default();
        sum.people.0 += share.part * weight(share);
        sum.people.1 += share.whole * weight(share);
    }
    sums.into_values().collect()
}

fn ratio(sums: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (part, whole) = sums.fold((0.0, 0.0), |(part, whole), it| (part + it.0, whole + it.1));
    (whole > 0.0).then(|| part / whole)
}
