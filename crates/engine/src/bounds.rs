//! Whether the figures keep to what the study demands.

use crate::study::Bound;
use std::collections::BTreeMap;
use waterjar_core::SubjectResult;

/// A bound that does not hold, in words.
pub fn broken(bounds: &BTreeMap<String, Bound>, results: &[SubjectResult]) -> Vec<String> {
    let mut broken = Vec::new();
    for (key, bound) in bounds {
        let Some((suite, metric)) = key.split_once('.') else { continue };
        let concerned =
            results.iter().filter(|result| result.suite.as_str() == suite).filter(|result| match &bound.subject {
                Some(subject) => result.subject.as_str() == subject,
                None => !result.reference,
            });
        for result in concerned {
            let subject = &result.subject;
            // A figure that does not exist keeps no bound: silence must not pass a gate.
            let figure = result.metrics.get(metric);
            let Some(value) = figure.and_then(|metric| metric.value) else {
                let why = figure.and_then(|metric| metric.absent.as_ref()).map(|why| format!(": {why}"));
                broken.push(format!("{key} of {subject} has no value{}", why.unwrap_or_default()));
                continue;
            };
            if let Some(max) = bound.max.filter(|max| value > *max) {
                broken.push(format!("{key} of {subject} is {value:.3}, above {max}"));
            }
            if let Some(min) = bound.min.filter(|min| value < *min) {
                broken.push(format!("{key} of {subject} is {value:.3}, below {min}"));
            }
        }
    }
    broken
}
