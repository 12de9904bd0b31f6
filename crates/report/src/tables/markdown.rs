//! Tables for pull requests and notes, aligned so that the source can be read too.

use super::Tabled;
use super::grid::{Cell, Grid, grids};
use crate::number::{DASH, NO_BREAK};

/// The main table, then one per metric with strata, which `divides_by` names. The best values are bold.
pub fn markdown(tabled: &Tabled<'_>) -> String {
    let tables: Vec<String> = grids(tabled)
        .iter()
        .enumerate()
        .map(|(place, grid)| match place {
            0 => table(grid),
            _ => format!("**{}**\n\n{}", escaped(&grid.title), table(grid)),
        })
        .collect();
    tables.join("\n")
}

fn table(grid: &Grid) -> String {
    let mut lines: Vec<Vec<String>> = vec![grid.head.iter().map(|name| escaped(name)).collect()];
    lines.extend(grid.rows.iter().map(|row| {
        let mut cells = vec![escaped(&row.name)];
        cells.extend(row.cells.iter().enumerate().map(|(column, cell)| value(grid, column, cell)));
        cells
    }));
    let widths: Vec<usize> = (0..grid.head.len())
        .map(|column| {
            let longest = lines.iter().map(|line| line[column].chars().count()).max();
            longest.unwrap_or(0).max(3)
        })
        .collect();
    let rule: Vec<String> = widths
        .iter()
        .enumerate()
        .map(|(column, width)| match column {
            0 => "-".repeat(*width),
            _ => format!("{}:", "-".repeat(width - 1)),
        })
        .collect();
    let mut text = String::new();
    for (place, line) in lines.iter().enumerate() {
        text.push_str(&joined(line, &widths));
        if place == 0 {
            text.push_str(&joined(&rule, &widths));
        }
    }
    if let Some(legend) = &grid.legend {
        text.push_str(&format!("\n{}\n", escaped(legend)));
    }
    text
}

/// Names to the left, numbers to the right.
fn joined(cells: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
        let padded = match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        };
        line.push_str("| ");
        line.push_str(&padded);
        line.push(' ');
    }
    line + "|\n"
}

/// `47.3 (41.9–52.8, n 29)`
fn value(grid: &Grid, column: usize, cell: &Cell) -> String {
    match cell {
        Cell::Count(number) => number.to_string(),
        Cell::Nothing => DASH.to_owned(),
        Cell::Value { printed, best } => {
            let value = match best {
                true => format!("**{}**", printed.text()),
                false => printed.text(),
            };
            let n = grid.n(column, printed).map(|n| format!("n{NO_BREAK}{n}"));
            let beside: Vec<String> = printed.range().into_iter().chain(n).collect();
            match beside.is_empty() {
                true => value,
                false => format!("{value} ({})", beside.join(", ")),
            }
        }
    }
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '&' => safe.push_str("&amp;"),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' => {
                safe.push('\\');
                safe.push(c);
            }
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}
