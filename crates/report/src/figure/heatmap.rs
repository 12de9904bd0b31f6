//! Shares by row and column, the number printed in each cell. A cell that rests on few cases is hatched and says how many, or the legend does
//! where all of them have the same number.

use super::canvas::{Anchor, Drawing, fitted, px, width_of};
use super::values::share;
use super::{HALF_PAGE, PAGE, heat};
use std::fmt::Write as _;
use waterjar_core::figure::Cell;

/// Cells take the room there is; wider still, a row would fall apart.
const WIDEST_CELL: f64 = 72.0;
const NARROWEST_CELL: f64 = 40.0;
/// A share and an n side by side need more.
const NARROWEST_WITH_N: f64 = 60.0;
/// So little beyond half a page still leaves room for another panel.
const TOLERANCE: f64 = 8.0;
const ROW: f64 = 18.0;
const TEXT: f64 = 11.0;
/// As `.number` in the style sheet.
const NUMBER: f64 = 10.5;
/// Room for `Benign paroxysmal positional vertigo (BPPV)`.
const WIDEST_NAME: f64 = 290.0;
/// Beyond this a heatmap is drawn in two panels or more, each short enough for a printed page.
const ROWS_IN_ONE: usize = 24;
const ROWS_IN_PANEL: usize = 40;
const LEGEND: f64 = 44.0;
/// With few columns the legend is the widest part.
const LEGEND_WIDTH: f64 = 344.0;
/// Fewer cases than this leave nearly everything open: two of four have a Wilson interval from 15 to 85 %.
const ENOUGH: u64 = 5;
/// The stripes of a hatched patch: how wide, how far apart, how far they lean.
const STRIPE: (f64, f64, f64) = (3.0, 7.0, 6.0);

/// Rows in the order given, shared out over panels of equal length.
pub(super) fn draw(rows: &[String], columns: &[String], cells: &[Vec<Option<Cell>>]) -> Vec<Drawing> {
    let panels = match rows.len() {
        0..=ROWS_IN_ONE => 1,
        many => many.div_ceil(ROWS_IN_PANEL).max(2),
    };
    let length = rows.len().div_ceil(panels).max(1);
    let names = rows.iter().map(|row| width_of(row, TEXT)).fold(0.0, f64::max).min(WIDEST_NAME);
    let few = Few::of(cells);
    let layout = Layout::new(names, columns, few);
    (0..panels)
        .map(|panel| {
            let range = (panel * length).min(rows.len())..((panel + 1) * length).min(rows.len());
            let cells: Vec<&[Option<Cell>]> =
                range.clone().map(|row| cells.get(row).map_or(&[] as &[_], Vec::as_slice)).collect();
            let mut drawing = Drawing::new(layout.width, layout.height(length));
            header(&mut drawing, &layout, columns);
            body(&mut drawing, &layout, &rows[range], columns, &cells);
            // Printed, each may stand on a page of its own.
            legend(&mut drawing, &layout, length);
            drawing
        })
        .collect()
}

/// How cells that rest on few cases say on how many.
#[derive(Clone, Copy, PartialEq)]
enum Few {
    Nowhere,
    /// The legend says it once for all.
    Same(u64),
    /// Each says it itself.
    Different,
}

impl Few {
    fn of(cells: &[Vec<Option<Cell>>]) -> Self {
        let mut numbers = cells.iter().flatten().flatten().filter(|cell| is_few(cell)).map(|cell| cell.n);
        let Some(first) = numbers.next() else { return Self::Nowhere };
        if numbers.all(|n| n == first) { Self::Same(first) } else { Self::Different }
    }
}

struct Layout {
    left: f64,
    top: f64,
    width: f64,
    /// How wide a cell is, the gap to its neighbour included.
    cell: f64,
    few: Few,
}

impl Layout {
    fn new(names: f64, columns: &[String], few: Few) -> Self {
        let longest = columns.iter().map(|column| width_of(column, TEXT).min(WIDEST_NAME)).fold(0.0, f64::max);
        // Column names lean at 45 degrees: so far up, and so far out to the right of the last column.
        let lean = longest * std::f64::consts::FRAC_1_SQRT_2;
        let left = names + 10.0;
        let number = columns.len() as f64;
        let narrowest = if few == Few::Different { NARROWEST_WITH_N } else { NARROWEST_CELL };
        // The last name begins in the middle of its column.
        let fitting = |page: f64| (page - left - lean - 8.0) / (number - 0.5).max(0.5);
        // What does not fit beside another panel stands alone, and then need not be narrow.
        let page = if fitting(HALF_PAGE + TOLERANCE) < narrowest { PAGE } else { HALF_PAGE };
        let cell = fitting(page).clamp(narrowest, WIDEST_CELL);
        let width = left + number * cell + (lean - cell / 2.0).max(0.0) + 8.0;
        Self { left, top: lean + 14.0, width: width.max(LEGEND_WIDTH), cell, few }
    }

    fn height(&self, rows: usize) -> f64 {
        self.top + rows as f64 * ROW + LEGEND
    }

