//! How values are spread: histograms one below the other on one axis, so that they can be compared.

use super::canvas::{Anchor, Drawing, fitted};
use super::scale::{Plot, Scale, tick_label};
use super::values::share;
use crate::number::{NO_BREAK, count, fixed};
use waterjar_core::figure::{Axis, Histogram};

const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 84.0;
const TEXT: f64 = 12.0;
/// The title of the upright axis, once above all panels.
const TOP: f64 = 14.0;
/// A title and a line of numbers, clear of the axis above them.
const HEAD: f64 = 46.0;
const LEFT: f64 = 48.0;
/// Half of a number below the axis.
const SIDE: f64 = 16.0;

pub(super) fn draw(x: &Axis, y: &str, panels: &[Histogram]) -> Drawing {
    let bottom = TOP + panels.len() as f64 * (HEAD + HEIGHT);
    let plot = Plot { left: LEFT, top: TOP, right: WIDTH - SIDE, bottom };
    let across = Scale::new(x, plot.left, plot.right);
    let mut drawing = Drawing::new(WIDTH, bottom + 50.0);
    drawing.text("axis", (0.0, TOP - 2.0), Anchor::Start, y);
    // One height for all, so that a bar means the same in each.
    let highest = panels.iter().flat_map(|it| &it.columns).map(|it| it.share).fold(0.0, f64::max);
    for (place, panel) in panels.iter().enumerate() {
        let base = TOP + (place as f64 + 1.0) * (HEAD + HEIGHT);
        draw_panel(&mut drawing, &across, panel, base, highest);
    }
    for tick in across.ticks() {
        drawing.text("small quiet", (across.at(tick), bottom + 18.0), Anchor::Middle, &fixed(tick, 2));
    }
    plot.draw_x_title(&mut drawing, x);
    drawing
}

fn draw_panel(drawing: &mut Drawing, across: &Scale, panel: &Histogram, base: f64, highest: f64) {
    let top = base - HEIGHT;
    let heights = Axis { label: String::new(), low: 0.0, high: highest };
    let up = Scale::new(&heights, base, top + 6.0);
    for tick in across.ticks() {
        drawing.line("grid", (across.at(tick), top), (across.at(tick), base));
    }
    // Every second number: the panels are low.
    for tick in up.ticks().into_iter().step_by(2) {
        let at = up.at(tick);
        drawing.line("grid", (LEFT, at), (WIDTH - SIDE, at));
        drawing.text("small quiet", (LEFT - 8.0, at + 4.0), Anchor::End, &tick_label(&heights, tick));
    }
    if let Some(band) = panel.band {
        let (from, to) = (across.at(band.low), across.at(band.high));
        let tip = format!("{} to {}", fixed(band.low, 3), fixed(band.high, 3));
        drawing.rect("band", (from, top), ((to - from).max(1.0), HEIGHT), &tip);
    }
    for column in &panel.columns {
        let (from, to) = (across.at(column.low), across.at(column.high));
        let height = base - up.at(column.share);
        let tip = format!("{} to {}: {}", fixed(column.low, 2), fixed(column.high, 2), share(column.share));
        drawing.rect("part p0", (from, base - height), (to - from, height), &tip);
    }
    drawing.line("grid", (LEFT, base), (WIDTH - SIDE, base));
    if let Some(mark) = panel.mark {
        let at = across.at(mark);
        drawing.line("cut", (at, top), (at, base));
    }
    drawing.text("axis", (LEFT, top - 23.0), Anchor::Start, &fitted(&panel.title, TEXT, WIDTH - LEFT));
    // Above the panel: wherever the line is, a column may stand there.
    drawing.text("small quiet", (LEFT, top - 8.0), Anchor::Start, &told(panel));
}

/// `n 389 · 5 % below 0.820 (line) · shaded 0.810 to 0.830`
fn told(panel: &Histogram) -> String {
    let n = (panel.n > 0).then(|| format!("n{NO_BREAK}{}", count(panel.n)));
    let mark = panel.mark.map(|mark| format!("5 % below {} (line)", fixed(mark, 3)));
    let band = panel.band.map(|band| format!("shaded {} to {}", fixed(band.low, 3), fixed(band.high, 3)));
    [n, mark, band].into_iter().flatten().collect::<Vec<_>>().join(" · ")
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
            n: 1389,
            columns: vec![column(0.72, 0.1), column(0.98, 0.9)],
            mark: Some(0.729),
            band: Some(Band { low: 0.719, high: 0.739 }),
        };
        let axis = Axis { label: "STS".to_owned(), low: 0.7, high: 1.0 };
        let drawing = draw(&axis, "Share of pairs", &[panel("one"), panel("two")]);
        assert_eq!(drawing.body().matches("part p0").count(), 4);
        assert_eq!(drawing.body().matches("class=\"band\"").count(), 2);
        assert!(drawing.body().contains("90.0\u{a0}%"));
        let told = ">n\u{a0}1,389 · 5 % below 0.729 (line) · shaded 0.719 to 0.739<";
        assert_eq!(drawing.body().matches(told).count(), 2, "{}", drawing.body());
        assert!(drawing.body().contains(">Share of pairs<") && drawing.body().contains(">80 %<"), "{}", drawing.body());
    }

    #[test]
    fn a_title_is_clear_of_the_axis_above_it() {
        let panel =
            |title: &str| Histogram { title: title.to_owned(), n: 0, columns: Vec::new(), mark: None, band: None };
        let axis = Axis::share("STS");
        let drawing = draw(&axis, "", &[panel("one"), panel("two")]);
        let (before, _) = drawing.body().split_once(">two<").expect("the title of the second");
        let y = before.rsplit_once(" y=\"").and_then(|(_, rest)| rest.split('"').next()?.parse::<f64>().ok());
        let axis_above = TOP + HEAD + HEIGHT;
        assert!(y.expect("it stands somewhere") - TEXT > axis_above + 5.0, "{y:?} below {axis_above}");
    }

    #[test]
    fn nothing_to_show_is_drawn_as_nothing() {
        let axis = Axis::share("STS");
        assert!(!draw(&axis, "", &[]).body().contains("<rect"));
    }
}
