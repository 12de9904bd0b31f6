//! Exact tests on discordant pairs.

use statrs::distribution::{Binomial, DiscreteCDF};

/// Two-sided exact sign test: under no effect each pair that changed is up or down like a coin. Pairs that did not
/// change say nothing; if none changed, p is 1.
pub fn sign_test(up: u64, down: u64) -> f64 {
    let coin = Binomial::new(0.5, up + down).expect("one half is a probability");
    (2.0 * coin.cdf(up.min(down))).min(1.0)
}

/// McNemar's exact test for two subjects on the same cases: the cases only the first got right against those only the
/// second did. It is the sign test of these.
pub fn mcnemar_exact(only_first: u64, only_second: u64) -> f64 {
    sign_test(only_first, only_second)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(up: u64, down: u64, expected: f64) {
        assert!((sign_test(up, down) - expected).abs() < 1e-12);
        assert_eq!(sign_test(up, down), sign_test(down, up));
        assert_eq!(sign_test(up, down), mcnemar_exact(up, down));
    }

    #[test]
    fn nothing_changed_proves_nothing() {
        check(0, 0, 1.0);
    }

    #[test]
    fn as_many_up_as_down_prove_nothing() {
        check(5, 5, 1.0);
    }

    #[test]
    fn five_of_five_are_one_in_sixteen() {
        check(5, 0, 2.0 / 32.0);
    }

    #[test]
    fn one_of_ten_is_twenty_two_in_a_thousand_and_twenty_four() {
        check(1, 9, 22.0 / 1024.0);
    }
}
