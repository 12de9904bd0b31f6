//! From data to pixels, and where the ticks go.

use super::canvas::{Anchor, Drawing};
use waterjar_core::figure::Axis;

#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

/// The rectangle the data is drawn in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plot {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Scale {
    pub(super) fn new(axis: &Axis, from: f64, to: f64) -> Self {
        // An axis without extent still has to put its one value somewhere.
        let high = if axis.high > axis.low { axis.high } else { axis.low + 1.0 };
        Self { low: axis.low, high, from, to }
    }

    /// Values beyond the axis stay on its edge.
    pub(super) fn at(&self, value: f64) -> f64 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.from + share * (self.to - self.from)
    }

    /// Four to six round numbers.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let span = self.high - self.low;
        let magnitude = 10f64.powf((span / 5.0).log10().floor());
        let step = [1.0, 2.0, 2.5, 5.0, 10.0]
            .map(|factor| factor * magnitude)
            .into_iter()
            .find(|step| span / step <= 5.0 + 1e-9)
            .unwrap_or(span);
        let first = (self.low / step - 1e-9).ceil();
        (0..)
            .map(|place| (first + f64::from(place)) * step)
            .take_while(|tick| *tick <= self.high + step * 1e-6)
            .collect()
    }
}

/// Shares are labelled in percent. An axis does not say that it holds shares, but one within 0..1 does.
pub(super) fn is_share(axis: &Axis) -> bool {
    axis.low >= 0.0 && axis.high <= 1.0
}

pub(super) fn tick_label(axis: &Axis, value: f64) -> String {
    if is_share(axis) {
        return format!("{} %", crate::number::fixed(value * 100.0, 0));
    }
    let text = crate::number::fixed(value, 2);
    text.trim_end_matches('0').trim_end_matches('.').replace('-', "−")
}

impl Plot {
    /// Grid lines, tick labels and the title of the upright axis, which stands above it so that nobody tilts the head.
    pub(super) fn draw_y(&self, drawing: &mut Drawing, axis: &Axis, scale: &Scale) {
        for tick in scale.ticks() {
            let y = scale.at(tick);
            drawing.line("grid", (self.left, y), (self.right, y));
            let at = (self.left - 8.0, y + 4.0);
            drawing.text("small quiet", at, Anchor::End, &tick_label(axis, tick));
        }
        drawing.text("axis", (0.0, self.top - 18.0), Anchor::Start, &axis.label);
    }

    pub(super) fn draw_x_title(&self, drawing: &mut Drawing, axis: &Axis) {
        let at = ((self.left + self.right) / 2.0, self.bottom + 42.0);
        drawing.text("axis", at, Anchor::Middle, &axis.label);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_reach_both_ends() {
        check(0.0, 1.0, &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        check(0.0, 8.0, &[0.0, 2.0, 4.0, 6.0, 8.0]);
        check(-1.0, 1.0, &[-1.0, -0.5, 0.0, 0.5, 1.0]);
    }

    #[test]
    fn an_axis_without_extent_does_not_divide_by_zero() {
        let scale = Scale::new(&axis(3.0, 3.0), 0.0, 100.0);
        assert_eq!(scale.at(3.0), 0.0);
    }

    fn check(low: f64, high: f64, expected: &[f64]) {
        let ticks = Scale::new(&axis(low, high), 0.0, 100.0).ticks();
        assert_eq!(ticks.len(), expected.len(), "{ticks:?}");
        for (tick, expected) in ticks.iter().zip(expected) {
            assert!((tick - expected).abs() < 1e-9, "{ticks:?}");
        }
    }

    fn axis(low: f64, high: f64) -> Axis {
        Axis { label: String::new(), low, high }
    }
}
