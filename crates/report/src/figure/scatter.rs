//! One value against another, with error bars and a name at each point.

use super::canvas::{Anchor, Drawing, px};
use super::labels::{Rect, beside_points};
use super::scale::{Plot, Scale, tick_label};
use super::values::on_axis;
use waterjar_core::figure::{Axis, Point};

const SIZE: (f64, f64) = (520.0, 420.0);
const TEXT: f64 = 12.0;
const PLOT: Plot = Plot { left: 52.0, top: 40.0, right: SIZE.0 - 22.0, bottom: SIZE.1 - 56.0 };

pub(super) fn draw(x: &Axis, y: &Axis, points: &[Point]) -> Drawing {
    let across = Scale::new(x, PLOT.left, PLOT.right);
    let up = Scale::new(y, PLOT.bottom, PLOT.top);
    let mut drawing = Drawing::new(SIZE.0, SIZE.1);
    PLOT.draw_y(&mut drawing, y, &up);
    for tick in across.ticks() {
        let at = across.at(tick);
        drawing.line("grid", (at, PLOT.top), (at, PLOT.bottom));
        let below = (at, PLOT.bottom + 18.0);
        drawing.text("small quiet", below, Anchor::Middle, &tick_label(x, tick));
    }
    PLOT.draw_x_title(&mut drawing, x);

    let centres: Vec<_> = points.iter().map(|point| (across.at(point.x.value), up.at(point.y.value))).collect();
    let mut bars = Vec::new();
    for (point, centre) in points.iter().zip(&centres) {
        let flat = (across.at(point.x.low), across.at(point.x.high));
        let tall = (up.at(point.y.high), up.at(point.y.low));
        drawing.line("bar", (flat.0, centre.1), (flat.1, centre.1));
        drawing.line("bar", (centre.0, tall.0), (centre.0, tall.1));
        bars.push(thin((flat.0, centre.1), (flat.1, centre.1)));
        bars.push(thin((centre.0, tall.0), (centre.0, tall.1)));
    }
    for (point, centre) in points.iter().zip(&centres) {
        let class = if point.reference { "dot hollow" } else { "dot" };
        let tip =
            format!("{}: {} {}, {} {}", point.label, x.label, on_axis(x, &point.x), y.label, on_axis(y, &point.y));
        drawing.path(class, &circle(*centre, 5.0), &tip);
    }
    name_points(&mut drawing, points, &centres, &bars);
    drawing
}

fn name_points(drawing: &mut Drawing, points: &[Point], centres: &[(f64, f64)], bars: &[Rect]) {
    let names: Vec<String> = points
        .iter()
        .map(|point| match point.reference {
            true if !point.label.contains("reference") => format!("{} (reference)", point.label),
            _ => point.label.clone(),
        })
        .collect();
    let places = beside_points(centres, &names, TEXT, bars, &PLOT);
    for ((name, centre), place) in names.iter().zip(centres).zip(places) {
        let rect = place.rect;
        if place.led {
            let end = (centre.0.clamp(rect.left, rect.right), centre.1.clamp(rect.top + 2.0, rect.bottom - 2.0));
            drawing.line("leader", *centre, end);
        }
        // The estimate of the width is generous, so a name keeps to the side of its point.
        let (x, anchor) = if rect.left >= centre.0 {
            (rect.left, Anchor::Start)
        } else if rect.right <= centre.0 {
            (rect.right, Anchor::End)
        } else {
            ((rect.left + rect.right) / 2.0, Anchor::Middle)
        };
        drawing.text("name", (x, rect.bottom - 3.0), anchor, name);
    }
}

fn thin(from: (f64, f64), to: (f64, f64)) -> Rect {
    Rect { left: from.0 - 1.0, top: from.1 - 1.0, right: to.0 + 1.0, bottom: to.1 + 1.0 }
}

pub(super) fn circle(centre: (f64, f64), radius: f64) -> String {
    let (x, y, r) = (px(centre.0 - radius), px(centre.1), px(radius));
    let across = px(radius * 2.0);
    format!("M{x} {y}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0z")
}
