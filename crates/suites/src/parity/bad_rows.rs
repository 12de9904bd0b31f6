//! What is wrong with a file of vignettes, told at once: whoever mends it need not start again after every row.

use waterjar_core::SourceError;
use waterjar_vignettes::import::BadRow;

/// Problems told one by one; a file with more is the wrong file, or has one mistake in every row.
const TOLD: usize = 10;

/// Other lines with the same problem that are named: enough to see what they have in common.
const NAMED: usize = 3;

/// One problem, the line it was seen on first, the next ones, and in how many rows more.
struct Problem {
    line: u64,
    text: String,
    also: Vec<u64>,
    more: u64,
}

impl Problem {
    fn new(row: BadRow) -> Self {
        Self { line: row.line, text: row.problem, also: Vec::new(), more: 0 }
    }

    fn seen_again(&mut self, line: u64) {
        if self.also.len() < NAMED {
            self.also.push(line);
        } else {
            self.more += 1;
        }
    }

    /// ` (also lines 15, 20, 25 and 96 more)`
    fn elsewhere(&self) -> String {
        let mut places: Vec<String> = self.also.iter().map(u64::to_string).collect();
        places.extend((self.more > 0).then(|| format!("{} more", self.more)));
        match places.split_last() {
            None => String::new(),
            Some((only, [])) => format!(" (also line {only})"),
            Some((last, others)) => format!(" (also lines {} and {last})", others.join(", ")),
        }
    }
}

/// All bad rows as one error, at the line of the first.
pub(super) fn told(file: &str, first: BadRow, others: impl Iterator<Item = BadRow>) -> SourceError {
    let mut problems = vec![Problem::new(first)];
    let mut rest = 0_u64;
    for row in others {
        let told = problems.iter().position(|it| it.text == row.problem);
        match told {
            Some(same) => problems[same].seen_again(row.line),
            None if problems.len() < TOLD => problems.push(Problem::new(row)),
            None => rest += 1,
        }
    }
    let line = problems[0].line;
    let mut lines: Vec<String> = Vec::new();
    for (at, problem) in problems.iter().enumerate() {
        let place = if at == 0 { String::new() } else { format!("  line {}: ", problem.line) };
        lines.push(format!("{place}{}{}", problem.text, problem.elsewhere()));
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
    fn rows_with_the_same_mistake_are_named_and_counted() {
        check(&[(2, "a"), (3, "a"), (4, "a")], "c.csv, line 2: a (also lines 3 and 4)");
        check(&[(2, "a"), (4, "b"), (5, "a")], "c.csv, line 2: a (also line 5)\n  line 4: b");
        check(&[(2, "a"), (4, "a"), (6, "a"), (8, "a")], "c.csv, line 2: a (also lines 4, 6 and 8)");
        let many: Vec<(u64, &str)> = (2..=101).map(|at| (5 * at, "a")).collect();
        check(&many, "c.csv, line 10: a (also lines 15, 20, 25 and 96 more)");
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
