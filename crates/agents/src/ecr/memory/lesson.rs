//! What one training case leaves behind: a line of the journal.

use crate::ecr::reasoner::stages::Status;
use serde::{Deserialize, Serialize};

/// A case the agent got right, possibly after a critic's word.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    pub condition: String,
    pub facts: Vec<Fact>,
    /// Contents that told the condition from its rivals.
    pub pivots: Vec<String>,
    /// What a critic said on the way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub misleading: Vec<String>,
    pub exemplar: Exemplar,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    pub content: String,
    pub status: Status,
}

/// A case to compare others with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exemplar {
    pub case: String,
    pub narrative: String,
    pub label: String,
    /// How the diagnosis was reached, step by step.
    pub path: Vec<String>,
    /// The facts that decided it.
    pub pivots: Vec<String>,
}

/// What became of one training case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalEntry {
    pub case: String,
    /// Of the narrative, for the leakage check.
    pub narrative: String,
    /// Of the patient behind it, where a test could be made of the same one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patient: Option<String>,
    pub condition: String,
    /// Rounds with a critic's feedback: 0 when the first answer was right.
    pub rounds: u32,
    #[serde(flatten)]
    pub outcome: Learning,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Learning {
    Learnt {
        lesson: Box<Lesson>,
    },
    /// Wrong after the last round, or no answer at all.
    Discarded {
        reason: String,
    },
}

/// The hash of a narrative, as manifests and journals keep it. White space at line ends does not make another case.
pub fn narrative_hash(text: &str) -> String {
    let plain: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    blake3::hash(plain.join("\n").as_bytes()).to_hex()[..32].to_owned()
}
