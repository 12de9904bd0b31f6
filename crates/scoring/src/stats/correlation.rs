//! Correlation of two series.

use super::{Alternative, StatsError, mid_ranks, t_test::t_p};
use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Correlation {
    pub coefficient: f64,
    pub p: f64,
    pub method: PMethod,
    pub n: usize,
}

/// How the p-value came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PMethod {
    /// All orders of one series against the other.
    ExactPermutation,
    TApproximation,
}

/// Up to here all n! orders are tried: 40,320 for eight.
const EXACT_UP_TO: usize = 8;
/// Sums that are equal on paper may differ in the last digits.
const SLACK: f64 = 1e-12;

pub fn pearson(x: &[f64], y: &[f64], alternative: Alternative) -> Result<Correlation, StatsError> {
    let coefficient = coefficient(x, y)?;
    Ok(by_t(coefficient, x.len(), alternative))
}

/// Pearson's coefficient of the mid-ranks. p is exact up to eight values, and by Student's t above, which is too small
/// for short series: .33 instead of .36 for the six models of CSS.
pub fn spearman(x: &[f64], y: &[f64], alternative: Alternative) -> Result<Correlation, StatsError> {
    if x.iter().chain(y).any(|value| !value.is_finite()) {
        return Err(StatsError::NotFinite { what: "a correlation" });
    }
    let (x, y) = (mid_ranks(x), mid_ranks(y));
    let coefficient = coefficient(&x, &y)?;
    if x.len() > EXACT_UP_TO {
        return Ok(by_t(coefficient, x.len(), alternative));
    }
    Ok(Correlation { coefficient, p: exact_p(&x, y, alternative), method: PMethod::ExactPermutation, n: x.len() })
}

/// Kendall's τ-b: concordant minus discordant pairs, corrected for ties in either series.
pub fn kendall_tau_b(x: &[f64], y: &[f64]) -> Result<f64, StatsError> {
    check(x, y)?;
    let (mut score, mut untied_x, mut untied_y) = (0_i64, 0_i64, 0_i64);
    for i in 0..x.len() {
        for j in 0..i {
            let (in_x, in_y) = (sign(x[i] - x[j]), sign(y[i] - y[j]));
            score += in_x * in_y;
            untied_x += in_x.abs();
            untied_y += in_y.abs();
        }
    }
    if untied_x == 0 || untied_y == 0 {
        return Err(StatsError::NoVariation { what: "a correlation" });
    }
    Ok(score as f64 / ((untied_x * untied_y) as f64).sqrt())
}

fn coefficient(x: &[f64], y: &[f64]) -> Result<f64, StatsError> {
    check(x, y)?;
    let n = x.len() as f64;
    let (mean_x, mean_y) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        xy += (x - mean_x) * (y - mean_y);
        xx += (x - mean_x).powi(2);
        yy += (y - mean_y).powi(2);
    }
    if xx == 0.0 || yy == 0.0 {
        return Err(StatsError::NoVariation { what: "a correlation" });
    }
    Ok((xy / (xx * yy).sqrt()).clamp(-1.0, 1.0))
}

fn check(x: &[f64], y: &[f64]) -> Result<(), StatsError> {
    let what = "a correlation";
    if x.len() != y.len() {
        return Err(StatsError::DifferentLengths { first: x.len(), second: y.len() });
    }
    if x.len() < 3 {
        return Err(StatsError::TooFew { what, needed: 3, given: x.len() });
    }
    if x.iter().chain(y).any(|value| !value.is_finite()) {
        return Err(StatsError::NotFinite { what });
    }
    Ok(())
}

fn by_t(coefficient: f64, n: usize, alternative: Alternative) -> Correlation {
    let df = n as f64 - 2.0;
    let t = coefficient * (df / (1.0 - coefficient * coefficient)).sqrt();
    Correlation { coefficient, p: t_p(t, df, alternative), method: PMethod::TApproximation, n }
}

/// The share of all orders of `y` that correlate at least as strongly. Only Σxy changes between them, so it stands for
/// the coefficient.
fn exact_p(x: &[f64], mut y: Vec<f64>, alternative: Alternative) -> f64 {
    let n = x.len() as f64;
    let centre = x.iter().sum::<f64>() * y.iter().sum::<f64>() / n;
    let score = |y: &[f64]| x.iter().zip(y).map(|(a, b)| a * b).sum::<f64>() - centre;
    let observed = score(&y);
    let (mut extreme, mut all) = (0_u32, 0_u32);
    every_order(&mut y, &mut |order| {
        let drawn = score(order);
        all += 1;
        extreme += u32::from(match alternative {
            Alternative::TwoSided => drawn.abs() >= observed.abs() - SLACK,
            Alternative::Less => drawn <= observed + SLACK,
            Alternative::Greater => drawn >= observed - SLACK,
        });
    });
    f64::from(extreme) / f64::from(all)
}

