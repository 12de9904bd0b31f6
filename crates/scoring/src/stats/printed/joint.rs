//! Whether parts, score and groups can be true together. Points are half points, so that sums are exact.

use super::spans::{Span, Spans, both, width};
use super::{EMPTY, Kind, MOST, PrintedColumn, PrintedFigure, counts};
use std::collections::BTreeMap;

/// With more ways than this of sharing cases out among groups, only the least and the most points they could give are looked at.
const WAYS: u64 = 50_000;

/// The score is blamed, or the first group, or the last part where there is neither.
pub(super) fn joint_misfit(columns: &[PrintedColumn], row: &[Option<PrintedFigure>], n: u64) -> Option<usize> {
    let printed = |wanted: fn(&Kind) -> bool| {
        (0..columns.len()).filter(move |at| wanted(&columns[*at].kind) && row[*at].is_some())
    };
    let score = printed(|kind| matches!(kind, Kind::Score)).next();
    let group = printed(|kind| matches!(kind, Kind::Group { .. })).next();
    let part = printed(|kind| matches!(kind, Kind::Part { .. })).next_back();
    let blamed = score.or(group).or(part)?;
    let groups = groups(columns, row, n);
    let mut between = match group {
        Some(_) => groups_between(&groups, n),
        None => 0..=n.saturating_mul(best_worth(columns)),
    };
    if let Some(figure) = score.and_then(|at| row[at]) {
        between = both(&between, &figure.points(n, best_worth(columns)));
    }
    let every = group.filter(|_| !between.is_empty()).and_then(|_| every_sum(&groups, n));
    let points = every.map_or_else(|| Spans::one(between.clone()), |sums| sums.within(&between));
    let possible = match part {
        Some(_) => can_give(&parts(columns, row, n), n, &points),
        None => !points.is_empty(),
    };
    (!possible).then_some(blamed)
}

/// What a case can be worth: one, where no part says that it is more.
pub(super) fn best_worth(columns: &[PrintedColumn]) -> u64 {
    columns.iter().filter_map(worth).fold(2, u64::max)
}

fn worth(column: &PrintedColumn) -> Option<u64> {
    match column.kind {
        Kind::Part { worth } => Some((2.0 * worth).round() as u64),
        _ => None,
    }
}

#[derive(Debug)]
struct Part {
    worth: u64,
    cases: Span,
}

/// Parts that are worth the same are one: sums of ranges are ranges.
fn parts(columns: &[PrintedColumn], row: &[Option<PrintedFigure>], n: u64) -> Vec<Part> {
    let mut found: BTreeMap<u64, Span> = BTreeMap::new();
    for (at, column) in columns.iter().enumerate() {
        let Some(worth) = worth(column) else { continue };
        for cases in counts(columns, row, n, at).iter() {
            let sum = found.entry(worth).or_insert(0..=0);
            *sum = sum.start() + cases.start()..=sum.end() + cases.end();
        }
    }
    found.into_iter().map(|(worth, cases)| Part { worth, cases }).collect()
}

/// Whether the parts can add up to all cases and give such points.
fn can_give(parts: &[Part], n: u64, points: &Spans) -> bool {
    let mut narrow_first: Vec<&Part> = parts.iter().collect();
    narrow_first.sort_by_key(|part| width(&part.cases));
    // Two parts have one way for each point they give; only what comes before them has to be tried.
    let (tried, last) = narrow_first.split_at(parts.len().saturating_sub(2));
    let ways = tried.iter().fold(points.len(), |ways, part| ways.saturating_mul(width(&part.cases)));
    if ways > MOST {
        let rate = |part: &Part| (part.cases.clone(), part.worth as f64, part.worth as f64);
        let between = points_between(&parts.iter().map(rate).collect::<Vec<_>>(), n);
        return between.is_some_and(|between| !points.within(&between).is_empty());
    }
    some_way_gives(tried, last, n, 0, points)
}

