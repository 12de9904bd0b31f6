//! `logit`: multinomial logistic regression. Where `gestalt` averages, it learns which words tell conditions apart.
//!
//! Trained by stochastic gradient descent in a fixed order, with one Adagrad step size per word (Duchi, Hazan and Singer 2011), so that
//! rare words learn as fast as common ones. There is no intercept: callers train on as many narratives of each condition, and a
//! text of unknown words should favour none.

use super::guess::{Guess, softmax};
use super::linear::{Weights, labels_of};
use super::tfidf::{Tfidf, Vector};
use super::{Example, Reader};

/// Rate, penalty and passes were set by the Brier score on unseen simulated patients as they are, never on edited ones: a reader tuned
/// on traps would be no exhibit. Twelve passes or twice the rate score the same.
const RATE: f32 = 1.0;
/// Shrinks the words a narrative has, each time it is read: words seen often are held back more than words seen rarely.
const L2: f32 = 1e-4;
const PASSES: usize = 6;

pub(super) struct Logit {
    tfidf: Tfidf,
    labels: Vec<String>,
    weights: Weights,
}

impl Logit {
    pub(super) fn train(examples: &[&Example]) -> Self {
        let (labels, label_of) = labels_of(examples);
        let (tfidf, vectors) = Tfidf::learn(examples.iter().map(|example| example.text.as_str()));
        let order = taking_turns(&label_of, labels.len());
        let mut descent = Descent::new(tfidf.len(), labels.len());
        for _ in 0..PASSES {
            for &example in &order {
                descent.step(&vectors[example], label_of[example]);
            }
        }
        Self { tfidf, labels, weights: descent.weights }
    }
}

impl Reader for Logit {
    fn rank(&self, narrative: &str) -> Vec<Guess> {
        let mut scores = vec![0.0; self.labels.len()];
        self.weights.score(&self.tfidf.vector(narrative), &mut scores);
        softmax(&self.labels, &scores, 1.0)
    }
}

/// One example of each label in turn. Label by label, the last label would be all the descent remembers.
fn taking_turns(label_of: &[usize], labels: usize) -> Vec<usize> {
    let mut turn_of = vec![0; labels];
    let mut order: Vec<(usize, usize)> = Vec::with_capacity(label_of.len());
    for (example, &label) in label_of.iter().enumerate() {
        order.push((turn_of[label], example));
        turn_of[label] += 1;
    }
    order.sort_unstable();
    order.into_iter().map(|(_, example)| example).collect()
}

struct Descent {
    weights: Weights,
    /// By word: the sum of squared gradients so far. One per word rather than per weight costs no square root per label.
    travelled: Vec<f32>,
    /// Kept between steps to spare an allocation.
    error: Vec<f32>,
}

impl Descent {
    fn new(words: usize, labels: usize) -> Self {
        Self {
            weights: Weights::zero(words, labels),
            // A small start keeps the first step of a word finite.
            travelled: vec![1e-6; words],
            error: vec![0.0; labels],
        }
    }

    fn step(&mut self, text: &Vector, label: usize) {
        self.weights.score(text, &mut self.error);
        to_probabilities(&mut self.error);
        self.error[label] -= 1.0;
        let squared: f32 = self.error.iter().map(|error| error * error).sum();
        for &(word, weight) in text {
            let travelled = &mut self.travelled[word as usize];
            *travelled += weight * weight * squared;
            let rate = RATE / travelled.sqrt();
            let (keep, push) = (1.0 - (rate * L2).min(1.0), rate * weight);
            for (cell, error) in self.weights.row_mut(word).iter_mut().zip(&self.error) {
                *cell = keep * *cell - push * error;
            }
        }
    }
}

fn to_probabilities(scores: &mut [f32]) {
    let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for score in &mut *scores {
        *score = (*score - best).exp();
        sum += *score;
    }
    scores.iter_mut().for_each(|score| *score /= sum);
}

#[cfg(test)]
mod tests {
    use super::super::sample::example;
    use super::*;

    #[test]
    fn labels_take_turns() {
        assert_eq!(taking_turns(&[0, 0, 0, 1, 2, 2], 3), [0, 3, 4, 1, 5, 2]);
    }

    #[test]
    fn a_word_two_conditions_share_tells_less_than_the_one_that_differs() {
        let all =
            [example("wheeze\nsmoker", "COPD"), example("wheeze\npollen", "Asthma"), example("headache", "Migraine")];
        let mut sorted: Vec<&Example> = all.iter().collect();
        sorted.sort_by_key(|example| &example.label);
        let reader = Logit::train(&sorted);
        assert_eq!(reader.rank("wheeze\npollen")[0].label, "Asthma");
        assert_eq!(reader.rank("wheeze\nsmoker")[0].label, "COPD");
        assert_eq!(reader.rank("headache")[0].label, "Migraine");
    }

    #[test]
    fn a_denied_finding_is_not_a_present_one() {
        let all = [
            example("I have a stiff neck.\nI have a fever.", "Meningitis"),
            example("I do not have a stiff neck.\nI have a fever.", "Influenza"),
        ];
        let mut sorted: Vec<&Example> = all.iter().collect();
        sorted.sort_by_key(|example| &example.label);
        let reader = Logit::train(&sorted);
        assert_eq!(reader.rank("I do not have a stiff neck.")[0].label, "Influenza");
        assert_eq!(reader.rank("I have a stiff neck.")[0].label, "Meningitis");
    }
}
