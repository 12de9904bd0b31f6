//! Tables for papers. A wide or a long one is told in parts, and what is still wider than the line is made narrower.

use super::Tabled;
use super::grid::{Cell, Grid, Row, grids};
use crate::number::Printed;
use crate::parts::parts;
use std::fmt::Write as _;
use std::ops::Range;

const PACKAGES: &str = "\
% Put into the preamble:
%   \\usepackage{booktabs} % the rules
%   \\usepackage{graphicx} % narrows a table that is wider than the line
";
/// Beside the names, seven columns of this type fill a page of one column.
const MOST_COLUMNS: usize = 7;
/// Of two lines each, with caption and head: a page of the class `article`, on either paper, holds some more.
const MOST_ROWS: usize = 22;
/// A longer head takes a second line: the numbers below are shorter than it.
const HEAD_LETTERS: usize = 13;
/// Only where it is too wide: a narrow table would be enlarged otherwise.
const FIT: &str = "\\resizebox{\\ifdim\\width>\\linewidth \\linewidth\\else \\width\\fi}{!}{%";

/// A caption that stands above: the classes leave room below a figure instead.
const CAPTION_ABOVE: &str = "\\setlength{\\abovecaptionskip}{0pt}\\setlength{\\belowcaptionskip}{6pt}";

/// The main table, then one per metric with strata; each part of a wide one names its rows again, of a long one its columns. The best values are bold; references stand below a rule.
/// Results of one suite; a paper has several, and their captions and labels have to differ.
pub fn latex(tabled: &Tabled<'_>, study: &str) -> String {
    let mut text = PACKAGES.to_owned();
    let suite = tabled.results.first().map_or("", |result| result.suite.as_str());
    for grid in grids(tabled) {
        let columns = parts(grid.head.len().saturating_sub(1), MOST_COLUMNS);
        let parts: Vec<Part> = parts(grid.rows.len(), MOST_ROWS)
            .into_iter()
            .flat_map(|rows| columns.iter().map(move |columns| Part { rows: rows.clone(), columns: columns.clone() }))
            .collect();
        for (place, part) in parts.iter().enumerate() {
            let title = match parts.len() {
                1 => grid.title.clone(),
                several => format!("{} ({} of {several})", grid.title, place + 1),
            };
            let caption = format!("Suite {suite}, study {study}: {title}");
            let label = format!("tab:{suite}-{}-{}", grid.id, place + 1);
            text.push_str(&table(&grid, &caption, &label, part));
        }
    }
    text
}

/// What is on one page.
struct Part {
    rows: Range<usize>,
    columns: Range<usize>,
}

fn table(grid: &Grid, caption: &str, label: &str, part: &Part) -> String {
    let Part { rows, columns } = part;
    let numbers = "r".repeat(columns.len());
    let names = grid.head.iter().take(1).map(|name| escaped(name));
    let heads = grid.head.iter().skip(1 + columns.start).take(columns.len()).map(|name| head(name));
    let head: Vec<String> = names.chain(heads).collect();
    let mut text = String::new();
    let _ = write!(
        text,
        "\n\\begin{{table}}\n\\centering\\small\\setlength{{\\tabcolsep}}{{4pt}}{CAPTION_ABOVE}\n\
         \\caption{{{}. 95\\,\\% intervals in brackets below.}}\n\\label{{{label}}}\n\
         {FIT}\n\\begin{{tabular}}{{l{numbers}}}\n\\toprule\n{} \\\\\n\\midrule\n",
        escaped(caption),
        head.join(" & ")
    );
    for (place, row) in grid.rows.iter().enumerate().take(rows.end).skip(rows.start) {
        if place > rows.start && grid.first_reference == Some(place) {
            text.push_str("\\midrule\n");
        }
        text.push_str(&lines(grid, row, columns));
    }
    text.push_str("\\bottomrule\n\\end{tabular}}\n");
    if let Some(legend) = &grid.legend {
        let _ = writeln!(text, "\\par\\smallskip\\parbox{{\\linewidth}}{{\\footnotesize {}}}", escaped(legend));
    }
    text.push_str("\\end{table}\n");
    text
}

/// On two lines or three where one would be wider than the numbers. A unit or an arrow stays with its word.
fn head(name: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in name.split_whitespace() {
        let letters = word.chars().count();
        match lines.last_mut() {
            Some(line) if letters == 1 || line.chars().count() + 1 + letters <= HEAD_LETTERS => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
    match lines.as_slice() {
        [line] => line.clone(),
        lines => format!("\\begin{{tabular}}[b]{{@{{}}r@{{}}}}{}\\end{{tabular}}", lines.join("\\\\")),
    }
}

/// Values on one line and their intervals below: side by side they would be too wide for a page.
fn lines(grid: &Grid, row: &Row, columns: &Range<usize>) -> String {
    let placed = || row.cells.iter().enumerate().skip(columns.start).take(columns.len());
    let cells = || placed().map(|(_, cell)| cell);
    let values = cells().map(|cell| match cell {
        Cell::Count(number) => number.to_string(),
        Cell::Nothing => "--".to_owned(),
        Cell::Value { printed, best: true } => format!("\\textbf{{{}}}", math(&printed.value)),
        Cell::Value { printed, .. } => math(&printed.value),
    });
    let intervals = placed().map(|(column, cell)| match cell {
        Cell::Value { printed, .. } => below(printed, grid.n(column, printed)),
        Cell::Count(_) | Cell::Nothing => String::new(),
    });
    let joined = |cells: Vec<String>| cells.join(" & ");
    // A little room after an interval, so that it is seen to belong to the value above it.
    let (name, values, intervals) = (escaped(&row.name), joined(values.collect()), joined(intervals.collect()));
    format!("{name} & {values} \\\\\n & {intervals} \\\\[2pt]\n")
}

/// `[41.9, 52.8], n 29`
fn below(printed: &Printed, n: Option<u64>) -> String {
    let interval = printed.interval.as_ref().map(|(low, high)| format!("[{}, {}]", math(low), math(high)));
    let parts: Vec<String> = interval.into_iter().chain(n.map(|n| format!("$n$~{n}"))).collect();
    match parts.is_empty() {
        true => String::new(),
        false => format!("{{\\scriptsize {}}}", parts.join(", ")),
    }
}

/// A hyphen in front of a number is not a minus sign.
fn math(number: &str) -> String {
    match number.strip_prefix('-') {
        Some(rest) => format!("$-${rest}"),
        None => number.to_owned(),
    }
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => safe.push_str("\\textbackslash{}"),
            '~' => safe.push_str("\\textasciitilde{}"),
            '^' => safe.push_str("\\textasciicircum{}"),
            '<' => safe.push_str("\\textless{}"),
            '>' => safe.push_str("\\textgreater{}"),
            '|' => safe.push_str("\\textbar{}"),
            // The straight mark is not in the encoding that LaTeX starts with.
            '"' => safe.push_str("''"),
            '–' => safe.push_str("--"),
            '−' => safe.push_str("$-$"),
            '↑' => safe.push_str("$\\uparrow$"),
            '↓' => safe.push_str("$\\downarrow$"),
            '→' => safe.push_str("$\\rightarrow$"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                safe.push('\\');
                safe.push(c);
            }
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}
