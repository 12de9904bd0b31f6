//! Text as a sparse vector: how often a word occurs here (TF) times how rare it is among the training narratives (IDF).
//!
//! Weight = (1 + ln count) · ln((1 + n) / (1 + narratives with the word)), scaled to length 1. Counts are damped because a word said
//! twice is not twice as telling. A word that every narrative has, such as `symptoms`, weighs nothing. Words never met in training are
//! passed over.

use super::words::features;
use std::collections::HashMap;

/// (word, weight), sorted by word; of length 1, or empty where nothing in the text is known.
pub(super) type Vector = Vec<(u32, f32)>;

pub(super) struct Tfidf {
    /// Numbers words in the order they were first met. It is looked into and never walked, so its random order cannot leak.
    numbers: HashMap<String, u32>,
    idf: Vec<f32>,
}

impl Tfidf {
    /// Learns the words of `texts` and gives their vectors back, in the same order.
    pub(super) fn learn<'a>(texts: impl IntoIterator<Item = &'a str>) -> (Self, Vec<Vector>) {
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut narratives_with: Vec<u32> = Vec::new();
        let mut counted = Vec::new();
        for text in texts {
            let mut words = Vec::new();
            features(text, |word| {
                let number = numbers.get(word).copied().unwrap_or_else(|| {
                    let next = narratives_with.len() as u32;
                    numbers.insert(word.to_owned(), next);
                    narratives_with.push(0);
                    next
                });
                words.push(number);
            });
            let counts = count(words);
            for &(word, _) in &counts {
                narratives_with[word as usize] += 1;
            }
            counted.push(counts);
        }
        let n = counted.len() as f64;
        let idf = |&with: &u32| ((1.0 + n) / (1.0 + f64::from(with))).ln() as f32;
        let tfidf = Self { numbers, idf: narratives_with.iter().map(idf).collect() };
        let vectors = counted.into_iter().map(|counts| tfidf.weigh(&counts));
        let vectors = vectors.collect();
        (tfidf, vectors)
    }

    pub(super) fn vector(&self, text: &str) -> Vector {
        let mut words = Vec::new();
        features(text, |word| words.extend(self.numbers.get(word).copied()));
        self.weigh(&count(words))
    }

    /// How many different words were learnt.
    pub(super) fn len(&self) -> usize {
        self.idf.len()
    }

    fn weigh(&self, counts: &[(u32, u32)]) -> Vector {
        let weight = |word: u32, count: u32| (1.0 + (count as f32).ln()) * self.idf[word as usize];
        let weighed =
            counts.iter().map(|&(word, count)| (word, weight(word, count))).filter(|&(_, weight)| weight > 0.0);
        unit(weighed.collect())
    }
}

/// words → (word, how often), sorted by word.
fn count(mut words: Vec<u32>) -> Vec<(u32, u32)> {
    words.sort_unstable();
    words.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect()
}

fn unit(mut vector: Vector) -> Vector {
    let length = vector.iter().map(|(_, weight)| weight * weight).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|(_, weight)| *weight /= length);
    vector
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learn(texts: &[&str]) -> (Tfidf, Vec<Vector>) {
        Tfidf::learn(texts.iter().copied())
    }

    #[test]
    fn a_vector_has_length_one() {
        let (tfidf, vectors) = learn(&["fever and cough", "fever and rash", "itch"]);
        for vector in vectors.iter().chain([&tfidf.vector("cough rash rash")]) {
            let length: f32 = vector.iter().map(|(_, weight)| weight * weight).sum();
            assert!((length - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn rare_words_weigh_more_than_common_ones_and_universal_ones_nothing() {
        let (tfidf, _) = learn(&["pain\nfever\ncough", "pain\nfever", "pain"]);
        let weights: Vec<f32> = tfidf.vector("fever\ncough\npain").iter().map(|w| w.1).collect();
        assert_eq!(weights.len(), 2);
        assert!(weights[0] < weights[1]);
    }

    #[test]
    fn a_text_reads_the_same_in_training_and_later() {
        let (tfidf, vectors) = learn(&["I have no fever.", "I have a fever.", "I itch."]);
        assert_eq!(tfidf.vector("I have no fever."), vectors[0]);
        assert_ne!(vectors[0], vectors[1]);
    }

    #[test]
    fn unknown_words_are_passed_over() {
        let (tfidf, _) = learn(&["fever", "cough"]);
        assert_eq!(tfidf.vector("zyxxy"), []);
        assert_eq!(tfidf.vector("fever zyxxy"), tfidf.vector("fever"));
        assert_eq!(tfidf.len(), 2);
    }
}
