//! Columns that look like no rater's: an age or a remark would count as ratings.

use std::collections::BTreeMap;

/// Fewer ratings tell nothing of a column.
const FEWEST: usize = 3;
/// A rater's cells say what another's say too, in this share at least.
const SHARED: f64 = 0.2;
/// From so many cells on of which nearly all differ, while another column's repeat, they are names or texts.
const MANY: usize = 10;
const NEARLY_ALL: f64 = 0.9;

/// How often a column says what.
type Said = BTreeMap<String, usize>;

/// The columns that look like none, with why. `is_measured`: raters write down numbers, which are seldom the same.
pub fn odd<'r>(raters: &'r [String], rows: &[Vec<Option<String>>], is_measured: bool) -> Vec<(&'r str, &'static str)> {
    let said: Vec<Said> = (0..raters.len()).map(|at| said(rows, at)).collect();
    let why = |at: usize| -> Option<&'static str> {
        let own = &said[at];
        let all = cells(own);
        if all == 0 {
            return Some("nobody has rated anything there");
        }
        if all < FEWEST || is_measured {
            return None;
        }
        let others = || said.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, said)| said);
        let shared: usize =
            own.iter().filter(|(what, _)| others().any(|it| it.contains_key(*what))).map(|(_, n)| n).sum();
        if (shared as f64) < SHARED * all as f64 {
            return Some("what it says hardly any other column says");
        }
        let repeats = |it: &Said| 2 * it.len() < cells(it);
        let differs = all >= MANY && own.len() as f64 >= NEARLY_ALL * all as f64;
        (differs && others().any(repeats)).then_some("nearly all of its cells are different")
    };
    raters.iter().enumerate().filter_map(|(at, rater)| Some((rater.as_str(), why(at)?))).collect()
}

fn said(rows: &[Vec<Option<String>>], at: usize) -> Said {
    let mut said = Said::new();
    for cell in rows.iter().filter_map(|row| row.get(at)?.as_ref()) {
        let cell = cell.trim().to_lowercase();
        let what = cell.parse::<f64>().map_or(cell, |number| number.to_string());
        *said.entry(what).or_default() += 1;
    }
    said
}

fn cells(said: &Said) -> usize {
    said.values().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of words, `.` for no rating.
    fn check(columns: &[(&str, &str)], odd_ones: &[&str]) {
        let raters: Vec<String> = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        let cells: Vec<Vec<&str>> = columns.iter().map(|(_, cells)| cells.split(' ').collect()).collect();
        let cell = |cell: &str| (cell != ".").then(|| cell.to_owned());
        let rows: Vec<Vec<Option<String>>> =
            (0..cells[0].len()).map(|at| cells.iter().map(|column| cell(column[at])).collect()).collect();
        let found: Vec<&str> = odd(&raters, &rows, false).into_iter().map(|(rater, _)| rater).collect();
        assert_eq!(found, odd_ones, "{columns:?}");
    }

    #[test]
    fn an_age_a_remark_and_an_empty_column_are_no_ratings() {
        check(&[("anna", "a b a"), ("ben", "a b b"), ("age", "63 41 55")], &["age"]);
        check(&[("anna", "yes no yes"), ("ben", "yes no no"), ("comment", "unclear late why")], &["comment"]);
        check(&[("anna", "yes no yes"), ("ben", "yes no no"), ("carl", ". . .")], &["carl"]);
        let (anna, ben) = ("1 2 3 4 5 1 2 3 4 5 6 7", "1 2 3 4 4 1 2 3 4 5 6 7");
        check(&[("anna", anna), ("ben", ben), ("row", "1 2 3 4 5 6 7 8 9 10 11 12")], &[]);
        let (few, other) = ("1 2 3 1 2 3 1 2 3 1 2 3", "1 2 3 1 2 3 1 2 3 1 2 2");
        check(&[("anna", few), ("ben", other), ("row", "1 2 3 4 5 6 7 8 9 10 11 12")], &["row"]);
    }

    #[test]
    fn raters_who_differ_are_raters() {
        check(&[("anna", "yes no yes"), ("ben", "Yes NO unsure")], &[]);
        check(&[("anna", "1 2 3"), ("ben", "1.0 2.0 2.0")], &[]);
        check(&[("anna", "a b"), ("ben", "c d")], &[]);
    }
}
