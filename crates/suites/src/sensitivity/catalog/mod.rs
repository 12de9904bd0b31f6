//! Interventions as a YAML file tells them: read as published, checked as a whole, every complaint with its line.

mod doubts;
mod edits;
mod entry;
mod expected;
mod fields;
mod linear;
mod pattern;
mod reach;
mod read;
mod yaml;

pub use entry::{Entry, FamilyOf, Guard, Mutation, Place};
pub(super) use pattern::Changes;
pub use pattern::{GaveUp, Pattern};

use std::path::Path;
use waterjar_core::SourceError;

/// Ours, in the study file.
pub const OURS: &str = "ours";

#[derive(Clone, Debug)]
pub struct Catalog {
    /// The file, or `ours`.
    pub name: String,
    /// Of the file's bytes: what was registered is what was run.
    pub hash: String,
    pub entries: Vec<Entry>,
}

/// Nobody reads more at once.
const MOST_FAULTS: usize = 200;

/// Everything that is wrong with a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogFaults {
    pub name: String,
    /// Line and problem, in the order of the file.
    pub faults: Vec<(u64, String)>,
}

impl std::fmt::Display for CatalogFaults {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.faults.len() {
            1 => write!(f, "the catalog has a fault:")?,
            many => write!(f, "the catalog has {many} faults:")?,
        }
        for (line, problem) in self.faults.iter().take(MOST_FAULTS) {
            write!(f, "\n  line {line}: {problem}")?;
        }
        match self.faults.len().saturating_sub(MOST_FAULTS) {
            0 => {}
            more => write!(f, "\n  and {more} more")?,
        }
        Ok(())
    }
}

impl Catalog {
    pub fn parse(name: &str, text: &str) -> Result<Self, CatalogFaults> {
        let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
        let entries = read::entries(text).map_err(|faults| CatalogFaults { name: name.to_owned(), faults })?;
        Ok(Self { name: name.to_owned(), hash, entries })
    }

    pub fn ours() -> Self {
        Self::parse(OURS, include_str!("ours.yaml")).expect("a test reads our catalog")
    }

    pub fn open(path: &Path) -> Result<Self, SourceError> {
        let text = std::fs::read_to_string(path).map_err(|error| SourceError::unreadable(path, &error))?;
        Self::parse(&path.display().to_string(), &text).map_err(|faults| {
            SourceError::at(path, faults.to_string())
                .with_hint("the fields are described in crates/suites/src/sensitivity/README.md")
        })
    }

    pub fn entry(&self, id: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == id)
    }
}
