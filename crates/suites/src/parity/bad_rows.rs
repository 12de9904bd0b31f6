//! What is wrong with a file of vignettes, told at once: whoever mends it need not start again after every row.

use waterjar_core::SourceError;
use waterjar_vignettes::import::BadRow;

/// Problems told one by one; a file with more is the wrong file, or has one mistake in every row.
const TOLD: usize = 10;

/// One problem, the line it was seen on first, and in how many rows more.
struct Problem {
    line: u64,
    text: String,
    more: u64,
}

/// All bad rows as one error, at the line of the first.
pub(super) fn told(file: &str, first: BadRow, others: impl Iterator<Item = BadRow>) -> SourceError {
    let mut problems = vec![Problem { line: first.line, text: first.problem, more: 0 }];
    let mut rest = 0_u64;
    for row in others {
        let told = problems.iter().position(|it| it.text == row.problem);
        match told {
            Some(same) => problems[same].more += 1,
            None if problems.len() < TOLD => problems.push(Problem { line: row.line, text: row.problem, more: 0 }),
            None => rest += 1,
        }
    }
    let line = problems[0].line;
    let mut lines: Vec<String> = Vec::new();
    for (at, Problem { line, text, more }) in problems.iter().enumerate() {
        let place = if at == 0 { String::new() } else { format!("  line {line}: ") };
        let more = match more {
            0 => String::new(),
            1 => " (and in 1 row more)".to_owned(),
            n => format!(" (and in {n} rows more)"),
        };
        lines.push(format!("{place}{text}{more}"));
    }
    if rest > 0 {
        lines.push(format!("  and {rest} more"));
    }
    SourceError::new(format!("{file}, line {line}"), lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: &[(u64, &str)], says: &str) {
        let mut rows =
            rows.iter().map(|(line, problem)| BadRow { file: "c.csv".into(), line: *line, problem: (*problem).into() });
        let first = rows.next().unwrap();
        assert_eq!(told("c.csv", first, rows).to_string(), says);
    }

    #[test]
    fn one_bad_row_is_one_line() {
        check(&[(3, "`text` is empty")], "c.csv, line 3: `text` is empty");
    }

    #[test]
    fn rows_with_the_same_mistake_are_counted() {
        check(
            &[(2, "has no column `text`"), (3, "has no column `text`"), (4, "has no column `text`")],
            "c.csv, line 2: has no column `text` (and in 2 rows more)",
        );
        check(&[(2, "a"), (4, "b"), (5, "a")], "c.csv, line 2: a (and in 1 row more)\n  line 4: b");
    }

    #[test]
    fn ten_are_told_and_the_rest_are_counted() {
        let problems: Vec<String> = (0..22).map(|at| format!("the id `{at}` is there twice")).collect();
        let rows: Vec<(u64, &str)> = (2..).zip(problems.iter().map(String::as_str)).collect();
        let told: Vec<String> =
            rows[1..10].iter().map(|(line, problem)| format!("\n  line {line}: {problem}")).collect();
        check(&rows, &format!("c.csv, line 2: {}{}\n  and 12 more", problems[0], told.concat()));
    }
}
