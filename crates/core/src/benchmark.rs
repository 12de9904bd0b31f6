//! How many cases became families, and why the others did not.

use crate::SuiteId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What `vary` made of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchmarkSummary {
    pub suite: SuiteId,
    /// Cases the source holds.
    pub cases: u64,
    /// Cases that passed the suite's screening.
    pub eligible: u64,
    pub families: u64,
    pub variants: u64,
    pub losses: BTreeMap<String, u64>,
}
