//! What a saved drawing says of itself. On a page the title and the caption stand beside it; a file is passed on without them.

use super::canvas::{Anchor, Drawing, wrapped};
use crate::number::{NO_BREAK, count};
use waterjar_core::Chart;
use waterjar_core::figure::Estimate;

const TITLE: f64 = 15.0;
const TITLE_LINE: f64 = 20.0;
/// Bold letters are wider than the estimate takes them to be.
const BOLD: f64 = 1.08;
const SMALL: f64 = 11.0;
const SMALL_LINE: f64 = 15.0;
const BELOW: f64 = 14.0;
const ABOVE_CAPTION: f64 = 12.0;
/// Beyond this the eye does not find the next line.
const LONGEST_LINE: f64 = 640.0;

/// The title, and below it what the figures are and where they are from.
pub(super) fn draw(title: &str, line: &str, width: f64) -> Drawing {
    let (titles, lines) = (wrapped(title, TITLE * BOLD, width), wrapped(line, SMALL, width));
    let height = titles.len() as f64 * TITLE_LINE + lines.len() as f64 * SMALL_LINE + BELOW;
    let mut drawing = Drawing::new(width, height);
    let mut y = 0.0;
    for title in &titles {
        y += TITLE_LINE;
        drawing.text("heading", (0.0, y - 5.0), Anchor::Start, title);
    }
    for line in &lines {
        y += SMALL_LINE;
        drawing.text("small quiet", (0.0, y - 3.0), Anchor::Start, line);
    }
    drawing
}

/// The caption, to stand below: without it many a figure is a riddle.
pub(super) fn foot(caption: &str, width: f64) -> Drawing {
    let lines = wrapped(caption, SMALL, width.min(LONGEST_LINE));
    let height = if lines.is_empty() { 0.0 } else { ABOVE_CAPTION + lines.len() as f64 * SMALL_LINE };
    let mut drawing = Drawing::new(width, height);
    let mut y = ABOVE_CAPTION;
    for line in &lines {
        y += SMALL_LINE;
        drawing.text("small", (0.0, y - 3.0), Anchor::Start, line);
    }
    drawing
}

/// `Suite einstellung · Bias trap rate · n 29 to 316 · 95 % intervals`
pub(super) fn line(suite: &str, chart: &Chart) -> String {
    std::iter::once(format!("Suite {suite}")).chain(parts(chart)).collect::<Vec<_>>().join(" · ")
}

/// The same for a page, which names the suite above.
pub(crate) fn page_line(chart: &Chart) -> String {
    parts(chart).join(" · ")
}

fn parts(chart: &Chart) -> Vec<String> {
    let estimates = estimates(chart);
    let numbers = numbers(chart, &estimates);
    let mut parts: Vec<String> = Some(metric(chart)).filter(|it| !it.is_empty()).into_iter().collect();
    if let (Some(fewest), Some(most)) = (numbers.iter().min(), numbers.iter().max()) {
        parts.push(match fewest == most {
            true => format!("n{NO_BREAK}{}", count(*most)),
            false => format!("n{NO_BREAK}{} to {}", count(*fewest), count(*most)),
        });
    }
    // Where both ends are the value itself, none was worked out; parts of a bar lie on each other, so theirs are not drawn.
    let is_stacked = matches!(chart, Chart::Stacked { .. });
    if !is_stacked && estimates.iter().any(|it| it.low < it.high) {
        parts.push(format!("95{NO_BREAK}% intervals"));
    }
    parts
}

fn metric(chart: &Chart) -> String {
    match chart {
        Chart::Heatmap { value, .. } => value.clone(),
        Chart::Scatter { x, y, .. } | Chart::Clouds { x, y, .. } => format!("{} against {}", x.label, y.label),
        Chart::Lines { y, .. } => y.label.clone(),
        Chart::Dots { x, .. } | Chart::Multiples { x, .. } | Chart::Histograms { x, .. } | Chart::Grouped { x, .. } => {
            x.label.clone()
        }
        Chart::Stacked { .. } => "share of each part".to_owned(),
        Chart::Slope { steps: [one, other], .. } => format!("rank by {one} and by {other}"),
    }
}

/// How many cases the values rest on.
fn numbers(chart: &Chart, estimates: &[Estimate]) -> Vec<u64> {
    match chart {
        Chart::Heatmap { cells, .. } => cells.iter().flatten().flatten().map(|cell| cell.n).collect(),
        Chart::Clouds { clouds, .. } => {
            clouds.iter().map(|cloud| cloud.spots.iter().map(|spot| spot.n).sum::<u64>()).collect()
        }
        Chart::Histograms { panels, .. } => panels.iter().map(|panel| panel.n).filter(|n| *n > 0).collect(),
        _ => estimates.iter().map(|it| it.n).collect(),
    }
}

