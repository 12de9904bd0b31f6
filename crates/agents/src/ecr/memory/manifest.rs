//! The first page of a memory: what it is, where it came from, and what it must hash to.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Raised whenever the files change their meaning.
pub const SCHEMA: &str = "waterjar.ecr-memory/1";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    pub schema: String,
    #[serde(flatten)]
    pub origin: Origin,
    pub counts: Counts,
    /// File → BLAKE3.
    pub files: BTreeMap<String, String>,
    /// Training case → hash of its narrative, the discarded ones included: they were seen too.
    pub cases: BTreeMap<String, String>,
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
