//! DDXPlus: conditions, evidences and patients as its authors release them (Fansi Tchango et al., NeurIPS 2022).
//!
//! A study names a folder that holds everything, or a patients file and the folder with its knowledge files:
//!
//! ```text
//! source = "ddxplus:DIR"                                    → open(DIR)
//! source = "ddxplus:PATIENTS_FILE", knowledge = "DIR"       → open_files(DIR, PATIENTS_FILE)
//! ```
//!
//! | file | what it is |
//! |---|---|
//! | `release_conditions.json`, `release_evidences.json` | the knowledge files; with `_fr` those of the French release |
//! | `*.csv`, or `release_…_patients` | patients in the official layout |
//! | any other `*.json` | patients as DyReMe repackages them: questions and answers in words |
//! | `code_map_fr_to_en.json` | optional: French codes → English; else the two releases are laid side by side |
//! | `symptom_condition_probs.json` | optional: P(evidence \| condition) of the whole training split |
//!
//! Everything is given out in the English code system where the English release is there, else in the French one.
//! Probabilities, value chances and priors are estimated from the patients file in one pass when it is opened.

mod align;
mod codes;
mod csv_rows;
mod estimate;
mod evidence;
mod export;
mod field;
mod files;
mod json_rows;
mod json_scan;
mod kind;
mod knowledge;
pub mod literal;
mod patients;
mod release;
mod reviewed;
mod row;
mod statement;
mod stats;

pub use export::{write_csv, write_knowledge};
pub use reviewed::synonyms;

use crate::{KnowledgeBase, narrative};
use align::CodeMap;
use codes::Codes;
use estimate::Counts;
use files::KnowledgeFiles;
use patients::Patients;
use release::Release;
use row::Row;
use stats::Stats;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use waterjar_core::{Case, CaseId, CaseSource, Facts, SourceError};

pub const NAME: &str = "ddxplus";

/// Knowledge and patients. Can be read again and again; every reading streams the file.
#[derive(Debug)]
pub struct Ddxplus {
    name: String,
    patients: PathBuf,
    codes: Codes,
    base: Arc<KnowledgeBase>,
    count: u64,
}

/// A folder with knowledge files and one patients file.
pub fn open(dir: &Path) -> Result<Ddxplus, SourceError> {
    let knowledge = KnowledgeFiles::find(dir)?;
    read(&knowledge, &files::patients(dir)?)
}

/// A patients file, or a folder that holds one, and the folder with its knowledge files.
pub fn open_files(knowledge_dir: &Path, patients: &Path) -> Result<Ddxplus, SourceError> {
    let knowledge = KnowledgeFiles::find(knowledge_dir)?;
    if patients.is_dir() { read(&knowledge, &files::patients(patients)?) } else { read(&knowledge, patients) }
}

fn read(files: &KnowledgeFiles, patients: &Path) -> Result<Ddxplus, SourceError> {
    let release = Release::read(&files.main.conditions, &files.main.evidences)?;
    let mut codes = Codes::new(&release, knowledge::condition_ids(&release));
    if let Some((map, place)) = code_map(files, &release)? {
        codes.learn(&map).map_err(|code| {
            SourceError::at(place, format!("leads to `{code}`, which the English release lacks"))
                .with_hint("the code map is of another release; without it the two releases are laid side by side")
        })?;
    }
    let stats = files.stats.as_deref().map(|path| Stats::read(path, &codes)).transpose()?;
    let counts = count(patients, &codes)?;
    let base = knowledge::base(NAME, &release, &codes, &counts, stats.as_ref())
        .map_err(|error| SourceError::at(&files.main.conditions, error.to_string()))?;
    Ok(Ddxplus {
        name: NAME.to_owned(),
        patients: patients.to_owned(),
        codes,
        base: Arc::new(base),
        count: counts.patients,
    })
}

/// Only where the main release is the English one is there anything to translate.
fn code_map<'a>(files: &'a KnowledgeFiles, english: &Release) -> Result<Option<(CodeMap, &'a Path)>, SourceError> {
    match (&files.code_map, &files.french) {
        (Some(path), _) if !files.main_is_french => Ok(Some((CodeMap::read(path)?, path))),
        (_, Some(french)) => {
            let french_release = Release::read(&french.conditions, &french.evidences)?;
            let map = CodeMap::derive(english, &french_release, &french.evidences)?;
            Ok(Some((map, &french.evidences)))
        }
        _ => Ok(None),
    }
}

fn count(path: &Path, codes: &Codes) -> Result<Counts, SourceError> {
    let mut counts = Counts::new(codes);
    let mut patients = Patients::open(path, codes)?;
    while let Some(row) = patients.next() {
        counts.add(row?);
    }
    if counts.patients == 0 {
        return Err(SourceError::at(path, "holds no patients")
            .with_hint("there must be at least one row after the column names"));
    }
    Ok(counts)
}

impl Ddxplus {
    /// As the study names it; `ddxplus` unless said otherwise.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    pub fn base(&self) -> &Arc<KnowledgeBase> {
        &self.base
    }

    /// How many patients the file holds.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Every patient, without the text.
    pub fn facts(&self) -> impl Iterator<Item = Result<(CaseId, Facts), SourceError>> + Send + '_ {
        self.facts_where(|_| true)
    }

    /// The hard candidates: patients whose condition and its nearest rival differ by less than `below` in the file's own
    /// differential. The others are read and checked, but never built, which is several times faster.
    pub fn hard(&self, below: f64) -> impl Iterator<Item = Result<(CaseId, Facts), SourceError>> + Send + '_ {
        self.facts_where(move |row| row.gap().is_some_and(|gap| gap < below))
    }

    fn facts_where(
        &self,
        keep: impl Fn(&Row) -> bool + Send,
    ) -> impl Iterator<Item = Result<(CaseId, Facts), SourceError>> + Send {
        let mut opened: Option<Patients<'_>> = None;
        let mut over = false;
        std::iter::from_fn(move || {
            if over {
                return None;
            }
            if opened.is_none() {
                match Patients::open(&self.patients, &self.codes) {
                    Ok(patients) => opened = Some(patients),
                    Err(error) => {
                        over = true;
                        return Some(Err(error));
                    }
                }
            }
            let patients = opened.as_mut()?;
            loop {
                match patients.next()? {
                    Err(error) => return Some(Err(error)),
                    Ok(row) if keep(row) => return Some(Ok((row.id(), row.facts(&self.codes)))),
                    Ok(_) => {}
                }
            }
        })
    }

    /// The patient's story, told from the facts.
    pub fn case(&self, id: CaseId, facts: Facts) -> Case {
        let text = narrative::tell(&self.base, &facts);
        Case { id, source: self.name.clone(), text, facts: Some(facts), made: Vec::new() }
    }
}

impl CaseSource for Ddxplus {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> String {
        format!("{} {}", crate::file_hash(&self.patients), self.base.fingerprint())
    }

    fn cases(&self) -> Box<dyn Iterator<Item = Result<Case, SourceError>> + Send + '_> {
        Box::new(self.facts().map(|patient| patient.map(|(id, facts)| self.case(id, facts))))
    }
}
