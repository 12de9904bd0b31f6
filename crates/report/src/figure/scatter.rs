//! One value against another, with error bars and a name at each point, or a number where names do not fit.

use super::canvas::{Anchor, Drawing, fitted, px};
use super::labels::{Placed, Rect, beside_points, is_legible};
use super::scale::{Plot, Scale, tick_label};
use super::values::on_axis;
use waterjar_core::figure::{Axis, Point};

/// Narrow enough for a phone without scrolling; a wide page enlarges it a little.
const SIZE: (f64, f64) = (440.0, 370.0);
const TEXT: f64 = 12.0;
const KEY_LINE: f64 = 17.0;
const PLOT: Plot = Plot { left: 48.0, top: 40.0, right: SIZE.0 - 22.0, bottom: SIZE.1 - 56.0 };

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
    name_points(&mut drawing, &full_names(points), &centres, &bars);
    drawing
}

/// Names where they all fit; otherwise numbers, with the names below.
fn name_points(drawing: &mut Drawing, names: &[String], centres: &[(f64, f64)], bars: &[Rect]) {
    let places = beside_points(centres, names, TEXT, bars, &PLOT);
    if is_legible(centres, &places) {
        return write_names(drawing, names, centres, places);
    }
    let numbers: Vec<String> = (1..=names.len()).map(|number| number.to_string()).collect();
    let places = beside_points(centres, &numbers, TEXT, bars, &PLOT);
    write_names(drawing, &numbers, centres, places);
    write_key(drawing, names);
}

fn write_names(drawing: &mut Drawing, names: &[String], centres: &[(f64, f64)], places: Vec<Placed>) {
    for ((name, centre), place) in names.iter().zip(centres).zip(places) {
        let rect = place.rect;
        if place.needs_leader() {
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

/// In two columns below the plot, for points that only have room for a number.
fn write_key(drawing: &mut Drawing, names: &[String]) {
    let column = SIZE.0 / 2.0;
    for (place, name) in names.iter().enumerate() {
        let at = ((place % 2) as f64 * column, drawing.height + (place / 2 + 1) as f64 * KEY_LINE);
        drawing.text("number-of", (at.0 + 16.0, at.1), Anchor::End, &(place + 1).to_string());
        drawing.text("", (at.0 + 24.0, at.1), Anchor::Start, &fitted(name, TEXT, column - 30.0));
    }
    drawing.height += names.len().div_ceil(2) as f64 * KEY_LINE + 6.0;
}

fn full_names(points: &[Point]) -> Vec<String> {
    let name = |point: &Point| match point.reference {
        true if !point.label.contains("reference") => format!("{} (reference)", point.label),
        _ => point.label.clone(),
    };
    points.iter().map(name).collect()
}

fn thin(from: (f64, f64), to: (f64, f64)) -> Rect {
    Rect { left: from.0 - 1.0, top: from.1 - 1.0, right: to.0 + 1.0, bottom: to.1 + 1.0 }
}

pub(super) fn circle(centre: (f64, f64), radius: f64) -> String {
    let (x, y, r) = (px(centre.0 - radius), px(centre.1), px(radius));
    let across = px(radius * 2.0);
    format!("M{x} {y}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0z")
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::figure::Estimate;

    #[test]
    fn a_few_points_carry_their_names() {
        assert!(!drawn(4).contains("number-of"));
    }

    #[test]
    fn a_crowd_of_points_carries_numbers() {
        let svg = drawn(30);
        assert_eq!(svg.matches("number-of").count(), 30);
        assert_eq!(svg.matches(">plain@some-model-0<").count(), 1);
    }

    fn drawn(number: usize) -> String {
        let at = |value: f64| Estimate { value, low: value - 0.05, high: value + 0.05, n: 90 };
        let points: Vec<_> = (0..number)
            .map(|place| Point {
                label: format!("plain@some-model-{place}"),
                x: at(0.9),
                y: at(0.4 + place as f64 / 100.0),
                reference: false,
            })
            .collect();
        draw(&Axis::share("x"), &Axis::share("y"), &points).body().to_owned()
    }
}
