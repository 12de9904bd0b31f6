//! A comparison as it is printed, in a terminal and on a page alike: shares in percent.

use crate::comparison::Comparison;
use waterjar_core::MetricKind;

/// Stands where there is no figure.
pub const NONE: &str = "–";

pub struct Told {
    pub first: String,
    pub second: String,
    pub difference: String,
    pub interval: String,
    pub p: String,
    pub exact: String,
    pub holm: String,
}

impl Told {
    pub fn new(it: &Comparison, kind: MetricKind) -> Self {
        let (scale, places) = match kind {
            MetricKind::Share => (100.0, 1),
            MetricKind::Number => (1.0, 3),
        };
        let figure = |value: f64| with_minus(&format!("{:.places$}", scale * value));
        let signed = |value: f64| with_minus(&format!("{:+.places$}", scale * value));
        let difference = &it.difference;
        // The interval is the same bootstrap's as p: too narrow where that is too sure of itself.
        let interval = difference.interval.filter(|_| it.p.is_some());
        let or_none = |p: Option<f64>| p.map_or_else(|| NONE.to_owned(), p_value);
        Self {
            first: figure(difference.first),
            second: figure(difference.second),
            difference: signed(difference.value),
            interval: interval.map_or_else(|| NONE.to_owned(), |i| format!("{} to {}", signed(i.low), signed(i.high))),
            p: or_none(it.p),
            exact: or_none(it.exact_p()),
            holm: p_value(it.holm_p),
        }
    }
}

/// A minus as heads of tables have it, not a hyphen.
fn with_minus(number: &str) -> String {
    number.replace('-', "−")
}

fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::{Side, compare};
    use waterjar_core::{FamilyId, Seed, SuiteId, metric::Share};

    /// So many families, all of which speak for the second.
    fn one_sided(families: usize, kind: MetricKind) -> Told {
        let side = |name: &str, part: f64| Side {
            suite: SuiteId::from("einstellung"),
            name: name.to_owned(),
            shares: (0..families).map(|at| Share::new(FamilyId::new(format!("{at:03}")), part, 1.0)).collect(),
        };
        Told::new(&compare("accuracy", Seed(7), &side("a", 0.0), &side("b", 1.0)).unwrap(), kind)
    }

    #[test]
    fn few_families_bear_neither_interval_nor_p() {
        let few = one_sided(5, MetricKind::Share);
        assert_eq!((few.difference.as_str(), few.interval.as_str(), few.p.as_str()), ("−100.0", NONE, NONE));
        assert!(few.exact.starts_with("0.06"), "which is what there is to read: {}", few.exact);
        let enough = one_sided(20, MetricKind::Share);
        assert_eq!((enough.interval.as_str(), enough.p.as_str()), ("−100.0 to −100.0", "< 0.001"));
    }

    #[test]
    fn shares_are_told_in_percent_and_other_figures_as_they_are() {
        let share = one_sided(20, MetricKind::Share);
        assert_eq!((share.first.as_str(), share.second.as_str()), ("0.0", "100.0"));
        let number = one_sided(20, MetricKind::Number);
        assert_eq!((number.second.as_str(), number.difference.as_str()), ("1.000", "−1.000"));
    }
}
