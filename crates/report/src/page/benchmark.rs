//! How the benchmark came about: what was kept, what was lost and why, and what was checked.

use crate::number::{count, fixed, words};
use crate::{BenchmarkSummary, MetricColumn, meaning};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use waterjar_core::{Account, Check};

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
    let mut losses = lost(benchmark);
    losses.sort_by_key(|it| (Reverse(it.n), it.reason.clone()));
    losses
        .into_iter()
        .map(|Lost { reason, meaning, n }| {
            let share = n as f64 / benchmark.cases.max(1) as f64;
            let meaning = meaning.map_or_else(String::new, |it| format!(": {it}"));
            (format!("{}{meaning}", words(&reason)), count(n), fixed(share * 100.0, 1))
        })
        .collect()
}

/// As many particulars of a reason as a line holds.
const NAMED: usize = 4;

/// Cases lost for one reason.
pub struct Lost {
    /// The code without its underscores: `no isomorph`.
    pub reason: String,
    /// What that is, for whoever does not know.
    pub meaning: Option<&'static str>,
    pub n: u64,
}

/// What was lost, in words, by reason. A reason with particulars, `sex_bound: prostate`, is one line that names the commonest of them.
pub fn lost(benchmark: &BenchmarkSummary) -> Vec<Lost> {
    let mut reasons: BTreeMap<&str, Vec<(&str, u64)>> = BTreeMap::new();
    for (key, n) in &benchmark.losses {
        let (reason, particular) = key.split_once(": ").unwrap_or((key, ""));
        reasons.entry(reason).or_default().push((particular, *n));
    }
    let line = |(reason, mut of): (&str, Vec<(&str, u64)>)| {
        let n = of.iter().map(|(_, n)| n).sum();
        of.retain(|(particular, _)| !particular.is_empty());
        of.sort_by_key(|(particular, n)| (Reverse(*n), *particular));
        let mut named: Vec<String> = of.iter().take(NAMED).map(|(it, n)| format!("{it} {n}")).collect();
        named.extend((of.len() > NAMED).then(|| format!("{} more", of.len() - NAMED)));
        let named = if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) };
        Lost { reason: format!("{}{named}", reason.replace('_', " ")), meaning: meaning(reason), n }
    };
    reasons.into_iter().map(line).collect()
}

/// Heads and rows of what became of every intervention that applied; empty where none are cataloged.
pub(super) fn accounts(benchmark: &BenchmarkSummary, columns: &[MetricColumn]) -> (Vec<String>, Vec<Vec<String>>) {
    if benchmark.accounts.is_empty() {
        return Default::default();
    }
    let total = Account::total(&benchmark.accounts);
    let (lost, flagged): (Vec<&String>, Vec<&String>) = (total.lost.keys().collect(), total.flagged.keys().collect());
    let heads = ["Family", "Eligible"].map(str::to_owned).into_iter();
    let heads = heads.chain(lost.iter().map(|why| words(why))).chain(["Asked".to_owned()]);
    let heads = heads.chain(flagged.iter().map(|flag| words(flag))).chain(["Clean".to_owned()]).collect();
    let row = |account: &Account| {
        let of = |from: &BTreeMap<String, u64>, name: &String| count(from.get(name).copied().unwrap_or(0));
        // A group is called as its column is.
        let column = columns.iter().find(|it| it.name.split_once('.').is_some_and(|(_, of)| of == account.group));
        let group = column.map_or_else(|| account.group.clone(), |it| it.title.clone());
        let mut row = vec![group, count(account.eligible)];
        row.extend(lost.iter().map(|why| of(&account.lost, why)));
        row.push(count(account.asked));
        row.extend(flagged.iter().map(|flag| of(&account.flagged, flag)));
        row.push(count(account.clean));
        row
    };
    (heads, benchmark.accounts.iter().chain([&total]).map(row).collect())
}

/// Heads and rows of what each intervention applied to, or why not; empty where none are cataloged.
pub(super) fn by_entry(benchmark: &BenchmarkSummary) -> (Vec<String>, Vec<Vec<String>>) {
    let by_name = || benchmark.accounts.iter().flat_map(|account| &account.by_entry);
    let mut reasons: Vec<&String> = by_name().flat_map(|(_, reasons)| reasons.keys()).collect();
    reasons.sort();
    reasons.dedup();
    if reasons.is_empty() {
        return Default::default();
    }
    let heads = std::iter::once("Intervention".to_owned()).chain(reasons.iter().map(|why| words(why))).collect();
    let row = |(name, of): (&String, &BTreeMap<String, u64>)| {
        let counts = reasons.iter().map(|why| of.get(*why).map_or_else(String::new, |n| count(*n)));
        std::iter::once(name.clone()).chain(counts).collect()
    };
    (heads, by_name().map(row).collect())
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
