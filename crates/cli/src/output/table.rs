//! Figures as aligned text.

use super::screen;
use std::collections::BTreeMap;
use std::ops::Range;
use waterjar_annotation::Corrected;
use waterjar_core::metric::{Enough, FEWEST};
use waterjar_core::{Account, BenchmarkSummary, Metric, MetricColumn, MetricKind, SubjectId, SubjectResult, counted};
use waterjar_report::{Lost, lost};
use waterjar_scoring::stats::AgreementReport;

/// The main table of one suite.
pub struct Results {
    pub text: String,
    /// Figures are marked that rest on too few cases to be ranked, which the legend explains.
    pub marked: bool,
}

/// Narrow enough for a terminal: the figure and half its interval. References come last and say what they are.
pub fn results(suite: &str, columns: &[MetricColumn], results: &[&SubjectResult]) -> Results {
    let shown: Vec<&MetricColumn> =
        columns.iter().filter(|column| column.kind == MetricKind::Share && !column.drawn).take(SHOWN).collect();
    let mut rows = vec![vec![suite.to_owned()]];
    rows[0].extend(shown.iter().map(|column| short(&column.title)));
    // Figures of a row may rest on fewer of them: a trap rate on those with a right control.
    rows[0].extend(["families".to_owned(), "missing".to_owned()]);
    let (references, competitors): (Vec<&SubjectResult>, Vec<_>) = results.iter().partition(|result| result.reference);
    let rivals =
        |column: &MetricColumn| Enough::among(competitors.iter().filter_map(|it| it.metrics.get(&column.name)));
    let enough: Vec<Enough> = shown.iter().map(|column| rivals(column)).collect();
    let mut marked = false;
    for result in competitors.into_iter().chain(references) {
        let mark = if result.reference { " (reference)" } else { "" };
        let mut row = vec![format!("{}{mark}", result.subject)];
        row.extend(shown.iter().zip(&enough).map(|(column, enough)| {
            let metric = result.metrics.get(&column.name);
            let is_few = !result.reference && metric.is_some_and(|it| it.value.is_some() && !enough.is_met_by(it));
            marked |= is_few;
            format!("{}{}", cell(metric), if is_few { "*" } else { "" })
        }));
        row.extend([result.n.to_string(), result.missing.to_string()]);
        rows.push(row);
    }
    let absent: String = shown.iter().filter_map(|column| absent(column, results)).collect();
    let between = if absent.is_empty() { "" } else { "\n" };
    Results { text: format!("{}{between}{}", aligned(&rows), screen::among_data(&absent)), marked }
}

/// How these tables are read, once below the last of them. `rest` says where all figures are.
pub fn legend(marked: bool, rest: &str) -> String {
    let few = match marked {
        true => format!(
            "* rests on fewer than {FEWEST} independent cases (patients, stories, charts) or less than half as many as is usual.\n"
        ),
        false => String::new(),
    };
    let how = format!(
        "In percent. ± is half the 95 % interval. (≥99.1): the interval runs from 99.1 to 100. (1.8–40.4): the interval itself. \
         All figures: {rest}.\n{few}"
    );
    format!("\n{}", screen::among_data(&how))
}

/// The judge's figures on all cases, both on the cases people rated, and what the first would be if people had judged.
pub fn corrected<'a>(subjects: impl Iterator<Item = (&'a SubjectId, &'a [Corrected])>) -> String {
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    let head = ["corrected by people", "figure", "judge", "judge, rated", "people", "cases", "corrected", "95 %"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (subject, figures) in subjects {
        for it in figures {
            let interval =
                it.interval.map_or_else(|| "–".to_owned(), |it| format!("{} to {}", percent(it.low), percent(it.high)));
            rows.push(vec![
                subject.to_string(),
                it.metric.clone(),
                percent(it.judge),
                percent(it.judge_on_part),
                percent(it.people),
                it.families.to_string(),
                it.corrected.map_or_else(|| "too few".to_owned(), percent),
                interval,
            ]);
        }
    }
    format!("{}\n", aligned(&rows))
}

