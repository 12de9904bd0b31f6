//! A figure with its denominator and its interval.

use crate::{FamilyId, SubjectId, SuiteId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Value, interval and `n`. A figure without cases has no value, which is not the value zero.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    pub value: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// The denominator of this metric.
    pub n: u64,
    /// Independent cases that add to it (patients, stories, charts), where they are fewer than `n`: what the interval counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clusters: Option<u64>,
    /// The percentile interval of a cluster bootstrap over families, where `low` and `high` are another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bootstrap: Option<Interval>,
    /// Why there is no value, where that needs saying.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absent: Option<String>,
}

impl Metric {
    /// A figure that could not be had, which is not a figure of zero.
    pub fn absent(why: impl Into<String>) -> Self {
        Self { absent: Some(why.into()), ..Self::default() }
    }

    /// With the independent cases that bear it.
    pub fn of_clusters(self, clusters: usize) -> Self {
        let clusters = Some(clusters as u64).filter(|clusters| *clusters < self.n);
        Self { clusters, ..self }
    }

    /// Independent cases that it rests on.
    pub fn cases(&self) -> u64 {
        self.clusters.unwrap_or(self.n)
    }

    /// Half of the wider of its two intervals: of a subject that was always right the bootstrap has no width, and Wilson's has.
    pub fn half_width(&self) -> Option<f64> {
        let own = self.low.zip(self.high).map(|(low, high)| (high - low) / 2.0);
        let resampled = self.bootstrap.map(|it| (it.high - it.low) / 2.0);
        own.into_iter().chain(resampled).reduce(f64::max)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// What one family adds to a metric: the metric is the sum of `part` over the sum of `whole`.
/// Two subjects are compared family by family on these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    pub family: FamilyId,
    pub part: f64,
    pub whole: f64,
    /// The family it belongs to, where it is one of several that are not independent: one change of a chart among others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<FamilyId>,
}

impl Share {
    pub fn new(family: FamilyId, part: f64, whole: f64) -> Self {
        Self { family, part, whole, within: None }
    }

    /// What is drawn as one when shares are resampled.
    pub fn cluster(&self) -> &FamilyId {
        self.within.as_ref().unwrap_or(&self.family)
    }
}

/// The figures of one subject on one suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SubjectResult {
    pub suite: SuiteId,
    pub subject: SubjectId,
    /// Families judged.
    pub n: u64,
    /// Families in which a needed answer is missing.
    pub missing: u64,
    /// Printed for orientation, not a competitor (the judge itself).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reference: bool,
    /// By published name in snake case; a dot adds a stratum.
    pub metrics: BTreeMap<String, Metric>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breakdown: Vec<Breakdown>,
}

/// The same metrics for a part of the families: one condition, one pair of conditions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Breakdown {
    /// `condition`, `pair`
    pub by: String,
    pub key: String,
    pub metrics: BTreeMap<String, Metric>,
}

/// `metrics.json`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MetricsFile {
    pub schema: String,
    pub study: String,
    pub seed: u64,
    pub registered: bool,
    pub results: Vec<SubjectResult>,
    /// What the study demands of the figures, and whether they keep to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<BoundCheck>,
    /// What should be known of rows that were made elsewhere: labels that may be another's, columns that were not read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One bound on one subject.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoundCheck {
    /// `einstellung.bias_trap_rate`
    pub figure: String,
    pub subject: SubjectId,
    /// `at most 0.4`
    pub demand: String,
    /// Why it does not hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
}

impl MetricsFile {
    pub const SCHEMA: &'static str = "waterjar.metrics/1";

    pub fn new(study: &str, seed: u64, results: Vec<SubjectResult>) -> Self {
        Self {
            schema: Self::SCHEMA.to_owned(),
            study: study.to_owned(),
            seed,
            registered: false,
            results,
            bounds: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// Six decimals: enough to print any figure, few enough that no platform differs in the last one.
pub fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// Below so many independent cases a figure says too little to be held against another's: with nine a Wilson interval still spans half the scale.
pub const FEWEST: u64 = 10;

/// From where on figures of one metric can be held against each other: `FEWEST` independent cases, and half of what is usual among those that
/// have a value. A reader who misses most controls is asked for its trap rate on a chosen few, which is not the question the others answered.
///
/// Usual is the median. Half of the largest would let one subject that has twice as many as all the others put every one of them out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enough {
    cases: u64,
    /// Of two who saw the same stories, one may have been asked about a few of their versions only.
    n: u64,
}

impl Enough {
    pub fn among<'a>(figures: impl IntoIterator<Item = &'a Metric>) -> Self {
        let told: Vec<&Metric> =
            figures.into_iter().filter(|figure| figure.value.is_some_and(f64::is_finite)).collect();
        Self {
            cases: FEWEST.max(half_of_usual(told.iter().map(|figure| figure.cases()))),
            n: half_of_usual(told.iter().map(|figure| figure.n)),
        }
    }

    pub fn is_met_by(self, figure: &Metric) -> bool {
        self.admits(figure.cases(), figure.n)
    }

    /// So many independent cases, which gave so many answers.
    pub fn admits(self, cases: u64, n: u64) -> bool {
        cases >= self.cases && n >= self.n
    }
}

fn half_of_usual(numbers: impl Iterator<Item = u64>) -> u64 {
    let mut numbers: Vec<u64> = numbers.collect();
    numbers.sort_unstable();
    let middle = |of: usize| numbers.get(of / 2).copied().unwrap_or(0);
    let twice_usual = middle(numbers.len().saturating_sub(1)) + middle(numbers.len());
    twice_usual.div_ceil(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(n: u64, clusters: u64) -> Metric {
        Metric { value: Some(0.5), n, ..Metric::default() }.of_clusters(clusters as usize)
    }

    /// Of figures of so many independent cases each.
    fn check(numbers: &[u64], expected: u64) {
        let figures: Vec<Metric> = numbers.iter().map(|n| told(*n, *n)).collect();
        let enough = Enough::among(&figures);
        assert!(enough.is_met_by(&told(expected, expected)), "{numbers:?}");
        assert!(!enough.is_met_by(&told(expected - 1, expected - 1)), "{numbers:?}");
    }

    #[test]
    fn ten_cases_are_the_fewest_and_else_half_of_what_is_usual() {
        check(&[], 10);
        check(&[3, 5, 4], 10);
        check(&[21, 316, 310], 155);
        check(&[5, 90], 24);
        check(&[150, 400], 138);
    }

    #[test]
    fn one_who_has_many_more_than_all_others_puts_none_of_them_out() {
        check(&[100, 90, 400, 110], 53);
    }

    #[test]
    fn a_figure_without_a_value_says_nothing_of_what_is_usual() {
        let absent = Metric { n: 900, ..Metric::absent("nobody answered") };
        let told = told(40, 40);
        assert_eq!(Enough::among([&absent, &told, &absent]), Enough::among([&told]));
    }

    #[test]
    fn versions_of_a_story_are_one_case_however_many_there_are() {
        let (few, many) = (told(32, 7), told(32, 12));
        assert_eq!((few.cases(), told(32, 32).clusters), (7, None), "where they are as many there is nothing to add");
        let enough = Enough::among([&few, &many]);
        assert!(!enough.is_met_by(&few) && enough.is_met_by(&many));
        // Who was asked about one version of each is no rival of those who were asked about all.
        let enough = Enough::among([&told(80, 20), &told(80, 20), &told(20, 20)]);
        assert!(!enough.is_met_by(&told(20, 20)));
    }
}
