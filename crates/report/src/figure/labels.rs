//! Names beside points and at the ends of lines, moved apart where they would cover each other.

use super::canvas::width_of;
use super::scale::Plot;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    pub rect: Rect,
    /// How far the name is from its point.
    pub distance: f64,
    /// Whether another point lies so near that a name beside both could be either's.
    is_crowded: bool,
}

const NAME_HEIGHT: f64 = 14.0;
/// A name further off than this needs a line leading back to its point.
const NEAR: f64 = 10.0;
/// Points no further from each other than this are hardly told apart.
const CROWDED: f64 = 10.0;
/// Beyond this not even a line helps: the eye loses it among the others.
const FAR: f64 = 32.0;

/// One place per point: the nearest that covers no point, no error bar and no other name, or the least bad.
/// From the top down and always in the same order, so that equal data gives equal drawings.
pub(super) fn beside_points(
    points: &[(f64, f64)],
    names: &[String],
    size: f64,
    bars: &[Rect],
    plot: &Plot,
) -> Vec<Placed> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|a, b| points[*a].1.total_cmp(&points[*b].1));
    let mut places: Vec<Option<Rect>> = vec![None; points.len()];
    // The second round lets a name move to a place that opened up after it had chosen.
    for index in order.iter().chain(&order) {
        let cost = |rect: &Rect| {
            let over = |other: &Rect| rect.overlap(other);
            let on_points: f64 = points.iter().map(|at| over(&Rect::around(*at, 7.0))).sum();
            let others = places.iter().enumerate().filter(|(other, _)| other != index);
            let on_names: f64 = others.filter_map(|(_, place)| place.as_ref()).map(over).sum();
            let on_bars: f64 = bars.iter().map(over).sum();
            let outside = rect.area() - rect.overlap(&Rect::of(plot));
            let far = rect.distance(points[*index]);
            far + 20.0 * on_points + 20.0 * on_names + 2.0 * on_bars + 100.0 * outside
        };
        let candidates = candidates(points[*index], width_of(&names[*index], size));
        places[*index] = candidates.min_by(|a, b| cost(a).total_cmp(&cost(b)));
    }
    let mut places: Vec<Rect> = places.into_iter().flatten().collect();
    let mut untangled = places.clone();
    untangle(points, &mut untangled);
    if is_clear(points, &untangled) {
        places = untangled;
    }
    let near = |one: &(f64, f64), other: &(f64, f64)| (one.0 - other.0).hypot(one.1 - other.1) <= CROWDED;
    let placed = |(rect, point): (Rect, &(f64, f64))| Placed {
        rect,
        distance: rect.distance(*point),
        // Itself, and somebody else.
        is_crowded: points.iter().filter(|other| near(point, other)).count() > 1,
    };
    places.into_iter().zip(points).map(placed).collect()
}

impl Placed {
    pub(super) fn needs_leader(&self) -> bool {
        self.is_crowded || self.distance > NEAR
    }
}

/// Whether every name stands clear and near enough to its point to be read as its own.
pub(super) fn is_legible(points: &[(f64, f64)], names: &[Placed]) -> bool {
    let rects: Vec<Rect> = names.iter().map(|name| name.rect).collect();
    names.iter().all(|name| name.distance <= FAR) && is_clear(points, &rects)
}

/// Whether no name covers a point or another name.
fn is_clear(points: &[(f64, f64)], names: &[Rect]) -> bool {
    names.iter().enumerate().all(|(place, name)| {
        let on_point = points.iter().any(|point| name.overlap(&Rect::around(*point, 5.0)) > 0.0);
        !on_point && names[..place].iter().all(|other| name.overlap(other) == 0.0)
    })
}

/// Names stacked on one side of a cluster stand in the order of their points, so that no two leading lines cross.
fn untangle(points: &[(f64, f64)], places: &mut [Rect]) {
    for one in 0..places.len() {
        for other in 0..places.len() {
            let (a, b) = (places[one], places[other]);
            let is_left = |place: &Rect, index: usize| place.right <= points[index].0;
            let in_one_stack = a.left < b.right && b.left < a.right && is_left(&a, one) == is_left(&b, other);
            if in_one_stack && points[one].1 < points[other].1 && a.top > b.top {
                places[one] = a.at_height_of(&b);
                places[other] = b.at_height_of(&a);
            }
        }
    }
}

