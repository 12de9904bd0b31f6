//! Which subject is best on a metric, and when it would be wrong to say so.

use crate::{Better, MetricColumn};
use waterjar_core::metric::{FEWEST, Metric, SubjectResult, fewest};

/// The competitors that can be ranked on a metric, best first; ties stay in the order given.
pub(crate) fn ranked<'a>(results: &'a [SubjectResult], column: &MetricColumn) -> Vec<(&'a SubjectResult, f64)> {
    let competitors = results.iter().filter(|result| !result.reference);
    let figures: Vec<(&SubjectResult, &Metric)> =
        competitors.filter_map(|result| Some((result, result.metrics.get(&column.name)?))).collect();
    let fewest = fewest(figures.iter().map(|(_, metric)| *metric));
    let enough = figures.into_iter().filter(|(_, metric)| metric.n >= fewest);
    let mut ranked: Vec<(&SubjectResult, f64)> =
        enough.filter_map(|(result, metric)| Some((result, metric.value.filter(|value| value.is_finite())?))).collect();
    match column.better {
        Better::Higher => ranked.sort_by(|a, b| b.1.total_cmp(&a.1)),
        Better::Lower => ranked.sort_by(|a, b| a.1.total_cmp(&b.1)),
        Better::Neither => ranked.clear(),
    }
    ranked
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

/// The same below a table that prints the best in bold.
pub(crate) fn bold_note() -> String {
    format!("Bold: the best of its column; references do not compete. {}", note())
}

/// The small print to this ranking.
pub(crate) fn note() -> String {
    format!(
        "A figure from fewer than {FEWEST} cases, or from less than half as many as is usual in its column, is shown but not ranked."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MetricKind;
    use std::collections::BTreeMap;

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
