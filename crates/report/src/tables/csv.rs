//! One row per subject and metric, unrounded, for programs.

use crate::MetricColumn;
use waterjar_core::cell::guarded;
use waterjar_core::{Metric, SubjectResult};

const HEAD: &str =
    "suite,subject,reference,metric,stratum,value,low,high,bootstrap_low,bootstrap_high,n,families,missing\n";

/// Headline metrics first, in their order, then all others by name. A figure without cases has empty fields.
pub fn csv(results: &[SubjectResult], columns: &[MetricColumn]) -> String {
    let mut text = HEAD.to_owned();
    for result in results {
        let place = |name: &str| columns.iter().position(|column| column.name == name);
        let mut metrics: Vec<_> = result
            .metrics
            .iter()
            .map(|(name, metric)| {
                let (metric_name, stratum) = name.split_once('.').unwrap_or((name, ""));
                (metric_name, stratum, metric)
            })
            .collect();
        metrics.sort_by_key(|(name, stratum, _)| (place(name).unwrap_or(columns.len()), *name, *stratum));
        for (name, stratum, metric) in metrics {
            text.push_str(&row(result, name, stratum, metric));
        }
    }
    text
}

fn row(result: &SubjectResult, name: &str, stratum: &str, metric: &Metric) -> String {
    let bootstrap = metric.bootstrap;
    let fields = [
        quoted(result.suite.as_str()),
        quoted(result.subject.as_str()),
        result.reference.to_string(),
        quoted(name),
        quoted(stratum),
        number(metric.value),
        number(metric.low),
        number(metric.high),
        number(bootstrap.map(|interval| interval.low)),
        number(bootstrap.map(|interval| interval.high)),
        metric.n.to_string(),
        result.n.to_string(),
        result.missing.to_string(),
    ];
    fields.join(",") + "\n"
}

/// As in RFC 4180, and nothing that a spreadsheet would run.
pub(crate) fn quoted(text: &str) -> String {
    let text = guarded(text);
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

fn number(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or(String::new(), |value| value.to_string())
}
