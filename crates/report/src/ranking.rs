//! Which subject is best on a metric, and when it would be wrong to say so.

use crate::{Better, MetricColumn};
use waterjar_core::SubjectResult;

/// Below this a figure says too little to be called best: with nine cases a Wilson interval still spans half the scale.
const FEWEST_TO_RANK: u64 = 10;

/// The competitors that can be ranked on a metric, best first; ties stay in the order given.
pub(crate) fn ranked<'a>(results: &'a [SubjectResult], column: &MetricColumn) -> Vec<(&'a SubjectResult, f64)> {
    let mut ranked: Vec<_> = results
        .iter()
        .filter(|result| !result.reference)
        .filter_map(|result| {
            let metric = result.metrics.get(&column.name)?;
            Some((result, metric.value.filter(|value| value.is_finite())?, metric.n))
        })
        .collect();
    let fewest = fewest(ranked.iter().map(|(.., n)| *n).collect());
    ranked.retain(|(.., n)| *n >= fewest);
    match column.better {
        Better::Higher => ranked.sort_by(|a, b| b.1.total_cmp(&a.1)),
        Better::Lower => ranked.sort_by(|a, b| a.1.total_cmp(&b.1)),
        Better::Neither => ranked.clear(),
    }
    ranked.into_iter().map(|(result, value, _)| (result, value)).collect()
}

/// Those who hold the best value of a column; nobody where there is no contest or everybody is equal.
pub(crate) fn best<'a>(results: &'a [SubjectResult], column: &MetricColumn) -> Vec<&'a SubjectResult> {
    let ranked = ranked(results, column);
    match (ranked.first(), ranked.last()) {
        (Some((_, first)), Some((_, last))) if first != last => {
            ranked.iter().take_while(|(_, value)| value == first).map(|(result, _)| *result).collect()
        }
        _ => Vec::new(),
    }
}

/// The column the suite is about.
pub(crate) fn primary(columns: &[MetricColumn]) -> Option<&MetricColumn> {
    columns.iter().find(|column| column.primary).or(columns.first())
}

/// The small print to this ranking.
pub(crate) fn note() -> String {
    format!(
        "A figure from fewer than {FEWEST_TO_RANK} cases, or from less than half as many as is usual in its column, is shown but not ranked."
    )
}

/// A reader who misses most controls is asked for its trap rate on a chosen few, which is not the question the others answered.
fn fewest(mut numbers: Vec<u64>) -> u64 {
    numbers.sort_unstable();
    let median = numbers.get(numbers.len() / 2).copied().unwrap_or(0);
    FEWEST_TO_RANK.max(median.div_ceil(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MetricKind;
    use std::collections::BTreeMap;
    use waterjar_core::Metric;

    #[test]
    fn the_lowest_wins_where_lower_is_better() {
        check(&[("a", 0.5, 90), ("b", 0.2, 90)], &["b"]);
    }

    #[test]
    fn those_who_share_the_best_value_are_all_best() {
        check(&[("a", 0.2, 90), ("b", 0.2, 90), ("c", 0.9, 90)], &["a", "b"]);
    }

    #[test]
    fn nobody_is_best_when_all_are_equal() {
        check(&[("a", 0.2, 90), ("b", 0.2, 90)], &[]);
    }

    #[test]
    fn a_handful_of_cases_cannot_be_best() {
        check(&[("a", 0.0, 3), ("b", 0.4, 90), ("c", 0.6, 90)], &["b"]);
    }

    #[test]
    fn a_chosen_few_cases_cannot_be_best() {
        check(&[("a", 0.0, 21), ("b", 0.4, 310), ("c", 0.6, 316)], &["b"]);
    }

    #[test]
    fn the_reference_does_not_compete() {
        check(&[("reference", 0.0, 90), ("b", 0.4, 90), ("c", 0.6, 90)], &["b"]);
    }

    fn check(values: &[(&str, f64, u64)], expected: &[&str]) {
        let column = MetricColumn {
            name: "bias_trap_rate".to_owned(),
            title: String::new(),
            better: Better::Lower,
            kind: MetricKind::Share,
            explanation: String::new(),
            phrase: None,
            primary: true,
            drawn: false,
        };
        let results: Vec<_> = values
            .iter()
            .map(|&(subject, value, n)| SubjectResult {
                suite: "s".into(),
                subject: subject.into(),
                n,
                missing: 0,
                reference: subject == "reference",
                metrics: BTreeMap::from([(column.name.clone(), Metric { value: Some(value), n, ..Metric::default() })]),
                breakdown: Vec::new(),
            })
            .collect();
        let found: Vec<_> = best(&results, &column).into_iter().map(|result| result.subject.as_str()).collect();
        assert_eq!(found, expected);
    }
}
