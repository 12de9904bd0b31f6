//! Names by content: the same work has the same key on every machine, and changed work has another.

use serde::Serialize;

/// BLAKE3 of the canonical JSON (RFC 8785), in hex.
pub fn key_of(content: &impl Serialize) -> String {
    let json = serde_jcs::to_vec(content).expect("what is hashed is strings, numbers and lists of them");
    blake3::hash(&json).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides() {
        assert_eq!(key_of(&("a", 1)), key_of(&("a", 1)));
        assert_ne!(key_of(&("a", 1)), key_of(&("a", 2)));
    }
}
