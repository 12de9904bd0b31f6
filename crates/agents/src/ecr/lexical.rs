//! An embedder that needs no weights: words and their trigrams, hashed into a vector. Near in words, not in meaning; it stands in
//! where no model files are found.

use async_trait::async_trait;
use waterjar_core::{Embedder, ModelError};

#[derive(Clone, Copy, Debug, Default)]
pub struct Lexical;

const WIDTH: usize = 256;
/// Raised whenever vectors change.
const VERSION: u32 = 1;

#[async_trait]
impl Embedder for Lexical {
    fn id(&self) -> String {
        format!("lexical/{WIDTH} v{VERSION}")
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        Ok(texts.iter().map(|text| vector(text)).collect())
    }
}

fn vector(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0; WIDTH];
    for line in text.lines() {
        let mut negated = false;
        for word in line.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()) {
            let word = word.to_lowercase();
            // A denied word is another word: "no fever" must not be near "fever".
            let mark = if negated { "!" } else { "" };
            add(&mut vector, &format!("{mark}{word}"), 1.0);
            let padded: Vec<char> = format!("^{word}$").chars().collect();
            for three in padded.windows(3) {
                add(&mut vector, &format!("{mark}{}", three.iter().collect::<String>()), 0.3);
            }
            negated |= matches!(word.as_str(), "no" | "not" | "never" | "without" | "nor") || word.ends_with("n't");
        }
    }
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
    vector
}

/// The hash decides the place and the sign, so that words that share a place cancel out on average (Weinberger et al., 2009).
fn add(vector: &mut [f32], word: &str, weight: f32) {
    let hash = fnv(word);
    let sign = if hash >> 63 == 0 { weight } else { -weight };
    vector[(hash % WIDTH as u64) as usize] += sign;
}

/// FNV-1a with a final mix: the same on every machine and in every version.
fn fnv(word: &str) -> u64 {
    let mut hash = word
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ (hash >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::cosine;

    fn likeness(a: &str, b: &str) -> f32 {
        cosine(&vector(a), &vector(b))
    }

    #[test]
    fn the_same_words_are_the_same() {
        assert!(likeness("I have a fever.", "i have a Fever") > 0.99);
    }

    #[test]
    fn a_denial_is_far_from_what_it_denies() {
        assert!(likeness("I have a fever.", "I have no fever.") < 0.9);
    }

    #[test]
    fn a_plural_is_nearer_than_another_word() {
        let (near, far) = (likeness("swollen joints", "swollen joint"), likeness("swollen joints", "swollen eyes"));
        assert!(near > far, "{near} {far}");
    }

    #[test]
    fn no_words_are_like_nothing() {
        assert_eq!(likeness("…", "I have a fever."), 0.0);
    }
}