    fn corner(&self, row: usize, column: usize) -> (f64, f64) {
        (self.left + column as f64 * self.cell, self.top + row as f64 * ROW)
    }
}

fn header(drawing: &mut Drawing, layout: &Layout, columns: &[String]) {
    for (column, name) in columns.iter().enumerate() {
        let (x, y) = layout.corner(0, column);
        let at = (x + layout.cell / 2.0 + 3.0, y - 6.0);
        let name = fitted(name, TEXT, WIDEST_NAME);
        drawing.turned_text("small", at, Anchor::Start, -45.0, &name);
    }
}

fn body(drawing: &mut Drawing, layout: &Layout, rows: &[String], columns: &[String], cells: &[&[Option<Cell>]]) {
    for (row, name) in rows.iter().enumerate() {
        let (x, y) = layout.corner(row, 0);
        let baseline = y + ROW / 2.0 + TEXT * 0.36;
        let shown = fitted(name, TEXT, WIDEST_NAME);
        drawing.text("small", (x - 8.0, baseline), Anchor::End, &shown);
        for (column, subject) in columns.iter().enumerate() {
            let (x, y) = layout.corner(row, column);
            let cell = cells[row].get(column).copied().flatten();
            let centre = (x + layout.cell / 2.0, baseline);
            let size = (layout.cell - 1.0, ROW - 1.0);
            match cell.filter(|cell| cell.value.is_finite()) {
                Some(cell) if is_few(&cell) => {
                    let tip = format!("{name}, {subject}: {}, n {}, few cases", share(cell.value), cell.n);
                    hatched(drawing, "cell few", &heat::class(cell.value), (x, y), size, &tip);
                    write_few(drawing, layout.few, &cell, centre);
                }
                Some(cell) => {
                    let heat = heat::class(cell.value);
                    let tip = format!("{name}, {subject}: {}, n {}", share(cell.value), cell.n);
                    drawing.rect(&format!("cell {heat}"), (x, y), size, &tip);
                    let number = px((cell.value * 100.0).round());
                    drawing.text(&format!("number on-{heat}"), centre, Anchor::Middle, &number);
                }
                None => {
                    let tip = format!("{name}, {subject}: no cases");
                    drawing.rect("cell none", (x, y), size, &tip);
                    drawing.text("number quiet", centre, Anchor::Middle, "·");
                }
            }
        }
    }
}

/// On ground of its own: no ink can be read on stripes.
fn write_few(drawing: &mut Drawing, few: Few, cell: &Cell, (x, baseline): (f64, f64)) {
    const GAP: f64 = 5.0;
    const MARGIN: f64 = 3.0;
    let number = px((cell.value * 100.0).round());
    let n = format!("n {}", cell.n);
    // As wide as the widest number, so that the numbers of a column stand below each other.
    let number_width = width_of("100", NUMBER);
    let width = match few {
        Few::Different => number_width + GAP + width_of(&n, NUMBER),
        Few::Nowhere | Few::Same(_) => number_width,
    };
    let corner = (x - width / 2.0 - MARGIN, baseline - 11.0);
    drawing.rect("ground", corner, (width + 2.0 * MARGIN, ROW - 5.0), "");
    if few == Few::Different {
        let left = x - width / 2.0;
        drawing.text("number", (left + number_width, baseline), Anchor::End, &number);
        drawing.text("number quiet", (left + number_width + GAP, baseline), Anchor::Start, &n);
    } else {
        drawing.text("number", (x, baseline), Anchor::Middle, &number);
    }
}

/// Stripes in the colour of the value on bare paper. Drawn one by one, because a pattern would need a name of its own on a page with
/// many drawings.
fn hatched(drawing: &mut Drawing, class: &str, heat: &str, (x, y): (f64, f64), size: (f64, f64), tip: &str) {
    drawing.rect(class, (x, y), size, tip);
    let (thick, step, lean) = STRIPE;
    let mut stripes = String::new();
    let mut left = x + 1.0;
    while left + thick + lean <= x + size.0 {
        let (top, bottom) = (px(y), px(y + size.1));
        let [a, b, c, d] = [left, left + thick, left + thick + lean, left + lean].map(px);
        let _ = write!(stripes, "M{a} {bottom}L{b} {bottom}L{c} {top}L{d} {top}z");
        left += step;
    }
    drawing.path(&format!("stripes {heat}"), &stripes, "");
}

fn is_few(cell: &Cell) -> bool {
    cell.n < ENOUGH
}

