//! The parts of a whole, one bar per row. Their order, their lightness and the number in each tell them apart without
//! colour.

use super::canvas::{Anchor, Drawing, fitted, px, width_of};
use super::values::on_axis;
use waterjar_core::figure::{Axis, Bar, Estimate};

/// Narrow enough for a phone without scrolling; a wide page enlarges it a little.
const WIDTH: f64 = 440.0;
const TEXT: f64 = 12.0;
const WIDEST_NAME: f64 = 170.0;
const ROW: f64 = 34.0;
const THICK: f64 = 20.0;
const LEGEND_ROW: f64 = 20.0;
const PATCH: f64 = 12.0;
/// A number needs so much room in its part.
const ROOM_FOR_NUMBER: f64 = 22.0;

pub(super) fn draw(parts: &[String], bars: &[Bar]) -> Drawing {
    // A part that nobody has is not worth a line in the legend.
    let used: Vec<usize> = (0..parts.len()).filter(|&part| bars.iter().any(|bar| value(bar, part) > 0.0)).collect();
    let legend = placed(parts, &used);
    let legend_height = legend.last().map_or(0.0, |(_, _, y)| y + LEGEND_ROW + 8.0);
    let names = bars.iter().map(|bar| width_of(&bar.label, TEXT)).fold(0.0, f64::max).min(WIDEST_NAME);
    let (left, right) = (names + 10.0, WIDTH - 52.0);
    let mut drawing = Drawing::new(WIDTH, legend_height + bars.len() as f64 * ROW + 8.0);
    for (part, x, y) in legend {
        drawing.rect(&class(part), (x, y), (PATCH, PATCH), "");
        drawing.text("small", (x + PATCH + 5.0, y + PATCH - 2.0), Anchor::Start, &parts[part]);
    }
    for (row, bar) in bars.iter().enumerate() {
        let top = legend_height + row as f64 * ROW + (ROW - THICK) / 2.0;
        let baseline = top + THICK / 2.0 + TEXT * 0.36;
        drawing.text("name", (left - 8.0, baseline), Anchor::End, &fitted(&bar.label, TEXT, WIDEST_NAME));
        let mut x = left;
        for &part in &used {
            let Some(share) = bar.shares.get(part).copied().flatten().filter(|it| it.value > 0.0) else { continue };
            let width = share.value * (right - left);
            let tip = format!("{}, {}: {}", bar.label, parts[part], told(&share));
            drawing.rect(&class(part), (x, top), (width, THICK), &tip);
            if width >= ROOM_FOR_NUMBER {
                let number = px((share.value * 100.0).round());
                drawing.text(&format!("number on-p{part}"), (x + width / 2.0, baseline), Anchor::Middle, &number);
            }
            x += width;
        }
        if let Some(n) = bar.shares.iter().flatten().map(|share| share.n).next() {
            drawing.text("small quiet", (right + 8.0, baseline), Anchor::Start, &format!("n {n}"));
        }
    }
    drawing
}

/// Where each part's patch stands: from left to right, on as many lines as it takes.
fn placed(parts: &[String], used: &[usize]) -> Vec<(usize, f64, f64)> {
    let (mut x, mut y) = (0.0, 0.0);
    let mut places = Vec::new();
    for &part in used {
        let width = PATCH + 5.0 + width_of(&parts[part], TEXT) + 14.0;
        if x > 0.0 && x + width > WIDTH {
            (x, y) = (0.0, y + LEGEND_ROW);
        }
        places.push((part, x, y));
        x += width;
    }
    places
}

fn value(bar: &Bar, part: usize) -> f64 {
    bar.shares.get(part).copied().flatten().map_or(0.0, |share| share.value)
}

fn class(part: usize) -> String {
    format!("part p{part}")
}

/// `47.3 % (41.9–52.8, n 319)`
pub(super) fn told(share: &Estimate) -> String {
    on_axis(&Axis::share(""), share)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(label: &str, shares: &[f64]) -> Bar {
        let estimate = |&value: &f64| Some(Estimate { value, low: value, high: value, n: 20 });
        Bar { label: label.to_owned(), shares: shares.iter().map(estimate).collect() }
    }

    #[test]
    fn a_part_nobody_has_is_neither_drawn_nor_explained() {
        let parts = ["blindness", "mentioned", "unaudited"].map(str::to_owned);
        let drawing = draw(&parts, &[bar("a", &[0.25, 0.75, 0.0]), bar("b", &[1.0, 0.0, 0.0])]);
        assert_eq!(drawing.body().matches("class=\"part p0\"").count(), 3, "two bars and the legend");
        assert_eq!(drawing.body().matches("class=\"part p1\"").count(), 2);
        assert!(!drawing.body().contains("unaudited"));
        assert!(drawing.body().contains(">75<") && drawing.body().contains("n 20"));
    }

    #[test]
    fn a_bar_without_cases_leaves_its_row_empty() {
        let drawing = draw(&["blindness".to_owned()], &[Bar { label: "nobody".to_owned(), shares: vec![None] }]);
        assert!(drawing.body().contains("nobody") && !drawing.body().contains("<rect"));
    }

    #[test]
    fn the_parts_of_a_bar_lie_side_by_side() {
        let parts = ["one", "two"].map(str::to_owned);
        let drawing = draw(&parts, &[bar("a", &[0.5, 0.5])]);
        let at = |class: &str| -> Vec<f64> {
            let number = |key: &str, text: &str| -> f64 {
                text.split_once(&format!("{key}=\"")).unwrap().1.split('"').next().unwrap().parse().unwrap()
            };
            let last = drawing.body().rsplit_once(class).unwrap().1;
            vec![number(" x", last), number(" width", last)]
        };
        let (one, two) = (at("part p0"), at("part p1"));
        assert!((one[0] + one[1] - two[0]).abs() < 0.2, "{one:?} {two:?}");
    }
}
