//! Figures of each subject, with Wilson intervals so that their widths are right.

use super::SUBJECTS;
use std::collections::BTreeMap;
use waterjar_core::{Metric, SubjectResult};

/// Baseline, trap, stochastic error, sham kept, rank drop; trap rate by number of edits.
const SHAPES: [([f64; 5], [f64; 3]); 6] = [
    ([0.969, 0.421, 0.094, 0.931, 0.92], [0.83, 0.52, 0.28]),
    ([0.972, 0.452, 0.081, 0.918, 0.81], [0.86, 0.57, 0.29]),
    ([0.981, 0.473, 0.088, 0.941, 0.77], [0.86, 0.65, 0.31]),
    ([0.902, 0.592, 0.112, 0.962, 0.41], [0.93, 0.71, 0.42]),
    ([0.064, 0.952, 0.048, 1.0, 0.0], [1.0, 0.9, 1.0]),
    ([1.0, 0.0, 0.0, 0.92, 3.4], [0.0, 0.0, 0.0]),
];
const EDITS: [u64; 3] = [29, 134, 163];

pub fn results() -> Vec<SubjectResult> {
    SUBJECTS.iter().zip(SHAPES).map(|(subject, shape)| result(subject, shape)).collect()
}

fn result(subject: &str, (shape, by_edits): ([f64; 5], [f64; 3])) -> SubjectResult {
    let [baseline, trap, stray, sham, drop] = shape;
    let missing = if subject == "plain@neighbours" { 3 } else { 0 };
    let n = 326 - missing;
    let right = (baseline * n as f64).round() as u64;
    let wrong = ((trap + stray) * right as f64).round() as u64;
    let mut metrics = BTreeMap::new();
    let mut put = |name: &str, metric: Metric| metrics.insert(name.to_owned(), metric);
    put("baseline_accuracy", share(baseline, n));
    put("robust_accuracy", share(baseline * (1.0 - trap - stray), n));
    put("bias_trap_rate", share(trap, right));
    put("stochastic_error_rate", share(stray, right));
    put("rigidity_ratio", share(trap / (trap + stray), wrong));
    put("sham_kept", share(sham, right));
    put(
        "rank_drop",
        Metric { value: Some(drop), low: Some(drop - 0.14), high: Some(drop + 0.15), n: right, ..Metric::default() },
    );
    for (place, (rate, of)) in by_edits.into_iter().zip(EDITS).enumerate() {
        let n = (baseline * of as f64).round() as u64;
        put(&format!("bias_trap_rate.edits_{}", place + 1), share(rate, n));
        put(&format!("robust_accuracy.edits_{}", place + 1), share(baseline * (1.0 - rate), of));
    }
    let history = if subject == "plain@symptoms-only" { 1.0 } else { (trap * 1.4).min(1.0) };
    let of = |part: f64| (right as f64 * part).round() as u64;
    put("bias_trap_rate.place_history", share(history, of(0.36)));
    put("bias_trap_rate.place_symptoms", share(trap * 0.8, of(0.41)));
    put("bias_trap_rate.place_both", share(trap * 0.9, of(0.23)));
    put("bias_trap_rate.purity_pure", share(trap * 0.7, of(0.38)));
    put("bias_trap_rate.purity_mixed", share((trap * 1.18).min(1.0), of(0.62)));
    SubjectResult {
        suite: "einstellung".into(),
        subject: subject.into(),
        n,
        missing,
        reference: subject == "plain@reference",
        metrics,
        breakdown: Vec::new(),
    }
}

pub fn share(value: f64, n: u64) -> Metric {
    if n == 0 || !value.is_finite() {
        return Metric::default();
    }
    let (count, z) = (n as f64, 1.96f64);
    let middle = (value + z * z / (2.0 * count)) / (1.0 + z * z / count);
    let half = z / (1.0 + z * z / count) * (value * (1.0 - value) / count + z * z / (4.0 * count * count)).sqrt();
    Metric {
        value: Some(value),
        low: Some((middle - half).max(0.0)),
        high: Some((middle + half).min(1.0)),
        n,
        ..Metric::default()
    }
}
