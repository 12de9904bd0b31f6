//! When a study was declared, by whose word, and what was changed since.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registration {
    /// Whose word there is that the declaration was there at a time; the lock's own clock first.
    pub stamps: Vec<Stamp>,
    /// What is another thing now than was declared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deviations: Vec<String>,
    /// What the lock says nothing of, as those of earlier versions do: nobody can tell whether it was changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undeclared: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// `2026-11-16T07:40:12Z`, so that earlier texts are earlier times.
    pub at: String,
    /// `the clock of the machine that declared it`, `git commit 1f3a…`
    pub by: String,
}

impl Registration {
    /// By the word that puts it latest: each of them must have been there before the first question.
    pub fn is_before(&self, first_asked: Option<&str>) -> bool {
        first_asked.is_none_or(|asked| self.stamps.iter().all(|stamp| stamp.at.as_str() <= asked))
    }

    /// A later start of the same run may change what an earlier one kept; both count.
    pub fn and(mut self, earlier: Self) -> Self {
        for deviation in earlier.deviations {
            if !self.deviations.contains(&deviation) {
                self.deviations.push(deviation);
            }
        }
        self
    }
}
