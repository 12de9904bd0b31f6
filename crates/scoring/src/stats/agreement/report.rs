//! Every coefficient that fits the scale, side by side: they answer different questions, and choosing afterwards is how
//! a κ of .02 gets published as .69.

use super::{Distance, RatingTable, Weights, brennan_prediger, cohen, fleiss, gwet, krippendorff, raw_agreement};
use crate::stats::{Bootstrap, Interval, bootstrap::stream, draw::Drawn, quantile::percentile_95};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// What may be done with the categories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScaleKind {
    /// Only the same or not: diagnoses, labels.
    Nominal,
    /// In order: weak, fair, good.
    Ordinal,
    /// Numbers with equal steps.
    Interval,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgreementReport {
    pub kind: ScaleKind,
    pub items: usize,
    /// Items with at least two ratings.
    pub shared_items: usize,
    pub raters: usize,
    pub ratings: usize,
    pub missing: usize,
    pub categories: Vec<String>,
    pub statistics: Vec<Statistic>,
}

/// A coefficient; without a value if chance alone would agree fully or nothing was rated twice.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statistic {
    pub name: &'static str,
    pub value: Option<f64>,
    /// 95 % percentile interval over resampled items, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
}

pub fn agreement_report(table: &RatingTable, kind: ScaleKind) -> AgreementReport {
    let statistics =
        coefficients(kind).map(|(name, coefficient)| Statistic { name, value: coefficient(table), interval: None });
    AgreementReport {
        kind,
        items: table.items(),
        shared_items: table.shared_items(),
        raters: table.raters(),
        ratings: table.ratings(),
        missing: table.missing(),
        categories: table.scale().to_vec(),
        statistics: statistics.collect(),
    }
}

/// The same with intervals: items are drawn with replacement, raters stay.
pub fn agreement_report_with_intervals(table: &RatingTable, kind: ScaleKind, bootstrap: &Bootstrap) -> AgreementReport {
    let mut report = agreement_report(table, kind);
    let rng = bootstrap.seed.rng("bootstrap", "items");
    let replicate = |replicate: usize| -> Vec<Option<f64>> {
        let mut drawn = Drawn::new(table.items());
        drawn.draw(&mut stream(&rng, replicate));
        let drawn = table.of_items(drawn.families());
        coefficients(kind).map(|(_, coefficient)| coefficient(&drawn)).collect()
    };
    let replicates: Vec<_> = (0..bootstrap.replicates).into_par_iter().map(replicate).collect();
    for (index, statistic) in report.statistics.iter_mut().enumerate() {
        if statistic.value.is_some() {
            statistic.interval = percentile_95(replicates.iter().filter_map(|values| values[index]).collect());
        }
    }
    report
}

impl AgreementReport {
    pub fn value(&self, name: &str) -> Option<f64> {
        self.statistics.iter().find(|statistic| statistic.name == name)?.value
    }
}

type Coefficient = fn(&RatingTable) -> Option<f64>;

fn coefficients(kind: ScaleKind) -> impl Iterator<Item = (&'static str, Coefficient)> {
    let fitting = COEFFICIENTS.iter().filter(move |(_, needs, _)| *needs <= kind);
    fitting.map(|(name, _, coefficient)| (*name, *coefficient))
}

/// Name, the least that the scale must allow, and how to compute it. Weights by distance need an order, and those who
/// use them on an ordered scale take its steps as equal.
const COEFFICIENTS: [(&str, ScaleKind, Coefficient); 15] = {
    use ScaleKind::{Interval, Nominal, Ordinal};
    use Weights::{Identity, Linear, Quadratic};
    [
        ("raw_agreement", Nominal, |t| raw_agreement(t, Identity)),
        ("cohen_kappa", Nominal, |t| cohen(t, Identity)),
        ("cohen_kappa_linear", Ordinal, |t| cohen(t, Linear)),
        ("cohen_kappa_quadratic", Ordinal, |t| cohen(t, Quadratic)),
        ("fleiss_kappa", Nominal, |t| fleiss(t, Identity)),
        ("gwet_ac1", Nominal, |t| gwet(t, Identity)),
        ("gwet_ac2_linear", Ordinal, |t| gwet(t, Linear)),
        ("gwet_ac2_quadratic", Ordinal, |t| gwet(t, Quadratic)),
        ("brennan_prediger", Nominal, |t| brennan_prediger(t, Identity)),
        ("brennan_prediger_linear", Ordinal, |t| brennan_prediger(t, Linear)),
        ("brennan_prediger_quadratic", Ordinal, |t| brennan_prediger(t, Quadratic)),
        ("raw_agreement_quadratic", Ordinal, |t| raw_agreement(t, Quadratic)),
        ("krippendorff_nominal", Nominal, |t| krippendorff(t, Distance::Nominal)),
        ("krippendorff_ordinal", Ordinal, |t| krippendorff(t, Distance::Ordinal)),
        ("krippendorff_interval", Interval, |t| krippendorff(t, Distance::Interval)),
    ]
};
