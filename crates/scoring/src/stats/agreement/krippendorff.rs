//! Krippendorff's α: one minus observed over expected disagreement, for any number of ratings per item.

use super::RatingTable;

/// How far apart two categories are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    Nominal,
    /// By how many ratings lie between them.
    Ordinal,
    /// By the difference of their values.
    Interval,
}

/// From the table of coincidences (Krippendorff, "Computing Krippendorff's alpha-reliability", 2011). Items with fewer
/// than two ratings do not count. `None` if all remaining ratings are the same.
pub fn krippendorff(table: &RatingTable, distance: Distance) -> Option<f64> {
    let coincidences = coincidences(table);
    let margins: Vec<f64> = coincidences.iter().map(|row| row.iter().sum()).collect();
    let total: f64 = margins.iter().sum();
    let (mut observed, mut expected) = (0.0, 0.0);
    for (c, row) in coincidences.iter().enumerate() {
        for (k, coincidence) in row.iter().enumerate() {
            let squared = distance.squared(c, k, &margins, table.values());
            observed += coincidence * squared;
            expected += margins[c] * margins[k] * squared;
        }
    }
    (expected > 0.0).then(|| 1.0 - (total - 1.0) * observed / expected)
}

impl Distance {
    fn squared(self, c: usize, k: usize, margins: &[f64], values: &[f64]) -> f64 {
        match self {
            Self::Nominal => f64::from(c != k),
            Self::Ordinal => {
                let between: f64 = margins[c.min(k)..=c.max(k)].iter().sum();
                (between - (margins[c] + margins[k]) / 2.0).powi(2)
            }
            Self::Interval => (values[c] - values[k]).powi(2),
        }
    }
}

/// Each item with m ratings spreads its m(m−1) ordered pairs of ratings with weight 1/(m−1).
fn coincidences(table: &RatingTable) -> Vec<Vec<f64>> {
    let q = table.scale().len();
    let mut coincidences = vec![vec![0.0; q]; q];
    for counts in table.counts() {
        let ratings: f64 = counts.iter().sum();
        if ratings < 2.0 {
            continue;
        }
        for c in 0..q {
            for k in 0..q {
                let pairs = counts[c] * (counts[k] - f64::from(c == k));
                coincidences[c][k] += pairs / (ratings - 1.0);
            }
        }
    }
    coincidences
}
