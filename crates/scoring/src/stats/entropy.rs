//! Shannon entropy, and the consistency of a group of answers.

/// −Σ p log₂ p over the categories that occur; 0 for an empty group.
pub fn entropy_bits(counts: &[u64]) -> f64 {
    let total = counts.iter().sum::<u64>() as f64;
    let surprise = |&count: &u64| {
        let share = count as f64 / total;
        share * share.log2()
    };
    // Logarithms of shares are not positive.
    counts.iter().filter(|count| **count > 0).map(surprise).sum::<f64>().abs()
}

/// How far a group of answers agrees: 1 − H / log₂ m, from 1 (all the same) to 0 (all different), where m is the number
/// of answers given. `None` for fewer than two answers, which can neither agree nor differ.
///
/// The published code divides by the log of the answers asked for and fails when one is missing (specs 2.5); with all
/// given the two are equal.
pub fn consistency(counts: &[u64]) -> Option<f64> {
    consistency_against(counts, counts.iter().sum())
}

/// The same against a fixed number of variants, for comparison with published figures.
pub fn consistency_against(counts: &[u64], variants: u64) -> Option<f64> {
    (variants >= 2 && counts.iter().sum::<u64>() > 0).then(|| 1.0 - entropy_bits(counts) / (variants as f64).log2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_category_has_no_entropy() {
        assert_eq!(entropy_bits(&[4]).to_bits(), 0.0_f64.to_bits());
        assert_eq!(entropy_bits(&[4, 0]), 0.0);
    }

    #[test]
    fn a_coin_has_one_bit() {
        assert_eq!(entropy_bits(&[3, 3]), 1.0);
    }

    #[test]
    fn fewer_than_two_answers_are_neither_consistent_nor_not() {
        assert_eq!(consistency(&[1]), None);
        assert_eq!(consistency(&[]), None);
        assert_eq!(consistency_against(&[], 4), None);
    }
}
