//! Could a printed row come from that many cases? Percentages of few cases are few numbers, so a table can be asked how many there were.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

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
    pub decimals: u32,
}

impl PrintedFigure {
    /// `47.8`, `47.8 %`, `.432` where it is printed as a share of one.
    pub fn read(text: &str, is_share: bool) -> Option<Self> {
        let digits = text.trim().trim_end_matches('%').trim();
        let plain = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
        let value: f64 = digits.parse().ok().filter(|_| plain)?;
        let decimals = digits.split_once('.').map_or(0, |(_, after)| after.len() as u32);
        Some(match is_share {
            true => Self { percent: value * 100.0, decimals: decimals.saturating_sub(2) },
            false => Self { percent: value, decimals },
        })
    }

    /// The counts, in steps, that print like this of so many cases.
    fn counts(self, n: u64, steps: u64) -> RangeInclusive<u64> {
        let whole = (n * steps) as f64;
        // The slack is for values on the border, which rounding half up or half to even both may print.
        let half_a_digit = 0.5 * 0.1_f64.powi(self.decimals as i32) + 1e-9;
        let low = ((self.percent - half_a_digit) / 100.0 * whole).ceil().max(0.0);
        let high = ((self.percent + half_a_digit) / 100.0 * whole).floor().min(whole);
        if n == 0 || high < low { EMPTY } else { low as u64..=high as u64 }
    }

    fn prints(self, share: f64) -> bool {
        (100.0 * share - self.percent).abs() <= 0.5 * 0.1_f64.powi(self.decimals as i32) + 1e-9
    }
}

#[allow(clippy::reversed_empty_ranges, reason = "no count prints like that")]
const EMPTY: RangeInclusive<u64> = 1..=0;
/// Where more counts than this would print the same, the figure says nothing about the number of cases.
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

/// All counts a column can stand for, in its steps.
fn counts(columns: &[PrintedColumn], row: &[Option<PrintedFigure>], n: u64, at: usize) -> BTreeSet<u64> {
    let Some(figure) = row[at] else { return BTreeSet::new() };
    match &columns[at].kind {
        Kind::Share { of: Of::All, steps } => figure.counts(n, *steps).take(MOST as usize).collect(),
        Kind::Share { of: Of::Number(of), steps } => figure.counts(*of, *steps).take(MOST as usize).collect(),
        Kind::Share { of: Of::Column(other), steps } => {
            let wholes = counts(columns, row, n, *other);
            wholes.into_iter().flat_map(|whole| figure.counts(whole, *steps)).take(MOST as usize).collect()
        }
        Kind::Part { .. } => figure.counts(n, 1).take(MOST as usize).collect(),
        Kind::Score | Kind::Group { .. } => BTreeSet::new(),
    }
}

/// Whether parts, score and groups can be true together. The score is blamed, or the last part where there is none.
fn joint_misfit(columns: &[PrintedColumn], row: &[Option<PrintedFigure>], n: u64) -> Option<usize> {
    let of = |wanted: fn(&Kind) -> bool| {
        (0..columns.len()).filter(move |at| wanted(&columns[*at].kind) && row[*at].is_some())
    };
    let parts: Vec<usize> = of(|kind| matches!(kind, Kind::Part { .. })).collect();
    let groups: Vec<usize> = of(|kind| matches!(kind, Kind::Group { .. })).collect();
    let score = of(|kind| matches!(kind, Kind::Score)).next();
    let blamed = score.or(groups.first().copied()).or(parts.last().copied())?;
    // In half points, so that sums are exact.
    let mut sums: BTreeSet<(u64, u64)> = BTreeSet::from([(0, 0)]);
    for at in &parts {
        let Kind::Part { worth } = columns[*at].kind else { continue };
        let worth = (2.0 * worth).round() as u64;
        let choices = counts(columns, row, n, *at);
        sums = sums
            .iter()
            .flat_map(|(cases, points)| choices.iter().map(move |count| (cases + count, points + count * worth)))
            .collect();
    }
    let mut points: Option<BTreeSet<u64>> =
        (!parts.is_empty()).then(|| sums.iter().filter(|(cases, _)| *cases == n).map(|(_, points)| *points).collect());
    if let Some(figure) = score.and_then(|at| row[at]) {
        let printed: BTreeSet<u64> = match points {
            Some(points) => points.into_iter().filter(|it| figure.prints(*it as f64 / 2.0 / n as f64)).collect(),
            None => figure.counts(n, 2).take(MOST as usize).collect(),
        };
        points = Some(printed);
    }
    if !groups.is_empty() {
        let found = group_points(columns, row, &groups, n);
        points = Some(match points {
            Some(points) => points.intersection(&found).copied().collect(),
            None => found,
        });
    }
    points?.is_empty().then_some(blamed)
}

/// The half points all groups together can have given, if they lost as many cases as are missing.
fn group_points(columns: &[PrintedColumn], row: &[Option<PrintedFigure>], groups: &[usize], n: u64) -> BTreeSet<u64> {
    let most = |at: usize| match columns[at].kind {
        Kind::Group { most } => most,
        _ => 0,
    };
    let total: u64 = groups.iter().map(|at| most(*at)).sum();
    let Some(lost) = total.checked_sub(n) else { return BTreeSet::new() };
    let mut sums: BTreeSet<(u64, u64)> = BTreeSet::from([(0, 0)]);
    for at in groups {
        let Some(figure) = row[*at] else { continue };
        let most = most(*at);
        let mut next = BTreeSet::new();
        for (gone, points) in &sums {
            for here in 0..=(lost - gone).min(most.saturating_sub(1)) {
                next.extend(figure.counts(most - here, 2).map(|count| (gone + here, points + count)));
            }
        }
        sums = next;
    }
    sums.into_iter().filter(|(gone, _)| *gone == lost).map(|(_, points)| points).collect()
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
    fn parts_add_up_to_all_cases() {
        let columns =
            ["wrong", "right"].map(|name| PrintedColumn { name: name.to_owned(), kind: Kind::Part { worth: 1.0 } });
        assert_eq!(misfits(&columns, &row(&["30", "70"]), 10), Vec::<usize>::new());
        assert_eq!(misfits(&columns, &row(&["30", "60"]), 10), [1]);
    }

    #[test]
    fn figures_are_read_as_they_are_printed() {
        assert_eq!(PrintedFigure::read("47.80 %", false), Some(PrintedFigure { percent: 47.8, decimals: 2 }));
        assert_eq!(PrintedFigure::read(".432", true), Some(PrintedFigure { percent: 43.2, decimals: 1 }));
        for nothing in ["", "–", "n/a", "-3", "1e3", "."] {
            assert_eq!(PrintedFigure::read(nothing, false), None, "{nothing}");
        }
    }
}
