//! Where charts come from: our synthetic boards, or whatever the importers read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use waterjar_charts::boards::{BoardError, boards};
use waterjar_charts::{Import, ImportOptions, ScrubOptions, render, scrub, scrubbed_id};
use waterjar_core::{Case, CaseSource, Seed, SourceError};

fn case(id: &str, source: &str, text: String) -> Case {
    Case { id: id.into(), source: source.to_owned(), text, facts: None, made: Vec::new() }
}

fn fingerprint(source: &dyn CaseSource, catalog: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(catalog.as_bytes());
    for case in source.cases().flatten() {
        hasher.update(case.text.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

/// 63 synthetic charts. The same seed gives the same bytes.
pub struct Boards {
    seed: Seed,
    catalog: String,
}

impl Boards {
    /// `catalog` is the hash of what is done to them: another catalog makes another benchmark.
    pub fn new(seed: Seed, catalog: &str) -> Self {
        Self { seed, catalog: catalog.to_owned() }
    }
}

impl CaseSource for Boards {
    fn name(&self) -> &str {
        super::BOARDS
    }

    fn fingerprint(&self) -> String {
        fingerprint(self, &self.catalog)
    }

    fn cases(&self) -> Box<dyn Iterator<Item = Result<Case, SourceError>> + Send + '_> {
        let bad = |error: BoardError| SourceError::new(error.place, error.problem);
        match boards(self.seed) {
            Ok(boards) => Box::new(boards.map(move |board| {
                let board = board.map_err(bad)?;
                Ok(case(&board.id, super::BOARDS, render(&board.chart).text))
            })),
            Err(error) => Box::new(std::iter::once(Err(bad(error)))),
        }
    }
}

/// Charts from a path.
pub struct Charts {
    name: String,
    path: PathBuf,
    /// Identifiers are taken out, with this seed.
    scrub: Option<Seed>,
    /// Of what is done to them and what they are held against.
    catalog: String,
}

impl Charts {
    pub fn open(name: &str, path: &Path, scrub: Option<Seed>, catalog: &str) -> Result<Self, SourceError> {
        // What cannot be opened is told before anything is asked.
        Import::open(path, &ImportOptions::default())?;
        Ok(Self { name: name.to_owned(), path: path.to_owned(), scrub, catalog: catalog.to_owned() })
    }

    /// What every chart is called in the source, and the case it becomes.
    pub fn ids(&self) -> Result<BTreeMap<String, String>, SourceError> {
        let called = |id: &str| self.scrub.map_or_else(|| id.to_owned(), |seed| scrubbed_id(id, seed));
        let charts = Import::open(&self.path, &ImportOptions::default())?;
        charts.map(|chart| chart.map(|it| (it.id.to_string(), called(it.id.as_str())))).collect()
    }
}

impl CaseSource for Charts {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> String {
        fingerprint(self, &self.catalog)
    }

    fn read_through(&self) -> Result<Option<String>, SourceError> {
        let mut import = Import::open(&self.path, &ImportOptions::default())?;
        import.by_ref().try_for_each(|chart| chart.map(drop))?;
        Ok(Some(format!("{}: {}", import.kind().name(), import.summary())))
    }

    fn cases(&self) -> Box<dyn Iterator<Item = Result<Case, SourceError>> + Send + '_> {
        match Import::open(&self.path, &ImportOptions::default()) {
            Ok(import) => Box::new(import.map(|chart| {
                let chart = chart?;
                let chart = match self.scrub {
                    Some(seed) => scrub(&chart, &ScrubOptions::new(seed)).chart,
                    None => chart,
                };
                Ok(case(chart.id.as_str(), &self.name, render(&chart).text))
            })),
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    }
}
