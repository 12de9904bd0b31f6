//! Comparing a figure with its baseline.

/// The mean of several data sets, each with the weight of its items. `None` without items.
pub fn weighted_mean(values: &[(f64, u64)]) -> Option<f64> {
    let items: u64 = values.iter().map(|(_, n)| n).sum();
    (items > 0).then(|| values.iter().map(|(value, n)| value * *n as f64).sum::<f64>() / items as f64)
}

/// By what part of the baseline a figure differs from it: −0.1 is a tenth less. `None` without a baseline to be a part of.
pub fn relative_change(value: f64, baseline: f64) -> Option<f64> {
    (baseline != 0.0).then(|| value / baseline - 1.0)
}
