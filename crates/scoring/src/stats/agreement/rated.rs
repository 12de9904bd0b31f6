//! Ratings as they were written → what they say together.

use super::{AgreementReport, RatingTable, ScaleKind, agreement_report, agreement_report_with_intervals};
use crate::stats::{Bootstrap, StatsError};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use waterjar_core::{Interval, Metric, MetricsFile, Seed, SubjectId, SubjectResult, SuiteId, metric::rounded};

/// Categories up to which intervals are computed. Weighted coefficients look at every two categories, for every replicate: with very many,
/// that takes minutes.
pub const MOST_RESAMPLED: usize = 25;

/// A row per item, a place per rater. `declared` is the scale in its order; the labels that occur where it is empty. Neither case nor white space
/// around them makes other categories.
///
/// Ratings that have an order are numbers, unless the order is declared: `low`, `medium`, `high` in the order of the alphabet would give wrong
/// figures without a word. `1` and `1.0` are one rating on every scale: a column of whole numbers with one missing comes out of many programs as 1.0, 2.0.
pub fn agreement_of(
    mut rows: Vec<Vec<Option<String>>>,
    kind: ScaleKind,
    declared: &[String],
    seed: Seed,
) -> Result<AgreementReport, StatsError> {
    let mut declared = declared.to_vec();
    spell_alike(&mut rows, &declared);
    if rows.iter().flatten().flatten().chain(&declared).all(|label| is_plain_number(label)) {
        declared.iter_mut().try_for_each(as_number)?;
        rows.iter_mut().flatten().flatten().try_for_each(as_number)?;
    } else if kind != ScaleKind::Nominal && declared.is_empty() {
        rows.iter_mut().flatten().flatten().try_for_each(as_number)?;
    }
    let table =
        if declared.is_empty() { RatingTable::observed(&rows) } else { RatingTable::declared(&declared, &rows) };
    let table = table?;
    Ok(if table.scale().len() <= MOST_RESAMPLED {
        agreement_report_with_intervals(&table, kind, &Bootstrap::new(seed))
    } else {
        agreement_report(&table, kind)
    })
}

/// `Yes`, `yes ` and `yes` are one category: as the scale has it, else as most have written it. A scale that tells `a` from `A` is kept to.
fn spell_alike(rows: &mut [Vec<Option<String>>], declared: &[String]) {
    let bare = |label: &str| label.trim().to_lowercase();
    let scale: BTreeSet<String> = declared.iter().map(|label| bare(label)).collect();
    if scale.len() < declared.len() {
        return;
    }
    let mut written: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for label in rows.iter().flatten().flatten() {
        *written.entry(bare(label)).or_default().entry(label.trim().to_owned()).or_default() += 1;
    }
    // Of those as common the last is taken: small letters come after capitals.
    let commonest = |spelled: BTreeMap<String, usize>| spelled.into_iter().max_by_key(|(_, n)| *n).map(|(it, _)| it);
    let mut names: BTreeMap<String, String> =
        written.into_iter().filter_map(|(bare, spelled)| Some((bare, commonest(spelled)?))).collect();
    names.extend(declared.iter().map(|label| (bare(label), label.clone())));
    for label in rows.iter_mut().flatten().flatten() {
        if let Some(name) = names.get(&bare(label)) {
            label.clone_from(name);
        }
    }
}

/// Digits with a point at most. `007` and `1E5` are numbers too, but where nothing has an order they are names.
fn is_plain_number(label: &str) -> bool {
    let digits = label.trim();
    let digits = digits.strip_prefix('-').unwrap_or(digits);
    let is_padded = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    let is_number = digits.starts_with(|it: char| it.is_ascii_digit())
        && digits.bytes().all(|it| it.is_ascii_digit() || it == b'.')
        && digits.parse::<f64>().is_ok();
    is_number && !is_padded
}

fn as_number(rating: &mut String) -> Result<(), StatsError> {
    let number = rating.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    *rating = number.ok_or_else(|| StatsError::NotANumberLabel { label: rating.clone() })?.to_string();
    Ok(())
}

/// `metrics.json` of ratings, and beside it who has rated and what was told apart.
#[derive(Clone, Debug, Serialize)]
pub struct AgreementFile {
    #[serde(flatten)]
    pub metrics: MetricsFile,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub raters: Vec<String>,
    pub categories: Vec<String>,
}

impl AgreementReport {
    /// Raters, and notes among the metrics, are added by whoever knows them.
    pub fn file(&self, seed: Seed) -> AgreementFile {
        let categories = self.categories.clone();
        AgreementFile { metrics: self.metrics(seed), raters: Vec::new(), categories }
    }

