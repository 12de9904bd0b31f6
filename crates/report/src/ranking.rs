//! Which subjects are marked as best on a metric, and when it would be wrong to say so.

use crate::strata::tabulated;
use crate::{Better, Leads, MetricColumn};
use waterjar_core::metric::{Enough, FEWEST, Metric, SubjectResult};

/// The competitors that can be ranked on a metric, best first; ties stay in the order given.
pub fn ranked<'a>(results: &'a [SubjectResult], column: &MetricColumn) -> Vec<(&'a SubjectResult, f64)> {
    let competitors = results.iter().filter(|result| !result.reference);
    let figures: Vec<(&SubjectResult, &Metric)> =
        competitors.filter_map(|result| Some((result, result.metrics.get(&column.name)?))).collect();
    let enough = Enough::among(figures.iter().map(|(_, metric)| *metric));
    let enough = figures.into_iter().filter(|(_, metric)| enough.is_met_by(metric));
    let mut ranked: Vec<(&SubjectResult, f64)> =
        enough.filter_map(|(result, metric)| Some((result, metric.value.filter(|value| value.is_finite())?))).collect();
    match column.better {
        Better::Higher => ranked.sort_by(|a, b| b.1.total_cmp(&a.1)),
        Better::Lower => ranked.sort_by(|a, b| a.1.total_cmp(&b.1)),
        Better::Neither => ranked.clear(),
    }
    ranked
}

/// Who holds the best value of a column, the first given where several do; nobody where there is no contest or everybody is equal.
pub fn leader<'a>(results: &'a [SubjectResult], column: &MetricColumn) -> Option<&'a SubjectResult> {
    let ranked = ranked(results, column);
    match ranked.as_slice() {
        [(first, best), .., (_, worst)] if best != worst => Some(*first),
        _ => None,
    }
}

/// How the others of a column are told from its best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Telling {
    Paired,
    /// Where figures are not kept by family. Whose intervals do not overlap differ; whose do may differ too, so that this marks rather too many.
    Intervals,
}

/// The best of a column and whoever cannot be told from it, the best first.
pub(crate) struct Front<'a> {
    pub subjects: Vec<&'a SubjectResult>,
    pub telling: Telling,
    /// Nobody is behind them.
    pub is_everybody: bool,
}

/// Nothing where there is no contest.
pub(crate) fn front<'a>(results: &'a [SubjectResult], column: &MetricColumn, leads: &Leads) -> Option<Front<'a>> {
    let best = leader(results, column)?;
    let ranked = ranked(results, column);
    // Of others than these somebody else was best, and the others were not tested against this one.
    let lead = leads.get(&column.name).filter(|lead| lead.of == best.subject);
    let is_level = |result: &SubjectResult| match lead {
        Some(lead) => !lead.over.contains(&result.subject),
        None => !is_clear(best.metrics.get(&column.name), result.metrics.get(&column.name)),
    };
    let top = ranked.first().map(|(_, value)| *value);
    let is_front = |(result, value): &&(&SubjectResult, f64)| Some(*value) == top || is_level(result);
    // Who stands behind one that is told from the best is behind, too, however few cases tell so: no mark passes over a better figure.
    // Among equal ones each goes by its own test, in whatever order they were given.
    let told = ranked.iter().find(|it| !is_front(it)).map(|(_, value)| *value);
    let is_passed = |(_, value): &&(&SubjectResult, f64)| match (told, column.better) {
        (Some(told), Better::Higher) => *value < told,
        (Some(told), _) => *value > told,
        (None, _) => false,
    };
    let level = ranked.iter().filter(is_front).filter(|it| !is_passed(it));
    let subjects: Vec<_> = level.map(|(result, _)| *result).collect();
    Some(Front {
        is_everybody: subjects.len() == ranked.len(),
        subjects,
        telling: if lead.is_some() { Telling::Paired } else { Telling::Intervals },
    })
}

/// Whom a table marks in a column. A mark that everybody has would tell nothing.
pub(crate) fn marked<'a>(results: &'a [SubjectResult], column: &MetricColumn, leads: &Leads) -> Vec<&'a SubjectResult> {
    let front = front(results, column, leads).filter(|front| !front.is_everybody);
    front.map(|front| front.subjects).unwrap_or_default()
}

/// Whether two intervals are apart. Without one there is nothing to tell by.
fn is_clear(one: Option<&Metric>, other: Option<&Metric>) -> bool {
    let apart = |one: &Metric, other: &Metric| Some(one.low? > other.high? || other.low? > one.high?);
    one.zip(other).and_then(|(one, other)| apart(one, other)).unwrap_or(false)
}

