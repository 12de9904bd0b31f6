//! How far a backtracking pattern reads between two steps back: known before it runs, so that its work can be counted, and the same
//! on every machine.

use fancy_regex::Expr;
use regex::Regex;

/// A repetition of more than so many letters is as good as one without an end.
const LONG: usize = 1_000;
/// A group that holds itself has no end; nobody nests further.
const DEEPEST: usize = 8;

/// The letters on the longest straight way through a pattern.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    letters: u64,
    /// What is repeated without an end, as often as it stands in a row, and how many times over.
    rows: Vec<(Regex, u64)>,
    /// How many times over the whole text is read.
    whole: u64,
    /// Nothing bounds it.
    endless: bool,
}

impl Reach {
    pub fn of(pattern: &str) -> Self {
        let Ok(tree) = Expr::parse_tree(pattern) else { return Self { endless: true, ..Self::default() } };
        let mut groups = Vec::new();
        number(&tree.expr, &mut groups);
        Self::through(&tree.expr, &groups, 0)
    }

    /// In this text.
    pub fn letters(&self, text: &str) -> u64 {
        if self.endless {
            return u64::MAX;
        }
        let longest = |row: &Regex| row.find_iter(text).map(|found| found.len() as u64).max().unwrap_or(0);
        let rows = self.rows.iter().map(|(row, times)| times.saturating_mul(longest(row)));
        let whole = self.whole.saturating_mul(text.len() as u64);
        rows.fold(self.letters.saturating_add(whole).saturating_add(1), u64::saturating_add)
    }

    fn through(expr: &Expr, groups: &[&Expr], depth: usize) -> Self {
        let mut reach = Self { endless: depth > DEEPEST, ..Self::default() };
        if !reach.endless {
            reach.add(expr, 1, groups, depth);
        }
        reach
    }

    /// `times`: how often what is around it repeats it.
    fn add(&mut self, expr: &Expr, times: u64, groups: &[&Expr], depth: usize) {
        match expr {
            Expr::Empty | Expr::Assertion(_) | Expr::KeepOut | Expr::BackrefExistsCondition { .. } => {}
            Expr::Any { .. } | Expr::Delegate { .. } | Expr::GeneralNewline { .. } => self.read(times),
            Expr::Literal { val, .. } => self.read(times.saturating_mul(val.len() as u64)),
            Expr::Repeat { child, hi, .. } if *hi <= LONG => {
                self.add(child, times.saturating_mul(*hi as u64), groups, depth);
            }
            Expr::Repeat { child, .. } => self.add_endless(child, times, groups, depth),
            // A group that is told again may be as long again.
            Expr::Backref { group, .. } => match group.checked_sub(1).and_then(|at| groups.get(at)) {
                Some(told) => self.join(Self::through(told, groups, depth + 1), times),
                None => self.endless = true,
            },
            Expr::Concat(_)
            | Expr::Alt(_)
            | Expr::Group(_)
            | Expr::AtomicGroup(_)
            | Expr::LookAround(..)
            | Expr::Conditional { .. } => {
                expr.children_iter().for_each(|child| self.add(child, times, groups, depth));
            }
            // Groups that call themselves, and whatever else a catalog does not need.
            _ => self.endless = true,
        }
    }

    fn add_endless(&mut self, child: &Expr, times: u64, groups: &[&Expr], depth: usize) {
        if is_plain(child) {
            let mut told = String::from("(?:");
            child.to_str(&mut told, 0);
            // Rows of rows cannot be looked for at once; all of them together are no longer than the text.
            match Regex::new(&format!("{told})+")).ok().filter(|_| !repeats(child)) {
                Some(rows) => self.rows.push((rows, times)),
                None => self.whole = self.whole.saturating_add(times),
            }
            return;
        }
        let turn = Self::through(child, groups, depth);
        self.endless |= turn.endless || turn.whole > 0 || !turn.rows.is_empty();
        self.whole = self.whole.saturating_add(times.saturating_mul(turn.letters + 1));
    }

    fn read(&mut self, letters: u64) {
        self.letters = self.letters.saturating_add(letters);
    }

    fn join(&mut self, other: Self, times: u64) {
        self.read(other.letters.saturating_mul(times));
        self.rows.extend(other.rows.into_iter().map(|(row, of)| (row, of.saturating_mul(times))));
        self.whole = self.whole.saturating_add(other.whole.saturating_mul(times));
        self.endless |= other.endless;
    }
}

/// Groups in the order of their numbers.
fn number<'a>(expr: &'a Expr, groups: &mut Vec<&'a Expr>) {
    if let Expr::Group(inner) = expr {
        groups.push(inner);
    }
    expr.children_iter().for_each(|child| number(child, groups));
}

fn repeats(expr: &Expr) -> bool {
    matches!(expr, Expr::Repeat { .. }) || expr.children_iter().any(repeats)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, text: &str, letters: std::ops::RangeInclusive<u64>) {
        let found = Reach::of(pattern).letters(text);
        assert!(letters.contains(&found), "{pattern} on {} letters: {found}", text.len());
    }

    #[test]
    fn a_pattern_reads_as_far_as_its_letters_and_rows_go() {
        let chart = "2024-03-09 [Note] HER2: positive, seen in clinic; to go on as before.\n".repeat(1_000);
        check(r"stage\s+I(?!V)", &chart, 7..=10);
        check("HER2(?=.{0,200}BRCA1)", &chart, 200..=220);
        check("(?=.*BRCA1)HER2", &chart, 70..=90);
        check("(?s)(?=.*BRCA1)HER2", &chart, 70_000..=71_000);
        check("HER2(?=[^|]*BRCA1)", &chart, 70_000..=71_000);
    }

    #[test]
    fn what_is_told_again_is_read_again() {
        check(r"(.{0,900})(.{0,900})\1QQ", "x", 2_700..=2_710);
        check(r"(\w+) \1", "seen seen again", 10..=12);
        check(r"(a\1)", "x", u64::MAX..=u64::MAX);
    }

    #[test]
    fn a_repetition_of_repetitions_is_as_long_as_the_text_and_one_of_looking_around_longer() {
        let chart = "seen in clinic, ".repeat(1_000);
        check(r"(\w+\W+)*?zzzz(?!x)", &chart, 16_000..=16_010);
        check("(?s)(?:.(?=.*z))*", &chart, u64::MAX..=u64::MAX);
        check("(?:.(?=.*z)){0,900}", &chart, 900 * 16_000..=910 * 16_000);
    }
}
