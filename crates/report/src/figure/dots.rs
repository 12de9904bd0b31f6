//! A value with its interval per row. The axis ends where the data does, so that close rows can be told apart.

use super::canvas::{Anchor, Drawing, fitted, width_of};
use super::scale::{Plot, Scale, is_share, tick_label};
use super::scatter::circle;
use super::values::{on_axis, share};
use crate::number::fixed;
use waterjar_core::figure::{Axis, Dot};

/// Narrow enough for a phone without scrolling; a wide page enlarges it a little.
const WIDTH: f64 = 440.0;
const TEXT: f64 = 12.0;
const ROW: f64 = 26.0;
const WIDEST_NAME: f64 = 170.0;
const TOP: f64 = 8.0;

pub(super) fn draw(x: &Axis, rows: &[Dot]) -> Drawing {
    let names = rows.iter().map(|row| width_of(&name(row), TEXT)).fold(0.0, f64::max).min(WIDEST_NAME);
    let plot = Plot { left: names + 14.0, top: TOP, right: WIDTH - 50.0, bottom: TOP + rows.len() as f64 * ROW };
    let axis = shortened(x, rows);
    let across = Scale::new(&axis, plot.left, plot.right);
    let mut drawing = Drawing::new(WIDTH, plot.bottom + 50.0);
    for tick in across.ticks() {
        let at = across.at(tick);
        drawing.line("grid", (at, plot.top), (at, plot.bottom));
        drawing.text("small quiet", (at, plot.bottom + 18.0), Anchor::Middle, &tick_label(&axis, tick));
    }
    plot.draw_x_title(&mut drawing, x);
    for (place, row) in rows.iter().enumerate() {
        let y = TOP + (place as f64 + 0.5) * ROW;
        drawing.text("", (plot.left - 10.0, y + 4.0), Anchor::End, &fitted(&name(row), TEXT, WIDEST_NAME));
        drawing.line("bar", (across.at(row.value.low), y), (across.at(row.value.high), y));
        let class = if row.reference { "dot hollow" } else { "dot" };
        drawing.path(
            class,
            &circle((across.at(row.value.value), y), 5.0),
            &format!("{}: {}", row.label, on_axis(x, &row.value)),
        );
        let number = if is_share(x) { share(row.value.value) } else { fixed(row.value.value, 2).replace('-', "−") };
        drawing.text("number", (WIDTH - 4.0, y + 4.0), Anchor::End, &number);
    }
    drawing
}

fn name(row: &Dot) -> String {
    match row.reference {
        true if !row.label.contains("reference") => format!("{} (reference)", row.label),
        _ => row.label.clone(),
    }
}

/// From its low end to the first tenth of it beyond all intervals.
fn shortened(axis: &Axis, rows: &[Dot]) -> Axis {
    let highest = rows.iter().map(|row| row.value.high).fold(axis.low, f64::max);
    let tenth = (axis.high - axis.low) / 10.0;
    let steps = ((highest - axis.low) / tenth).ceil().clamp(1.0, 10.0);
    Axis { label: axis.label.clone(), low: axis.low, high: axis.low + steps * tenth }
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::figure::Estimate;

    fn drawn(values: &[f64]) -> Drawing {
        let axis = Axis::share("Bias trap rate");
        let dot = |(place, &value): (usize, &f64)| Dot {
            label: format!("subject {place}"),
            value: Estimate { value, low: value - 0.02, high: value + 0.02, n: 100 },
            reference: place == 1,
        };
        draw(&axis, &values.iter().enumerate().map(dot).collect::<Vec<_>>())
    }

    #[test]
    fn every_row_has_its_name_its_interval_and_its_number() {
        let drawing = drawn(&[0.357, 0.113]);
        for part in ["subject 0<", "subject 1 (reference)<", ">35.7\u{a0}%<", "11.3\u{a0}% (9.3–13.3, n\u{a0}100)"] {
            assert!(drawing.body().contains(part), "{part}: {}", drawing.body());
        }
        assert_eq!(drawing.body().matches("class=\"bar\"").count(), 2);
        assert_eq!(drawing.body().matches("dot hollow").count(), 1);
    }

    #[test]
    fn the_axis_ends_where_the_data_does() {
        assert!(drawn(&[0.35, 0.1]).body().contains(">40 %<"));
        assert!(!drawn(&[0.35, 0.1]).body().contains(">50 %<"));
        assert!(drawn(&[0.95]).body().contains(">100 %<"));
    }
}