/// The column the suite is about.
pub(crate) fn primary(columns: &[MetricColumn]) -> Option<&MetricColumn> {
    columns.iter().find(|column| column.primary).or(columns.first())
}

/// What is marked so in a table; nothing where no column has a contest.
pub(crate) fn legend(mark: &str, results: &[SubjectResult], columns: &[MetricColumn], leads: &Leads) -> Option<String> {
    let told: Vec<(&str, Telling)> = tabulated(columns)
        .filter_map(|column| Some((column.title.as_str(), front(results, column, leads)?.telling)))
        .collect();
    let by = |telling: Telling| told.iter().filter(move |(_, by)| *by == telling).map(|(title, _)| *title);
    let by_interval: Vec<&str> = by(Telling::Intervals).collect();
    let test = "whoever the exact paired test of waterjar compare (5 %, Holm's correction over the column) does not tell from it, nor anybody ahead of them";
    let overlap = "whoever has a 95 % interval that overlaps the best's, as everybody ahead of them has";
    let rule = match (by(Telling::Paired).next(), by_interval.is_empty()) {
        (None, true) => return None,
        (None, false) => overlap.to_owned(),
        (Some(_), true) => test.to_owned(),
        (Some(_), false) => {
            format!(
                "{test}; where figures are not kept by family, or are means over cases of each subject's own ({}), {overlap}",
                by_interval.join("; ")
            )
        }
    };
    Some(format!(
        "{mark}: the best of its column, and {rule}. A column in which that is everybody has no mark; references do not compete. {}",
        note()
    ))
}

