//! A score per label: a sum over the words of a text. `gestalt` and `logit` differ only in where the weights come from.

use super::Example;
use super::tfidf::Vector;

/// Weights by word, then label, so that reading a text runs along memory.
pub(super) struct Weights {
    labels: usize,
    cells: Vec<f32>,
}

impl Weights {
    pub(super) fn zero(words: usize, labels: usize) -> Self {
        Self { labels, cells: vec![0.0; words * labels] }
    }

    pub(super) fn row_mut(&mut self, word: u32) -> &mut [f32] {
        let start = word as usize * self.labels;
        &mut self.cells[start..start + self.labels]
    }

    pub(super) fn rows_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        self.cells.chunks_exact_mut(self.labels)
    }

    /// Writes one score per label into `scores`.
    pub(super) fn score(&self, text: &Vector, scores: &mut [f32]) {
        scores.fill(0.0);
        for &(word, weight) in text {
            let start = word as usize * self.labels;
            let row = &self.cells[start..start + self.labels];
            for (score, cell) in scores.iter_mut().zip(row) {
                *score += weight * cell;
            }
        }
    }
}

/// The different labels of examples sorted by label, and the number of each example's label among them.
pub(super) fn labels_of(examples: &[&Example]) -> (Vec<String>, Vec<usize>) {
    let mut names: Vec<String> = Vec::new();
    let mut numbers = Vec::with_capacity(examples.len());
    for example in examples {
        if names.last() != Some(&example.label) {
            names.push(example.label.clone());
        }
        numbers.push(names.len() - 1);
    }
    (names, numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_a_weighted_sum_over_words() {
        let mut weights = Weights::zero(3, 2);
        weights.row_mut(0).copy_from_slice(&[1.0, 0.0]);
        weights.row_mut(2).copy_from_slice(&[0.5, 4.0]);
        let mut scores = [9.0; 2];
        weights.score(&vec![(0, 2.0), (2, 0.5)], &mut scores);
        assert_eq!(scores, [2.25, 2.0]);
    }

    #[test]
    fn labels_are_numbered_in_order() {
        let example = |label: &str| Example { text: String::new(), label: label.to_owned() };
        let all = ["Angina", "Angina", "Migraine"].map(example);
        let (names, numbers) = labels_of(&all.iter().collect::<Vec<_>>());
        assert_eq!(names, ["Angina", "Migraine"]);
        assert_eq!(numbers, [0, 0, 1]);
    }
}