fn some_way_gives(tried: &[&Part], last: &[&Part], left: u64, given: u64, points: &Spans) -> bool {
    if let [first, rest @ ..] = tried {
        return both(&first.cases, &(0..=left))
            .any(|cases| some_way_gives(rest, last, left - cases, given + cases * first.worth, points));
    }
    match last {
        [only] => {
            let given = given + left * only.worth;
            only.cases.contains(&left) && points.meets(given, 1, given)
        }
        [a, b] => {
            let (less, more) = if a.worth < b.worth { (a, b) } else { (b, a) };
            let Some(most) = left.checked_sub(*less.cases.start()) else { return false };
            let of_more = both(&more.cases, &(left.saturating_sub(*less.cases.end())..=most));
            let step = more.worth - less.worth;
            let given = |cases: u64| given + left * less.worth + cases * step;
            !of_more.is_empty() && points.meets(given(*of_more.start()), step, given(*of_more.end()))
        }
        _ => left == 0 && points.meets(given, 1, given),
    }
}

#[derive(Debug)]
struct Group {
    /// How many cases it can have had.
    cases: Span,
    figure: Option<PrintedFigure>,
}

impl Group {
    fn points(&self, cases: u64) -> Span {
        match self.figure {
            Some(figure) => figure.counts(cases, 2),
            None => 0..=2 * cases,
        }
    }

    /// The least and the most a case of it gives on the mean.
    fn rate(&self) -> (Span, f64, f64) {
        let (low, high) = self.figure.map_or((0.0, 1.0), PrintedFigure::shares);
        (self.cases.clone(), 2.0 * low.max(0.0), 2.0 * high.min(1.0))
    }
}

fn groups(columns: &[PrintedColumn], row: &[Option<PrintedFigure>], n: u64) -> Vec<Group> {
    let group = |(column, figure): (&PrintedColumn, &Option<PrintedFigure>)| match column.kind {
        // A group of no cases has no figure.
        Kind::Group { most } => Some(Group { cases: u64::from(figure.is_some())..=most.min(n), figure: *figure }),
        _ => None,
    };
    columns.iter().zip(row).filter_map(group).collect()
}

/// Between which the points of all groups together lie, if all cases are theirs.
fn groups_between(groups: &[Group], n: u64) -> Span {
    points_between(&groups.iter().map(Group::rate).collect::<Vec<_>>(), n).unwrap_or(EMPTY)
}

/// The points all groups together can have given; none where there are too many ways to look at each.
fn every_sum(groups: &[Group], n: u64) -> Option<Spans> {
    if ways(groups, n) > WAYS {
        return None;
    }
    let mut sums: BTreeMap<u64, Spans> = BTreeMap::from([(0, Spans::one(0..=0))]);
    let mut ways = 0;
    for (at, group) in groups.iter().enumerate() {
        let mut next: BTreeMap<u64, Vec<Span>> = BTreeMap::new();
        for (so_far, points) in &sums {
            for cases in both(&group.cases, &left_by(&groups[at + 1..], n - so_far)) {
                ways += points.len();
                if ways > WAYS {
                    return None;
                }
                let here = group.points(cases);
                if !here.is_empty() {
                    let sum = |span: &Span| span.start() + here.start()..=span.end() + here.end();
                    next.entry(so_far + cases).or_default().extend(points.iter().map(sum));
                }
            }
        }
        sums = next.into_iter().map(|(cases, points)| (cases, Spans::new(points))).collect();
    }
    Some(sums.remove(&n).unwrap_or_else(Spans::none))
}

/// At most so many: each number of cases so far with each that the next group can have.
fn ways(groups: &[Group], n: u64) -> u64 {
    let (mut so_far, mut ways) = (0..=0, 0_u64);
    for (at, group) in groups.iter().enumerate() {
        let then = left_by(&groups[at + 1..], n);
        let choices = width(&group.cases).min(width(&then));
        ways = ways.saturating_add(width(&so_far).saturating_mul(choices));
        so_far = both(&(so_far.start() + group.cases.start()..=so_far.end() + group.cases.end()), &then);
    }
    ways
}

