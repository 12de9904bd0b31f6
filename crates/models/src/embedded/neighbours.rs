//! `neighbours`: what did the patients have whose narratives are most like this one?

use super::guess::{Guess, ranking};
use super::linear::labels_of;
use super::tfidf::Tfidf;
use super::{Example, Reader};

/// Odd and small, the usual choice for tens of narratives a condition (and the one measured in the prototype).
const K: usize = 7;

pub(super) struct Neighbours {
    tfidf: Tfidf,
    labels: Vec<String>,
    /// The number of each training narrative's label.
    label_of: Vec<usize>,
    /// By word: the training narratives that have it, with its weight there. A narrative that shares no word is never looked at.
    having: Vec<Vec<(u32, f32)>>,
}

impl Neighbours {
    pub(super) fn train(examples: &[&Example]) -> Self {
        let (labels, label_of) = labels_of(examples);
        let (tfidf, vectors) = Tfidf::learn(examples.iter().map(|example| example.text.as_str()));
        let mut having = vec![Vec::new(); tfidf.len()];
        for (narrative, vector) in vectors.iter().enumerate() {
            for &(word, weight) in vector {
                having[word as usize].push((narrative as u32, weight));
            }
        }
        Self { tfidf, labels, label_of, having }
    }

    /// (narrative, cosine) of the nearest, nearest first; fewer than K where fewer share a word.
    fn nearest(&self, text: &str) -> Vec<(usize, f32)> {
        let mut cosines = vec![0.0_f32; self.label_of.len()];
        for (word, weight) in self.tfidf.vector(text) {
            for &(narrative, there) in &self.having[word as usize] {
                cosines[narrative as usize] += weight * there;
            }
        }
        let mut near: Vec<(usize, f32)> = cosines.into_iter().enumerate().collect();
        near.retain(|&(_, cosine)| cosine > 0.0);
        let nearer = |a: &(usize, f32), b: &(usize, f32)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        if near.len() > K {
            near.select_nth_unstable_by(K - 1, nearer);
            near.truncate(K);
        }
        near.sort_by(nearer);
        near
    }
}

impl Reader for Neighbours {
    /// Each neighbour votes with its cosine. Conditions nobody votes for get zero and follow by name.
    fn rank(&self, narrative: &str) -> Vec<Guess> {
        let mut votes = vec![0.0; self.labels.len()];
        for (neighbour, cosine) in self.nearest(narrative) {
            votes[self.label_of[neighbour]] += f64::from(cosine);
        }
        let guesses =
            self.labels.iter().zip(votes).map(|(label, vote)| Guess { label: label.clone(), confidence: vote });
        ranking(guesses.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{NAMES, example, examples, narrative};
    use super::*;

    fn train(examples: &[Example]) -> Neighbours {
        let mut sorted: Vec<&Example> = examples.iter().collect();
        sorted.sort_by_key(|example| &example.label);
        Neighbours::train(&sorted)
    }

    #[test]
    fn fewer_narratives_than_neighbours_all_vote() {
        let reader = train(&[
            example("fever and cough", "Influenza"),
            example("itch and rash", "Scabies"),
            example("fever and rash", "Measles"),
        ]);
        let ranking = reader.rank("fever and rash");
        assert_eq!(ranking[0].label, "Measles");
        assert!(ranking.iter().all(|guess| guess.confidence > 0.0));
    }

    #[test]
    fn conditions_nobody_votes_for_follow_by_name_with_zero() {
        let reader =
            train(&[example("headache", "Migraine"), example("wheeze", "Asthma"), example("cough", "Bronchitis")]);
        let ranking = reader.rank("headache");
        let expected = [("Migraine", 1.0), ("Asthma", 0.0), ("Bronchitis", 0.0)];
        for (guess, (label, confidence)) in ranking.iter().zip(expected) {
            assert_eq!((guess.label.as_str(), guess.confidence), (label, confidence));
        }
    }

    #[test]
    fn only_the_seven_nearest_vote() {
        let reader = train(&examples(30));
        let near = reader.nearest(&narrative(0, 100));
        assert_eq!(near.len(), K);
        assert!(near.is_sorted_by(|a, b| a.1 >= b.1));
        let votes = reader.rank(&narrative(0, 100));
        assert!(votes.iter().filter(|guess| guess.confidence > 0.0).count() <= K);
        assert_eq!(votes.len(), NAMES.len());
    }
}
