//! Cohen's κ, for two raters who each have habits of their own.

use super::{RatingTable, Weights, chance_corrected};

/// For more than two raters the mean over pairs of raters (Light 1971). Only items that both rated count.
pub fn cohen(table: &RatingTable, weights: Weights) -> Option<f64> {
    mean_pairwise(table, |pair| {
        let mut counts = vec![vec![0.0; pair.scale().len()]; pair.scale().len()];
        for row in pair.rows() {
            if let [Some(first), Some(second)] = row[..] {
                counts[first][second] += 1.0;
            }
        }
        of_counts(&counts, &weights.matrix(pair.values()))
    })
}

/// From a square table of counts: how often the first rater chose the row and the second the column.
/// `None` if the table is not square or empty.
pub fn cohen_of_counts(counts: &[Vec<u64>], weights: Weights) -> Option<f64> {
    let q = counts.len();
    if counts.iter().any(|row| row.len() != q) {
        return None;
    }
    let counts: Vec<Vec<f64>> = counts.iter().map(|row| row.iter().map(|&n| n as f64).collect()).collect();
    let places: Vec<f64> = (0..q).map(|place| place as f64).collect();
    of_counts(&counts, &weights.matrix(&places))
}

/// The mean of a coefficient over all pairs of raters for which it is defined.
pub fn mean_pairwise(table: &RatingTable, coefficient: impl Fn(&RatingTable) -> Option<f64>) -> Option<f64> {
    let pairs = (0..table.raters()).flat_map(|second| (0..second).map(move |first| (first, second)));
    let found: Vec<f64> = pairs.filter_map(|(first, second)| coefficient(&table.pair(first, second))).collect();
    (!found.is_empty()).then(|| found.iter().sum::<f64>() / found.len() as f64)
}

fn of_counts(counts: &[Vec<f64>], weights: &[Vec<f64>]) -> Option<f64> {
    let total: f64 = counts.iter().flatten().sum();
    if total == 0.0 {
        return None;
    }
    let rows: Vec<f64> = counts.iter().map(|row| row.iter().sum::<f64>() / total).collect();
    let columns: Vec<f64> = (0..counts.len()).map(|k| counts.iter().map(|row| row[k]).sum::<f64>() / total).collect();
    let (mut observed, mut chance) = (0.0, 0.0);
    for k in 0..counts.len() {
        for l in 0..counts.len() {
            observed += weights[k][l] * counts[k][l] / total;
            chance += weights[k][l] * rows[k] * columns[l];
        }
    }
    chance_corrected(observed, chance)
}
