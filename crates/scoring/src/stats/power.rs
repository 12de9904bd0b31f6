//! How many cases a question needs.

use super::{Z95, wilson};
use statrs::distribution::{ContinuousCDF, Normal};

/// Families until an interval of this half width, which so many gave, is as narrow as wanted: it shrinks with the root of their number.
pub fn families_for_width(families: u64, half_width: f64, wanted: f64) -> Option<u64> {
    let sensible = families > 0 && half_width.is_finite() && half_width >= 0.0 && wanted > 0.0;
    sensible.then(|| (families as f64 * (half_width / wanted).powi(2)).ceil().max(1.0) as u64)
}

/// Families until a true difference is seen with this probability, two-sided at 5 %, if so many gave an interval of this half width.
pub fn families_for_difference(families: u64, half_width: f64, difference: f64, power: f64) -> Option<u64> {
    // An interval is as wide as 1.96 standard errors to each side; to see a difference it has to be that and z(power) away from 0.
    let wanted = difference.abs() * Z95 / (Z95 + z(power)?);
    families_for_width(families, half_width, wanted)
}

/// Cases until the 95 % interval (Wilson's) of a share is as narrow as wanted. `None` where no number is enough, or none that could be asked.
pub fn cases_for_share(share: f64, wanted: f64) -> Option<u64> {
    if !(0.0..=1.0).contains(&share) {
        return None;
    }
    let narrow =
        |n: u64| wilson((share * n as f64).round() as u64, n).is_some_and(|it| (it.high - it.low) / 2.0 <= wanted);
    let mut high = 1_u64;
    while !narrow(high) {
        high = high.checked_mul(2).filter(|it| *it < 1 << 40)?;
    }
    let mut low = 0;
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if narrow(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

/// Pairs until McNemar's test sees two shares apart with this probability, if the two answer independently of each other, which is more than
/// two that err on the same cases need. Miettinen 1968: n = (z(α/2)·√ψ + z(β)·√(ψ − δ²))² / δ², ψ the share of pairs on which they differ.
pub fn pairs_for_difference(first: f64, second: f64, power: f64) -> Option<u64> {
    let difference = first - second;
    if ![first, second].iter().all(|it| (0.0..=1.0).contains(it)) || difference == 0.0 {
        return None;
    }
    let differ = first * (1.0 - second) + second * (1.0 - first);
    let root = Z95 * differ.sqrt() + z(power)? * (differ - difference * difference).max(0.0).sqrt();
    Some((root / difference).powi(2).ceil() as u64)
}

/// The point of the normal distribution below which so much lies.
fn z(power: f64) -> Option<f64> {
    (power > 0.5 && power < 1.0).then(|| Normal::standard().inverse_cdf(power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_times_the_families_halve_an_interval() {
        assert_eq!(families_for_width(100, 0.1, 0.05), Some(400));
        assert_eq!(families_for_width(100, 0.05, 0.05), Some(100));
        assert_eq!(families_for_width(0, 0.1, 0.05), None);
    }

    #[test]
    fn a_share_of_a_half_needs_about_a_thousand_cases_for_three_percent() {
        // 1.96² · ¼ / 0.03² = 1067.1; Wilson's is narrower by z²/n.
        assert_eq!(cases_for_share(0.5, 0.03), Some(1064));
        let known = cases_for_share(0.1, 0.05).expect("a share");
        let half =
            |n: u64| wilson((0.1 * n as f64).round() as u64, n).map(|it| (it.high - it.low) / 2.0).expect("cases");
        assert!(half(known) <= 0.05);
    }

    #[test]
    fn seeing_with_80_percent_takes_twice_what_an_interval_beside_zero_takes() {
        // ((1.96 + 0.8416) / 1.96)² = 2.043
        assert_eq!(families_for_difference(1000, 0.05, 0.05, 0.8), Some(2044));
        assert_eq!(families_for_difference(1000, 0.05, 0.05, 0.4), None);
    }

    #[test]
    fn pairs_of_the_textbook() {
        // ψ = 0.5·0.6 + 0.4·0.5 = 0.5, δ = 0.1: (1.96·0.7071 + 0.8416·0.7)² / 0.01 = 390.1
        assert_eq!(pairs_for_difference(0.5, 0.4, 0.8), Some(391));
        assert_eq!(pairs_for_difference(0.5, 0.5, 0.8), None);
    }

    #[test]
    fn what_no_number_of_cases_gives_has_none() {
        for (half_width, wanted) in [(0.1, 0.0), (0.1, -0.05), (-0.1, 0.05), (f64::INFINITY, 0.05), (f64::NAN, 0.05)] {
            assert_eq!(families_for_width(100, half_width, wanted), None);
        }
        for (share, wanted) in [(0.5, 0.0), (0.5, -0.1), (0.5, f64::NAN), (-0.5, 0.05), (1.2, 0.05), (f64::NAN, 0.05)] {
            assert_eq!(cases_for_share(share, wanted), None, "{share} within {wanted}");
        }
        // (1.96 · ½ / 0.0000011)² = 7.9e11, which is more than 2³⁹.
        assert_eq!(cases_for_share(0.5, 1.1e-6), None);
    }

    #[test]
    fn a_probability_of_a_half_or_of_one_is_none_to_plan_for() {
        assert_eq!(families_for_difference(1000, 0.05, 0.05, 0.5), None);
        assert_eq!(pairs_for_difference(0.5, 0.4, 0.5), None);
        assert_eq!(pairs_for_difference(0.5, 0.4, 1.0), None);
        assert_eq!(pairs_for_difference(1.2, 0.4, 0.8), None);
    }
}