    /// In the shape of metrics.json.
    pub fn metrics(&self, seed: Seed) -> MetricsFile {
        let metric = |value: Option<f64>, interval: Option<Interval>| Metric {
            value: value.map(rounded),
            low: interval.map(|it| rounded(it.low)),
            high: interval.map(|it| rounded(it.high)),
            n: self.shared_items as u64,
            ..Metric::default()
        };
        let metrics: BTreeMap<String, Metric> =
            self.statistics.iter().map(|it| (it.name.to_owned(), metric(it.value, it.interval))).collect();
        let result = SubjectResult {
            suite: SuiteId::from("agreement"),
            subject: SubjectId::from("raters"),
            n: self.items as u64,
            missing: (self.items - self.shared_items) as u64,
            reference: false,
            metrics,
            breakdown: Vec::new(),
        };
        MetricsFile::new("agree", seed.0, vec![result])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of so many that they have intervals.
    fn ten_times(rows: &[[&'static str; 2]]) -> Vec<[&'static str; 2]> {
        rows.repeat(10)
    }

    fn report(rows: &[[&str; 2]], kind: ScaleKind, declared: &[&str]) -> Result<AgreementReport, StatsError> {
        let rows = rows.iter().map(|row| row.iter().map(|it| (!it.is_empty()).then(|| (*it).to_owned())).collect());
        let declared: Vec<String> = declared.iter().map(|it| (*it).to_owned()).collect();
        agreement_of(rows.collect(), kind, &declared, Seed(7))
    }

    fn alpha(rows: &[[&str; 2]], declared: &[&str]) -> Option<f64> {
        report(rows, ScaleKind::Nominal, declared).unwrap().value("krippendorff_nominal")
    }

    #[test]
    fn the_same_number_written_otherwise_is_the_same_rating() {
        let whole = [["1", "1"], ["2", "2"], ["3", "2"], ["1", ""], ["2", "1"]];
        let with_points = [["1", "1.0"], ["2", "2.0"], ["3", "2.0"], ["1", ""], ["2", "1.0"]];
        assert_eq!(alpha(&whole, &[]), alpha(&with_points, &[]));
        assert_eq!(alpha(&whole, &["1", "2", "3"]), alpha(&with_points, &["1", "2", "3"]));
    }

    #[test]
    fn capitals_and_white_space_make_no_other_categories() {
        let told = [["Yes", "yes"], ["yes ", "yes"], ["no", "No"], ["yes", "no"]];
        let plain = [["yes", "yes"], ["yes", "yes"], ["no", "no"], ["yes", "no"]];
        let scales: [&[&str]; 3] = [&[], &["yes", "no"], &["Yes", "NO", "unsure"]];
        for declared in scales {
            let of = |rows: &[[&str; 2]]| report(rows, ScaleKind::Nominal, declared).unwrap();
            assert_eq!(of(&told), of(&plain), "{declared:?}");
        }
        assert_eq!(report(&told, ScaleKind::Nominal, &[]).unwrap().categories, ["no", "yes"]);
        let graded = [["a", "A"], ["A", "A"], ["a", "a"]];
        assert_eq!(report(&graded, ScaleKind::Nominal, &["a", "A"]).unwrap().categories, ["a", "A"]);
        assert_eq!(report(&graded, ScaleKind::Nominal, &[]).unwrap().categories, ["a"]);
    }

    #[test]
    fn names_that_look_like_numbers_stay_names() {
        let codes = [["007", "7"], ["7", "7"], ["007", "007"]];
        let names = [["agent", "seven"], ["seven", "seven"], ["agent", "agent"]];
        assert_eq!(alpha(&codes, &[]), alpha(&names, &[]));
    }

    #[test]
    fn a_plain_number_has_digits_and_no_zeros_to_fill_it_up() {
        for number in ["0", "7", "10", "1.0", "0.5", "-3", " 2 "] {
            assert!(is_plain_number(number), "{number}");
        }
        for name in ["007", "00", "1e5", ".5", "1.2.3", "two", "-", ""] {
            assert!(!is_plain_number(name), "{name}");
        }
    }

    #[test]
    fn words_have_an_order_only_where_it_is_declared() {
        let rows = [["low", "low"], ["high", "medium"], ["medium", "medium"]];
        let unordered = report(&rows, ScaleKind::Ordinal, &[]);
        assert_eq!(unordered, Err(StatsError::NotANumberLabel { label: "low".to_owned() }));
        assert!(report(&rows, ScaleKind::Ordinal, &["low", "medium", "high"]).is_ok());
        assert!(report(&rows, ScaleKind::Nominal, &[]).is_ok());
    }

    #[test]
    fn very_many_categories_have_no_intervals() {
        let rows = ten_times(&[["1", "1"], ["2", "2"], ["1", "2"], ["2", "1"]]);
        let scale: Vec<String> = (1..=MOST_RESAMPLED + 1).map(|it| it.to_string()).collect();
        let scale: Vec<&str> = scale.iter().map(String::as_str).collect();
        let first = |declared: &[&str]| report(&rows, ScaleKind::Nominal, declared).unwrap().statistics[0].interval;
        assert!(first(&["1", "2"]).is_some());
        assert_eq!(first(&scale), None);
    }

    #[test]
    fn figures_of_agreement_are_written_with_their_intervals_and_what_is_missing() {
        let rows = ten_times(&[["1", "1"], ["2", "2"], ["1", "2"], ["1", ""], ["2", ""]]);
        let report = report(&rows, ScaleKind::Nominal, &[]).unwrap();
        let file = report.metrics(Seed(7));
        let [result] = file.results.as_slice() else { panic!("one result for all raters") };
        assert_eq!((file.seed, result.n, result.missing), (7, 50, 20));
        let interval = report.statistics[0].interval.unwrap();
        let expected = Metric {
            value: Some(0.666667),
            low: Some(rounded(interval.low)),
            high: Some(rounded(interval.high)),
            n: 30,
            ..Metric::default()
        };
        assert_eq!(result.metrics.get("raw_agreement"), Some(&expected));
    }
}