/// Why a whole column is empty, where somebody says it.
fn absent(column: &MetricColumn, results: &[&SubjectResult]) -> Option<String> {
    let metrics: Vec<&Metric> = results.iter().filter_map(|result| result.metrics.get(&column.name)).collect();
    let why = metrics.iter().find_map(|metric| metric.absent.as_ref())?;
    metrics.iter().all(|metric| metric.value.is_none()).then(|| format!("No {}: {why}.\n", short(&column.title)))
}

/// Columns that fit beside the subject.
const SHOWN: usize = 6;

/// `Baseline accuracy` → `baseline`; `Trap rate, pure` → `pure`.
fn short(title: &str) -> String {
    let title = title.rsplit_once(", ").map_or(title, |(_, last)| last);
    title.trim_end_matches(" accuracy").trim_end_matches(" rate").to_lowercase()
}

/// `47.1 ±5.2`; a dash where there are no cases. Where half the interval would reach beyond what a share can be, the interval,
/// `83.3 (55.2–95.3)`, or one end of it where the other would be printed as 0 or 100, `98.0 (≥89.5)`.
pub(super) fn cell(metric: Option<&Metric>) -> String {
    let Some((value, metric)) = metric.and_then(|metric| Some((metric.value?, metric))) else {
        return "–".to_owned();
    };
    let figure = format!("{:.1}", 100.0 * value);
    let Some((low, high)) = metric.low.zip(metric.high) else { return figure };
    let half = (high - low) / 2.0;
    if value - half >= 0.0 && value + half <= 1.0 {
        return format!("{figure} ±{:.1}", 100.0 * half);
    }
    let (low, high) = (format!("{:.1}", 100.0 * low), format!("{:.1}", 100.0 * high));
    match (low == "0.0", high == "100.0") {
        (false, true) => format!("{figure} (≥{low})"),
        (true, false) => format!("{figure} (≤{high})"),
        _ => format!("{figure} ({low}–{high})"),
    }
}

pub fn benchmarks(summaries: &[BenchmarkSummary]) -> String {
    let mut out = String::new();
    for summary in summaries {
        let mut rows = vec![
            vec![summary.suite.to_string(), "n".to_owned()],
            vec!["cases".to_owned(), summary.cases.to_string()],
            vec!["eligible".to_owned(), summary.eligible.to_string()],
            vec!["families".to_owned(), summary.families.to_string()],
            vec!["variants".to_owned(), summary.variants.to_string()],
        ];
        let lost = lost(summary);
        rows.extend(lost.iter().map(|it| vec![format!("lost: {}", it.reason), it.n.to_string()]));
        out.push_str(&aligned(&rows));
        out.push_str(&meanings(&lost));
        if !summary.accounts.is_empty() {
            out.push('\n');
            out.push_str(&accounts(&summary.accounts));
            out.push_str(&by_entry(&summary.accounts));
        }
    }
    out
}

/// What the reasons are, below the table: beside the numbers they would be too wide.
fn meanings(lost: &[Lost]) -> String {
    let name = |it: &Lost| it.reason.split(" (").next().unwrap_or_default().to_owned();
    let line = |it: &Lost| Some(format!("{}: {}\n", name(it), it.meaning?));
    screen::among_data(&lost.iter().filter_map(line).collect::<String>())
}

/// As wide as a terminal may be.
const WIDE: usize = 130;

/// What became of every intervention that applied, by family: eligible = lost + asked. Reasons that do not fit beside each other stand below.
fn accounts(accounts: &[Account]) -> String {
    let table = with_reasons(accounts);
    if table.lines().all(|line| line.chars().count() <= WIDE) {
        return table;
    }
    let summed = |account: &Account| {
        let lost = account.lost.values().sum();
        Account { lost: BTreeMap::from([("lost".to_owned(), lost)]), ..account.clone() }
    };
    let mut out = with_reasons(&accounts.iter().map(summed).collect::<Vec<_>>());
    for account in accounts.iter().filter(|it| !it.lost.is_empty()) {
        let reasons: Vec<String> =
            account.lost.iter().map(|(why, n)| format!("{} {n}", why.replace('_', " "))).collect();
        out.push_str(&screen::among_data(&format!("lost of {}: {}\n", account.group, reasons.join(", "))));
    }
    out
}

