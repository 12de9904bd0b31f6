//! Many unnamed things in small panels: where they lie, and how many lie on the same spot.

use super::canvas::{Anchor, Drawing, fitted};
use super::scale::{Plot, Scale, tick_label};
use super::scatter::circle;
use crate::number::fixed;
use waterjar_core::figure::{Axis, Cloud, Spot};

const SIZE: (f64, f64) = (210.0, 232.0);
const TEXT: f64 = 12.0;
const PLOT: Plot = Plot { left: 44.0, top: 42.0, right: SIZE.0 - 24.0, bottom: SIZE.1 - 44.0 };
/// The area of a spot grows with what lies on it; the largest must not hide its neighbours.
const SMALLEST: f64 = 2.6;
const LARGEST: f64 = 14.0;

pub(super) fn draw(x: &Axis, y: &Axis, clouds: &[Cloud]) -> Vec<Drawing> {
    let most = clouds.iter().flat_map(|cloud| &cloud.spots).map(|spot| spot.n).max().unwrap_or(1);
    clouds.iter().map(|cloud| one(x, y, cloud, most)).collect()
}

fn one(x: &Axis, y: &Axis, cloud: &Cloud, most: u64) -> Drawing {
    let (across, up) = (Scale::new(x, PLOT.left, PLOT.right), Scale::new(y, PLOT.bottom, PLOT.top));
    let mut drawing = Drawing::new(SIZE.0, SIZE.1);
    drawing.text("axis", (0.0, 13.0), Anchor::Start, &fitted(&cloud.title, TEXT, SIZE.0));
    drawing.text("small quiet", (0.0, PLOT.top - 8.0), Anchor::Start, &y.label);
    for share in [0.0, 0.5, 1.0] {
        let (at_x, at_y) = (x.low + share * (x.high - x.low), y.low + share * (y.high - y.low));
        drawing.line("grid", (across.at(at_x), PLOT.top), (across.at(at_x), PLOT.bottom));
        drawing.line("grid", (PLOT.left, up.at(at_y)), (PLOT.right, up.at(at_y)));
        let below = (across.at(at_x), PLOT.bottom + 16.0);
        drawing.text("small quiet", below, Anchor::Middle, &tick_label(x, at_x));
        drawing.text("small quiet", (PLOT.left - 7.0, up.at(at_y) + 4.0), Anchor::End, &tick_label(y, at_y));
    }
    drawing.text("small quiet", ((PLOT.left + PLOT.right) / 2.0, PLOT.bottom + 34.0), Anchor::Middle, &x.label);
    // The small ones on top, where a pointer finds them.
    let mut spots: Vec<&Spot> = cloud.spots.iter().collect();
    spots.sort_by_key(|spot| std::cmp::Reverse(spot.n));
    for spot in spots {
        let area = (spot.n as f64 / most as f64).sqrt();
        let radius = (LARGEST * area).max(SMALLEST);
        let tip = format!("{}: {}", told(x, y, spot), spot.n);
        drawing.path("spot", &circle((across.at(spot.x), up.at(spot.y)), radius), &tip);
    }
    drawing
}

/// `CMS 0.85, CSS 0.50`
pub(super) fn told(x: &Axis, y: &Axis, spot: &Spot) -> String {
    format!("{} {}, {} {}", x.label, fixed(spot.x, 2), y.label, fixed(spot.y, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spot_grows_with_what_lies_on_it() {
        let spots = vec![Spot { x: 0.5, y: 0.0, n: 1 }, Spot { x: 1.0, y: 1.0, n: 40 }];
        let drawn = draw(&Axis::share("CMS"), &Axis::share("CSS"), &[Cloud { title: "plain@a".to_owned(), spots }]);
        let body = drawn[0].body();
        assert_eq!(body.matches("class=\"spot\"").count(), 2);
        assert!(body.find("a14 14").unwrap() < body.find("a2.6 2.6").unwrap(), "the large one is drawn first: {body}");
        assert!(body.contains("CMS 1.00, CSS 1.00: 40"));
    }
}
