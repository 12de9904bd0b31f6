//! How the benchmark came about: what was kept, what was lost and why, and what was checked.

use crate::BenchmarkSummary;
use crate::number::{count, fixed, words};
use waterjar_core::Check;

pub(super) struct Stage {
    pub number: String,
    pub name: &'static str,
}

pub(super) struct CheckRow<'a> {
    pub name: String,
    pub value: String,
    pub range: String,
    pub n: String,
    pub reading: &'a str,
}

pub(super) fn stages(benchmark: &BenchmarkSummary) -> Vec<Stage> {
    [
        (benchmark.cases, "cases read"),
        (benchmark.eligible, "eligible"),
        (benchmark.families, "families"),
        (benchmark.variants, "variants asked"),
    ]
    .map(|(number, name)| Stage { number: count(number), name })
    .into()
}

/// Reason, number, share of the cases; the greatest first.
pub(super) fn losses(benchmark: &BenchmarkSummary) -> Vec<(String, String, String)> {
    let mut losses: Vec<_> = benchmark.losses.iter().collect();
    losses.sort_by_key(|(reason, number)| (std::cmp::Reverse(**number), *reason));
    losses
        .into_iter()
        .map(|(reason, number)| {
            let share = *number as f64 / benchmark.cases.max(1) as f64;
            (words(reason), count(*number), fixed(share * 100.0, 1))
        })
        .collect()
}

pub(super) fn checks(checks: &[Check]) -> Vec<CheckRow<'_>> {
    checks
        .iter()
        .map(|check| CheckRow {
            name: words(&check.name),
            value: fixed(check.value, 2),
            range: format!("{} to {}", fixed(check.low, 2), fixed(check.high, 2)),
            n: count(check.n),
            reading: &check.reading,
        })
        .collect()
}
