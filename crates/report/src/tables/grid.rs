//! The printed tables before they get the syntax of a format: the main one, then one per metric with strata.

use super::Tabled;
use crate::number::{Printed, printed};
use crate::ranking::{legend, marked};
use crate::strata::{StrataTable, Stratum, strata, tabulated};
use crate::{Better, MetricKind};
use waterjar_core::SubjectResult;
use waterjar_core::metric::Enough;

pub(super) struct Grid {
    /// A word for labels and references: `results`, `bias-trap-rate`.
    pub id: String,
    pub title: String,
    pub head: Vec<String>,
    pub rows: Vec<Row>,
    /// Rows from here on are for orientation.
    pub first_reference: Option<usize>,
    /// What bold means, where somebody could be.
    pub legend: Option<String>,
    /// Whether every value says on how many cases it rests. In the main table the row does, and only what is not ranked says it itself.
    with_n: bool,
    /// From where on a value of the main table is ranked, by column; its counts always are enough.
    enough: Vec<Option<Enough>>,
}

pub(super) struct Row {
    pub name: String,
    pub cells: Vec<Cell>,
}

pub(super) enum Cell {
    Count(u64),
    Value { printed: Printed, best: bool },
    Nothing,
}

impl Grid {
    /// On how many cases a value rests, where it has to say so; on how many independent ones, where these are too few.
    pub(super) fn n(&self, column: usize, printed: &Printed) -> Option<u64> {
        let enough = self.enough.get(column).copied().flatten();
        let is_few = enough.is_some_and(|enough| !enough.admits(printed.cases, printed.n));
        match printed.n {
            0 => None,
            _ if is_few => Some(printed.cases),
            n => self.with_n.then_some(n),
        }
    }
}

pub(super) fn grids(tabled: &Tabled<'_>) -> Vec<Grid> {
    let Tabled { results, columns, divides_by, .. } = *tabled;
    let mut ordered: Vec<&SubjectResult> = results.iter().collect();
    ordered.sort_by_key(|result| result.reference);
    let mut grids = vec![main_grid(tabled, &ordered)];
    grids.extend(strata(results, columns, divides_by).iter().map(|table| strata_grid(table, &ordered)));
    grids
}

fn main_grid(tabled: &Tabled<'_>, ordered: &[&SubjectResult]) -> Grid {
    let Tabled { results, columns, leads, .. } = *tabled;
    let mut head = ["Subject", "n", "Missing"].map(str::to_owned).to_vec();
    head.extend(tabulated(columns).map(|column| {
        let arrow = match column.better {
            Better::Higher => " ↑",
            Better::Lower => " ↓",
            Better::Neither => "",
        };
        with_unit(&column.title, column.kind) + arrow
    }));
    let best: Vec<_> = tabulated(columns).map(|column| marked(results, column, leads)).collect();
    let competitors = || results.iter().filter(|result| !result.reference);
    let of = |name: &str| Some(Enough::among(competitors().filter_map(|result| result.metrics.get(name))));
    // Two counts stand before the values.
    let enough = [None, None].into_iter().chain(tabulated(columns).map(|column| of(&column.name))).collect();
    let row = |result: &&SubjectResult| {
        let mut cells = vec![Cell::Count(result.n), Cell::Count(result.missing)];
        let columns = tabulated(columns).zip(&best);
        cells.extend(columns.map(|(column, best)| cell(result, &column.name, column.kind, best.contains(result))));
        Row { name: name(result), cells }
    };
    Grid {
        id: "results".to_owned(),
        title: "Results".to_owned(),
        head,
        rows: ordered.iter().map(row).collect(),
        first_reference: ordered.iter().position(|result| result.reference),
        legend: legend("Bold", results, columns, leads),
        with_n: false,
        enough,
    }
}

/// A row for each stratum, a column for each subject.
fn strata_grid(table: &StrataTable, ordered: &[&SubjectResult]) -> Grid {
    let mut head = vec!["Stratum".to_owned()];
    head.extend(ordered.iter().map(|result| name(result)));
    let row = |row: &Stratum| Row {
        name: row.title.clone(),
        cells: ordered.iter().map(|result| cell(result, &row.name, table.kind, false)).collect(),
    };
    Grid {
        id: word(&table.metric),
        title: format!("{} by stratum", with_unit(&table.title, table.kind)),
        head,
        rows: table.rows.iter().map(row).collect(),
        first_reference: None,
        legend: None,
        with_n: true,
        enough: Vec::new(),
    }
}

fn name(result: &SubjectResult) -> String {
    match result.reference {
        true => format!("{} (reference)", result.subject),
        false => result.subject.to_string(),
    }
}

fn cell(result: &SubjectResult, metric: &str, kind: MetricKind, best: bool) -> Cell {
    match printed(result.metrics.get(metric), kind) {
        Some(printed) => Cell::Value { printed, best },
        None => Cell::Nothing,
    }
}

/// `bias_trap_rate` → `bias-trap-rate`
fn word(metric: &str) -> String {
    metric.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

fn with_unit(title: &str, kind: MetricKind) -> String {
    match kind {
        MetricKind::Share => format!("{title}, %"),
        MetricKind::Number => title.to_owned(),
    }
}
