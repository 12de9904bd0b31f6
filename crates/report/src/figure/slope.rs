//! Places in two league tables, joined by a line. Dash, marker and a name at the end tell subjects apart without colour.

use super::canvas::{Anchor, Drawing, px, width_of};
use super::lines::{COLOURS, DASHES, marker, name_ends, whisker};
use super::scale::{Plot, Scale};
use crate::number::fixed;
use waterjar_core::figure::{Axis, Estimate, Ranks};

/// Narrow enough for a phone without scrolling; a wide page enlarges it a little.
const WIDTH: f64 = 440.0;
const TEXT: f64 = 12.0;
const WIDEST_NAME: f64 = 160.0;
const PLACE: f64 = 44.0;
/// Subjects stand a little apart, or their intervals would hide each other.
const DODGE: f64 = 6.0;

pub(super) fn draw(steps: &[String; 2], ranks: &[Ranks]) -> Drawing {
    let names = ranks.iter().map(|it| width_of(&it.name, TEXT)).fold(0.0, f64::max).min(WIDEST_NAME);
    let last = ranks.len().max(1) as f64;
    let plot = Plot { left: 48.0, top: 40.0, right: WIDTH - names - 24.0, bottom: 40.0 + last * PLACE };
    // The first place is at the top.
    let places = Axis { label: String::new(), low: 0.5, high: last + 0.5 };
    let down = Scale::new(&places, plot.top, plot.bottom);
    let mut drawing = Drawing::new(WIDTH, plot.bottom + 12.0);
    let dodge = DODGE.min(60.0 / last);
    let half = dodge * last / 2.0 + 8.0;
    let at = [plot.left + half, plot.right - half];
    for (step, x) in steps.iter().zip(at) {
        drawing.text("axis", (x, plot.top - 14.0), Anchor::Middle, step);
    }
    for place in 1..=ranks.len() {
        let y = down.at(place as f64);
        drawing.line("grid", (plot.left, y), (plot.right, y));
        drawing.text("small quiet", (plot.left - 10.0, y + 4.0), Anchor::End, &place.to_string());
    }
    let mut ends = Vec::new();
    for (number, one) in ranks.iter().enumerate() {
        let shift = (number as f64 - (last - 1.0) / 2.0) * dodge;
        let class = format!("s{}", number % COLOURS);
        let spots = [0, 1].map(|side| (at[side] + shift, down.at(one.places[side].value)));
        let line = format!("M{} {}L{} {}", px(spots[0].0), px(spots[0].1), px(spots[1].0), px(spots[1].1));
        drawing.path(&format!("line d{} {class}", number % DASHES), &line, &one.name);
        for ((spot, place), step) in spots.iter().zip(&one.places).zip(steps) {
            whisker(&mut drawing, &class, place, spot.0, &down);
            let tip = format!("{}, {step}: {}", one.name, told(place));
            drawing.path(&format!("mark {class}"), &marker(number, *spot), &tip);
        }
        ends.push((number, spots[1]));
    }
    let names: Vec<&str> = ranks.iter().map(|it| it.name.as_str()).collect();
    name_ends(&mut drawing, &names, &ends, &plot);
    drawing
}

/// `2 (1 to 3.5)`
pub(super) fn told(place: &Estimate) -> String {
    let short = |value: f64| fixed(value, 1).trim_end_matches(".0").to_owned();
    format!("{} ({} to {})", short(place.value), short(place.low), short(place.high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_place_is_above_the_second() {
        let at = |value: f64| Estimate { value, low: 1.0, high: 2.0, n: 63 };
        let row = |name: &str, from: f64, to: f64| Ranks { name: name.to_owned(), places: [at(from), at(to)] };
        let drawing = draw(&["CMS".to_owned(), "CSS".to_owned()], &[row("a", 1.0, 2.0), row("b", 2.0, 1.0)]);
        let course = |name: &str| {
            let end = drawing.body().find(&format!("<title>{name}</title>")).unwrap();
            let path = drawing.body()[..end].rsplit("d=\"M").next().unwrap();
            let number = |part: &str| part.split([' ', '"']).nth(1).unwrap().parse::<f64>().unwrap();
            let (from, to) = path.split_once('L').unwrap();
            (number(from), number(to))
        };
        assert!(course("a").0 < course("a").1 && course("b").0 > course("b").1);
        assert!(drawing.body().contains("a, CMS: 1 (1 to 2)"));
        assert_eq!(drawing.body().matches("whisker").count(), 4);
    }
}
