//! t-tests for two samples.

use super::StatsError;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// What the test speaks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alternative {
    TwoSided,
    /// The first is below the second, or the association is negative.
    Less,
    Greater,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TTest {
    pub t: f64,
    pub df: f64,
    pub p: f64,
}

/// Variances may differ; degrees of freedom by Welch and Satterthwaite.
pub fn welch_t(first: &[f64], second: &[f64], alternative: Alternative) -> Result<TTest, StatsError> {
    let (a, b) = (Sample::of(first)?, Sample::of(second)?);
    let (of_a, of_b) = (a.variance / a.n, b.variance / b.n);
    let variance = of_a + of_b;
    let df = variance.powi(2) / (of_a.powi(2) / (a.n - 1.0) + of_b.powi(2) / (b.n - 1.0));
    TTest::of(a.mean - b.mean, variance, df, alternative)
}

/// One variance for both samples.
pub fn student_t(first: &[f64], second: &[f64], alternative: Alternative) -> Result<TTest, StatsError> {
    let (a, b) = (Sample::of(first)?, Sample::of(second)?);
    let df = a.n + b.n - 2.0;
    let pooled = ((a.n - 1.0) * a.variance + (b.n - 1.0) * b.variance) / df;
    TTest::of(a.mean - b.mean, pooled * (1.0 / a.n + 1.0 / b.n), df, alternative)
}

/// The mean of first minus second, value by value.
pub fn paired_t(first: &[f64], second: &[f64], alternative: Alternative) -> Result<TTest, StatsError> {
    if first.len() != second.len() {
        return Err(StatsError::DifferentLengths { first: first.len(), second: second.len() });
    }
    let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| a - b).collect();
    let d = Sample::of(&differences)?;
    TTest::of(d.mean, d.variance / d.n, d.n - 1.0, alternative)
}

/// The share of a t distribution at least as extreme as `t`.
pub(super) fn t_p(t: f64, df: f64, alternative: Alternative) -> f64 {
    let distribution =
        StudentsT::new(0.0, 1.0, df).expect("degrees of freedom are positive, because samples have two values");
    match alternative {
        Alternative::TwoSided => (2.0 * distribution.sf(t.abs())).min(1.0),
        Alternative::Less => distribution.cdf(t),
        Alternative::Greater => distribution.sf(t),
    }
}

impl TTest {
    fn of(difference: f64, variance: f64, df: f64, alternative: Alternative) -> Result<Self, StatsError> {
        if variance == 0.0 {
            return Err(StatsError::NoVariation { what: "a t-test" });
        }
        let t = difference / variance.sqrt();
        Ok(Self { t, df, p: t_p(t, df, alternative) })
    }
}

struct Sample {
    n: f64,
    mean: f64,
    variance: f64,
}

impl Sample {
    fn of(values: &[f64]) -> Result<Self, StatsError> {
        let what = "a t-test";
        if values.len() < 2 {
            return Err(StatsError::TooFew { what, needed: 2, given: values.len() });
        }
        if values.iter().any(|value| !value.is_finite()) {
            return Err(StatsError::NotFinite { what });
        }
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
        Ok(Self { n, mean, variance })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sides_add_up() {
        let (a, b) = ([1.0, 2.0, 4.0], [2.0, 3.0, 7.0]);
        let p = |alternative| welch_t(&a, &b, alternative).unwrap().p;
        assert!((p(Alternative::Less) + p(Alternative::Greater) - 1.0).abs() < 1e-12);
        assert!((p(Alternative::TwoSided) - 2.0 * p(Alternative::Less)).abs() < 1e-12);
    }

    #[test]
    fn samples_that_do_not_vary_are_refused() {
        let same = student_t(&[1.0, 1.0], &[2.0, 2.0], Alternative::TwoSided);
        assert_eq!(same, Err(StatsError::NoVariation { what: "a t-test" }));
    }

    #[test]
    fn one_value_is_not_a_sample() {
        assert!(welch_t(&[1.0], &[2.0, 3.0], Alternative::TwoSided).is_err());
    }

    #[test]
    fn pairs_need_partners() {
        assert!(paired_t(&[1.0, 2.0], &[2.0], Alternative::TwoSided).is_err());
    }
}
