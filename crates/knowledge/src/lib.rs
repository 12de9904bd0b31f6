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
pub use condition::{AgeRange, Condition, Likelihood, Prior, Umbrella, ValueChance};
pub use differential::{Differential, Reading, Scope};
pub use finding::{Detail, Finding, Kind, Place};
pub use gap::{Gap, gap};

/// A hash of a file's content; of nothing where it cannot be read, which whoever reads it will tell.
pub fn file_hash(path: &std::path::Path) -> String {
    let mut hasher = blake3::Hasher::new();
    if let Ok(mut file) = std::fs::File::open(path) {
        // What could be read up to an error still tells files apart.
        let _ = std::io::copy(&mut file, &mut hasher);
    }
    hasher.finalize().to_hex().to_string()
}