/// `interventions: 120 eligible, 14 lost, 106 asked, 97 clean`
pub fn account(account: &Account) -> String {
    let lost: u64 = account.lost.values().sum();
    let Account { eligible, asked, clean, .. } = account;
    format!("interventions: {eligible} eligible, {lost} lost, {asked} asked, {clean} clean")
}

fn with_reasons(accounts: &[Account]) -> String {
    let names = |of: fn(&Account) -> &BTreeMap<String, u64>| -> Vec<String> {
        let mut names: Vec<String> = accounts.iter().flat_map(|it| of(it).keys().cloned()).collect();
        names.sort();
        names.dedup();
        names
    };
    let (lost, flagged) = (names(|it| &it.lost), names(|it| &it.flagged));
    let mut head = vec!["interventions".to_owned(), "eligible".to_owned()];
    head.extend(lost.iter().map(|why| why.replace('_', " ")));
    head.push("asked".to_owned());
    head.extend(flagged.iter().map(|flag| flag.replace('_', " ")));
    head.push("clean".to_owned());
    let row = |account: &Account| {
        let count = |of: &BTreeMap<String, u64>, name: &String| of.get(name).copied().unwrap_or(0).to_string();
        let mut row = vec![account.group.clone(), account.eligible.to_string()];
        row.extend(lost.iter().map(|why| count(&account.lost, why)));
        row.push(account.asked.to_string());
        row.extend(flagged.iter().map(|flag| count(&account.flagged, flag)));
        row.push(account.clean.to_string());
        row
    };
    let mut rows: Vec<Vec<String>> = std::iter::once(head).chain(accounts.iter().map(row)).collect();
    rows.push(row(&Account::total(accounts)));
    aligned(&rows)
}

/// Rows that a terminal bears; the report has them all.
const MOST_ROWS: usize = 24;

/// Why interventions that apply nowhere do not.
pub fn by_entry(accounts: &[Account]) -> String {
    let mut idle: Vec<(&String, &BTreeMap<String, u64>)> = idle(accounts).collect();
    // Those that came further than their cancer tell more.
    idle.sort_by_key(|(_, reasons)| reasons.keys().all(|why| why == "other_cancer"));
    if idle.is_empty() {
        return String::new();
    }
    let told = |reasons: &BTreeMap<String, u64>| {
        let told = reasons.iter().map(|(why, n)| format!("{} {n}", why.replace('_', " ")));
        told.collect::<Vec<_>>().join(", ")
    };
    let shown = &idle[..idle.len().min(MOST_ROWS)];
    let width = shown.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let mut out = String::from("\ninterventions that apply to no case, and why, with the number of cases:\n");
    for (name, reasons) in shown {
        out.push_str(&format!("{name:width$}  {}\n", told(reasons)));
    }
    if idle.len() > shown.len() {
        out.push_str(&format!("and {} more; `vary --json` and the report have them all\n", idle.len() - shown.len()));
    }
    out
}

/// Interventions that apply to nothing.
fn idle(accounts: &[Account]) -> impl Iterator<Item = (&String, &BTreeMap<String, u64>)> {
    accounts.iter().flat_map(|it| &it.by_entry).filter(|(_, reasons)| !reasons.contains_key(Account::APPLIES))
}

