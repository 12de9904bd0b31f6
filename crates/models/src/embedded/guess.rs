//! A ranked list of labels whose confidences sum to 1.

/// A label and how sure a reader is of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    pub label: String,
    pub confidence: f64,
}

/// weights → ranking. What is not a positive number weighs nothing; where nothing weighs anything, all labels are equally likely.
pub(super) fn ranking(mut guesses: Vec<Guess>) -> Vec<Guess> {
    for guess in &mut guesses {
        if !(guess.confidence.is_finite() && guess.confidence > 0.0) {
            guess.confidence = 0.0;
        }
    }
    // Divided by the largest first, so that the sum of very large weights stays finite.
    let largest = guesses.iter().map(|guess| guess.confidence).fold(0.0, f64::max);
    if largest == 0.0 {
        guesses.iter_mut().for_each(|guess| guess.confidence = 1.0);
    } else {
        guesses.iter_mut().for_each(|guess| guess.confidence /= largest);
    }
    let sum: f64 = guesses.iter().map(|guess| guess.confidence).sum();
    guesses.iter_mut().for_each(|guess| guess.confidence /= sum);
    guesses.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then_with(|| a.label.cmp(&b.label)));
    guesses
}

/// scores → ranking; the lower the temperature, the more a small lead is worth.
pub(super) fn softmax(labels: &[String], scores: &[f32], temperature: f64) -> Vec<Guess> {
    // The best score becomes exp(0), so nothing overflows.
    let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weight = |score: f32| (f64::from(score - best) / temperature).exp();
    let guesses =
        labels.iter().zip(scores).map(|(label, &score)| Guess { label: label.clone(), confidence: weight(score) });
    ranking(guesses.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(weights: &[(&str, f64)], expected: &[(&str, f64)]) {
        let guess = |&(label, confidence): &(&str, f64)| Guess { label: label.to_owned(), confidence };
        let found = ranking(weights.iter().map(guess).collect());
        let expected: Vec<Guess> = expected.iter().map(guess).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn weights_become_shares() {
        check(&[("a", 1.0), ("b", 3.0)], &[("b", 0.75), ("a", 0.25)]);
    }

    #[test]
    fn ties_are_broken_by_label() {
        check(&[("b", 2.0), ("a", 2.0)], &[("a", 0.5), ("b", 0.5)]);
    }

    #[test]
    fn what_is_not_a_positive_number_weighs_nothing() {
        check(
            &[("d", -1.0), ("c", f64::NAN), ("b", f64::INFINITY), ("a", 0.1)],
            &[("a", 1.0), ("b", 0.0), ("c", 0.0), ("d", 0.0)],
        );
    }

    #[test]
    fn nothing_known_is_everything_equally_likely() {
        check(&[("b", 0.0), ("a", 0.0)], &[("a", 0.5), ("b", 0.5)]);
        check(&[], &[]);
    }

    #[test]
    fn very_large_weights_do_not_overflow() {
        check(&[("a", f64::MAX), ("b", f64::MAX)], &[("a", 0.5), ("b", 0.5)]);
    }
}