/// Right first, where a reader looks first; then left, above and below.
fn candidates(point: (f64, f64), width: f64) -> impl Iterator<Item = Rect> {
    let at = move |left: f64, middle: f64| Rect {
        left,
        top: middle - NAME_HEIGHT / 2.0,
        right: left + width,
        bottom: middle + NAME_HEIGHT / 2.0,
    };
    let rows = (0..=40).map(|step: i32| f64::from((step + 1) / 2 * 4 * if step % 2 == 0 { 1 } else { -1 }));
    let sides = rows.flat_map(move |dy| {
        [9.0, 20.0, 34.0]
            .into_iter()
            .flat_map(move |dx| [point.0 + dx, point.0 - dx - width].map(|left| at(left, point.1 + dy)))
    });
    let over_and_under = [-16.0, 16.0].map(|dy| at(point.0 - width / 2.0, point.1 + dy));
    sides.chain(over_and_under)
}

/// Heights as near to the wanted ones as a distance of `gap` between neighbours allows, within `top..bottom`.
pub(super) fn spread(wanted: &[f64], gap: f64, top: f64, bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    // Names that crowd each other form a block, which stands where its members wish on average.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for &index in &order {
        let mut block = (wanted[index].clamp(top, bottom), 1);
        while let Some(&(centre, size)) = blocks.last() {
            let reach = (size + block.1) as f64 / 2.0 * gap;
            if block.0 - centre >= reach {
                break;
            }
            blocks.pop();
            let whole = size + block.1;
            let mean = (centre * size as f64 + block.0 * block.1 as f64) / whole as f64;
            let half = (whole - 1) as f64 / 2.0 * gap;
            block = (mean.min(bottom - half).max(top + half), whole);
        }
        blocks.push(block);
    }
    let mut heights = vec![0.0; wanted.len()];
    let mut next = order.into_iter();
    for (centre, size) in blocks {
        let first = centre - (size - 1) as f64 / 2.0 * gap;
        for (place, index) in next.by_ref().take(size).enumerate() {
            heights[index] = first + place as f64 * gap;
        }
    }
    heights
}

impl Rect {
    pub(super) fn around(point: (f64, f64), radius: f64) -> Self {
        Self { left: point.0 - radius, top: point.1 - radius, right: point.0 + radius, bottom: point.1 + radius }
    }

    fn distance(&self, (x, y): (f64, f64)) -> f64 {
        let (dx, dy) = (x - x.clamp(self.left, self.right), y - y.clamp(self.top, self.bottom));
        dx.hypot(dy)
    }

    fn at_height_of(&self, other: &Self) -> Self {
        Self { top: other.top, bottom: other.bottom, ..*self }
    }

    fn of(plot: &Plot) -> Self {
        Self { left: plot.left, top: plot.top - 8.0, right: plot.right, bottom: plot.bottom }
    }

    fn area(&self) -> f64 {
        (self.right - self.left) * (self.bottom - self.top)
    }

    fn overlap(&self, other: &Self) -> f64 {
        let width = self.right.min(other.right) - self.left.max(other.left);
        let height = self.bottom.min(other.bottom) - self.top.max(other.top);
        width.max(0.0) * height.max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLOT: Plot = Plot { left: 0.0, top: 0.0, right: 500.0, bottom: 400.0 };

    #[test]
    fn names_of_points_in_one_place_do_not_cover_each_other() {
        let points = vec![(250.0, 200.0); 5];
        let names = vec!["plain@neighbours".to_owned(); 5];
        let placed = beside_points(&points, &names, 12.0, &[], &PLOT);
        for (place, one) in placed.iter().enumerate() {
            assert_eq!(one.rect.overlap(&Rect::around(points[0], 5.0)), 0.0);
            for other in &placed[..place] {
                assert_eq!(one.rect.overlap(&other.rect), 0.0);
            }
        }
    }

    #[test]
    fn points_that_are_hardly_told_apart_are_led_to() {
        let names = ["plain@gestalt", "plain@logit", "plain@prior"].map(str::to_owned);
        let placed = beside_points(&[(250.0, 200.0), (251.0, 203.0), (60.0, 60.0)], &names, 12.0, &[], &PLOT);
        let leaders: Vec<bool> = placed.iter().map(Placed::needs_leader).collect();
        assert_eq!(leaders, [true, true, false]);
    }

    #[test]
    fn a_name_at_the_edge_stays_inside() {
        let placed = beside_points(&[(498.0, 2.0)], &["reference".to_owned()], 12.0, &[], &PLOT);
        assert!(placed[0].rect.right <= PLOT.right);
    }

    #[test]
    fn crowded_heights_are_spread_in_order() {
        let heights = spread(&[50.0, 52.0, 51.0, 90.0], 15.0, 0.0, 100.0);
        assert_eq!(heights, vec![36.0, 66.0, 51.0, 90.0]);
    }

    #[test]
    fn heights_stay_within_their_bounds() {
        let heights = spread(&[99.0, 99.0, 99.0], 15.0, 0.0, 100.0);
        assert_eq!(heights, vec![70.0, 85.0, 100.0]);
    }
}
