//! Figures as aligned text.

use crate::commands::Comparison;
use std::collections::BTreeMap;
use waterjar_core::{
    BenchmarkSummary, Interval, Metric, MetricColumn, MetricKind, MetricsFile, SubjectId, SubjectResult, SuiteId,
};
use waterjar_scoring::stats::AgreementReport;

/// The main table of one suite. References come last and say what they are.
pub fn results(suite: &str, columns: &[MetricColumn], results: &[&SubjectResult]) -> String {
    let mut rows = vec![vec![suite.to_owned()]];
    rows[0].extend(columns.iter().map(|column| column.title.clone()));
    rows[0].extend(["pairs".to_owned(), "missing".to_owned()]);
    let (references, competitors): (Vec<&SubjectResult>, Vec<_>) = results.iter().partition(|result| result.reference);
    for result in competitors.into_iter().chain(references) {
        let mark = if result.reference { " (reference)" } else { "" };
        let mut row = vec![format!("{}{mark}", result.subject)];
        row.extend(columns.iter().map(|column| cell(result.metrics.get(&column.name), column.kind)));
        row.extend([result.n.to_string(), result.missing.to_string()]);
        rows.push(row);
    }
    aligned(&rows)
}

/// `47.1 [42.0, 52.3]`; a dash where there are no cases.
fn cell(metric: Option<&Metric>, kind: MetricKind) -> String {
    let number = |value: f64| match kind {
        MetricKind::Share => format!("{:.1}", 100.0 * value),
        MetricKind::Number => format!("{value:.2}"),
    };
    let Some((value, metric)) = metric.and_then(|metric| Some((metric.value?, metric))) else {
        return "–".to_owned();
    };
    match metric.low.zip(metric.high) {
        Some((low, high)) => format!("{} [{}, {}]", number(value), number(low), number(high)),
        None => number(value),
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
        rows.extend(
            summary.losses.iter().map(|(reason, n)| vec![format!("lost: {}", reason.replace('_', " ")), n.to_string()]),
        );
        out.push_str(&aligned(&rows));
    }
    out
}

pub fn comparisons(comparisons: &[Comparison]) -> String {
    let head = ["metric", "first", "second", "first minus second", "p", "p (Holm)", "p (McNemar)", "families"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for it in comparisons {
        let difference = &it.difference;
        let interval = difference.interval.map_or_else(String::new, |i| format!(" [{:.3}, {:.3}]", i.low, i.high));
        rows.push(vec![
            it.metric.clone(),
            format!("{} {:.3}", it.first, difference.first),
            format!("{} {:.3}", it.second, difference.second),
            format!("{:+.3}{interval}", difference.value),
            p_value(difference.p),
            p_value(it.holm_p),
            it.mcnemar_p.map_or_else(|| "–".to_owned(), p_value),
            difference.families.to_string(),
        ]);
    }
    aligned(&rows)
}

fn p_value(p: f64) -> String {
    if p < 0.001 { "<0.001".to_owned() } else { format!("{p:.3}") }
}

pub fn agreement(report: &AgreementReport) -> String {
    let mut rows = vec![vec!["statistic".to_owned(), "value".to_owned(), "95 % interval".to_owned()]];
    for statistic in &report.statistics {
        let value = statistic.value.map_or_else(|| "–".to_owned(), |value| format!("{value:.4}"));
        let interval = statistic.interval.map_or_else(String::new, |it| format!("{:.4} to {:.4}", it.low, it.high));
        rows.push(vec![statistic.name.to_owned(), value, interval]);
    }
    let (items, raters, missing) = (report.items, report.raters, report.missing);
    format!(
        "{items} items, {raters} raters, {missing} ratings missing, categories: {}\n{}",
        report.categories.join(", "),
        aligned(&rows)
    )
}

/// The agreement statistics in the shape of metrics.json.
pub fn agreement_metrics(report: &AgreementReport, seed: u64) -> MetricsFile {
    let metric = |value: Option<f64>, interval: Option<Interval>| Metric {
        value: value.map(waterjar_core::metric::rounded),
        low: interval.map(|it| waterjar_core::metric::rounded(it.low)),
        high: interval.map(|it| waterjar_core::metric::rounded(it.high)),
        n: report.shared_items as u64,
        bootstrap: None,
    };
    let metrics: BTreeMap<String, Metric> =
        report.statistics.iter().map(|it| (it.name.to_owned(), metric(it.value, it.interval))).collect();
    let result = SubjectResult {
        suite: SuiteId::from("agreement"),
        subject: SubjectId::from("raters"),
        n: report.items as u64,
        missing: (report.items - report.shared_items) as u64,
        reference: false,
        metrics,
        breakdown: Vec::new(),
    };
    MetricsFile::new("agree", seed, vec![result])
}

/// Names with what they are.
pub fn list(rows: &[(&str, String)]) -> String {
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    rows.iter().map(|(name, about)| format!("{name:width$}  {about}\n")).collect()
}

/// Columns two spaces apart; the first to the left, the others to the right.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let width = *width;
            line.push_str(&if at == 0 { format!("{cell:width$}") } else { format!("  {cell:>width$}") });
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
