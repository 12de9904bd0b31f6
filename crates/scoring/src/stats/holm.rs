//! Holm's correction for testing many times.

/// Adjusted p-values in the order given: the smallest times m, the next times m−1, and so on, never falling and never
/// above 1 (Holm 1979). Reject those at or below the level; the chance of one false rejection stays below it.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut floor = 0.0_f64;
    for (done, index) in order.into_iter().enumerate() {
        let left = (p_values.len() - done) as f64;
        floor = floor.max((left * p_values[index]).min(1.0));
        adjusted[index] = floor;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_textbook_example_comes_out() {
        // R: p.adjust(c(.01, .04, .03, .005), "holm")
        let found = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, expected) in found.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn one_test_needs_no_correction() {
        assert_eq!(holm(&[0.04]), [0.04]);
    }

    proptest! {
        #[test]
        fn adjusted_is_never_below_raw_and_keeps_the_order(raw in prop::collection::vec(0.0..=1.0_f64, 1..30)) {
            let adjusted = holm(&raw);
            for i in 0..raw.len() {
                prop_assert!(raw[i] <= adjusted[i] && adjusted[i] <= 1.0);
                for j in 0..raw.len() {
                    prop_assert!(raw[i] > raw[j] || adjusted[i] <= adjusted[j]);
                }
            }
        }
    }
}
