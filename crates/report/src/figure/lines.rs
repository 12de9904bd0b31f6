//! One line per series over named steps. Dash, marker and a name at the end tell them apart without colour.

use super::canvas::{Anchor, Drawing, px, width_of};
use super::labels::spread;
use super::scale::{Plot, Scale};
use super::scatter::circle;
use super::values::on_axis;
use std::fmt::Write as _;
use waterjar_core::figure::{Axis, Estimate, Series};

/// Narrow enough for a phone without scrolling; a wide page enlarges it a little.
const SIZE: (f64, f64) = (440.0, 370.0);
const TEXT: f64 = 12.0;
const WIDEST_NAME: f64 = 160.0;
/// Series stand a little apart on each step, or their intervals would hide each other.
const DODGE: f64 = 6.0;
/// Dashes repeat after four series and markers after five: no two of twenty look alike even in grey.
pub(super) const COLOURS: usize = 8;
pub(super) const DASHES: usize = 4;

pub(super) fn draw(x: &Axis, y: &Axis, steps: &[String], series: &[Series]) -> Drawing {
    let names = series.iter().map(|series| width_of(&series.name, TEXT)).fold(0.0, f64::max).min(WIDEST_NAME);
    let plot = Plot { left: 48.0, top: 40.0, right: SIZE.0 - names - 24.0, bottom: SIZE.1 - 56.0 };
    let up = Scale::new(y, plot.bottom, plot.top);
    let mut drawing = Drawing::new(SIZE.0, SIZE.1);
    plot.draw_y(&mut drawing, y, &up);
    plot.draw_x_title(&mut drawing, x);
    let room = (plot.right - plot.left) / steps.len().max(1) as f64;
    let step_at = |step: usize| plot.left + (step as f64 + 0.5) * room;
    for (step, name) in steps.iter().enumerate() {
        let below = (step_at(step), plot.bottom + 18.0);
        drawing.text("small quiet", below, Anchor::Middle, name);
    }

    let dodge = DODGE.min(room * 0.7 / series.len().max(1) as f64);
    let mut ends = Vec::new();
    for (number, one) in series.iter().enumerate() {
        let shift = (number as f64 - (series.len() - 1) as f64 / 2.0) * dodge;
        let spots: Vec<_> = one
            .values
            .iter()
            .zip(steps)
            .enumerate()
            .filter_map(|(step, (value, name))| {
                let value = value.filter(|value| value.value.is_finite())?;
                Some((step, name, value, (step_at(step) + shift, up.at(value.value))))
            })
            .collect();
        let class = format!("s{}", number % COLOURS);
        let course: Vec<_> = spots.iter().map(|(step, .., at)| (*step, *at)).collect();
        let line = format!("line d{} {class}", number % DASHES);
        drawing.path(&line, &polyline(&course), &one.name);
        for (_, step, value, at) in &spots {
            whisker(&mut drawing, &class, value, at.0, &up);
            let tip = format!("{}, {} {step}: {}", one.name, x.label, on_axis(y, value));
            drawing.path(&format!("mark {class}"), &marker(number, *at), &tip);
        }
        if let Some((.., end)) = spots.last() {
            ends.push((number, *end));
        }
    }
    let names: Vec<&str> = series.iter().map(|it| it.name.as_str()).collect();
    name_ends(&mut drawing, &names, &ends, &plot);
    drawing
}

pub(super) fn name_ends(drawing: &mut Drawing, names: &[&str], ends: &[(usize, (f64, f64))], plot: &Plot) {
    let wanted: Vec<f64> = ends.iter().map(|(_, end)| end.1).collect();
    let heights = spread(&wanted, TEXT + 4.0, plot.top, plot.bottom);
    for ((number, end), y) in ends.iter().zip(heights) {
        let class = format!("s{}", number % COLOURS);
        drawing.line(&format!("leader {class}"), (end.0 + 6.0, end.1), (plot.right + 2.0, y));
        let at = (plot.right + 10.0, y);
        drawing.path(&format!("mark {class}"), &marker(*number, at), "");
        let name = super::canvas::fitted(names[*number], TEXT, WIDEST_NAME);
        drawing.text("name", (at.0 + 9.0, y + 4.0), Anchor::Start, &name);
    }
}

pub(super) fn whisker(drawing: &mut Drawing, class: &str, value: &Estimate, x: f64, up: &Scale) {
    let (low, high) = (up.at(value.low), up.at(value.high));
    drawing.line(&format!("whisker {class}"), (x, low), (x, high));
}

/// A step without cases breaks the line rather than being bridged.
fn polyline(course: &[(usize, (f64, f64))]) -> String {
    let mut path = String::new();
    let mut last = None;
    for (step, at) in course {
        let pen = match last {
            Some(before) if before + 1 == *step => 'L',
            _ => 'M',
        };
        let _ = write!(path, "{pen}{} {}", px(at.0), px(at.1));
        last = Some(*step);
    }
    path
}

pub(super) fn marker(number: usize, (x, y): (f64, f64)) -> String {
    let polygon = |corners: &[(f64, f64)]| {
        let mut path = String::new();
        for (place, (dx, dy)) in corners.iter().enumerate() {
            let pen = if place == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{pen}{} {}", px(x + dx), px(y + dy));
        }
        path + "z"
    };
    match number % 5 {
        0 => circle((x, y), 4.0),
        1 => polygon(&[(-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)]),
        2 => polygon(&[(0.0, -4.8), (4.6, 3.4), (-4.6, 3.4)]),
        3 => polygon(&[(0.0, -5.2), (5.2, 0.0), (0.0, 5.2), (-5.2, 0.0)]),
        _ => polygon(&[(0.0, 4.8), (4.6, -3.4), (-4.6, -3.4)]),
    }
}
