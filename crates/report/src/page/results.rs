//! The main table and the strata tables.

use super::Column;
use crate::number::{count, printed};
use crate::parts::parts;
use crate::ranking::{marked, primary};
use crate::strata::{strata, tabulated};
use crate::{MetricColumn, MetricKind, SuiteSection};
use waterjar_core::{Metric, SubjectResult};

/// Beside the names, so many columns fit a page, on paper too.
const MOST_COLUMNS: usize = 7;

/// The main table, or a part of it that fits a page. Every part has all subjects.
pub(super) struct ResultsTable<'a> {
    pub title: String,
    pub columns: Vec<Column<'a>>,
    pub competitors: Vec<SubjectRow<'a>>,
    pub references: Vec<SubjectRow<'a>>,
}

pub(super) struct SubjectRow<'a> {
    pub result: &'a SubjectResult,
    pub n: String,
    pub missing: String,
    pub cells: Vec<ValueCell>,
}

/// A value with its interval; a dash where there are no cases.
pub(super) struct ValueCell {
    pub value: Option<String>,
    pub range: Option<String>,
    /// The denominator, where it is not the one the row already names.
    pub n: Option<String>,
    /// `best`, or `top` where several cannot be told from each other.
    pub mark: Option<&'static str>,
    /// What a dash means.
    pub why: String,
}

pub(super) struct StrataView {
    pub title: String,
    pub unit: &'static str,
    pub subjects: Vec<StrataSubject>,
    pub rows: Vec<StrataRow>,
}

pub(super) struct StrataSubject {
    pub name: String,
    pub reference: bool,
}

pub(super) struct StrataRow {
    pub title: String,
    pub starts_group: bool,
    pub cells: Vec<ValueCell>,
}

pub(super) fn tables(section: &SuiteSection) -> Vec<ResultsTable<'_>> {
    let mut all: Vec<&MetricColumn> = tabulated(&section.headline).collect();
    // What the suite is about is seen on a narrow screen without scrolling.
    let about = primary(&section.headline).map(|column| column.name.as_str());
    all.sort_by_key(|column| Some(column.name.as_str()) != about);
    let parts = parts(all.len(), MOST_COLUMNS);
    let number = parts.len();
    parts
        .into_iter()
        .enumerate()
        .map(|(place, part)| {
            let columns = &all[part];
            let (references, competitors): (Vec<_>, Vec<_>) =
                rows(section, columns).into_iter().partition(|row| row.result.reference);
            ResultsTable {
                title: match number {
                    1 => "Results".to_owned(),
                    _ => format!("Results, {} of {number}", place + 1),
                },
                columns: columns.iter().copied().map(Column::new).collect(),
                competitors,
                references,
            }
        })
        .collect()
}

fn rows<'a>(section: &'a SuiteSection, columns: &[&MetricColumn]) -> Vec<SubjectRow<'a>> {
    let marked: Vec<_> = columns.iter().map(|column| marked(&section.results, column, &section.leads)).collect();
    section
        .results
        .iter()
        .map(|result| SubjectRow {
            result,
            n: count(result.n),
            missing: count(result.missing),
            cells: columns
                .iter()
                .zip(&marked)
                .map(|(column, marked)| ValueCell {
                    mark: marked.contains(&result).then_some(if marked.len() == 1 { "best" } else { "top" }),
                    ..cell(result.metrics.get(&column.name), column.kind, Some(result.n))
                })
                .collect(),
        })
        .collect()
}

/// Strata down, subjects across, so that one reads along a row who stumbles where.
pub(super) fn strata_views(section: &SuiteSection) -> Vec<StrataView> {
    let mut subjects: Vec<&SubjectResult> = section.results.iter().collect();
    subjects.sort_by_key(|result| result.reference);
    strata(&section.results, &section.headline, &section.divides_by)
        .into_iter()
        .map(|table| StrataView {
            title: table.title,
            unit: match table.kind {
                MetricKind::Share => "%",
                MetricKind::Number => "",
            },
            subjects: subjects
                .iter()
                .map(|result| StrataSubject { name: result.subject.to_string(), reference: result.reference })
                .collect(),
            rows: table
                .rows
                .into_iter()
                .map(|row| StrataRow {
                    cells: subjects
                        .iter()
                        .map(|result| cell(result.metrics.get(&row.name), table.kind, None))
                        .collect(),
                    title: row.title,
                    starts_group: row.starts_group,
                })
                .collect(),
        })
        .collect()
}

fn cell(metric: Option<&Metric>, kind: MetricKind, known_n: Option<u64>) -> ValueCell {
    let printed = printed(metric, kind);
    ValueCell {
        range: printed.as_ref().and_then(|printed| printed.range()),
        n: printed.as_ref().filter(|printed| known_n != Some(printed.n)).map(|printed| count(printed.n)),
        value: printed.map(|printed| printed.text()),
        mark: None,
        why: metric.and_then(|metric| metric.absent.clone()).unwrap_or_else(|| "no cases".to_owned()),
    }
}
