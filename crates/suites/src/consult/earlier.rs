//! Questions of earlier editions: another edition must share none with them.

use serde::Deserialize;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use waterjar_core::SourceError;

/// Known by their hashes.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    questions: BTreeSet<[u8; 32]>,
}

#[derive(Deserialize)]
struct Line {
    text: String,
}

impl Earlier {
    /// `variants.jsonl` of runs.
    pub fn open<'a>(files: impl IntoIterator<Item = &'a Path>) -> Result<Self, SourceError> {
        let mut earlier = Self::default();
        for path in files {
            let place = path.display().to_string();
            let hint = "an edition that is apart from others needs their variants.jsonl where it was";
            let bad = |problem: String| SourceError::new(place.clone(), problem).with_hint(hint);
            let file = std::fs::File::open(path).map_err(|error| bad(format!("cannot be read: {error}")))?;
            for line in BufReader::new(file).lines() {
                let line = line.map_err(|error| bad(format!("cannot be read: {error}")))?;
                let line: Line = serde_json::from_str(&line).map_err(|error| bad(format!("is no variant: {error}")))?;
                earlier.questions.insert(hash(&line.text));
            }
        }
        Ok(earlier)
    }

    pub fn holds(&self, text: &str) -> bool {
        self.questions.contains(&hash(text))
    }

    pub fn fingerprint(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        self.questions.iter().for_each(|it| _ = hasher.update(it));
        hasher.finalize().to_hex().to_string()
    }
}

/// Spaces make no other question.
fn hash(text: &str) -> [u8; 32] {
    let words: Vec<&str> = text.split_whitespace().collect();
    *blake3::hash(words.join(" ").as_bytes()).as_bytes()
}
