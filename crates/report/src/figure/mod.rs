//! Figure data to SVG. Colours are CSS classes and variables, so that a drawing follows dark mode and print.

mod canvas;
mod clouds;
mod dots;
mod graph;
mod grouped;
mod heading;
mod heat;
mod heatmap;
mod histograms;
mod labels;
mod lines;
mod multiples;
mod numbers;
mod raster;
mod scale;
mod scatter;
mod slope;
mod stacked;
pub(crate) mod values;

pub use graph::graph_svg;
pub(crate) use graph::{inline_svg as inline_graph, paper_svgs};
pub(crate) use heading::page_line;
pub use numbers::figure_csv;
pub use raster::{Fonts, figure_png};

use canvas::Drawing;
pub(crate) use canvas::escape;
use std::fmt::Write as _;
use waterjar_core::{Chart, Figure};

/// What drawings need when they stand alone; the page holds the same sheets once for all of them.
const THEME: &str = include_str!("../../templates/theme.css");
const MARKS: &str = include_str!("../../templates/figure.css");
/// Panels in a row of a saved drawing.
const SIDE_BY_SIDE: usize = 4;
const GAP: f64 = 24.0;
const MARGIN: f64 = 12.0;
/// What a report has room for on a screen, and what beside another figure or panel.
const PAGE: f64 = 1072.0;
const HALF_PAGE: f64 = 524.0;
/// Narrower than this its heading would be a tower of words.
const NARROWEST: f64 = 320.0;

/// One SVG document that can be saved, opened and printed by itself: it says what it shows, and of which suite.
pub fn figure_svg(figure: &Figure, suite: &str) -> String {
    figure_document(figure, suite, &style_sheet())
}

fn figure_document(figure: &Figure, suite: &str, style: &str) -> String {
    let panels = panels(&figure.chart);
    let rows = || panels.chunks(SIDE_BY_SIDE);
    let height_of = |row: &[Drawing]| row.iter().map(|panel| panel.height).fold(0.0, f64::max);
    let widths = rows().map(|row| row.iter().map(|panel| panel.width + GAP).sum::<f64>() - GAP);
    let height = (rows().map(|row| height_of(row) + GAP).sum::<f64>() - GAP).max(0.0);
    let width = widths.fold(NARROWEST, f64::max);
    let line = heading::line(suite, &figure.chart);
    let head = heading::draw(&figure.title, &line, width);
    let foot = heading::foot(&figure.caption, width);
    let mut whole = Drawing::new(width + 2.0 * MARGIN, head.height + height + foot.height + 2.0 * MARGIN);
    whole.place(MARGIN, MARGIN, &head);
    let mut top = MARGIN + head.height;
    for row in rows() {
        let mut left = MARGIN;
        for panel in row {
            whole.place(left, top, panel);
            left += panel.width + GAP;
        }
        top += height_of(row) + GAP;
    }
    whole.place(MARGIN, MARGIN + head.height + height, &foot);
    let told = format!("{} {line}", figure.caption);
    document(kind_of(&figure.chart), &figure.title, told.trim_start(), &whole, style)
}

/// The drawing for a page that already has the style sheet: one SVG per panel, so that they can stack on a phone.
pub(crate) fn inline_svgs(figure: &Figure) -> Vec<String> {
    let kind = kind_of(&figure.chart);
    panels(&figure.chart).iter().map(|panel| document(kind, &figure.title, &figure.caption, panel, "")).collect()
}

/// Whether it takes the whole width of a page.
pub(crate) fn is_wide(figure: &Figure) -> bool {
    let panels = panels(&figure.chart);
    panels.len() > 1 || panels.iter().any(|panel| panel.width > HALF_PAGE + 1.0)
}

pub(crate) fn style_sheet() -> String {
    format!("{THEME}{MARKS}{}", heat::style_sheet())
}

fn panels(chart: &Chart) -> Vec<Drawing> {
    match chart {
        Chart::Heatmap { rows, columns, cells, .. } => heatmap::draw(rows, columns, cells),
        Chart::Scatter { x, y, points } => vec![scatter::draw(x, y, points)],
        Chart::Lines { x, y, steps, series } => vec![lines::draw(x, y, steps, series)],
        Chart::Stacked { parts, bars } => vec![stacked::draw(parts, bars)],
        Chart::Dots { x, rows } => vec![dots::draw(x, rows)],
        Chart::Slope { steps, ranks } => vec![slope::draw(steps, ranks)],
        Chart::Multiples { x, panels } => multiples::draw(x, panels),
        Chart::Clouds { x, y, clouds } => clouds::draw(x, y, clouds),
        Chart::Histograms { x, y, panels } => vec![histograms::draw(x, y, panels)],
        Chart::Grouped { x, series, groups } => vec![grouped::draw(x, series, groups)],
    }
}

