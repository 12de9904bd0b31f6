//! Could a printed row come from that many cases? Percentages of few cases are few numbers, so a table can be asked how many there were.
//!
//! A row is called impossible only where that is certain. What is not printed says nothing, nor does what could be too much to look at.

mod joint;
mod spans;

use joint::{best_worth, joint_misfit};
use spans::{Span, Spans};

/// What a printed column is a share of.
#[derive(Clone, Debug, PartialEq)]
pub enum Of {
    /// All cases of the row.
    All,
    Number(u64),
    /// Those that another column counts.
    Column(usize),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// In steps: 1 for counts, 2 where half points are given, 3 where a figure is the mean of three shares.
    Share { of: Of, steps: u64 },
    /// One of the shares that together are all cases; what such a case is worth in the score.
    Part { worth: f64 },
    /// The mean worth of all cases.
    Score,
    /// The mean worth, in half points, of a group that had at most so many cases. The groups together are all cases.
    Group { most: u64 },
}

#[derive(Clone, Debug, PartialEq)]
pub struct PrintedColumn {
    pub name: String,
    pub kind: Kind,
}

/// A figure as it stands on the page, in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrintedFigure {
    pub percent: f64,
    /// Fewer than none where a share of one has less than two: `.4` is 40 % to the nearest ten.
    pub decimals: i32,
}

impl PrintedFigure {
    /// `47.8`, `47,8`, `47.8 %`, `.432` where it is printed as a share of one.
    pub fn read(text: &str, is_share: bool) -> Option<Self> {
        let digits = text.trim().trim_end_matches('%').trim();
        // `1,500` may be meant for 1500.
        let in_thousands = digits.split_once(',').is_some_and(|(_, after)| after.len() == 3);
        let with_point = if in_thousands { digits.to_owned() } else { digits.replacen(',', ".", 1) };
        let digits = if digits.contains('.') { digits } else { &with_point };
        let plain = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
        let value: f64 = digits.parse().ok().filter(|_| plain)?;
        let decimals = i32::try_from(digits.split_once('.').map_or(0, |(_, after)| after.len())).ok()?;
        Some(match is_share {
            true => Self { percent: value * 100.0, decimals: decimals - 2 },
            false => Self { percent: value, decimals },
        })
    }

    /// The lowest and the highest share of one that print like this.
    fn shares(self) -> (f64, f64) {
        let half_a_digit = self.half_a_digit();
        (self.percent / 100.0 - half_a_digit, self.percent / 100.0 + half_a_digit)
    }

    /// As a share of one. The slack is for values on the border, which rounding half up or half to even both may print.
    fn half_a_digit(self) -> f64 {
        (0.5 * 10_f64.powi(-self.decimals) + 1e-9) / 100.0
    }

    /// The counts, in steps, that print like this of so many cases.
    fn counts(self, n: u64, steps: u64) -> Span {
        self.counts_up_to(n, steps, steps)
    }

    /// The half points that print like this as the mean of so many cases, of which each has at most that many.
    fn points(self, n: u64, best: u64) -> Span {
        self.counts_up_to(n, 2, best)
    }

    fn counts_up_to(self, n: u64, steps: u64, most: u64) -> Span {
        let whole = n.saturating_mul(steps) as f64;
        let (lowest, highest) = self.shares();
        let low = (lowest * whole).ceil().max(0.0);
        let high = (highest * whole).floor().min(n.saturating_mul(most) as f64);
        if n == 0 || high < low { EMPTY } else { low as u64..=high as u64 }
    }

    /// The counts, in steps, that print like this of any of these numbers of cases.
    fn counts_of_any(self, wholes: &Spans, steps: u64) -> Spans {
        // From here on every whole has a count that prints like this, and the next whole has the same or the next one.
        let dense = (1.0 / self.half_a_digit()).ceil() as u64;
        let few = wholes.within(&(0..=dense.saturating_sub(1)));
        if few.iter().map(spans::width).sum::<u64>() > MOST {
            return Spans::one(0..=wholes.greatest().unwrap_or_default().saturating_mul(steps));
        }
        let each = few.iter().cloned().flatten().map(|whole| self.counts(whole, steps));
        let many = wholes.within(&(dense..=u64::MAX));
        let at_once =
            many.iter().map(|span| *self.counts(*span.start(), steps).start()..=*self.counts(*span.end(), steps).end());
        Spans::new(each.chain(at_once).collect())
    }
}

