//! Synthetic tumor boards: our own cases, each with facts, a packet that says them in many places, and a consensus list.
//!
//! Guideline facts are carried, every sentence is ours. Illustrative, not for patient care.

mod bank;
mod blocks;
mod cases;
mod chartist;
pub mod claims;
mod consensus;
mod course;
mod drugs;
mod facts;
mod filler;
mod labs;
mod lines;
mod notes;
mod phrase;
mod reports;
mod story;
mod told;
mod values;
mod voices;
mod writer;

pub use claims::{Claim, FactKey, claims, marker_claim};
pub use consensus::{ConsensusClass, Recommendation, Timing};
pub use drugs::{Drug, Formulary, Treatment, TreatmentKind};
pub use facts::{
    Allergy, Anticoagulation, Biomarker, BoardFacts, Cancer, Comorbidity, Extent, Line, LineOutcome, MarkerKind,
    NoSurgery, Pregnancy, Stage, Surgery,
};

use crate::Chart;
use serde::Serialize;
use waterjar_core::Seed;

/// One case for a tumor board.
#[derive(Clone, Debug, Serialize)]
pub struct Board {
    /// `breast-01`
    pub id: String,
    pub facts: BoardFacts,
    pub consensus: Vec<Recommendation>,
    pub chart: Chart,
}

/// Printed under the id of every packet.
pub const NOTICE: &str = "Synthetic patient record, illustrative, not for patient care.";

/// What is wrong in the files behind the boards, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct BoardError {
    pub place: String,
    pub problem: String,
}

impl BoardError {
    pub(crate) fn new(place: &str, problem: impl Into<String>) -> Self {
        Self { place: place.to_owned(), problem: problem.into() }
    }
}

/// The ids of all boards, in the order of the files.
pub fn ids() -> Result<Vec<String>, BoardError> {
    Ok(cases::all()?.into_iter().map(|case| case.id).collect())
}

/// All boards, one after the other. The same seed gives the same bytes, whatever else is asked for.
pub fn boards(seed: Seed) -> Result<impl Iterator<Item = Result<Board, BoardError>>, BoardError> {
    Ok(cases::all()?.into_iter().map(move |case| {
        let chart = chartist::chart(&case, seed)?;
        Ok(Board { id: case.id, facts: case.facts, consensus: case.consensus, chart })
    }))
}

pub(crate) fn parse<'a, T: serde::Deserialize<'a>>(place: &str, text: &'a str) -> Result<T, BoardError> {
    toml::from_str(text).map_err(|error| BoardError::new(place, error.to_string()))
}