/// Heap's algorithm, in the form that swaps once more than it must: every order still comes once.
fn every_order(values: &mut [f64], visit: &mut impl FnMut(&[f64])) {
    fn first(k: usize, values: &mut [f64], visit: &mut impl FnMut(&[f64])) {
        if k <= 1 {
            return visit(values);
        }
        for i in 0..k {
            first(k - 1, values, visit);
            values.swap(if k.is_multiple_of(2) { i } else { 0 }, k - 1);
        }
    }
    first(values.len(), values, visit);
}

fn sign(difference: f64) -> i64 {
    i64::from(difference > 0.0) - i64::from(difference < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_comes_once() {
        for (n, factorial) in [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120), (6, 720)] {
            let mut values: Vec<f64> = (0..n).map(f64::from).collect();
            let mut seen = std::collections::BTreeSet::new();
            let mut visits = 0;
            every_order(&mut values, &mut |order| {
                visits += 1;
                seen.insert(order.iter().map(|v| *v as u8).collect::<Vec<_>>());
            });
            assert_eq!((visits, seen.len()), (factorial, factorial));
        }
    }

    #[test]
    fn a_rising_curve_is_one_in_ranks_only() {
        let (x, y) = ([1.0, 2.0, 3.0, 4.0], [1.0, 10.0, 100.0, 1000.0]);
        let ranks = spearman(&x, &y, Alternative::TwoSided).unwrap();
        assert_eq!((ranks.coefficient, ranks.p), (1.0, 2.0 / 24.0));
        assert!(pearson(&x, &y, Alternative::TwoSided).unwrap().coefficient < 0.9);
        assert_eq!(kendall_tau_b(&x, &y), Ok(1.0));
    }

    #[test]
    fn the_side_that_is_asked_about_is_counted() {
        let (x, y) = ([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]);
        let p = |alternative| spearman(&x, &y, alternative).unwrap().p;
        assert_eq!((p(Alternative::Greater), p(Alternative::Less)), (1.0 / 24.0, 1.0));
    }

    #[test]
    fn eight_values_are_the_most_whose_orders_are_all_tried() {
        let (x, y) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [2.0, 1.0, 4.0, 3.0, 6.0, 5.0, 8.0, 7.0]);
        let found = spearman(&x, &y, Alternative::TwoSided).unwrap();
        // Σd² = 8. Python's itertools.permutations has 184 of 40,320 at least as far from the middle.
        assert!((found.coefficient - (1.0 - 48.0 / 504.0)).abs() < 1e-12);
        assert_eq!((found.p, found.method), (184.0 / 40_320.0, PMethod::ExactPermutation));
    }

    #[test]
    fn ties_are_neither_concordant_nor_discordant() {
        // Six pairs, of which one is tied in x and another in y; the other four rise. scipy.stats.kendalltau has .8 too.
        let tied = kendall_tau_b(&[1.0, 2.0, 2.0, 3.0], &[1.0, 1.0, 2.0, 3.0]).unwrap();
        assert!((tied - 0.8).abs() < 1e-12, "{tied}");
        let flat = Err(StatsError::NoVariation { what: "a correlation" });
        assert_eq!(kendall_tau_b(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]), flat);
        assert_eq!(kendall_tau_b(&[1.0, 2.0, 3.0], &[1.0, 1.0, 1.0]), flat);
    }

    #[test]
    fn long_series_say_that_p_is_approximate() {
        let x: Vec<f64> = (0..9).map(f64::from).collect();
        let y: Vec<f64> = x.iter().map(|v| (v * 7.0) % 9.0).collect();
        let found = spearman(&x, &y, Alternative::TwoSided).unwrap();
        assert_eq!(found.method, PMethod::TApproximation);
    }

    #[test]
    fn a_constant_correlates_with_nothing() {
        let flat = spearman(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0], Alternative::TwoSided);
        assert_eq!(flat, Err(StatsError::NoVariation { what: "a correlation" }));
    }

    #[test]
    fn series_must_be_of_one_length_and_of_numbers() {
        assert!(pearson(&[1.0, 2.0, 3.0], &[1.0, 2.0], Alternative::TwoSided).is_err());
        assert!(spearman(&[1.0, f64::NAN, 3.0], &[1.0, 2.0, 3.0], Alternative::TwoSided).is_err());
    }
}