fn kind_of(chart: &Chart) -> &'static str {
    match chart {
        Chart::Heatmap { .. } => "heatmap",
        Chart::Scatter { .. } => "scatter",
        Chart::Lines { .. } => "lines",
        Chart::Stacked { .. } => "stacked",
        Chart::Dots { .. } => "dots",
        Chart::Slope { .. } => "slope",
        Chart::Multiples { .. } => "multiples",
        Chart::Clouds { .. } => "clouds",
        Chart::Histograms { .. } => "histograms",
        Chart::Grouped { .. } => "grouped",
    }
}

fn document(kind: &str, title: &str, caption: &str, drawing: &Drawing, style: &str) -> String {
    let (width, height) = (canvas::px(drawing.width), canvas::px(drawing.height));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart {kind}\" role=\"img\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">"
    );
    let _ = write!(svg, "<title>{}</title><desc>{}</desc>", escape(title), escape(caption));
    if !style.is_empty() {
        let _ = write!(svg, "<style>{style}</style>");
        // A saved drawing brings its own paper, or dark ink would meet a dark viewer.
        let _ = write!(svg, "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>");
    }
    svg.push_str(drawing.body());
    svg.push_str("</svg>");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::figure::Cell;

    #[test]
    fn a_long_heatmap_becomes_panels_and_stays_one_document() {
        let figure = heatmap(75, 7);
        assert_eq!(inline_svgs(&figure).len(), 2);
        let alone = figure_svg(&figure, "einstellung");
        assert_eq!(alone.matches("<svg").count(), 1);
        assert_eq!(alone.matches("class=\"cell ").count(), 75 * 7);
    }

    #[test]
    fn a_saved_drawing_says_what_it_shows_and_one_on_a_page_leaves_that_to_the_page() {
        let figure = heatmap(2, 2);
        let alone = figure_svg(&figure, "einstellung");
        assert!(alone.contains(">Traps</text>"), "{alone}");
        assert!(alone.contains(">Suite einstellung · Bias trap rate · n\u{a0}4</text>"), "{alone}");
        assert!(alone.contains("<desc>Darker is worse. Suite einstellung · Bias trap rate"));
        assert!(alone.contains(">Darker is worse.</text>"), "{alone}");
        let inline = inline_svgs(&figure).concat();
        assert!(!inline.contains(">Traps</text>") && !inline.contains("Suite einstellung"), "{inline}");
        assert!(!inline.contains(">Darker is worse.</text>"), "{inline}");
    }

    #[test]
    fn what_half_a_page_does_not_hold_takes_the_whole_one() {
        assert!(!is_wide(&heatmap(2, 2)));
        assert!(is_wide(&heatmap(75, 2)), "two panels");
        assert!(is_wide(&heatmap(3, 20)), "many columns");
    }

    #[test]
    fn names_are_escaped_in_drawings() {
        let mut figure = heatmap(1, 1);
        figure.title = "<script>alert(1)</script>".to_owned();
        if let Chart::Heatmap { rows, columns, .. } = &mut figure.chart {
            rows[0] = "a<b & \"c\"".to_owned();
            columns[0] = "<script>".to_owned();
        }
        let svg = figure_svg(&figure, "einstellung");
        assert!(!svg.contains("<script"));
        assert!(svg.contains("a&lt;b &amp; &quot;c&quot;"));
    }

    #[test]
    fn a_heatmap_whose_cells_are_short_of_rows_is_drawn_with_gaps() {
        let mut figure = heatmap(3, 2);
        if let Chart::Heatmap { cells, .. } = &mut figure.chart {
            cells.truncate(1);
        }
        assert_eq!(figure_svg(&figure, "einstellung").matches("cell none").count(), 4);
    }

    fn heatmap(rows: usize, columns: usize) -> Figure {
        let cell = Some(Cell { value: 0.5, n: 4 });
        Figure {
            id: "traps".to_owned(),
            title: "Traps".to_owned(),
            caption: "Darker is worse.".to_owned(),
            chart: Chart::Heatmap {
                value: "Bias trap rate".to_owned(),
                rows: (0..rows).map(|row| format!("row {row}")).collect(),
                columns: (0..columns).map(|column| format!("c{column}")).collect(),
                cells: vec![vec![cell; columns]; rows],
            },
        }
    }
}
