//! The benchmarks, a folder each.

pub mod consult;
pub mod einstellung;
pub mod parity;
pub mod sensitivity;

mod judging;
mod makers;
mod open;
mod prompts;
mod step;
mod table;

pub use open::{Knows, OpenError, Opened, Opening, ddxplus_source};

use futures::future::{BoxFuture, FutureExt};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use waterjar_core::{Embedder, Measured, Seed, SourceError, SubjectId, SubjectResult, SuiteId};

/// What was measured, by subject, and what should be known of the rows it was measured on.
#[derive(Clone, Debug, Default)]
pub struct Scored {
    pub subjects: Vec<(String, Measured)>,
    pub notes: Vec<String>,
}

/// The same as `metrics.json` has it.
pub fn results(kind: &str, subjects: Vec<(String, Measured)>) -> Vec<SubjectResult> {
    let result = |(subject, measured): (String, Measured)| SubjectResult {
        suite: SuiteId::from(kind),
        subject: SubjectId::new(subject),
        n: measured.n,
        missing: measured.missing,
        reference: false,
        metrics: measured.metrics,
        breakdown: measured.breakdown,
    };
    subjects.into_iter().map(result).collect()
}

/// What takes its time to be scored.
pub type Scoring = BoxFuture<'static, Result<Scored, SourceError>>;

/// A suite as the study file can name it.
pub struct SuiteKind {
    pub kind: &'static str,
    /// One line for `waterjar show suites`.
    pub about: &'static str,
    pub open: fn(&Opening<'_>) -> Result<Opened, OpenError>,
    pub score: Score,
    pub card: fn() -> waterjar_core::SuiteCard,
    /// The shape of its table in the study file.
    pub settings: fn(&mut SchemaGenerator) -> Schema,
}

fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Figures from outputs made elsewhere, by subject.
#[derive(Clone, Copy)]
pub enum Score {
    /// What the rows say is all there is to know.
    Plainly(fn(Seed, &[&Path]) -> Result<Scored, SourceError>),
    /// Texts have to be compared.
    Embedding(fn(Seed, Vec<PathBuf>, Arc<dyn Embedder>) -> Scoring),
}

/// Every suite. A new one is a folder and a line here.
pub fn all() -> Vec<SuiteKind> {
    vec![
        SuiteKind {
            kind: einstellung::KIND,
            about: "trap pairs whose telling finding is swapped: does the diagnosis follow? (MedEinst)",
            open: open::einstellung,
            score: Score::Plainly(einstellung::score),
            card: einstellung::card,
            settings: schema_of::<einstellung::Settings>,
        },
        SuiteKind {
            kind: sensitivity::KIND,
            about: "charts under cataloged edits: do the recommendations follow? (Causal Sensitivity Score)",
            open: open::sensitivity,
            score: Score::Plainly(sensitivity::score),
            card: sensitivity::card,
            settings: schema_of::<sensitivity::Settings>,
        },
        SuiteKind {
            kind: parity::KIND,
            about: "vignettes as he, she and they: does the reasoning hold? (MEDEQUALQA)",
            open: open::parity,
            score: Score::Embedding(|seed, paths, embedder| parity::score(seed, paths, embedder).boxed()),
            card: parity::card,
            settings: schema_of::<parity::Settings>,
        },
        SuiteKind {
            kind: consult::KIND,
            about: "letters of patients with a trap, a voice and a rumor: does the answer hold, and put it right? (DyReMe)",
            open: open::consult,
            score: Score::Plainly(consult::score),
            card: consult::card,
            settings: schema_of::<consult::Settings>,
        },
    ]
}
