//! Chance has a purpose: draws depend on the run's seed, what they are for and the thing they concern, never on the order of work.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seed(pub u64);

impl Seed {
    /// ChaCha8 rather than the library's standard generator, whose stream may change between versions.
    pub fn rng(self, purpose: &str, thing: &str) -> ChaCha8Rng {
        ChaCha8Rng::from_seed(self.digest(purpose, thing))
    }

    /// A number that orders things by chance, the same whatever order they come in.
    pub fn rank(self, purpose: &str, thing: &str) -> i64 {
        let digest = self.digest(purpose, thing);
        let mut first = [0; 8];
        first.copy_from_slice(&digest[..8]);
        // 63 bits, because SQL integers are signed.
        (u64::from_le_bytes(first) >> 1) as i64
    }

    fn digest(self, purpose: &str, thing: &str) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.0.to_le_bytes());
        // Lengths, so that ("ab", "c") and ("a", "bc") differ.
        hasher.update(&(purpose.len() as u64).to_le_bytes());
        hasher.update(purpose.as_bytes());
        hasher.update(thing.as_bytes());
        *hasher.finalize().as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_depends_on_seed_purpose_and_thing() {
        let rank = |seed, purpose, thing| Seed(seed).rank(purpose, thing);
        assert_eq!(rank(7, "choose", "a"), rank(7, "choose", "a"));
        assert_ne!(rank(7, "choose", "a"), rank(8, "choose", "a"));
        assert_ne!(rank(7, "choose", "a"), rank(7, "order", "a"));
        assert_ne!(rank(7, "ab", "c"), rank(7, "a", "bc"));
    }
}