pub fn agreement(report: &AgreementReport, names: &[String]) -> String {
    let mut rows = vec![vec!["statistic".to_owned(), "value".to_owned(), "95 % interval".to_owned()]];
    for statistic in &report.statistics {
        let value = statistic.value.map_or_else(|| "–".to_owned(), |value| format!("{value:.4}"));
        let interval = statistic.interval.map_or_else(String::new, |it| format!("{:.4} to {:.4}", it.low, it.high));
        // Cohen's is of two raters; of more it is the mean over their pairs.
        let pairs = if report.raters > 2 && statistic.name.starts_with("cohen") { " (mean over pairs)" } else { "" };
        rows.push(vec![format!("{}{pairs}", statistic.name), value, interval]);
    }
    let (items, raters, missing) = (report.items, report.raters, report.missing);
    format!(
        "{}, {raters} raters, {} missing, categories: {}\nraters: {}\n{}",
        counted(items as u64, "item", "items"),
        counted(missing as u64, "rating", "ratings"),
        report.categories.join(", "),
        names.join(", "),
        aligned(&rows)
    )
}

/// Names with what they are.
pub fn list(rows: &[(&str, String)]) -> String {
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let most = screen::width_of_stdout();
    let line = |(name, about): &(&str, String)| format!("{name:width$}  {}\n", screen::beside(width + 2, about, most));
    rows.iter().map(line).collect()
}

/// Columns two spaces apart; the first to the left, the others to the right. Where the terminal is narrower, parts below each other that all
/// begin with the first column, and the cells of a column that does not fit beside it below it; a file or a pipe gets whole lines.
pub fn aligned(rows: &[Vec<String>]) -> String {
    within(rows, screen::width_of_stdout())
}

pub(super) fn within(rows: &[Vec<String>], most: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let room = most.saturating_sub(widths.first().copied().unwrap_or(0));
    let part = |columns: Range<usize>| match columns.len() == 1 && 2 + widths[columns.start] > room {
        true => below(rows, columns.start, most),
        false => beside(rows, &widths, columns),
    };
    let mut parts = Vec::new();
    let mut begun = 1..1;
    for at in 1..columns {
        let taken: usize = widths[begun.start..=at].iter().map(|width| 2 + width).sum();
        // At least one column, however narrow the terminal is.
        if taken > room && !begun.is_empty() {
            parts.push(part(begun));
            begun = at..at;
        }
        begun.end = at + 1;
    }
    parts.push(part(begun));
    parts.join("\n")
}

/// A column that is too wide to stand beside the first.
fn below(rows: &[Vec<String>], at: usize, most: usize) -> String {
    let mut out = String::new();
    for row in rows {
        let cell = |at: usize| row.get(at).map_or("", String::as_str);
        out.push_str(&format!("{}\n", cell(0)));
        if !cell(at).is_empty() {
            out.push_str(&screen::wrapped(&format!("  {}\n", cell(at)), most));
        }
    }
    out
}

