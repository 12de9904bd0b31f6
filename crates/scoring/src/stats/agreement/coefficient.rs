//! Coefficients that compare observed agreement with what chance would give: they differ only in what chance is.

use super::{RatingTable, Weights};

/// Fleiss' κ: chance draws two raters from the shares of the categories. Weighted, it is Fleiss' generalisation.
pub fn fleiss(table: &RatingTable, weights: Weights) -> Option<f64> {
    corrected(table, weights, fleiss_chance)
}

/// Gwet's AC1 (identity weights) and AC2: chance agrees only where the rating was a guess, so that two raters who nearly
/// always say the same do not lose their agreement to chance.
pub fn gwet(table: &RatingTable, weights: Weights) -> Option<f64> {
    corrected(table, weights, gwet_chance)
}

/// Brennan and Prediger's S: chance picks each category of the scale alike. It is what DyReMe prints as AC1.
pub fn brennan_prediger(table: &RatingTable, weights: Weights) -> Option<f64> {
    corrected(table, weights, |_, weights| brennan_prediger_chance(weights))
}

/// The mean share of agreeing pairs of raters, over items with at least two ratings:
/// p_a = mean_i Σ_k n_ik (Σ_l w_kl n_il − 1) / (r_i (r_i − 1)).
pub fn raw_agreement(table: &RatingTable, weights: Weights) -> Option<f64> {
    let weights = weights.matrix(table.values());
    let shares: Vec<f64> = table.counts().filter_map(|counts| agreeing_pairs(&counts, &weights)).collect();
    (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64)
}

/// (p_a − p_e) / (1 − p_e); `None` if chance agrees fully.
pub fn chance_corrected(observed: f64, chance: f64) -> Option<f64> {
    // The slack is for shares that add up to one but for the last digit.
    (1.0 - chance > 1e-12).then(|| (observed - chance) / (1.0 - chance))
}

/// p_e = Σ_kl w_kl π_k π_l from the shares π of the categories.
pub fn fleiss_chance(shares: &[f64], weights: &[Vec<f64>]) -> f64 {
    let row = |(weights, a): (&Vec<f64>, &f64)| weights.iter().zip(shares).map(|(w, b)| w * a * b).sum::<f64>();
    weights.iter().zip(shares).map(row).sum()
}

/// p_e = Σ_kl w_kl / (q(q−1)) · Σ_k π_k (1 − π_k), with q the categories of the scale. Not a number for one category.
pub fn gwet_chance(shares: &[f64], weights: &[Vec<f64>]) -> f64 {
    let q = shares.len() as f64;
    let doubt: f64 = shares.iter().map(|share| share * (1.0 - share)).sum();
    weights.iter().flatten().sum::<f64>() * doubt / (q * (q - 1.0))
}

/// p_e = Σ_kl w_kl / q².
pub fn brennan_prediger_chance(weights: &[Vec<f64>]) -> f64 {
    weights.iter().flatten().sum::<f64>() / (weights.len() as f64).powi(2)
}

fn corrected(table: &RatingTable, weights: Weights, chance: impl Fn(&[f64], &[Vec<f64>]) -> f64) -> Option<f64> {
    let observed = raw_agreement(table, weights)?;
    chance_corrected(observed, chance(&shares(table), &weights.matrix(table.values())))
}

/// π_k: the mean over items of the share of their ratings in category k. Items with a single rating count here.
fn shares(table: &RatingTable) -> Vec<f64> {
    let mut shares = vec![0.0; table.scale().len()];
    let mut items = 0.0;
    for counts in table.counts() {
        let ratings: f64 = counts.iter().sum();
        if ratings > 0.0 {
            items += 1.0;
            for (share, count) in shares.iter_mut().zip(counts) {
                *share += count / ratings;
            }
        }
    }
    shares.iter().map(|share| share / items).collect()
}

fn agreeing_pairs(counts: &[f64], weights: &[Vec<f64>]) -> Option<f64> {
    let ratings: f64 = counts.iter().sum();
    if ratings < 2.0 {
        return None;
    }
    let of_category = |(count, weights): (&f64, &Vec<f64>)| {
        let near: f64 = weights.iter().zip(counts).map(|(w, c)| w * c).sum();
        count * (near - 1.0)
    };
    Some(counts.iter().zip(weights).map(of_category).sum::<f64>() / (ratings * (ratings - 1.0)))
}
