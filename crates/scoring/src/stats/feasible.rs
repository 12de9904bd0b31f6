//! Could this printed percentage come from that many cases?

/// The count k for which 100·k/n prints as `value_percent` at that many decimals, the nearest if there are several,
/// and `None` if no count does. With `half_points` k may end in .5, for scores of 0, ½ and 1.
///
/// Run it on every table we publish. On others it found that a paper's 5,383 pairs were 5,379 (specs 10.1).
pub fn feasible(value_percent: f64, decimals: u32, n: u64, half_points: bool) -> Option<f64> {
    if n == 0 || !(0.0..=100.0).contains(&value_percent) {
        return None;
    }
    let steps = if half_points { 2.0 } else { 1.0 };
    let n = n as f64;
    let count = (value_percent / 100.0 * n * steps).round() / steps;
    // The slack is for values that lie on the border, which rounding half up or half to even both may print.
    let half_a_digit = 0.5 * 0.1_f64.powi(decimals as i32) + 1e-9;
    ((100.0 * count / n - value_percent).abs() <= half_a_digit).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_is_one_of_three() {
        assert_eq!(feasible(33.3, 1, 3, false), Some(1.0));
    }

    #[test]
    fn a_quarter_is_not_a_share_of_three() {
        assert_eq!(feasible(25.0, 1, 3, false), None);
    }

    #[test]
    fn half_points_allow_more() {
        assert_eq!(feasible(16.7, 1, 3, false), None);
        assert_eq!(feasible(16.7, 1, 3, true), Some(0.5));
    }

    #[test]
    fn no_cases_and_impossible_percentages_are_infeasible() {
        assert_eq!(feasible(0.0, 1, 0, false), None);
        assert_eq!(feasible(100.1, 1, 10, false), None);
        assert_eq!(feasible(110.0, 1, 10, false), None);
        assert_eq!(feasible(f64::NAN, 1, 10, false), None);
    }

    #[test]
    fn a_half_may_be_printed_up_or_down() {
        assert_eq!(feasible(12.0, 0, 8, false), Some(1.0));
        assert_eq!(feasible(13.0, 0, 8, false), Some(1.0));
    }
}