fn beside(rows: &[Vec<String>], widths: &[usize], columns: Range<usize>) -> String {
    let mut out = String::new();
    for row in rows {
        let first = row.first().map_or("", String::as_str);
        // By hand: `format!` panics on a width above 65,535.
        let mut line = format!("{first}{}", missing(first, widths.first().copied().unwrap_or(0)));
        for at in columns.clone() {
            let cell = row.get(at).map_or("", String::as_str);
            line.push_str(&format!("  {}{cell}", missing(cell, widths[at])));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// The spaces that a cell lacks to fill its column.
fn missing(cell: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(cell.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::Better;

    #[test]
    fn a_cell_of_any_length_is_aligned() {
        let long = "x".repeat(100_000);
        let rows = [vec![long.clone(), "a".to_owned()], vec!["b".to_owned(), long]];
        assert_eq!(within(&rows, usize::MAX).lines().map(str::len).collect::<Vec<_>>(), [200_002, 200_002]);
    }

    fn check(value: f64, low: f64, high: f64, told: &str) {
        let metric = Metric { value: Some(value), low: Some(low), high: Some(high), n: 50, ..Metric::default() };
        assert_eq!(cell(Some(&metric)), told);
    }

    #[test]
    fn no_figure_reads_as_more_than_all_or_less_than_nothing() {
        check(0.471, 0.42, 0.524, "47.1 ±5.2");
        check(0.98, 0.895, 0.9964, "98.0 (89.5–99.6)");
        check(0.98, 0.895, 0.9996, "98.0 (≥89.5)");
        check(0.01, 0.0036, 0.071, "1.0 (0.4–7.1)");
        check(1.0, 0.9287, 1.0, "100.0 (≥92.9)");
        check(0.0, 0.0, 0.0713, "0.0 (≤7.1)");
        check(0.1, 0.0, 0.21, "10.0 (≤21.0)");
        check(0.833, 0.552, 0.953, "83.3 (55.2–95.3)");
        check(0.667, 0.208, 0.939, "66.7 (20.8–93.9)");
        check(0.1, 0.02, 0.3, "10.0 (2.0–30.0)");
        check(0.0, 0.0, 1.0, "0.0 (0.0–100.0)");
        assert_eq!(cell(None), "–");
    }

    /// A trap rate of five of the families does not stand like one of six hundred.
    #[test]
    fn figures_of_a_few_cases_are_marked_and_the_legend_says_why() {
        let column = MetricColumn::share("bias_trap_rate", "Bias trap rate", Better::Lower, "");
        let result = |subject: &str, n: u64| SubjectResult {
            suite: "einstellung".into(),
            subject: subject.into(),
            n: 600,
            missing: 0,
            reference: subject == "reference",
            metrics: BTreeMap::from([(column.name.clone(), Metric { value: Some(0.5), n, ..Metric::default() })]),
            breakdown: Vec::new(),
        };
        let told =
            |of: &[SubjectResult]| results("suite", std::slice::from_ref(&column), &of.iter().collect::<Vec<_>>());
        let few = told(&[result("prior", 5), result("gestalt", 600), result("logit", 598), result("reference", 5)]);
        assert_eq!(
            few.text,
            "suite                  bias trap  families  missing\n\
             prior                      50.0*       600        0\n\
             gestalt                     50.0       600        0\n\
             logit                       50.0       600        0\n\
             reference (reference)       50.0       600        0\n"
        );
        assert!(
            few.marked
                && legend(few.marked, "--json")
                    .contains("\n* rests on fewer than 10 independent cases (patients, stories, charts)")
        );
        let enough = told(&[result("gestalt", 600), result("logit", 598)]);
        assert!(!enough.marked && !legend(enough.marked, "--json").contains('*'), "{}", enough.text);
    }

    #[test]
    fn a_table_that_is_too_wide_is_told_in_parts_that_name_the_subjects() {
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        let rows = [row(["suite", "baseline", "robust", "n"]), row(["plain@a", "99.8", "63.5", "600"])];
        let whole = "suite    baseline  robust    n\nplain@a      99.8    63.5  600\n";
        for most in [usize::MAX, 30] {
            assert_eq!(within(&rows, most), whole);
        }
        let parts = "suite    baseline\nplain@a      99.8\n\nsuite    robust    n\nplain@a    63.5  600\n";
        assert_eq!(
            within(&rows, 29),
            "suite    baseline  robust\nplain@a      99.8    63.5\n\nsuite      n\nplain@a  600\n"
        );
        assert_eq!(within(&rows, 20), parts);
        assert_eq!(within(&rows, 3).matches("plain@a").count(), 3, "narrower than a column: one at a time");
        assert_eq!(within(&[], 20), "");
    }

    #[test]
    fn what_does_not_fit_beside_its_name_stands_below_it() {
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        let rows = [row(["suite", "baseline", "of", "n"]), row(["plain@a", "99.8", "plain@a and plain@b", ""])];
        assert_eq!(
            within(&rows, 17),
            "suite    baseline\nplain@a      99.8\n\n\
             suite\n  of\nplain@a\n  plain@a and\n  plain@b\n\n\
             suite    n\nplain@a\n"
        );
        assert_eq!(within(&rows, 16).matches("\n  baseline\nplain@a\n  99.8\n").count(), 1);
    }
}
