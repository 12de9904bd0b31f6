//! The numbers of a figure as a table, for those who cannot see it and those who want to copy it.

use super::scale::is_share;
use super::stacked::told;
use super::{clouds, slope};
use crate::number::{DASH, NO_BREAK, fixed};
use waterjar_core::Chart;
use waterjar_core::figure::{Axis, Cell, Estimate, Panel};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ValueTable {
    pub head: Vec<String>,
    /// A name and one entry per further column.
    pub rows: Vec<(String, Vec<String>)>,
}

pub(crate) fn values(chart: &Chart) -> ValueTable {
    match chart {
        Chart::Heatmap { value, rows, columns, cells } => ValueTable {
            head: with_corner(value, columns.iter().map(String::as_str)),
            rows: rows
                .iter()
                .enumerate()
                .map(|(at, name)| {
                    let cells = cells.get(at).map_or(&[][..], Vec::as_slice);
                    let told = |cell: &Cell| format!("{} (n{NO_BREAK}{})", share(cell.value), cell.n);
                    (name.clone(), entries(columns.len(), cells, told))
                })
                .collect(),
        },
        Chart::Scatter { x, y, points } => ValueTable {
            head: with_corner("", [x.label.as_str(), y.label.as_str()]),
            rows: points
                .iter()
                .map(|point| (point.label.clone(), vec![on_axis(x, &point.x), on_axis(y, &point.y)]))
                .collect(),
        },
        Chart::Lines { x, y, steps, series } => ValueTable {
            head: with_corner(&x.label, steps.iter().map(String::as_str)),
            rows: series
                .iter()
                .map(|one| (one.name.clone(), entries(steps.len(), &one.values, |value| on_axis(y, value))))
                .collect(),
        },
        Chart::Dots { x, rows } => ValueTable {
            head: with_corner("", [x.label.as_str()]),
            rows: rows.iter().map(|row| (row.label.clone(), vec![on_axis(x, &row.value)])).collect(),
        },
        Chart::Histograms { x, panels, .. } => ValueTable {
            head: with_corner("", [x.label.as_str(), "share"]),
            rows: panels
                .iter()
                .flat_map(|panel| panel.columns.iter().map(move |it| (panel, it)))
                .map(|(panel, it)| {
                    let from = format!("{}–{}", fixed(it.low, 2), fixed(it.high, 2));
                    (panel.title.clone(), vec![from, share(it.share)])
                })
                .collect(),
        },
        Chart::Grouped { x, series, groups } => ValueTable {
            head: with_corner(&x.label, series.iter().map(String::as_str)),
            rows: groups
                .iter()
                .map(|group| (group.label.clone(), entries(series.len(), &group.values, |value| on_axis(x, value))))
                .collect(),
        },
        Chart::Stacked { parts, bars } => ValueTable {
            head: with_corner("", parts.iter().map(String::as_str)),
            rows: bars.iter().map(|bar| (bar.label.clone(), entries(parts.len(), &bar.shares, told))).collect(),
        },
        Chart::Slope { steps, ranks } => ValueTable {
            head: with_corner("Rank", steps.iter().map(String::as_str)),
            rows: ranks.iter().map(|it| (it.name.clone(), it.places.iter().map(slope::told).collect())).collect(),
        },
        Chart::Multiples { x, panels } => panels_table(x, panels),
        Chart::Clouds { x, y, clouds } => ValueTable {
            head: with_corner("", ["How many"]),
            rows: clouds
                .iter()
                .flat_map(|cloud| cloud.spots.iter().map(move |spot| (cloud, spot)))
                .map(|(cloud, spot)| {
                    (format!("{}: {}", cloud.title, clouds::told(x, y, spot)), vec![spot.n.to_string()])
                })
                .collect(),
        },
    }
}

/// One entry per column, where a row may lack some.
fn entries<T>(columns: usize, values: &[Option<T>], told: impl Fn(&T) -> String) -> Vec<String> {
    (0..columns).map(|at| or_dash(values.get(at).and_then(Option::as_ref).map(&told))).collect()
}

/// A row per panel, a column per name; a panel may lack some.
fn panels_table(x: &Axis, panels: &[Panel]) -> ValueTable {
    let mut names: Vec<&str> = Vec::new();
    for row in panels.iter().flat_map(|panel| &panel.rows) {
        if !names.contains(&row.label.as_str()) {
            names.push(&row.label);
        }
    }
    let entry = |panel: &Panel, name: &str| {
        let row = panel.rows.iter().find(|row| row.label == name);
        or_dash(row.map(|row| on_axis(x, &row.value)))
    };
    ValueTable {
        head: with_corner(&x.label, names.iter().copied()),
        rows: panels
            .iter()
            .map(|panel| (panel.title.clone(), names.iter().map(|name| entry(panel, name)).collect()))
            .collect(),
    }
}

/// `47.3 % (41.9–52.8, n 319)`
pub(super) fn on_axis(axis: &Axis, value: &Estimate) -> String {
    let n = value.n;
    if is_share(axis) {
        let (low, high) = (fixed(value.low * 100.0, 1), fixed(value.high * 100.0, 1));
        return format!("{} ({low}–{high}, n{NO_BREAK}{n})", share(value.value));
    }
    let [value, low, high] = [value.value, value.low, value.high].map(|part| fixed(part, 2).replace('-', "−"));
    format!("{value} ({low} to {high}, n{NO_BREAK}{n})")
}

pub(super) fn share(value: f64) -> String {
    format!("{}{NO_BREAK}%", fixed(value * 100.0, 1))
}

fn with_corner<'a>(corner: &'a str, columns: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    std::iter::once(corner).chain(columns).map(str::to_owned).collect()
}

fn or_dash(entry: Option<String>) -> String {
    entry.unwrap_or_else(|| DASH.to_owned())
}
