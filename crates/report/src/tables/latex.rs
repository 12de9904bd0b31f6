//! Tables for papers; they need the package `booktabs`.

use super::grid::{Cell, Grid, Row, grids};
use crate::MetricColumn;
use crate::number::Printed;
use std::fmt::Write as _;
use waterjar_core::SubjectResult;

/// The main table, then one per metric with strata. The best value is bold; references stand below a rule.
pub fn latex(results: &[SubjectResult], columns: &[MetricColumn]) -> String {
    let mut text = "% Needs \\usepackage{booktabs}.\n".to_owned();
    for grid in grids(results, columns) {
        text.push_str(&table(&grid));
    }
    text
}

fn table(grid: &Grid) -> String {
    let numbers = "r".repeat(grid.head.len().saturating_sub(1));
    let head: Vec<String> = grid.head.iter().map(|name| escaped(name)).collect();
    let mut text = String::new();
    let _ = write!(
        text,
        "\n\\begin{{table}}\n\\centering\\small\n\\caption{{{}. 95\\,\\% intervals in brackets below.}}\n\
         \\begin{{tabular}}{{l{numbers}}}\n\\toprule\n{} \\\\\n\\midrule\n",
        escaped(&grid.title),
        head.join(" & ")
    );
    for (place, row) in grid.rows.iter().enumerate() {
        if place > 0 && grid.first_reference == Some(place) {
            text.push_str("\\midrule\n");
        }
        text.push_str(&lines(row));
    }
    text.push_str("\\bottomrule\n\\end{tabular}\n\\end{table}\n");
    text
}

/// Values on one line and their intervals below: side by side they would be too wide for a page.
fn lines(row: &Row) -> String {
    let values = row.cells.iter().map(|cell| match cell {
        Cell::Count(number) => number.to_string(),
        Cell::Nothing => "--".to_owned(),
        Cell::Value { printed, best: true } => format!("\\textbf{{{}}}", math(&printed.value)),
        Cell::Value { printed, .. } => math(&printed.value),
    });
    let intervals = row.cells.iter().map(|cell| match cell {
        Cell::Value { printed: Printed { interval: Some((low, high)), .. }, .. } => {
            format!("{{\\scriptsize [{}, {}]}}", math(low), math(high))
        }
        _ => String::new(),
    });
    let joined = |name: String, cells: Vec<String>| format!("{name} & {} \\\\\n", cells.join(" & "));
    joined(escaped(&row.name), values.collect()) + &joined(String::new(), intervals.collect())
}

/// A hyphen in front of a number is not a minus sign.
fn math(number: &str) -> String {
    match number.strip_prefix('-') {
        Some(rest) => format!("$-${rest}"),
        None => number.to_owned(),
    }
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => safe.push_str("\\textbackslash{}"),
            '~' => safe.push_str("\\textasciitilde{}"),
            '^' => safe.push_str("\\textasciicircum{}"),
            '<' => safe.push_str("\\textless{}"),
            '>' => safe.push_str("\\textgreater{}"),
            '|' => safe.push_str("\\textbar{}"),
            '"' => safe.push_str("\\textquotedbl{}"),
            '↑' => safe.push_str("$\\uparrow$"),
            '↓' => safe.push_str("$\\downarrow$"),
            '→' => safe.push_str("$\\rightarrow$"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                safe.push('\\');
                safe.push(c);
            }
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}
