//! Whether the figures keep to what the study demands.

use crate::study::Bound;
use std::collections::BTreeMap;
use waterjar_core::{BoundCheck, SubjectResult};

pub fn check(bounds: &BTreeMap<String, Bound>, results: &[SubjectResult]) -> Vec<BoundCheck> {
    let mut checks = Vec::new();
    for (key, bound) in bounds {
        let Some((suite, metric)) = key.split_once('.') else { continue };
        let concerned =
            results.iter().filter(|result| result.suite.as_str() == suite).filter(|result| match &bound.subject {
                Some(subject) => result.subject.as_str() == subject,
                None => !result.reference,
            });
        for result in concerned {
            checks.push(BoundCheck {
                figure: key.clone(),
                subject: result.subject.clone(),
                demand: demand(bound),
                broken: broken(key, metric, bound, result),
            });
        }
    }
    checks
}

fn demand(bound: &Bound) -> String {
    let sides = [bound.min.map(|min| format!("at least {min}")), bound.max.map(|max| format!("at most {max}"))];
    sides.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn broken(key: &str, metric: &str, bound: &Bound, result: &SubjectResult) -> Option<String> {
    let subject = &result.subject;
    // A figure that does not exist keeps no bound: silence must not pass a gate.
    let Some(figure) = result.metrics.get(metric) else {
        return Some(format!("{key} of {subject} has no value: {}", unknown(metric, result)));
    };
    let Some(value) = figure.value else {
        let why = figure.absent.as_ref().map(|why| format!(": {why}"));
        return Some(format!("{key} of {subject} has no value{}", why.unwrap_or_default()));
    };
    let above = bound.max.filter(|max| value > *max).map(|max| format!("above {max}"));
    let below = bound.min.filter(|min| value < *min).map(|min| format!("below {min}"));
    above.or(below).map(|how| format!("{key} of {subject} is {value:.3}, {how}"))
}

/// What is after the first dot is known only when there are figures: the groups a suite found, or names.
fn unknown(metric: &str, result: &SubjectResult) -> String {
    let stem = metric.split('.').next().unwrap_or(metric);
    let of_stem = |name: &&String| name.split('.').next() == Some(stem);
    let known: Vec<&str> = result.metrics.keys().filter(of_stem).map(String::as_str).collect();
    if known.is_empty() {
        return format!("no figure is called `{metric}`");
    }
    format!("no figure is called `{metric}`; there are: {}", known.join(", "))
}