/// The small print to this ranking.
pub(crate) fn note() -> String {
    format!(
        "A figure from fewer than {FEWEST} independent cases, or from less than half as many as is usual in its column, is shown but not ranked."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lead, MetricKind};
    use std::collections::BTreeMap;

    /// (subject, value, cases); the interval reaches a tenth to both sides.
    type Given = (&'static str, f64, u64);

    #[test]
    fn the_lowest_wins_where_lower_is_better() {
        check(&[("a", 0.5, 90), ("b", 0.2, 90)], &["a"], &["b"]);
    }

    #[test]
    fn whoever_cannot_be_told_from_the_best_is_marked_with_it() {
        check(&[("a", 0.5, 90), ("b", 0.2, 90), ("c", 0.6, 90)], &["c"], &["b", "a"]);
    }

    #[test]
    fn no_mark_passes_over_a_better_figure() {
        check(&[("a", 0.2, 90), ("b", 0.5, 90), ("c", 0.6, 90)], &["b"], &["a"]);
        // In any order of equal ones.
        check(&[("a", 0.2, 90), ("b", 0.5, 90), ("c", 0.5, 90)], &["b"], &["a", "c"]);
        check(&[("a", 0.2, 90), ("b", 0.5, 90), ("c", 0.5, 90)], &["c"], &["a", "b"]);
    }

    #[test]
    fn nobody_is_marked_where_nobody_can_be_told_from_the_best() {
        check(&[("a", 0.5, 90), ("b", 0.2, 90)], &[], &[]);
    }

    #[test]
    fn those_who_share_the_best_value_are_all_best() {
        check(&[("a", 0.2, 90), ("b", 0.2, 90), ("c", 0.9, 90)], &["b", "c"], &["a", "b"]);
    }

    #[test]
    fn nobody_is_best_when_all_are_equal() {
        check(&[("a", 0.2, 90), ("b", 0.2, 90)], &["b"], &[]);
    }

    #[test]
    fn a_handful_of_cases_cannot_be_best() {
        check(&[("a", 0.0, 3), ("b", 0.4, 90), ("c", 0.6, 90)], &["c"], &["b"]);
    }

    #[test]
    fn a_chosen_few_cases_cannot_be_best() {
        check(&[("a", 0.0, 21), ("b", 0.4, 310), ("c", 0.6, 316)], &["c"], &["b"]);
    }

    #[test]
    fn the_reference_does_not_compete() {
        check(&[("reference", 0.0, 90), ("b", 0.4, 90), ("c", 0.6, 90)], &["c"], &["b"]);
    }

    #[test]
    fn without_a_paired_test_intervals_tell() {
        let given = [("a", 0.2, 90), ("b", 0.35, 90), ("c", 0.5, 90)];
        assert_eq!(found(&given, &Leads::new()), ["a", "b"]);
        let mut without = results(&given);
        without[2].metrics.get_mut("bias_trap_rate").unwrap().low = None;
        assert!(marked(&without, &column(), &Leads::new()).is_empty(), "nothing tells the last of them from the best");
    }

    #[test]
    fn a_wide_interval_behind_one_that_is_clear_is_not_marked() {
        let mut results = results(&[("a", 0.2, 90), ("b", 0.5, 90), ("c", 0.55, 90)]);
        results[2].metrics.get_mut("bias_trap_rate").unwrap().low = Some(0.1);
        let found = marked(&results, &column(), &Leads::new());
        assert_eq!(found.iter().map(|it| it.subject.as_str()).collect::<Vec<_>>(), ["a"]);
    }

    #[test]
    fn a_lead_of_somebody_else_says_nothing() {
        let given = [("a", 0.2, 90), ("b", 0.35, 90), ("c", 0.5, 90)];
        assert_eq!(found(&given, &lead("b", &["a", "c"])), ["a", "b"], "by their intervals");
    }

    #[test]
    fn the_legend_says_what_told_them_apart() {
        let given = [("a", 0.2, 90), ("b", 0.35, 90), ("c", 0.5, 90)];
        let told = |columns: &[MetricColumn], leads: &Leads| legend("Bold", &results(&given), columns, leads);
        let paired = told(&[column()], &lead("a", &["c"])).unwrap();
        assert!(
            paired.starts_with("Bold: the best of its column, and whoever the exact paired test of waterjar compare")
        );
        assert!(!paired.contains("overlaps"), "{paired}");
        let by_interval = told(&[column()], &Leads::new()).unwrap();
        let rule = "and whoever has a 95 % interval that overlaps the best's, as everybody ahead of them has. A";
        assert!(by_interval.contains(rule), "{by_interval}");
        let mut leads = lead("a", &["c"]);
        let same = leads["bias_trap_rate"].clone();
        leads.insert("other".to_owned(), same);
        let other = MetricColumn { name: "other".to_owned(), ..column() };
        let both = legend("Bold", &with_other(&given), &[column(), other.clone()], &lead("a", &["c"])).unwrap();
        assert!(both.contains("; where figures are not kept by family, or are means over cases of each subject's own (Trapped), whoever has"), "{both}");
        let paired = legend("Bold", &with_other(&given), &[column(), other], &leads).unwrap();
        assert!(!paired.contains("overlaps"), "{paired}");
        assert_eq!(legend("Bold", &results(&given[..1]), &[column()], &leads), None, "nobody is best alone");
    }

    /// The best is told from those who are `behind`.
    fn check(given: &[Given], behind: &[&str], expected: &[&str]) {
        let results = results(given);
        let best = leader(&results, &column()).map_or("", |best| best.subject.as_str());
        assert_eq!(found(given, &lead(best, behind)), expected);
    }

    fn found(given: &[Given], leads: &Leads) -> Vec<String> {
        marked(&results(given), &column(), leads).into_iter().map(|result| result.subject.to_string()).collect()
    }

    fn lead(of: &str, over: &[&str]) -> Leads {
        let lead = Lead { of: of.into(), over: over.iter().map(|it| (*it).into()).collect() };
        Leads::from([("bias_trap_rate".to_owned(), lead)])
    }

    fn column() -> MetricColumn {
        MetricColumn {
            name: "bias_trap_rate".to_owned(),
            title: "Trapped".to_owned(),
            better: Better::Lower,
            kind: MetricKind::Share,
            explanation: String::new(),
            phrase: None,
            primary: true,
            drawn: false,
        }
    }

    fn results(given: &[Given]) -> Vec<SubjectResult> {
        let metric = |value: f64, n: u64| Metric {
            value: Some(value),
            low: Some(value - 0.1),
            high: Some(value + 0.1),
            n,
            ..Metric::default()
        };
        given
            .iter()
            .map(|&(subject, value, n)| SubjectResult {
                suite: "s".into(),
                subject: subject.into(),
                n,
                missing: 0,
                reference: subject == "reference",
                metrics: BTreeMap::from([("bias_trap_rate".to_owned(), metric(value, n))]),
                breakdown: Vec::new(),
            })
            .collect()
    }

    /// With the same figures in another column.
    fn with_other(given: &[Given]) -> Vec<SubjectResult> {
        let mut results = results(given);
        for result in &mut results {
            let metric = result.metrics["bias_trap_rate"].clone();
            result.metrics.insert("other".to_owned(), metric);
        }
        results
    }
}
