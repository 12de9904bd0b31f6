//! The numbers of a figure for spreadsheets and programs: a row per value.

use super::Figure;
use crate::number::fixed;
use crate::tables::csv::quoted;
use waterjar_core::Chart;
use waterjar_core::figure::{Dot, Estimate};

const HEAD: &str = "panel,row,column,value,low,high,n\n";

/// Empty fields where a kind of figure has no such thing.
pub fn figure_csv(figure: &Figure) -> String {
    let mut file = File(HEAD.to_owned());
    match &figure.chart {
        Chart::Heatmap { rows, columns, cells, .. } => {
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
                    file.put([&cloud.title, &short(spot.x), &short(spot.y)], Some(spot.n as f64), [None; 2], spot.n);
                }
            }
        }
        // What a column stands on is its low and high.
        Chart::Histograms { x, panels, .. } => {
            for panel in panels {
                for column in &panel.columns {
                    let edges = [Some(column.low), Some(column.high)];
                    file.put([&panel.title, &x.label, "share"], Some(column.share), edges, panel.n);
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
        let [value, low, high] =
            [value, low, high].map(|it| it.filter(|it| it.is_finite()).map_or(String::new(), short));
        self.0.push_str(&format!("{panel},{row},{column},{value},{low},{high},{n}\n"));
    }
}

/// A millionth is finer than any figure; further digits are only what adding up in binary leaves behind. `metrics.json` has them all.
fn short(value: f64) -> String {
    let text = fixed(value, 6);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::figure::Axis;

    #[test]
    fn numbers_have_as_many_digits_as_they_need() {
        for (value, expected) in [
            (0.17175399999999996, "0.171754"),
            (1.0 / 3.0, "0.333333"),
            (0.5, "0.5"),
            (0.0, "0"),
            (-0.0, "0"),
            (100.0, "100"),
            (-2.25, "-2.25"),
        ] {
            assert_eq!(short(value), expected);
        }
    }

    #[test]
    fn what_is_no_number_is_an_empty_field_and_no_name_is_a_formula() {
        let dot = Dot {
            label: "@a".to_owned(),
            value: Estimate { value: 0.1 + 0.2, low: f64::NAN, high: 1.0, n: 9 },
            reference: false,
        };
        let figure = Figure {
            id: "rates".to_owned(),
            title: "Rates".to_owned(),
            caption: String::new(),
            chart: Chart::Dots { x: Axis::share("Rate"), rows: vec![dot] },
        };
        assert_eq!(figure_csv(&figure), format!("{HEAD},'@a,Rate,0.3,,1,9\n"));
    }
}