fn estimates(chart: &Chart) -> Vec<Estimate> {
    match chart {
        Chart::Heatmap { .. } | Chart::Clouds { .. } | Chart::Histograms { .. } => Vec::new(),
        Chart::Scatter { points, .. } => points.iter().flat_map(|point| [point.x, point.y]).collect(),
        Chart::Lines { series, .. } => series.iter().flat_map(|one| one.values.iter().flatten().copied()).collect(),
        Chart::Dots { rows, .. } => rows.iter().map(|row| row.value).collect(),
        Chart::Stacked { bars, .. } => bars.iter().flat_map(|bar| bar.shares.iter().flatten().copied()).collect(),
        Chart::Slope { ranks, .. } => ranks.iter().flat_map(|it| it.places).collect(),
        Chart::Multiples { panels, .. } => {
            panels.iter().flat_map(|panel| panel.rows.iter().map(|row| row.value)).collect()
        }
        Chart::Grouped { groups, .. } => {
            groups.iter().flat_map(|group| group.values.iter().flatten().copied()).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::figure::{Axis, Bar, Cell, Cloud, Dot, Histogram, Spot};

    #[test]
    fn suite_metric_n_and_interval_are_one_line() {
        let dot = |n: u64, low: f64| Dot {
            label: "plain@a".to_owned(),
            value: Estimate { value: 0.5, low, high: 0.5, n },
            reference: false,
        };
        let dots = |rows: Vec<Dot>| Chart::Dots { x: Axis::share("Bias trap rate"), rows };
        check(
            &dots(vec![dot(1316, 0.4), dot(29, 0.3)]),
            "Suite einstellung · Bias trap rate · n 29 to 1,316 · 95 % intervals",
        );
        check(&dots(vec![dot(29, 0.5)]), "Suite einstellung · Bias trap rate · n 29");
        check(&dots(Vec::new()), "Suite einstellung · Bias trap rate");
    }

    #[test]
    fn stacked_bars_do_not_claim_intervals_that_nobody_draws() {
        let share = Some(Estimate { value: 0.5, low: 0.4, high: 0.6, n: 29 });
        let bar = Bar { label: "plain@a".to_owned(), shares: vec![share, share] };
        let stacked =
            Chart::Stacked { parts: vec!["blindness".to_owned(), "overthinking".to_owned()], bars: vec![bar] };
        check(&stacked, "Suite einstellung · share of each part · n 29");
    }

    #[test]
    fn cells_and_spots_have_numbers_and_no_interval() {
        let cells = vec![vec![Some(Cell { value: 0.5, n: 3 }), None, Some(Cell { value: 0.1, n: 12 })]];
        let names = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<Vec<String>>();
        let heat = Chart::Heatmap {
            value: "Bias trap rate".to_owned(),
            rows: names(&["Pericarditis"]),
            columns: names(&["a", "b", "c"]),
            cells,
        };
        check(&heat, "Suite einstellung · Bias trap rate · n 3 to 12");
        let spot = |n: u64| Spot { x: 0.5, y: 0.5, n };
        let cloud = Cloud { title: "plain@a".to_owned(), spots: vec![spot(40), spot(23)] };
        let clouds = Chart::Clouds { x: Axis::share("CMS"), y: Axis::share("CSS"), clouds: vec![cloud] };
        check(&clouds, "Suite einstellung · CMS against CSS · n 63");
    }

    #[test]
    fn histograms_have_the_number_of_their_values_where_it_is_known() {
        let panel = |n: u64| Histogram { title: String::new(), n, columns: Vec::new(), mark: None, band: None };
        let drawn = |numbers: &[u64]| Chart::Histograms {
            x: Axis::share("STS"),
            y: "Share of pairs".to_owned(),
            panels: numbers.iter().map(|&n| panel(n)).collect(),
        };
        check(&drawn(&[389, 1200]), "Suite einstellung · STS · n 389 to 1,200");
        check(&drawn(&[0, 0]), "Suite einstellung · STS");
    }

    #[test]
    fn a_caption_is_told_whole_on_lines_that_fit() {
        let caption = "The findings without which the reasonings become less alike, the largest loss first. Shares are of the three pairings.";
        let told = |width: f64| {
            let foot = foot(caption, width);
            let lines: Vec<String> = foot
                .body()
                .split("</text>")
                .filter_map(|it| it.rsplit_once('>'))
                .map(|(_, line)| line.to_owned())
                .collect();
            (foot.height, lines)
        };
        let ((tall, many), (low, few)) = (told(320.0), told(2000.0));
        assert_eq!((many.join(" "), few.join(" ")), (caption.to_owned(), caption.to_owned()));
        assert!(many.len() > few.len() && tall > low && few.len() > 1, "{many:?} {few:?}");
        assert_eq!(foot("", 320.0).height, 0.0);
    }

    #[test]
    fn a_heading_takes_as_many_lines_as_it_needs() {
        let title = "In what unlike reasonings of plain@a-model-with-a-long-name differ from each other";
        let (narrow, wide) = (draw(title, "Suite parity", 320.0), draw(title, "Suite parity", 1200.0));
        assert_eq!(wide.body().matches("class=\"heading\"").count(), 1);
        assert!(narrow.body().matches("class=\"heading\"").count() > 1 && narrow.height > wide.height);
    }

    fn check(chart: &Chart, expected: &str) {
        assert_eq!(line("einstellung", chart).replace(NO_BREAK, " "), expected);
        let on_page = page_line(chart).replace(NO_BREAK, " ");
        assert_eq!(format!("Suite einstellung · {on_page}"), expected, "a page names the suite above");
    }
}
