//! What a service sent → passages, without asking anybody: for whoever holds a reply, and for fuzzing.

use crate::remote::{open_targets, pubmed};
use crate::{Passage, Problem};

/// The articles of an `efetch` reply that have an abstract.
pub fn pubmed(text: &str) -> Result<Vec<Passage>, Problem> {
    pubmed::passages(text)
}

/// The disease of a reply to our query; nothing where the platform knows none.
pub fn open_targets(text: &str) -> Result<Vec<Passage>, Problem> {
    open_targets::passages(text)
}
