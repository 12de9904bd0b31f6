//! Ratings as they were written → what they say together.

use super::{AgreementReport, RatingTable, ScaleKind, agreement_report, agreement_report_with_intervals};
use crate::stats::{Bootstrap, StatsError};
use std::collections::BTreeMap;
use waterjar_core::{Interval, Metric, MetricsFile, Seed, SubjectId, SubjectResult, SuiteId, metric::rounded};

/// Categories up to which intervals are computed. Weighted coefficients look at every two categories, for every replicate: with very many,
/// that takes minutes.
pub const MOST_RESAMPLED: usize = 25;

/// A row per item, a place per rater. `declared` is the scale in its order; the labels that occur where it is empty.
///
/// Ratings that have an order are numbers, unless the order is declared: `low`, `medium`, `high` in the order of the alphabet would give wrong
/// figures without a word. `1` and `1.0` are one rating.
pub fn agreement_of(
    mut rows: Vec<Vec<Option<String>>>,
    kind: ScaleKind,
    declared: &[String],
    seed: Seed,
) -> Result<AgreementReport, StatsError> {
    if kind != ScaleKind::Nominal && declared.is_empty() {
        rows.iter_mut().flatten().flatten().try_for_each(as_number)?;
    }
    let table = if declared.is_empty() { RatingTable::observed(&rows) } else { RatingTable::declared(declared, &rows) };
    let table = table?;
    Ok(if table.scale().len() <= MOST_RESAMPLED {
        agreement_report_with_intervals(&table, kind, &Bootstrap::new(seed))
    } else {
        agreement_report(&table, kind)
    })
}

fn as_number(rating: &mut String) -> Result<(), StatsError> {
    let number = rating.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    *rating = number.ok_or_else(|| StatsError::NotANumberLabel { label: rating.clone() })?.to_string();
    Ok(())
}

impl AgreementReport {
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
