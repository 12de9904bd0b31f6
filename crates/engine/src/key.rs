//! Names by content: the same work has the same key on every machine, and changed work has another.

use crate::canonical::canonical;
use serde::Serialize;

/// BLAKE3 of the canonical JSON (RFC 8785), in hex.
pub fn key_of(content: &impl Serialize) -> String {
    blake3::hash(&json(content)).to_hex().to_string()
}

/// Names for much content that begins alike: `of(rest)` is `key_of(&(begin, rest))`, and the beginning is hashed once.
pub struct Keys(blake3::Hasher);

impl Keys {
    pub fn beginning_with(begin: &impl Serialize) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"[").update(&json(begin)).update(b",");
        Self(hasher)
    }

    pub fn of(&self, rest: &impl Serialize) -> String {
        self.0.clone().update(&json(rest)).update(b"]").finalize().to_hex().to_string()
    }
}

fn json(content: &impl Serialize) -> Vec<u8> {
    canonical(content).expect("what is hashed is strings, numbers and lists of them")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides() {
        assert_eq!(key_of(&("a", 1)), key_of(&("a", 1)));
        assert_ne!(key_of(&("a", 1)), key_of(&("a", 2)));
    }

    #[test]
    fn a_beginning_in_common_changes_nothing() {
        let keys = Keys::beginning_with(&("suite", "subject"));
        assert_eq!(keys.of(&("variant", 1)), key_of(&(("suite", "subject"), ("variant", 1))));
    }
}
