//! Metrics with a dot in their name, `bias_trap_rate.edits_1`, sorted into tables: one per metric, one row per stratum.

use crate::{MetricColumn, MetricKind, number::words, ranking::primary};
use std::collections::BTreeSet;
use waterjar_core::SubjectResult;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StrataTable {
    /// The name of the metric.
    pub metric: String,
    pub title: String,
    pub kind: MetricKind,
    pub rows: Vec<Stratum>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stratum {
    /// The full name of the metric.
    pub name: String,
    /// `Edits: 1`
    pub title: String,
    /// Whether another way of dividing the families starts here.
    pub starts_group: bool,
}

/// The columns that tables have.
pub(crate) fn tabulated(columns: &[MetricColumn]) -> impl Iterator<Item = &MetricColumn> {
    columns.iter().filter(|column| !column.drawn)
}

/// The metric the suite is about, the other headline metrics in their order, then whatever else has strata.
pub(crate) fn strata(results: &[SubjectResult], columns: &[MetricColumn], divides_by: &[String]) -> Vec<StrataTable> {
    let names: BTreeSet<(&str, &str)> =
        results.iter().flat_map(|result| result.metrics.keys()).filter_map(|name| name.split_once('.')).collect();
    let mut tables: Vec<_> =
        tabulated(columns).map(|column| (column.name.as_str(), column.title.clone(), column.kind)).collect();
    let about = primary(columns).map(|column| column.name.as_str());
    tables.sort_by_key(|(name, ..)| Some(*name) != about);
    for (metric, _) in &names {
        let is_known = columns.iter().any(|column| column.name == *metric);
        if !is_known && tables.iter().all(|(name, ..)| name != metric) {
            tables.push((metric, words(metric), MetricKind::Number));
        }
    }
    tables
        .into_iter()
        .map(|(metric, title, kind)| {
            let strata = names.iter().filter(|(name, _)| *name == metric).map(|(_, stratum)| *stratum);
            let rows = rows(metric, strata.collect(), columns, divides_by);
            StrataTable { metric: metric.to_owned(), title, kind, rows }
        })
        .filter(|table| !table.rows.is_empty())
        .collect()
}

fn rows(metric: &str, mut strata: Vec<&str>, columns: &[MetricColumn], divides_by: &[String]) -> Vec<Stratum> {
    // A suite may have a name for a stratum, the column of any metric in it; those come first, in its order.
    let column =
        |stratum: &str| columns.iter().position(|it| it.name.split_once('.').is_some_and(|(_, of)| of == stratum));
    strata.sort_by_key(|stratum| (column(stratum).unwrap_or(usize::MAX), natural(stratum)));
    let groups: Vec<&str> = strata.iter().map(|stratum| group(stratum, &strata, divides_by)).collect();
    // `edits_1` and `edits_2` divide by edits; a first word that stands alone, and that the suite does not divide by, is just part of a name.
    let divides = |group: &str| {
        divides_by.iter().any(|it| it == group) || groups.iter().filter(|other| **other == group).count() > 1
    };
    strata
        .iter()
        .enumerate()
        .map(|(place, stratum)| {
            let group = groups[place];
            let title = match stratum.strip_prefix(group).and_then(|rest| rest.strip_prefix('_')) {
                Some(rest) if divides(group) => {
                    format!("{}: {}", words(group), rest.replace('_', " "))
                }
                _ => column(stratum).map_or_else(|| words(stratum), |at| columns[at].title.clone()),
            };
            Stratum {
                name: format!("{metric}.{stratum}"),
                title,
                starts_group: place > 0 && groups[place - 1] != group && divides(group),
            }
        })
        .collect()
}

/// What a suite divides by; else what the strata that begin with the same word do: all words they share, `medical_knowledge` of
/// `medical_knowledge_high` and `…_low`.
fn group<'a>(stratum: &'a str, strata: &[&str], divides_by: &[String]) -> &'a str {
    let first = first_word(stratum);
    let alike = || strata.iter().filter(move |other| first_word(other) == first);
    let begins = |other: &str, group: &str| other.strip_prefix(group).is_some_and(|rest| rest.starts_with('_'));
    let nouns = divides_by.iter().filter(|noun| begins(stratum, noun.as_str()));
    if let Some(noun) = nouns.max_by_key(|noun| noun.len()) {
        return &stratum[..noun.len()];
    }
    let longer = stratum.match_indices('_').map(|(at, _)| &stratum[..at]).skip(1);
    longer.take_while(|group| alike().all(|other| begins(other, group))).last().unwrap_or(first)
}

fn first_word(stratum: &str) -> &str {
    stratum.split('_').next().unwrap_or(stratum)
}

/// Ten edits come after two.
fn natural(stratum: &str) -> (&str, u64, &str) {
    let digits = stratum.trim_start_matches(|c: char| !c.is_ascii_digit());
    let name = &stratum[..stratum.len() - digits.len()];
    let number = digits.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    (name, number.parse().unwrap_or(0), stratum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strata_that_share_a_word_are_a_group_and_count_upwards() {
        check(
            &["edits_10", "edits_2", "place_history", "place_symptoms"],
            &["Edits: 2", "Edits: 10", "| Place: history", "Place: symptoms"],
        );
    }

    #[test]
    fn ranges_count_upwards_by_where_they_begin() {
        check(
            &["mentions_1-4", "mentions_15+", "mentions_5-14"],
            &["Mentions: 1-4", "Mentions: 5-14", "Mentions: 15+"],
        );
    }

    #[test]
    fn what_strata_divide_by_may_be_two_words() {
        check(
            &["medical_knowledge_high", "medical_knowledge_low", "trap_next_door", "trap_next_year", "trap_self"],
            &[
                "Medical knowledge: high",
                "Medical knowledge: low",
                "| Trap: next door",
                "Trap: next year",
                "Trap: self",
            ],
        );
    }

    #[test]
    fn names_that_share_no_word_stay_whole() {
        check(&["original_swapped", "swapped_neutral", "D"], &["D", "Original swapped", "Swapped neutral"]);
    }

    #[test]
    fn what_a_suite_divides_by_is_told_apart_from_its_only_value() {
        check_of(
            &["medical", "medical_knowledge", "place"],
            &["medical_knowledge_high", "place_history", "purity_mixed"],
            &["Medical knowledge: high", "| Place: history", "Purity mixed"],
        );
    }

    fn check(strata: &[&str], expected: &[&str]) {
        check_of(&[], strata, expected);
    }

    fn check_of(divides_by: &[&str], strata: &[&str], expected: &[&str]) {
        let divides_by: Vec<String> = divides_by.iter().map(|noun| (*noun).to_owned()).collect();
        let titles: Vec<_> = rows("m", strata.to_vec(), &[], &divides_by)
            .into_iter()
            .map(|row| match row.starts_group {
                true => format!("| {}", row.title),
                false => row.title,
            })
            .collect();
        assert_eq!(titles, expected);
    }
}