#[allow(clippy::reversed_empty_ranges, reason = "no count prints like that")]
const EMPTY: Span = 1..=0;
/// Where more numbers than this would have to be tried one by one, the figure says nothing about the number of cases.
const MOST: u64 = 10_000;

/// The columns that cannot be what is printed if the row has n cases; none where all can.
pub fn misfits(columns: &[PrintedColumn], row: &[Option<PrintedFigure>], n: u64) -> Vec<usize> {
    let shares = (0..columns.len()).filter(|at| matches!(columns[*at].kind, Kind::Share { .. } | Kind::Part { .. }));
    let mut bad: Vec<usize> =
        shares.filter(|at| row[*at].is_some() && counts(columns, row, n, *at).is_empty()).collect();
    if bad.is_empty() {
        bad.extend(joint_misfit(columns, row, n));
    }
    bad
}

/// The columns whose figure is above 100 %, which no number of cases makes possible.
pub fn more_than_all(columns: &[PrintedColumn], row: &[Option<PrintedFigure>]) -> Vec<usize> {
    // A score is a mean worth, and some cases may be worth more than one.
    let may_be = |kind: &Kind| matches!(kind, Kind::Score) && best_worth(columns) > 2;
    let above = |at: &usize| row[*at].is_some_and(|figure| figure.percent > 100.0) && !may_be(&columns[*at].kind);
    (0..columns.len()).filter(above).collect()
}

