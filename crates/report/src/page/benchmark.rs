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
    /// Nothing where it has no width.
    pub range: Option<String>,
    pub n: String,
    pub reading: &'a str,
}

pub(super) fn stages(benchmark: &BenchmarkSummary) -> Vec<Stage> {
    // A suite that catalogs interventions counts those that apply; a case may be open to several.
    let eligible = if benchmark.eligible > benchmark.cases { "eligible interventions" } else { "eligible" };
    [
        (benchmark.cases, "cases read"),
        (benchmark.eligible, eligible),
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
        // The last one has room where the line would tell of one more.
        let (first, rest) = of.split_at(if of.len() == NAMED + 1 { of.len() } else { of.len().min(NAMED) });
        let mut named: Vec<String> = first.iter().map(|(it, n)| format!("{it} {n}")).collect();
        let others: u64 = rest.iter().map(|(_, n)| n).sum();
        named.extend((!rest.is_empty()).then(|| format!("{others} in {} more kinds", rest.len())));
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
    let heads = ["Intervention", "Eligible"].map(str::to_owned).into_iter();
    let heads = heads.chain(lost.iter().map(|why| words(why))).chain(["Asked".to_owned()]);
    let heads = heads.chain(flagged.iter().map(|flag| words(flag))).chain(["Clean".to_owned()]).collect();
    let row = |account: &Account| {
        let of = |from: &BTreeMap<String, u64>, name: &String| count(from.get(name).copied().unwrap_or(0));
        // A group is called as its column is.
        let column = columns.iter().find(|it| it.name.split_once('.').is_some_and(|(_, of)| of == account.group));
        let group = column.map_or_else(|| words(&account.group), |it| it.title.clone());
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
    checks.iter().map(check_row).collect()
}

fn check_row(check: &Check) -> CheckRow<'_> {
    // A count has whole ends too; a share of 1 may have an end below it, and keeps its decimals beside that.
    let is_count = [check.value, check.low, check.high].iter().all(|it| it.fract() == 0.0);
    let told = |value: f64| fixed(value, if is_count { 0 } else { 2 });
    CheckRow {
        name: words(&check.name),
        value: told(check.value),
        range: (check.low != check.high).then(|| format!("{} to {}", told(check.low), told(check.high))),
        n: count(check.n),
        reading: &check.reading,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_eligible_than_cases_are_interventions() {
        check_eligible(63, 124, "eligible interventions");
        check_eligible(63, 63, "eligible");
    }

    #[test]
    fn a_group_is_told_in_words_or_as_its_column_is() {
        let account = Account { group: "self_diagnosis".to_owned(), eligible: 60, ..Account::default() };
        let summary = BenchmarkSummary { accounts: vec![account], ..summary(60, 60) };
        let (heads, rows) = accounts(&summary, &[]);
        assert_eq!(heads[..2], ["Intervention", "Eligible"]);
        let groups: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
        assert_eq!(groups, ["Self diagnosis", "All"]);
    }

    #[test]
    fn a_check_has_a_range_where_it_has_a_width() {
        check_told([0.52, 0.46, 0.58], "0.52", Some("0.46 to 0.58"));
        check_told([1.0, 0.96, 1.0], "1.00", Some("0.96 to 1.00"));
        check_told([60.0, 60.0, 60.0], "60", None);
        check_told([0.25, 0.25, 0.25], "0.25", None);
    }

    #[test]
    fn particulars_of_a_loss_add_up_to_it() {
        check_lost(&[("menstrual", 6), ("ovary", 5)], "sex bound (menstrual 6, ovary 5)");
        let five = [("menstrual", 6), ("ovary", 5), ("pregnancy", 5), ("prostate", 5), ("uterus", 4)];
        check_lost(&five, "sex bound (menstrual 6, ovary 5, pregnancy 5, prostate 5, uterus 4)");
        let six = [&five[..], &[("breast", 3)]].concat();
        check_lost(&six, "sex bound (menstrual 6, ovary 5, pregnancy 5, prostate 5, 7 in 2 more kinds)");
    }

    fn check_lost(particulars: &[(&str, u64)], told: &str) {
        let losses = particulars.iter().map(|(it, n)| (format!("sex_bound: {it}"), *n)).collect();
        let lost = lost(&BenchmarkSummary { losses, ..summary(60, 60) });
        assert_eq!(lost[0].reason, told);
        assert_eq!(lost[0].n, particulars.iter().map(|(_, n)| n).sum::<u64>());
    }

    fn check_eligible(cases: u64, eligible: u64, expected: &str) {
        assert_eq!(stages(&summary(cases, eligible))[1].name, expected);
    }

    fn check_told([value, low, high]: [f64; 3], told: &str, range: Option<&str>) {
        let check = Check { name: "probe".to_owned(), value, low, high, n: 9, reading: String::new() };
        let row = check_row(&check);
        assert_eq!((row.value.as_str(), row.range.as_deref()), (told, range));
    }

    fn summary(cases: u64, eligible: u64) -> BenchmarkSummary {
        BenchmarkSummary {
            suite: "consult".into(),
            cases,
            eligible,
            families: cases,
            variants: cases,
            losses: BTreeMap::new(),
            accounts: Vec::new(),
        }
    }
}
