//! How values are spread: histograms one below the other on one axis, so that they can be compared.

use super::canvas::{Anchor, Drawing};
use super::scale::{Plot, Scale};
use super::values::share;
use crate::number::fixed;
use waterjar_core::figure::{Axis, Histogram};

const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 84.0;
const HEAD: f64 = 22.0;
/// Half of a number below the axis.
const SIDE: f64 = 16.0;

pub(super) fn draw(x: &Axis, panels: &[Histogram]) -> Drawing {
    let across = Scale::new(x, SIDE, WIDTH - SIDE);
    let bottom = panels.len() as f64 * (HEAD + HEIGHT);
    let mut drawing = Drawing::new(WIDTH, bottom + 50.0);
    for tick in across.ticks() {
        let at = across.at(tick);
        drawing.line("grid", (at, HEAD), (at, bottom));
        drawing.text("small quiet", (at, bottom + 18.0), Anchor::Middle, &fixed(tick, 2));
    }
    let plot = Plot { left: SIDE, top: HEAD, right: WIDTH - SIDE, bottom };
    plot.draw_x_title(&mut drawing, x);
    // One height for all, so that a bar means the same in each.
    let highest = panels.iter().flat_map(|it| &it.columns).map(|it| it.share).fold(0.0, f64::max);
    for (place, panel) in panels.iter().enumerate() {
        let base = (place as f64 + 1.0) * (HEAD + HEIGHT);
        draw_panel(&mut drawing, &across, panel, base, highest);
    }
    drawing
}

fn draw_panel(drawing: &mut Drawing, across: &Scale, panel: &Histogram, base: f64, highest: f64) {
    let top = base - HEIGHT;
    if let Some(band) = panel.band {
        let (from, to) = (across.at(band.low), across.at(band.high));
        let tip = format!("{} to {}", fixed(band.low, 3), fixed(band.high, 3));
        drawing.rect("band", (from, top), ((to - from).max(1.0), HEIGHT), &tip);
    }
    for column in &panel.columns {
        let (from, to) = (across.at(column.low), across.at(column.high));
        let height = if highest > 0.0 { (HEIGHT - 6.0) * column.share / highest } else { 0.0 };
        let tip = format!("{} to {}: {}", fixed(column.low, 2), fixed(column.high, 2), share(column.share));
        drawing.rect("part p0", (from, base - height), (to - from, height), &tip);
    }
    drawing.line("grid", (across.at(f64::MIN), base), (across.at(f64::MAX), base));
    if let Some(mark) = panel.mark {
        let at = across.at(mark);
        drawing.line("cut", (at, top), (at, base));
        // Beside the title: wherever the line is, a column may stand there.
        let told = format!("5 % below {}", fixed(mark, 3));
        drawing.text("small quiet", (WIDTH - SIDE, top - 8.0), Anchor::End, &told);
    }
    drawing.text("axis", (SIDE, top - 8.0), Anchor::Start, &panel.title);
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::figure::{Band, Column};

    #[test]
    fn every_column_stands_in_its_panel_with_the_mark_and_its_band() {
        let column = |low: f64, share: f64| Column { low, high: low + 0.02, share };
        let panel = |title: &str| Histogram {
            title: title.to_owned(),
            columns: vec![column(0.72, 0.1), column(0.98, 0.9)],
            mark: Some(0.729),
            band: Some(Band { low: 0.719, high: 0.739 }),
        };
        let axis = Axis { label: "STS".to_owned(), low: 0.7, high: 1.0 };
        let drawing = draw(&axis, &[panel("one"), panel("two")]);
        assert_eq!(drawing.body().matches("part p0").count(), 4);
        assert_eq!(drawing.body().matches("class=\"band\"").count(), 2);
        assert!(drawing.body().contains("5 % below 0.729") && drawing.body().contains("90.0\u{a0}%"));
    }

    #[test]
    fn nothing_to_show_is_drawn_as_nothing() {
        let axis = Axis { label: "STS".to_owned(), low: 0.0, high: 1.0 };
        assert!(!draw(&axis, &[]).body().contains("<rect"));
    }
}
