//! Every coefficient that fits the scale, side by side: they answer different questions, and choosing afterwards is how
//! a κ of .02 gets published as .69.

use super::{Distance, RatingTable, Weights, brennan_prediger, cohen, fleiss, gwet, krippendorff, raw_agreement};
use crate::stats::bootstrap::{Said, interval_of_share, stream};
use crate::stats::{Bootstrap, ENOUGH_FAMILIES, Interval, draw::Drawn, quantile::percentile_95};
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
    /// 95 % percentile interval over resampled items, if asked for and if they tell anything.
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

/// The same with intervals where there are enough items: they are drawn with replacement, raters stay. A bootstrap of a few that raters agree on
/// is sure of what nobody knows, and so is one of many that they all agree on.
pub fn agreement_report_with_intervals(table: &RatingTable, kind: ScaleKind, bootstrap: &Bootstrap) -> AgreementReport {
    let mut report = agreement_report(table, kind);
    if report.shared_items < ENOUGH_FAMILIES {
        return report;
    }
    let rng = bootstrap.seed.rng("bootstrap", "items");
    let replicate = |replicate: usize| -> Vec<Option<f64>> {
        let mut drawn = Drawn::new(table.items());
        drawn.draw(&mut stream(&rng, replicate));
        let drawn = table.of_items(drawn.families());
        coefficients(kind).map(|(_, coefficient)| coefficient(&drawn)).collect()
    };
    let replicates: Vec<_> = (0..bootstrap.replicates).into_par_iter().map(replicate).collect();
    // Every item counts the same, so of how many it is the share tells alone.
    let n = report.shared_items;
    let items = Said { counted: n, some: n, short: n };
    for (index, statistic) in report.statistics.iter_mut().enumerate() {
        let Some(value) = statistic.value else { continue };
        let drawn = percentile_95(replicates.iter().filter_map(|values| values[index]).collect());
        let drawn = drawn.filter(|it| it.high - it.low > ROUNDING);
        statistic.interval = match SHARES.contains(&statistic.name) {
            true => interval_of_share(value, items, drawn),
            false => drawn,
        };
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

/// Replicates that all say the same may differ in their last digits.
const ROUNDING: f64 = 1e-9;

/// Means over items of what is 0 to 1; the others are corrected by chance.
const SHARES: [&str; 2] = ["raw_agreement", "raw_agreement_quadratic"];

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::wilson;
    use waterjar_core::Seed;

    /// Of two raters who say the same of so many items, and not of so many others.
    fn report(same: usize, other: usize) -> AgreementReport {
        let pair = |first: &str, second: &str| vec![Some(first.to_owned()), Some(second.to_owned())];
        let agreed = (0..same).map(|at| if at % 2 == 0 { pair("yes", "yes") } else { pair("no", "no") });
        let rows: Vec<_> = agreed.chain((0..other).map(|_| pair("yes", "no"))).collect();
        let table = RatingTable::declared(&["yes", "no"], &rows).unwrap();
        agreement_report_with_intervals(&table, ScaleKind::Nominal, &Bootstrap::new(Seed(7)))
    }

    fn interval(report: &AgreementReport, name: &str) -> Option<Interval> {
        report.statistics.iter().find(|it| it.name == name).unwrap().interval
    }

    #[test]
    fn a_few_items_have_no_interval() {
        for other in [0, 2] {
            let few = report(ENOUGH_FAMILIES - 1 - other, other);
            assert!(few.statistics.iter().all(|it| it.interval.is_none()), "{few:?}");
        }
        let enough = report(ENOUGH_FAMILIES - 6, 6);
        assert!(enough.statistics.iter().all(|it| it.interval.is_some()), "{enough:?}");
    }

    #[test]
    fn no_interval_is_without_width_where_all_agree() {
        let all = report(40, 0);
        assert_eq!(all.value("cohen_kappa"), Some(1.0));
        assert_eq!(interval(&all, "raw_agreement"), wilson(40, 40));
        assert_eq!(interval(&all, "cohen_kappa"), None);
        let none = report(0, 40);
        assert_eq!((none.value("raw_agreement"), interval(&none, "raw_agreement")), (Some(0.0), wilson(0, 40)));
        assert!(all.statistics.iter().chain(&none.statistics).all(|it| it.interval.is_none_or(|it| it.high > it.low)));
    }

    #[test]
    fn who_differed_once_is_not_known_better_than_who_never_did() {
        let (once, never) = (report(39, 1), report(40, 0));
        let low = |report: &AgreementReport| interval(report, "raw_agreement").unwrap().low;
        assert!(low(&once) <= wilson(39, 40).unwrap().low && low(&once) < low(&never));
    }
}
