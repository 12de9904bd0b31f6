//! Small panels of values with their intervals, all on one axis, so that a row can be followed from panel to panel.

use super::canvas::{Anchor, Drawing, fitted};
use super::scale::{Plot, Scale, is_share, tick_label};
use super::scatter::circle;
use super::values::{on_axis, share};
use crate::number::fixed;
use waterjar_core::figure::{Axis, Dot, Panel};

/// Two beside each other on a phone held upright would be too small to read, so one is as wide as half a page.
const WIDTH: f64 = 210.0;
const TEXT: f64 = 12.0;
const SMALL: f64 = 11.0;
const ROW: f64 = 32.0;
const TITLE: f64 = 22.0;

pub(super) fn draw(x: &Axis, panels: &[Panel]) -> Vec<Drawing> {
    panels.iter().map(|panel| one(x, panel)).collect()
}

fn one(x: &Axis, panel: &Panel) -> Drawing {
    let plot = Plot { left: 8.0, top: TITLE, right: WIDTH - 8.0, bottom: TITLE + panel.rows.len() as f64 * ROW };
    let across = Scale::new(x, plot.left, plot.right);
    let mut drawing = Drawing::new(WIDTH, plot.bottom + 22.0);
    drawing.text("axis", (plot.left, 13.0), Anchor::Start, &fitted(&panel.title, TEXT, WIDTH - 8.0));
    for tick in [x.low, (x.low + x.high) / 2.0, x.high] {
        let at = across.at(tick);
        drawing.line("grid", (at, plot.top), (at, plot.bottom));
        let anchor = if tick == x.low {
            Anchor::Start
        } else if tick == x.high {
            Anchor::End
        } else {
            Anchor::Middle
        };
        drawing.text("small quiet", (at, plot.bottom + 15.0), anchor, &tick_label(x, tick));
    }
    for (place, row) in panel.rows.iter().enumerate() {
        let y = plot.top + (place as f64 + 1.0) * ROW - 9.0;
        write_row(&mut drawing, x, &across, row, y);
    }
    drawing
}

/// The name and the number above the line.
fn write_row(drawing: &mut Drawing, x: &Axis, across: &Scale, row: &Dot, y: f64) {
    let number = if is_share(x) { share(row.value.value) } else { fixed(row.value.value, 2) };
    drawing.text("small name", (8.0, y - 8.0), Anchor::Start, &fitted(&row.label, SMALL, WIDTH - 64.0));
    drawing.text("number name", (WIDTH - 8.0, y - 8.0), Anchor::End, &number);
    drawing.line("bar", (across.at(row.value.low), y), (across.at(row.value.high), y));
    let class = if row.reference { "dot hollow" } else { "dot" };
    let tip = format!("{}: {}", row.label, on_axis(x, &row.value));
    drawing.path(class, &circle((across.at(row.value.value), y), 4.5), &tip);
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::figure::Estimate;

    #[test]
    fn every_panel_has_its_title_and_all_rows() {
        let axis = Axis::share("CSS");
        let row = |label: &str| Dot {
            label: label.to_owned(),
            value: Estimate { value: 0.25, low: 0.1, high: 0.4, n: 12 },
            reference: false,
        };
        let panel = |title: &str| Panel { title: title.to_owned(), rows: vec![row("a"), row("b")] };
        let drawn = draw(&axis, &[panel("Biomarker flipped"), panel("Stage changed")]);
        assert_eq!(drawn.len(), 2);
        assert!(drawn[1].body().contains(">Stage changed<") && drawn[1].body().contains("b: 25.0\u{a0}% (10.0–40.0"));
        assert_eq!(drawn[0].body().matches("class=\"bar\"").count(), 2);
    }
}
