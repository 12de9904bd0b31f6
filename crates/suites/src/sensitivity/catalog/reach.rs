//! How much of a text a backtracking pattern may read: known before it runs, so that it is refused rather than waited for, and the
//! same on every machine.

use fancy_regex::{Assertion, Expr};
use regex::Regex;

/// Letters that one pattern may read in one text. A chart of 80,000 letters in lines of 300 takes 24 million.
const MOST: u64 = 500_000_000;
/// A repetition of more than so many letters is as good as one without an end.
const LONG: usize = 1_000;

/// Every repetition without an end reads, from every place in the text, as far as its letters go.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    /// What is repeated, as often as it stands in a row.
    rows: Vec<Regex>,
    /// A repetition of a repetition, or of a look-around: nothing less than the whole text bounds it.
    whole: bool,
    /// Tried at the beginning of the text and nowhere else.
    anchored: bool,
}

impl Reach {
    pub fn of(pattern: &str) -> Self {
        let mut reach = Self::default();
        let Ok(tree) = Expr::parse_tree(pattern) else { return Self { whole: true, ..reach } };
        reach.anchored = begins_the_text(&tree.expr);
        reach.add(&tree.expr, 1);
        reach
    }

    /// Whether it may need more of the text than is worth waiting for.
    pub fn is_too_far(&self, text: &str) -> bool {
        let square = |length: usize| (length as u64).saturating_mul(length as u64);
        if self.whole && square(text.len()) > MOST {
            return true;
        }
        let cost = |row: regex::Match<'_>| if self.anchored { row.len() as u64 } else { square(row.len()) };
        let costs = self.rows.iter().flat_map(|rows| rows.find_iter(text)).map(cost);
        costs.fold(0u64, u64::saturating_add) > MOST
    }

    /// `times`: how often what is around it repeats it; without an end it is more than `LONG`.
    fn add(&mut self, expr: &Expr, times: usize) {
        let Expr::Repeat { child, hi, .. } = expr else {
            return expr.children_iter().for_each(|child| self.add(child, times));
        };
        let all = times.saturating_mul(*hi);
        if all > LONG {
            let mut told = String::from("(?:");
            if times > LONG || !is_plain(child) {
                self.whole = true;
                return;
            }
            child.to_str(&mut told, 0);
            match Regex::new(&format!("{told})+")) {
                Ok(rows) => self.rows.push(rows),
                Err(_) => self.whole = true,
            }
        }
        self.add(child, all);
    }
}

/// What `regex` can find by itself.
fn is_plain(expr: &Expr) -> bool {
    let plain = matches!(
        expr,
        Expr::Empty
            | Expr::Any { .. }
            | Expr::Literal { .. }
            | Expr::Delegate { .. }
            | Expr::Concat(_)
            | Expr::Alt(_)
            | Expr::Group(_)
            | Expr::Repeat { .. }
    );
    plain && expr.children_iter().all(is_plain)
}

fn begins_the_text(expr: &Expr) -> bool {
    match expr {
        Expr::Assertion(Assertion::StartText) => true,
        Expr::Concat(parts) => parts.first().is_some_and(begins_the_text),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, text: &str, too_far: bool) {
        assert_eq!(Reach::of(pattern).is_too_far(text), too_far, "{pattern} on {} letters", text.len());
    }

    #[test]
    fn looking_over_the_whole_text_from_every_place_is_too_far_and_over_a_line_is_not() {
        let chart = "2024-03-09 [Note] HER2: positive, seen in clinic; to go on as before.\n".repeat(15_000);
        check("(?s)(?=.*BRCA1)HER2", &chart, true);
        check("(?s)(?=.*BRCA1)HER2", &chart[..20_000], false);
        check("(?=.*BRCA1)HER2", &chart, false);
        check("(?=.*BRCA1)HER2", &chart.replace('\n', " "), true);
        check("HER2(?=[^|]*BRCA1)", &chart, true);
        check(r"stage\s+I(?!V)", &chart, false);
        check("HER2(?=.{0,200}BRCA1)", &chart, false);
        check("(?s)HER2(?=.{0,200000}BRCA1)", &chart, true);
    }

    #[test]
    fn from_the_beginning_alone_the_whole_text_may_be_looked_over() {
        let chart = "HER2: positive.\n".repeat(50_000);
        check("(?s)^(?=.*BRCA1)(?=.*HER2)", &chart, false);
        check(r"(?s)\A(?=.*BRCA1).*HER2", &chart, false);
        check("(?sm)^(?=.*BRCA1)(?=.*HER2)", &chart, true);
    }

    #[test]
    fn a_repetition_of_repetitions_is_as_long_as_the_text() {
        let chart = "seen in clinic, ".repeat(10_000);
        check(r"(\w+\W+)*?zzzz(?!x)", &chart, true);
        check("(?s)(?:.(?=.*z))*", &chart, true);
        check(r"(?:\w{1,500},){1,500}(?!x)", &chart, false);
    }
}
