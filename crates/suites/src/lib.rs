//! The benchmarks, a folder each.

pub mod einstellung;
pub mod sensitivity;

mod open;
mod table;

pub use open::{Knows, OpenError, Opened, Opening, ddxplus_source};

use std::path::Path;
use waterjar_core::{Measured, Seed, SourceError};

/// What was measured, by subject.
pub type Scored = Vec<(String, Measured)>;

/// A suite as the study file can name it.
pub struct SuiteKind {
    pub kind: &'static str,
    /// One line for `waterjar show suites`.
    pub about: &'static str,
    pub open: fn(&Opening<'_>) -> Result<Opened, OpenError>,
    /// Figures from outputs made elsewhere, by subject.
    pub score: fn(Seed, &[&Path]) -> Result<Scored, SourceError>,
    pub card: fn() -> waterjar_core::SuiteCard,
}

/// Every suite. A new one is a folder and a line here.
pub fn all() -> Vec<SuiteKind> {
    vec![
        SuiteKind {
            kind: einstellung::KIND,
            about: "trap pairs whose telling finding is swapped: does the diagnosis follow? (MedEinst)",
            open: open::einstellung,
            score: einstellung::score,
            card: einstellung::card,
        },
        SuiteKind {
            kind: sensitivity::KIND,
            about: "charts under cataloged edits: do the recommendations follow? (Causal Sensitivity Score)",
            open: open::sensitivity,
            score: sensitivity::score,
            card: sensitivity::card,
        },
    ]
}
