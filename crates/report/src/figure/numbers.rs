//! The numbers of a figure for programs, unrounded: a row per value.

use super::Figure;
use crate::tables::csv::{number, quoted};
use waterjar_core::Chart;
use waterjar_core::figure::{Dot, Estimate};

const HEAD: &str = "panel,row,column,value,low,high,n\n";

/// Empty fields where a kind of figure has no such thing.
pub fn figure_csv(figure: &Figure) -> String {
    let mut file = File(HEAD.to_owned());
    match &figure.chart {
        Chart::Heatmap { rows, columns, cells } => {
            for (row, cells) in rows.iter().zip(cells) {
                for (column, cell) in columns.iter().zip(cells) {
                    file.put(["", row, column], cell.map(|it| it.value), [None; 2], cell.map_or(0, |it| it.n));
                }
            }
        }
        Chart::Scatter { x, y, points } => {
            for point in points {
                file.estimate(["", &point.label, &x.label], Some(point.x));
                file.estimate(["", &point.label, &y.label], Some(point.y));
            }
        }
        Chart::Lines { steps, series, .. } => {
            for one in series {
                file.row("", &one.name, steps, &one.values);
            }
        }
        Chart::Dots { x, rows } => file.dots("", &x.label, rows),
        Chart::Stacked { parts, bars } => {
            for bar in bars {
                file.row("", &bar.label, parts, &bar.shares);
            }
        }
        Chart::Slope { steps, ranks } => {
            for it in ranks {
                file.row("", &it.name, steps, &it.places.map(Some));
            }
        }
        Chart::Multiples { x, panels } => {
            for panel in panels {
                file.dots(&panel.title, &x.label, &panel.rows);
            }
        }
        Chart::Clouds { clouds, .. } => {
            for cloud in clouds {
                for spot in &cloud.spots {
                    file.put(
                        [&cloud.title, &spot.x.to_string(), &spot.y.to_string()],
                        Some(spot.n as f64),
                        [None; 2],
                        spot.n,
                    );
                }
            }
        }
        // What a column stands on is its low and high.
        Chart::Histograms { x, panels } => {
            for panel in panels {
                for column in &panel.columns {
                    let edges = [Some(column.low), Some(column.high)];
                    file.put([&panel.title, &x.label, "share"], Some(column.share), edges, 0);
                }
            }
        }
        Chart::Grouped { series, groups, .. } => {
            for group in groups {
                file.row("", &group.label, series, &group.values);
            }
        }
    }
    file.0
}

struct File(String);

impl File {
    fn row(&mut self, panel: &str, row: &str, columns: &[String], values: &[Option<Estimate>]) {
        for (column, value) in columns.iter().zip(values) {
            self.estimate([panel, row, column], *value);
        }
    }

    fn dots(&mut self, panel: &str, column: &str, rows: &[Dot]) {
        for row in rows {
            self.estimate([panel, &row.label, column], Some(row.value));
        }
    }

    fn estimate(&mut self, names: [&str; 3], it: Option<Estimate>) {
        self.put(names, it.map(|it| it.value), [it.map(|it| it.low), it.map(|it| it.high)], it.map_or(0, |it| it.n));
    }

    fn put(&mut self, names: [&str; 3], value: Option<f64>, [low, high]: [Option<f64>; 2], n: u64) {
        let [panel, row, column] = names.map(quoted);
        let [value, low, high] = [value, low, high].map(number);
        self.0.push_str(&format!("{panel},{row},{column},{value},{low},{high},{n}\n"));
    }
}
