//! The first page of a memory: what it is, where it came from, and what it must hash to.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the schemas of all versions begin with.
pub const KIND: &str = "waterjar.ecr-memory/";
/// Raised whenever the files change their meaning.
pub const SCHEMA: &str = "waterjar.ecr-memory/2";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    pub schema: String,
    #[serde(flatten)]
    pub origin: Origin,
    pub counts: Counts,
    /// File → BLAKE3.
    pub files: BTreeMap<String, String>,
    /// The training cases, the discarded ones included: they were seen too.
    pub cases: BTreeMap<String, Mark>,
    /// BLAKE3 of all the rest, with this empty.
    pub seal: String,
}

/// What a training case is known by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Hash of what was read.
    pub narrative: String,
    /// Hash of the patient behind it, where a test could be made of the same one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patient: Option<String>,
}

impl Manifest {
    pub(super) fn sealed(mut self) -> Self {
        self.seal = self.hash();
        self
    }

    pub(super) fn hash(&self) -> String {
        let bare = Self { seal: String::new(), ..self.clone() };
        let text = serde_json::to_string(&bare).expect("a manifest holds nothing JSON cannot");
        blake3::hash(text.as_bytes()).to_hex().to_string()
    }
}

/// What a memory was grown from and by whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    pub seed: u64,
    /// The source of the training cases, as the study names it, and its fingerprint.
    pub source: String,
    pub source_fingerprint: String,
    /// Who reasoned, and which embedder merged.
    pub reasoner: String,
    pub embedder: String,
    /// At most so many cases per condition.
    pub per_condition: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub cases: u64,
    /// Right at once.
    pub at_once: u64,
    /// Right after a critic's word.
    pub after_feedback: u64,
    pub discarded: u64,
    pub conditions: u64,
    pub features: u64,
    pub exemplars: u64,
}
