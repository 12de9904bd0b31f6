//! Quantiles by linear interpolation.

use super::Interval;

/// The quantile of ascending values by linear interpolation between order statistics: Hyndman and Fan's type 7,
/// which is the default of numpy and R. `None` of nothing.
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let position = share.clamp(0.0, 1.0) * last as f64;
    let below = sorted[position.floor() as usize];
    let above = sorted[position.ceil() as usize];
    Some(below + (above - below) * position.fract())
}

/// The percentile interval of replicates in any order: their 2.5 % and 97.5 % points. `None` of nothing.
pub fn percentile_95(mut replicates: Vec<f64>) -> Option<Interval> {
    replicates.sort_unstable_by(f64::total_cmp);
    Some(Interval { low: quantile(&replicates, 0.025)?, high: quantile(&replicates, 0.975)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(share: f64, expected: f64) {
        let found = quantile(&[1.0, 2.0, 4.0, 8.0], share).unwrap();
        assert!((found - expected).abs() < 1e-12, "{found}");
    }

    #[test]
    fn the_ends_are_the_extremes() {
        check(0.0, 1.0);
        check(1.0, 8.0);
    }

    #[test]
    fn between_two_values_it_interpolates() {
        check(0.5, 3.0);
        check(0.975, 7.7);
    }

    #[test]
    fn nothing_has_no_quantile() {
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(percentile_95(Vec::new()), None);
    }

    #[test]
    fn the_ends_of_an_interval_lie_between_replicates() {
        // numpy.percentile(range(11), [2.5, 97.5]): the nearest replicates would be 0 and 10.
        let found = percentile_95((0..11).rev().map(f64::from).collect()).unwrap();
        assert!((found.low - 0.25).abs() < 1e-12 && (found.high - 9.75).abs() < 1e-12, "{found:?}");
    }
}
