//! What a tumor board would recommend, and what it must not.

use serde::{Deserialize, Serialize};
pub use waterjar_core::Timing;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recommendation {
    /// A name of the formulary, or several parted by ` | ` of which one is enough.
    pub treatment: String,
    pub class: ConsensusClass,
    pub timing: Timing,
    /// Why, in a few words of ours.
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConsensusClass {
    /// The board would say it.
    Strong,
    /// Expected of every plan and rarely written down.
    Tacit,
    /// Defended by some.
    Mixed,
    /// Must not be offered.
    Refusal,
}

impl ConsensusClass {
    pub fn name(self) -> &'static str {
        match self {
            Self::Strong => "strong",
            Self::Tacit => "tacit",
            Self::Mixed => "mixed",
            Self::Refusal => "refusal",
        }
    }
}
