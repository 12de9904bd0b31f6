//! Closed-form 95 % intervals.

pub use waterjar_core::Interval;

use super::StatsError;

/// The 97.5 % point of the normal distribution, to the digits the golden values were computed with.
pub const Z95: f64 = 1.959964;

/// Wilson's interval for a share. Prefer it to [`wald`]: many conditions have fewer than ten pairs.
/// `None` without trials or with more successes than trials.
///
/// Wilson 1927: centre (p+z²/2n)/(1+z²/n), half-width z/(1+z²/n)·√(p(1−p)/n + z²/4n²).
pub fn wilson(successes: u64, n: u64) -> Option<Interval> {
    wilson_of_share(successes as f64 / n as f64, n)
}

/// Wilson's interval around a share that need not be of whole successes: graded scores, or families that each count in part.
pub fn wilson_of_share(share: f64, n: u64) -> Option<Interval> {
    if n == 0 || !(0.0..=1.0).contains(&share) {
        return None;
    }
    let (p, n) = (share, n as f64);
    let shrink = 1.0 + Z95 * Z95 / n;
    let centre = (p + Z95 * Z95 / (2.0 * n)) / shrink;
    let half = Z95 / shrink * (p * (1.0 - p) / n + Z95 * Z95 / (4.0 * n * n)).sqrt();
    // At 0 and at n the bound is the share itself; only rounding moves it past.
    Some(Interval { low: (centre - half).max(0.0).min(p), high: (centre + half).min(1.0).max(p) })
}

/// The textbook normal interval for a share, p ± z·√(p(1−p)/n), cut to 0..1; published tables use it.
pub fn wald(share: f64, n: u64) -> Option<Interval> {
    if n == 0 || !(0.0..=1.0).contains(&share) {
        return None;
    }
    let half = Z95 * (share * (1.0 - share) / n as f64).sqrt();
    Some(Interval { low: (share - half).max(0.0), high: (share + half).min(1.0) })
}

/// Normal interval for a mean of scores, mean ± z·sd/√n. The sd divides by n, as in the published CSS intervals. It takes every score as independent,
/// which the variants of one case are not: use it to reproduce a published table, [`super::Bootstrap`] otherwise.
pub fn mean_interval(scores: &[f64]) -> Result<Interval, StatsError> {
    let what = "an interval for a mean";
    let n = scores.len();
    if n < 2 {
        return Err(StatsError::TooFew { what, needed: 2, given: n });
    }
    if scores.iter().any(|score| !score.is_finite()) {
        return Err(StatsError::NotFinite { what });
    }
    let mean = scores.iter().sum::<f64>() / n as f64;
    let variance = scores.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / n as f64;
    let half = Z95 * (variance / n as f64).sqrt();
    Ok(Interval { low: mean - half, high: mean + half })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn no_trials_have_no_interval() {
        assert_eq!(wilson(0, 0), None);
        assert_eq!(wald(0.5, 0), None);
    }

    #[test]
    fn more_successes_than_trials_have_no_interval() {
        assert_eq!(wilson(4, 3), None);
        assert_eq!(wald(1.2, 3), None);
    }

    #[test]
    fn wilson_of_few_trials() {
        // scipy.stats.binomtest(1, 10).proportion_ci(method="wilson"), and (3, 3)
        let check = |successes: u64, n: u64, low: f64, high: f64| {
            let found = wilson(successes, n).unwrap();
            assert!((found.low - low).abs() < 1e-8 && (found.high - high).abs() < 1e-8, "{found:?}");
        };
        check(1, 10, 0.017876213, 0.404150027);
        check(3, 3, 0.438502968, 1.0);
        check(0, 3, 0.0, 0.561497032);
    }

    #[test]
    fn one_score_has_no_spread_and_two_have_one() {
        assert!(mean_interval(&[0.5]).is_err());
        // Mean ½, variance ¼: half of the width is 1.959964·√⅛.
        let two = mean_interval(&[0.0, 1.0]).unwrap();
        assert!((two.low + 0.1929519).abs() < 1e-7 && (two.high - 1.1929519).abs() < 1e-7, "{two:?}");
    }

    proptest! {
        #[test]
        fn wilson_contains_the_share(n in 1_u64..100_000, part in 0.0..=1.0_f64) {
            let k = (part * n as f64) as u64;
            let interval = wilson(k, n).unwrap();
            let share = k as f64 / n as f64;
            prop_assert!(interval.low <= share && share <= interval.high);
            prop_assert!(interval.low >= 0.0 && interval.high <= 1.0);
        }
    }
}
