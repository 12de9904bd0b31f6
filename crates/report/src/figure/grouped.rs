//! Bars in groups: a bar per series in each group, with its interval and its number.

use super::canvas::{Anchor, Drawing, fitted, width_of, wrapped};
use super::scale::{Plot, Scale, is_share, tick_label};
use super::values::{on_axis, share};
use crate::number::fixed;
use waterjar_core::figure::{Axis, Group};

const WIDTH: f64 = 440.0;
const TEXT: f64 = 11.0;
const ROW: f64 = 18.0;
const HEAD: f64 = 22.0;
const HEAD_TEXT: f64 = 12.0;
const HEAD_LINE: f64 = 16.0;
/// Bold letters are wider than the estimate takes them to be.
const BOLD: f64 = 1.1;
/// Half of what ends an interval.
const CAP: f64 = 3.0;
const WIDEST_NAME: f64 = 180.0;

pub(super) fn draw(x: &Axis, series: &[String], groups: &[Group]) -> Drawing {
    let names = series.iter().map(|it| width_of(it, TEXT)).fold(0.0, f64::max).min(WIDEST_NAME);
    let rows = |group: &Group| group.values.iter().flatten().count() as f64;
    let heads: Vec<Vec<String>> = groups.iter().map(|it| wrapped(&it.label, HEAD_TEXT * BOLD, WIDTH)).collect();
    let more = |head: &[String]| head.len().saturating_sub(1) as f64 * HEAD_LINE;
    let bottom = 4.0 + groups.iter().zip(&heads).map(|(it, head)| HEAD + more(head) + rows(it) * ROW).sum::<f64>();
    let plot = Plot { left: names + 14.0, top: 4.0, right: WIDTH - 54.0, bottom };
    let axis = shortened(x, groups);
    let across = Scale::new(&axis, plot.left, plot.right);
    let mut drawing = Drawing::new(WIDTH, bottom + 50.0);
    for tick in across.ticks() {
        let at = across.at(tick);
        drawing.line("grid", (at, plot.top), (at, bottom));
        drawing.text("small quiet", (at, bottom + 18.0), Anchor::Middle, &tick_label(&axis, tick));
    }
    plot.draw_x_title(&mut drawing, x);
    let mut y = plot.top;
    for (group, head) in groups.iter().zip(&heads) {
        for (at, line) in head.iter().enumerate() {
            drawing.text("axis name", (0.0, y + 15.0 + at as f64 * HEAD_LINE), Anchor::Start, line);
        }
        y += HEAD + more(head);
        let filled =
            series.iter().zip(&group.values).enumerate().filter_map(|(at, (name, it))| Some((at, name, (*it)?)));
        for (at, name, value) in filled {
            drawing.text("small quiet", (plot.left - 8.0, y + 12.0), Anchor::End, &fitted(name, TEXT, WIDEST_NAME));
            let (from, to) = (across.at(axis.low), across.at(value.value));
            let tip = format!("{}, {name}: {}", group.label, on_axis(x, &value));
            // The colours of the parts of a whole; there are six.
            drawing.rect(&format!("part p{}", at % 6), (from, y + 3.0), (to - from, ROW - 6.0), &tip);
            whisker(&mut drawing, across.at(value.low), across.at(value.high), y + ROW / 2.0);
            let number = if is_share(x) { share(value.value) } else { fixed(value.value, 2) };
            drawing.text("number", (WIDTH - 4.0, y + 13.0), Anchor::End, &number);
            y += ROW;
        }
    }
    drawing
}

/// A thin interval with its ends marked. The part of it that lies on the bar needs ground of its own, but not so much that it hollows the bar.
fn whisker(drawing: &mut Drawing, low: f64, high: f64, y: f64) {
    // Where both ends are the value itself, none was worked out.
    if high <= low {
        return;
    }
    let cap = |x: f64| ((x, y - CAP), (x, y + CAP));
    for class in ["halo", "bar"] {
        for (from, to) in [((low, y), (high, y)), cap(low), cap(high)] {
            drawing.line(class, from, to);
        }
    }
}

/// From its low end to the first tenth of it beyond all intervals.
fn shortened(axis: &Axis, groups: &[Group]) -> Axis {
    let values = groups.iter().flat_map(|it| it.values.iter().flatten());
    let highest = values.map(|it| it.high).fold(axis.low, f64::max);
    let tenth = (axis.high - axis.low) / 10.0;
    let steps = ((highest - axis.low) / tenth).ceil().clamp(1.0, 10.0);
    Axis { label: axis.label.clone(), low: axis.low, high: axis.low + steps * tenth }
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::figure::Estimate;

    #[test]
    fn a_bar_without_cases_takes_no_room() {
        let value = |value: f64| Some(Estimate { value, low: value, high: value, n: 10 });
        let group = |values: Vec<Option<Estimate>>| Group { label: "factor shift".to_owned(), values };
        let axis = Axis::share("Share");
        let series = ["one", "two"].map(str::to_owned);
        let both = draw(&axis, &series, &[group(vec![value(0.5), value(0.25)])]);
        let one = draw(&axis, &series, &[group(vec![None, value(0.25)])]);
        assert_eq!((both.body().matches("<rect").count(), one.body().matches("<rect").count()), (2, 1));
        assert!(both.height > one.height && one.body().contains("part p1"));
    }

    #[test]
    fn a_long_heading_is_told_whole_on_lines_of_its_own() {
        let label =
            "belly-colitis: continuous inflammation from the rectum to the splenic flexure of the colon, seen twice";
        let axis = Axis::share("Share");
        let drawn = |label: &str| {
            let values = vec![Some(Estimate { value: 0.5, low: 0.5, high: 0.5, n: 10 })];
            draw(&axis, &["one".to_owned()], &[Group { label: label.to_owned(), values }])
        };
        let (long, short) = (drawn(label), drawn("head-bell"));
        assert!(long.body().matches("class=\"axis name\"").count() > 1 && long.height > short.height);
        assert!(!long.body().contains('…') && long.body().contains("seen twice</text>"), "{}", long.body());
        assert!(!short.body().contains("class=\"halo\""), "no interval was worked out");
    }

    #[test]
    fn an_interval_has_ground_of_its_own_above_the_bar() {
        let values = vec![Some(Estimate { value: 0.5, low: 0.4, high: 0.6, n: 10 })];
        let axis = Axis::share("Share");
        let drawing = draw(&axis, &["one".to_owned()], &[Group { label: "plain@a".to_owned(), values }]);
        let at = |class: &str| drawing.body().find(&format!("class=\"{class}\"")).expect("it is drawn");
        assert!(at("part p0") < at("halo") && at("halo") < at("bar"), "{}", drawing.body());
    }
}