/// All counts a column can stand for, in its steps.
fn counts(columns: &[PrintedColumn], row: &[Option<PrintedFigure>], n: u64, at: usize) -> Spans {
    let (of, steps) = match &columns[at].kind {
        Kind::Share { of, steps } => (of, *steps),
        Kind::Part { .. } => (&Of::All, 1),
        Kind::Score | Kind::Group { .. } => return Spans::none(),
    };
    let wholes = match of {
        Of::All => Spans::one(n..=n),
        Of::Number(number) => Spans::one(*number..=*number),
        Of::Column(other) => counts(columns, row, n, *other),
    };
    match row[at] {
        Some(figure) if figure.percent > 100.0 => Spans::none(),
        Some(figure) => figure.counts_of_any(&wholes, steps),
        None => Spans::one(0..=wholes.greatest().unwrap_or_default().saturating_mul(steps)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(name: &str, of: Of) -> PrintedColumn {
        PrintedColumn { name: name.to_owned(), kind: Kind::Share { of, steps: 1 } }
    }

    fn row(cells: &[&str]) -> Vec<Option<PrintedFigure>> {
        cells.iter().map(|cell| PrintedFigure::read(cell, false)).collect()
    }

    #[test]
    fn a_third_is_not_of_ten() {
        let columns = [share("a", Of::All)];
        assert_eq!(misfits(&columns, &row(&["33.3"]), 3), Vec::<usize>::new());
        assert_eq!(misfits(&columns, &row(&["33.3"]), 10), [0]);
    }

    #[test]
    fn a_share_of_a_share_looks_at_every_count_behind_it() {
        let columns = [share("base", Of::All), share("trap", Of::Column(0))];
        // 50 % of 201 at no decimals is 100 or 101; a third and a bit of 101 is no count of 100.
        assert_eq!(misfits(&columns, &row(&["50", "34.65"]), 201), Vec::<usize>::new());
        assert_eq!(misfits(&columns, &row(&["50", "34.69"]), 201), [1]);
    }

    #[test]
    fn a_half_may_be_printed_up_or_down() {
        // 1 of 8 is 12.5 %.
        let columns = [share("a", Of::All)];
        for printed in ["12", "13"] {
            assert_eq!(misfits(&columns, &row(&[printed]), 8), Vec::<usize>::new(), "{printed}");
        }
    }

    #[test]
    fn there_is_no_share_of_nothing() {
        assert_eq!(misfits(&[share("a", Of::Number(0))], &row(&["50"]), 10), [0]);
        assert_eq!(misfits(&[share("a", Of::All)], &row(&["0"]), 0), [0]);
    }

    #[test]
    fn parts_add_up_to_all_cases() {
        let columns =
            ["wrong", "right"].map(|name| PrintedColumn { name: name.to_owned(), kind: Kind::Part { worth: 1.0 } });
        assert_eq!(misfits(&columns, &row(&["30", "70"]), 10), Vec::<usize>::new());
        assert_eq!(misfits(&columns, &row(&["30", "60"]), 10), [1]);
    }

    #[test]
    fn figures_are_read_as_they_are_printed() {
        assert_eq!(PrintedFigure::read("47.80 %", false), Some(PrintedFigure { percent: 47.8, decimals: 2 }));
        assert_eq!(PrintedFigure::read("47,8 %", false), Some(PrintedFigure { percent: 47.8, decimals: 1 }));
        assert_eq!(PrintedFigure::read("1,500", false), None);
        assert_eq!(PrintedFigure::read(".432", true), Some(PrintedFigure { percent: 43.2, decimals: 1 }));
        assert_eq!(PrintedFigure::read(".4", true), Some(PrintedFigure { percent: 40.0, decimals: -1 }));
        assert_eq!(PrintedFigure::read("1", true), Some(PrintedFigure { percent: 100.0, decimals: -2 }));
        for nothing in ["", "–", "n/a", "-3", "1e3", "."] {
            assert_eq!(PrintedFigure::read(nothing, false), None, "{nothing}");
        }
    }

    #[test]
    fn a_share_with_one_decimal_is_one_to_the_nearest_tenth() {
        let fits =
            |cell: &str, n: u64| misfits(&[share("css", Of::All)], &[PrintedFigure::read(cell, true)], n).is_empty();
        // 3 of 7 are .4286.
        assert!(fits(".4", 7));
        assert!(fits(".43", 7));
        assert!(!fits(".42", 7));
        assert!(!fits(".4", 2));
        // 2 of 3 are printed as 1 where there are no decimals, and 1 of 3 as 0.
        assert!(fits("1", 3) && fits("0", 3));
    }

    #[test]
    fn counts_of_very_many_wholes_are_the_same_at_once_as_one_by_one() {
        for (percent, decimals, steps) in [(33.0, 0, 1), (99.9, 1, 1), (0.0, 1, 3), (100.0, 0, 5), (47.1, 1, 2)] {
            let figure = PrintedFigure { percent, decimals };
            for wholes in [150..=260, 1990..=2050, 3000..=3000] {
                let each = wholes.clone().map(|whole| figure.counts(whole, steps)).collect();
                let at_once = figure.counts_of_any(&Spans::one(wholes.clone()), steps);
                assert_eq!(at_once, Spans::new(each), "{figure:?} of {wholes:?} in {steps}");
            }
        }
    }

    #[test]
    fn a_share_of_more_counts_than_can_be_tried_says_nothing() {
        let columns = [share("base", Of::All), share("trap", Of::Column(0))];
        // 50 % of ten million is any of 100,000 counts, and eight decimals could be of one of them only.
        assert_eq!(misfits(&columns, &row(&["50", "34.65123457"]), 10_000_000), Vec::<usize>::new());
        assert_eq!(misfits(&columns, &row(&["50", "134.65123457"]), 10_000_000), [1]);
        // 50 % of a million is one of 10,001 counts, of one case less one of 10,000. No count is such a share of any of them.
        assert_eq!(misfits(&columns, &row(&["50", "34.6512345678"]), 1_000_000), Vec::<usize>::new());
        assert_eq!(misfits(&columns, &row(&["50", "34.6512345678"]), 999_999), [1]);
    }

    #[test]
    fn a_share_of_what_is_not_printed_may_be_of_any_number() {
        let columns = [share("base", Of::All), share("trap", Of::Column(0))];
        assert_eq!(misfits(&columns, &row(&["", "33.3"]), 10), Vec::<usize>::new());
        assert_eq!(misfits(&columns, &row(&["", "9.9"]), 10), [1]);
    }

    #[test]
    fn nothing_is_more_than_all_but_a_score_of_cases_worth_two() {
        let column = |kind: Kind| PrintedColumn { name: "it".to_owned(), kind };
        let plain = [column(Kind::Part { worth: 1.0 }), column(Kind::Score), column(Kind::Group { most: 9 })];
        assert_eq!(more_than_all(&plain, &row(&["120", "150", "101"])), [0, 1, 2]);
        assert_eq!(more_than_all(&plain, &row(&["100", "", "99.9"])), Vec::<usize>::new());
        let double = [column(Kind::Part { worth: 2.0 }), column(Kind::Score)];
        assert_eq!(more_than_all(&double, &row(&["", "150"])), Vec::<usize>::new());
    }
}