fn legend(drawing: &mut Drawing, layout: &Layout, rows: usize) {
    let (below, y) = layout.corner(rows, 0);
    let x = below.min(layout.width - LEGEND_WIDTH);
    let (top, patch) = (y + 14.0, 14.0);
    let mut right = x;
    for (_, class) in heat::steps() {
        drawing.rect(&class, (right, top), (patch, 9.0), "");
        right += patch;
    }
    let baseline = top + 22.0;
    drawing.text("small quiet", (x, baseline), Anchor::Start, "0 %");
    drawing.text("small quiet", (right, baseline), Anchor::End, "100 %");
    let beside = (right + 12.0, top + 9.0);
    drawing.text("small quiet", beside, Anchor::Start, "percent; · no cases");
    let told = match layout.few {
        Few::Nowhere => return,
        Few::Same(n) => format!("fewer than {ENOUGH} cases: n {n}"),
        Few::Different => format!("fewer than {ENOUGH} cases"),
    };
    let (left, top) = (beside.0, beside.1 + 4.0);
    hatched(drawing, "few", &heat::class(0.5), (left, top), (24.0, 11.0), "");
    drawing.text("small quiet", (left + 30.0, baseline), Anchor::Start, &told);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_from_few_cases_is_hatched_and_says_how_many() {
        let svg = drawn(&[4, 1, 5]);
        assert_eq!(svg.matches("class=\"cell few\"").count(), 2);
        assert_eq!(svg.matches("class=\"stripes h5\"").count(), 3, "the cells and the legend: {svg}");
        assert!(svg.contains(">n 4<") && svg.contains(">n 1<") && !svg.contains(">n 5<"));
        assert!(svg.contains("pneumonia, s0: 50.0\u{a0}%, n 4, few cases"));
        assert!(svg.contains(">fewer than 5 cases<"));
    }

    #[test]
    fn where_all_few_cells_have_the_same_n_the_legend_says_it_once() {
        let svg = drawn(&[1, 1, 5]);
        assert_eq!(svg.matches("class=\"cell few\"").count(), 2);
        assert!(svg.contains(">fewer than 5 cases: n 1<") && !svg.contains(">n 1<"), "{svg}");
    }

    #[test]
    fn numbers_of_few_cases_stand_on_paper_clear_of_the_border() {
        for (numbers, narrowest) in [([1, 4], NARROWEST_WITH_N), ([1, 1], NARROWEST_CELL)] {
            let svg = drawn(&numbers);
            let ground = svg.split("class=\"ground\"").nth(1).expect("ground below the number");
            let field = |key: &str| -> f64 {
                ground.split_once(&format!(" {key}=\"")).unwrap().1.split('"').next().unwrap().parse().unwrap()
            };
            assert!(field("width") + 10.0 < narrowest - 1.0, "{} in {narrowest}", field("width"));
            assert!(field("height") < ROW - 1.0);
        }
    }

    #[test]
    fn cells_take_the_room_of_half_a_page_or_else_of_a_whole_one() {
        let width = |columns: usize, few: Few| {
            let columns: Vec<String> = (0..columns).map(|column| format!("plain@reader-{column}")).collect();
            let layout = Layout::new(120.0, &columns, few);
            (layout.cell, layout.width)
        };
        assert_eq!(width(1, Few::Nowhere).0, WIDEST_CELL);
        let (cell, whole) = width(6, Few::Nowhere);
        assert!(cell > NARROWEST_CELL && cell < WIDEST_CELL && (whole - HALF_PAGE).abs() < 1.0, "{cell} {whole}");
        let (cell, whole) = width(8, Few::Different);
        assert!(cell == WIDEST_CELL && whole > HALF_PAGE && whole < PAGE, "alone on the page: {cell} {whole}");
        assert_eq!(width(30, Few::Nowhere).0, NARROWEST_CELL, "beyond that one scrolls");
    }

    #[test]
    fn every_panel_says_what_its_colours_are() {
        let rows: Vec<String> = (0..100).map(|row| format!("condition {row}")).collect();
        let cells = vec![vec![Some(Cell { value: 0.5, n: 9 })]; rows.len()];
        let panels = draw(&rows, &["plain@a".to_owned()], &cells);
        assert_eq!(panels.len(), 3);
        assert!(panels.iter().all(|panel| panel.body().contains(">percent; · no cases<")));
    }

    #[test]
    fn where_every_cell_has_enough_the_legend_does_not_speak_of_few() {
        let svg = drawn(&[5, 60]);
        assert!(!svg.contains("stripes") && !svg.contains("fewer than"), "{svg}");
    }

    #[test]
    fn stripes_stay_inside_their_cell() {
        let mut drawing = Drawing::new(100.0, 100.0);
        hatched(&mut drawing, "few", "h5", (10.0, 20.0), (39.0, 17.0), "");
        let (_, path) = drawing.body().split_once(" d=\"").unwrap();
        let numbers = path.split(['M', 'L', 'z', '"', '>']).filter_map(|it| it.split_once(' '));
        let corners: Vec<(f64, f64)> = numbers.filter_map(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?))).collect();
        assert_eq!(corners.len(), 5 * 4);
        assert!(corners.iter().all(|(x, y)| (10.0..=49.0).contains(x) && (20.0..=37.0).contains(y)), "{corners:?}");
    }

    fn drawn(numbers: &[u64]) -> String {
        let columns: Vec<String> = (0..numbers.len()).map(|column| format!("s{column}")).collect();
        let cells: Vec<Option<Cell>> = numbers.iter().map(|&n| Some(Cell { value: 0.5, n })).collect();
        draw(&["pneumonia".to_owned()], &columns, &[cells])[0].body().to_owned()
    }
}
