//! Tables that a page prints below a command, against what the command prints.

/// The rows of a table that are not printed so. Headings may be broken and columns left out; what stands in a row must be there in its order.
pub fn wrong(text: &str, output: &str) -> Vec<String> {
    let printed: Vec<Vec<&str>> = output.lines().filter_map(row).collect();
    let is_printed = |told: Vec<&str>| printed.iter().any(|it| is_part(&told, it));
    text.lines().filter(|line| row(line).is_some_and(|told| !is_printed(told))).map(str::to_owned).collect()
}

/// A name and figures, two blanks or more apart.
fn row(line: &str) -> Option<Vec<&str>> {
    let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|it| !it.is_empty()).collect();
    let is_figure = |cell: &&str| cell.starts_with(|first: char| first.is_ascii_digit() || first == '–');
    (cells.len() > 1 && cells[1..].iter().all(is_figure)).then_some(cells)
}

fn is_part(told: &[&str], printed: &[&str]) -> bool {
    let mut rest = printed.iter();
    told.first() == printed.first() && told.iter().all(|cell| rest.any(|it| it == cell))
}

#[test]
fn a_row_that_is_printed_otherwise_is_told() {
    let output = "suite    flips  asked twice     families  missing\nplain@a  28.1 (6.5–63.7)  0.0 (≤35.4)  32  0\n";
    let narrowed = "          flips            asked\nsuite    of all            twice   families\nplain@a  28.1 (6.5–63.7)  0.0 (≤35.4)  32\n";
    assert_eq!(wrong(narrowed, output), Vec::<String>::new());
    for other in ["plain@a  28.1 ±24.7  0.0 (≤35.4)  32", "plain@a  0.0 (≤35.4)  28.1 (6.5–63.7)", "plain@b  32"]
    {
        assert_eq!(wrong(other, output), [other]);
    }
    assert_eq!(wrong("case,vignette\n…\n", output), Vec::<String>::new(), "what is no table is left alone");
}
