//! Conditions, findings, probabilities, the Bayesian differential and the wording of findings.

pub mod base;
pub mod condition;
pub mod ddxplus;
pub mod differential;
pub mod finding;
pub mod gap;
pub mod jsonl;
pub mod lint;
pub mod narrative;
pub mod simulate;
pub mod starter;

pub use base::{BaseError, KnowledgeBase};
pub use condition::{AgeRange, Condition, Likelihood, Prior, ValueChance};
pub use differential::{Differential, Reading, Scope};
pub use finding::{Detail, Finding, Kind, Place};
pub use gap::{Gap, gap};