/// How many of these cases the later groups can leave to one.
fn left_by(later: &[Group], cases: u64) -> Span {
    let fewest: u64 = later.iter().map(|group| *group.cases.start()).sum();
    let most: u64 = later.iter().map(|group| *group.cases.end()).sum();
    match cases.checked_sub(fewest) {
        Some(left) => cases.saturating_sub(most)..=left,
        None => EMPTY,
    }
}

/// The least and the most points of n cases, with how many each may have and what a case of it gives at least and at most.
fn points_between(shares: &[(Span, f64, f64)], n: u64) -> Option<Span> {
    let low = least(shares.iter().map(|(cases, low, _)| (cases, *low)).collect(), n)?;
    let high = -least(shares.iter().map(|(cases, _, high)| (cases, -high)).collect(), n)?;
    Some(low.floor() as u64..=high.ceil() as u64)
}

/// As many cases as there must be, and then the cheapest.
fn least(mut rates: Vec<(&Span, f64)>, n: u64) -> Option<f64> {
    rates.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let fewest = rates.iter().map(|(cases, _)| *cases.start()).sum();
    let mut left = n.checked_sub(fewest)?;
    let mut sum = 0.0;
    for (cases, rate) in rates {
        let more = left.min(cases.end().saturating_sub(*cases.start()));
        sum += (cases.start() + more) as f64 * rate;
        left -= more;
    }
    (left == 0).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn part(worth: f64) -> PrintedColumn {
        PrintedColumn { name: format!("worth {worth}"), kind: Kind::Part { worth } }
    }

    fn group(most: u64) -> PrintedColumn {
        PrintedColumn { name: format!("group of {most}"), kind: Kind::Group { most } }
    }

    fn score() -> PrintedColumn {
        PrintedColumn { name: "score".to_owned(), kind: Kind::Score }
    }

    fn row(cells: &[&str]) -> Vec<Option<PrintedFigure>> {
        cells.iter().map(|cell| PrintedFigure::read(cell, false)).collect()
    }

    #[track_caller]
    fn check(columns: &[PrintedColumn], cells: &[&str], n: u64, blamed: Option<usize>) {
        assert_eq!(joint_misfit(columns, &row(cells), n), blamed, "{cells:?} of {n}");
    }

    #[test]
    fn a_part_of_very_many_cases_may_be_all_of_them() {
        check(&[part(0.0)], &["100"], 3_000_000, None);
        check(&[part(0.0)], &["98"], 3_000_000, Some(0));
    }

    #[test]
    fn parts_of_a_million_cases_are_two_ranges() {
        for n in 999_000..=1_001_000 {
            check(&[part(0.0), part(1.0)], &["30", "70"], n, None);
            check(&[part(0.0), part(1.0)], &["30", "71.5"], n, Some(1));
            check(&[part(0.0), part(1.0)], &["30", "68.5"], n, Some(1));
        }
    }

    #[test]
    fn a_score_of_ten_million_cases_is_between_what_its_parts_can_give() {
        let columns = [part(0.0), part(0.5), part(1.0), score()];
        check(&columns, &["30", "40", "30", "50"], 10_000_000, None);
        check(&columns, &["30", "40", "30", "52"], 10_000_000, Some(3));
    }

    #[test]
    fn a_case_of_two_points_may_score_above_all() {
        check(&[part(0.0), part(2.0), score()], &["25", "75", "150"], 4, None);
        check(&[part(0.0), part(1.0), score()], &["25", "75", "150"], 4, Some(2));
    }

    #[test]
    fn one_large_group_has_all_cases() {
        check(&[group(1_000_000)], &["50"], 10, None);
        check(&[group(1_000_000)], &["33.3"], 10, Some(0));
        check(&[group(10_000_000)], &["33.3"], 9_999_999, None);
    }

    #[test]
    fn large_groups_are_soon_looked_at() {
        for n in 1950..=2050 {
            check(&[group(2000), group(2000), score()], &["50", "50.0", "50.1"], n, None);
            check(&[group(2000), group(2000), score()], &["50.0", "50.0", "51.1"], n, Some(2));
        }
        let columns = [group(10_000_000), group(10_000_000), group(10_000_000), score()];
        check(&columns, &["40", "50", "60", "55"], 9_000_000, None);
        check(&columns, &["40", "50", "60", "70"], 9_000_000, Some(3));
        check(&columns, &["40", "50", "60", "55"], 30_000_001, Some(3));
    }

    #[test]
    fn what_is_not_printed_may_be_any_number() {
        check(&[part(0.0), part(1.0)], &["30", ""], 10, None);
        check(&[part(0.0), part(1.0), score()], &["30", "", "70"], 10, None);
        check(&[part(0.0), part(1.0), score()], &["30", "", "80"], 10, Some(2));
        check(&[group(5), group(5)], &["40", ""], 8, None);
        check(&[group(5), group(5)], &["40", ""], 11, Some(0));
    }

    #[test]
    fn parts_give_what_they_are_worth() {
        check(&[part(1.0), score()], &["100", "100"], 10, None);
        check(&[part(1.0), score()], &["100", "90"], 10, Some(1));
        check(&[part(0.5), part(1.0), score()], &["50", "50", "75"], 10, None);
        check(&[part(1.0), part(2.0), score()], &["50", "50", "150"], 10, None);
        check(&[part(1.0)], &["33.3"], 10, Some(0));
    }

    #[test]
    fn one_half_point_makes_the_points_odd() {
        let columns = [part(0.0), part(0.5), part(1.0), score()];
        check(&columns, &["", "10", "", "50"], 10, Some(3));
        check(&columns, &["", "10", "", "55"], 10, None);
    }

    #[test]
    fn what_would_take_too_long_to_try_is_not_called_impossible() {
        // 100,000 half points leave the points even, and those printed are 1,200,001 or 1,200,000.
        let columns = [part(0.0), part(0.5), part(1.0), part(2.0), score()];
        // Ten percent are 10,000 counts of 999,998, which is as many as are tried, and 11,001 of 1,100,000.
        check(&columns, &["", "10.0000200", "", "10", "60.00017000"], 999_998, Some(4));
        check(&columns, &["", "10.0000200", "", "10", "60.00012000"], 999_998, None);
        check(&columns, &["", "9.0909091", "", "10", "54.54550000"], 1_100_000, None);
    }

    #[test]
    fn a_group_that_is_not_printed_gives_at_most_all_its_points() {
        let columns = [group(5), group(5), score()];
        check(&columns, &["40", "", "70"], 10, None);
        check(&columns, &["40", "", "75"], 10, Some(2));
    }

    fn groups_of(most: &[u64], cells: &[&str], n: u64) -> Vec<Group> {
        let columns: Vec<PrintedColumn> = most.iter().map(|most| group(*most)).collect();
        groups(&columns, &row(cells), n)
    }

    #[test]
    fn ways_are_counted_before_they_are_tried() {
        // The first has 1 to 3 of nine cases: 3 ways. Each with 0 to 4 of the second: 15. At least four are then had, so the 4 sums from 4 to 7
        // go on, and the third has the rest.
        assert_eq!(ways(&groups_of(&[3, 4, 5], &["50", "", ""], 9), 9), 3 + 15 + 4);
    }

    #[test]
    fn sums_are_looked_at_up_to_fifty_thousand_ways() {
        let looked_at = |most: &[u64], cells: &[&str], n: u64| every_sum(&groups_of(most, cells, n), n).is_some();
        // 25,000 numbers of cases for the first, and for each the rest.
        assert!(looked_at(&[24_999, 25_000], &["", ""], 25_000));
        // 301 · 301, as far as can be told at once.
        assert!(!looked_at(&[300, 300, 300], &["", "", ""], 300));
        // 170 · 170 ways of two groups, which give as many sums, for each of which the third is looked at.
        assert!(!looked_at(&[170, 170, 1000], &["0.00", "100.00", "0.00"], 1000));
    }

    const COLUMNS: usize = 6;

    fn columns(groups: [u64; 2]) -> [PrintedColumn; COLUMNS] {
        [part(0.0), part(0.5), part(1.0), score(), group(groups[0]), group(groups[1])]
    }

    /// The same question, asked of every way there is.
    fn some_way(groups: [u64; 2], row: &[Option<PrintedFigure>], n: u64) -> bool {
        let prints = |at: usize, count: u64, of: u64| {
            row[at].is_none_or(|figure| of > 0 && figure.counts(of, 1).contains(&count))
        };
        let half_points = |at: usize, count: u64, of: u64| {
            row[at].is_none_or(|figure| of > 0 && figure.counts(of, 2).contains(&count))
        };
        let mut by_parts = (0..=n).flat_map(|half| (0..=n - half).map(move |right| (half, right)));
        by_parts.any(|(half, right)| {
            let points = half + 2 * right;
            let parts = prints(0, n - half - right, n) && prints(1, half, n) && prints(2, right, n);
            parts
                && half_points(3, points, n)
                && (0..=n.min(groups[0])).filter(|a| n - a <= groups[1]).any(|a| {
                    let of_a = points.saturating_sub(2 * (n - a))..=points.min(2 * a);
                    of_a.into_iter().any(|it| half_points(4, it, a) && half_points(5, points - it, n - a))
                })
        })
    }

    proptest! {
        #[test]
        fn it_says_what_trying_every_way_says(
            n in 1_u64..12,
            groups in [1_u64..9, 1..9],
            made in [0_u64..=12, 0..=12, 0..=24, 0..=24, 0..=24],
            others in 0_u64..=3,
            decimals in 0_i32..2,
            hidden in proptest::collection::vec(proptest::bool::weighted(0.2), COLUMNS),
        ) {
            let rounded = |count: u64, of: u64| {
                let digit = 10_f64.powi(decimals);
                PrintedFigure { percent: (count.min(of) as f64 / of as f64 * 100.0 * digit).round() / digit, decimals }
            };
            let [half, right, points, a, b] = made;
            let (half, right) = (half.min(n), right.min(n - half.min(n)));
            // Parts that are not all cases, sometimes.
            let wrong = if others == 0 { (n - half - right) / 2 } else { n - half - right };
            let figures = [
                rounded(wrong, n), rounded(half, n), rounded(right, n), rounded(points, 2 * n),
                rounded(a, 2 * groups[0]), rounded(b, 2 * groups[1]),
            ];
            let mut row: Vec<_> = figures.iter().zip(&hidden).map(|(it, hidden)| (!hidden).then_some(*it)).collect();
            // A score that is right half of the time: a random one is hardly ever possible.
            if points % 2 == 0 && row[3].is_some() {
                row[3] = Some(rounded(half + 2 * right, 2 * n));
            }
            let columns = columns(groups);
            let asked = joint_misfit(&columns, &row, n).is_none();
            let without_groups = row[4].is_none() && row[5].is_none();
            let tried = some_way(if without_groups { [n, n] } else { groups }, &row, n);
            prop_assert_eq!(asked, tried || row.iter().all(Option::is_none), "{:?} of {}", row, n);
        }

        #[test]
        fn bounds_hold_every_sum(n in 1_u64..40, most in [1_u64..20, 1..20, 1..20], percent in [0_u32..=100, 0..=100, 0..=100]) {
            let figure = |percent| Some(PrintedFigure { percent: f64::from(percent), decimals: 0 });
            let columns = most.map(group);
            let groups = groups(&columns, &percent.map(figure), n);
            let sums = every_sum(&groups, n).expect("few groups have few ways");
            prop_assert_eq!(sums.within(&groups_between(&groups, n)), sums);
        }
    }
}
