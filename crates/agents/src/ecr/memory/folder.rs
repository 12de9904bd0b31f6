//! A memory on disk: `manifest.json`, `illness.jsonl`, `exemplars.jsonl`, and the journal they were made from.

use super::journal::FILE as JOURNAL;
use super::manifest::{Counts, KIND, Manifest, Mark, Origin, SCHEMA};
use super::{Exemplar, IllnessGraph, JournalEntry, Learning, Memory, TrainedOn};
use crate::ecr::likeness::Likeness;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const MANIFEST: &str = "manifest.json";
const ILLNESS: &str = "illness.jsonl";
const EXEMPLARS: &str = "exemplars.jsonl";

#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{path} is no memory: there is no {MANIFEST} in it; `waterjar evolve` makes one")]
    NoMemory { path: PathBuf },
    #[error("{path}: this memory is not grown to its end; the same `waterjar evolve` goes on where it stopped")]
    Unfinished { path: PathBuf },
    #[error("{path} holds a {MANIFEST} that is not of a memory; choose another --out")]
    Foreign { path: PathBuf },
    #[error("{path}: this memory is `{found}`, and this program reads `{SCHEMA}`; grow it anew with `waterjar evolve`")]
    OtherVersion { path: PathBuf, found: String },
    #[error("{path}: {problem}; it was changed or cut off: copy it again, or grow it anew with `waterjar evolve`")]
    Corrupt { path: PathBuf, problem: String },
    #[error("{path} was grown with another {what} (`{found}`, now `{now}`); choose another --out, or remove it")]
    Other { path: PathBuf, what: &'static str, found: String, now: String },
    #[error("{path}: another `waterjar evolve` is growing this memory; wait for it, or choose another --out")]
    InUse { path: PathBuf },
    #[error(transparent)]
    Embedding(#[from] waterjar_core::ModelError),
}

impl MemoryError {
    pub(super) fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    pub(super) fn corrupt(path: &Path, problem: impl Into<String>) -> Self {
        Self::Corrupt { path: path.to_owned(), problem: problem.into() }
    }
}

impl Memory {
    /// Loads a memory and refuses one that is not what its manifest says.
    pub async fn load(folder: &Path, likeness: &Likeness) -> Result<(Self, Manifest), MemoryError> {
        let manifest = Manifest::read(folder)?;
        let illnesses: Vec<IllnessGraph> = rows(folder, ILLNESS, &manifest)?;
        let exemplars: Vec<Exemplar> = rows(folder, EXEMPLARS, &manifest)?;
        let mut memory = Self { fingerprint: manifest.fingerprint(), ..Self::default() };
        for mut graph in illnesses {
            // Looked up by halving, so the order must hold whoever wrote the file.
            graph.features.sort_by(|a, b| a.content.cmp(&b.content));
            memory.illnesses.insert(graph.condition.clone(), Arc::new(graph));
        }
        for exemplar in exemplars {
            memory.vectors.push(likeness.fresh(&exemplar.narrative).await?);
            memory.exemplars.push(Arc::new(exemplar));
        }
        Ok((memory, manifest))
    }

    /// Writes graphs and exemplars, and the manifest last: without it, the folder is no memory.
    pub fn save(&self, folder: &Path, origin: Origin, journal: &[JournalEntry]) -> Result<Manifest, MemoryError> {
        let illnesses = lines(self.illnesses.values().map(Arc::as_ref));
        let exemplars = lines(self.exemplars.iter().map(Arc::as_ref));
        let mut files = BTreeMap::new();
        for (name, text) in [(ILLNESS, illnesses), (EXEMPLARS, exemplars)] {
            files.insert(name.to_owned(), blake3::hash(text.as_bytes()).to_hex().to_string());
            write_aside(&folder.join(name), &text)?;
        }
        let mark = |entry: &JournalEntry| Mark { narrative: entry.narrative.clone(), patient: entry.patient.clone() };
        let cases = journal.iter().map(|entry| (entry.case.clone(), mark(entry))).collect();
        let (schema, counts) = (SCHEMA.to_owned(), self.counts(journal));
        let manifest = Manifest { schema, origin, counts, files, cases, seal: String::new() }.sealed();
        let text = serde_json::to_string_pretty(&manifest).expect("a manifest holds nothing JSON cannot");
        write_aside(&folder.join(MANIFEST), &text)?;
        Ok(manifest)
    }

    fn counts(&self, journal: &[JournalEntry]) -> Counts {
        let learnt = |entry: &&JournalEntry| matches!(entry.outcome, Learning::Learnt { .. });
        let at_once = journal.iter().filter(learnt).filter(|entry| entry.rounds == 0).count() as u64;
        let all = journal.iter().filter(learnt).count() as u64;
        Counts {
            cases: journal.len() as u64,
            at_once,
            after_feedback: all - at_once,
            discarded: journal.len() as u64 - all,
            conditions: self.illnesses.len() as u64,
            features: self.illnesses().map(|graph| graph.features.len() as u64).sum(),
            exemplars: self.exemplars.len() as u64,
        }
    }
}

impl Manifest {
    pub fn read(folder: &Path) -> Result<Self, MemoryError> {
        let path = folder.join(MANIFEST);
        let text = std::fs::read_to_string(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound if folder.join(JOURNAL).exists() => {
                MemoryError::Unfinished { path: folder.to_owned() }
            }
            std::io::ErrorKind::NotFound => MemoryError::NoMemory { path: folder.to_owned() },
            _ => MemoryError::io(&path, error),
        })?;
        let value: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| MemoryError::corrupt(&path, error.to_string()))?;
        let found = value.get("schema").and_then(|it| it.as_str()).unwrap_or("of an unknown kind").to_owned();
        if found != SCHEMA {
            return Err(MemoryError::OtherVersion { path, found });
        }
        let manifest: Self =
            serde_json::from_value(value).map_err(|error| MemoryError::corrupt(&path, error.to_string()))?;
        match manifest.hash() == manifest.seal {
            true => Ok(manifest),
            false => Err(MemoryError::corrupt(&path, "its content is not what its seal says")),
        }
    }

    pub fn exists(folder: &Path) -> bool {
        folder.join(MANIFEST).is_file()
    }

    /// Of the content, wherever it lies.
    pub fn fingerprint(&self) -> String {
        let all: Vec<&str> = self.files.values().map(String::as_str).collect();
        blake3::hash(all.join(" ").as_bytes()).to_hex().to_string()
    }

    pub fn trained_on(&self) -> TrainedOn {
        TrainedOn::new(self.cases.iter())
    }
}

/// The journal belongs to one origin, which is noted beside it before the first case.
pub(in crate::ecr) fn note_origin(folder: &Path, origin: &Origin) -> Result<(), MemoryError> {
    const ORIGIN: &str = "origin.json";
    std::fs::create_dir_all(folder).map_err(|error| MemoryError::io(folder, error))?;
    let path = folder.join(ORIGIN);
    if Manifest::exists(folder) {
        // What is there is written over in the end, so it must be ours.
        match Manifest::read(folder) {
            Err(MemoryError::OtherVersion { found, .. }) if !found.starts_with(KIND) => {
                return Err(MemoryError::Foreign { path: folder.to_owned() });
            }
            read => _ = read?,
        }
    }
    let known: Option<Origin> = match std::fs::read_to_string(&path) {
        Ok(text) => Some(serde_json::from_str(&text).map_err(|error| MemoryError::corrupt(&path, error.to_string()))?),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(MemoryError::io(&path, error)),
    };
    let Some(known) = known else {
        if folder.join(JOURNAL).exists() {
            return Err(MemoryError::corrupt(folder, "there is a journal, and nothing says what it was grown from"));
        }
        let text = serde_json::to_string_pretty(origin).expect("an origin holds nothing JSON cannot");
        return write_aside(&path, &text);
    };
    let pairs = [
        ("seed", known.seed.to_string(), origin.seed.to_string()),
        ("source", known.source, origin.source.clone()),
        ("number of cases per condition", known.per_condition.to_string(), origin.per_condition.to_string()),
        ("content of its source", known.source_fingerprint, origin.source_fingerprint.clone()),
        ("reasoner", known.reasoner, origin.reasoner.clone()),
        ("embedder", known.embedder, origin.embedder.clone()),
    ];
    match pairs.into_iter().find(|(_, found, now)| found != now) {
        Some((what, found, now)) => Err(MemoryError::Other { path: folder.to_owned(), what, found, now }),
        None => Ok(()),
    }
}

fn rows<T: DeserializeOwned>(folder: &Path, name: &str, manifest: &Manifest) -> Result<Vec<T>, MemoryError> {
    let path = folder.join(name);
    let text = std::fs::read_to_string(&path).map_err(|error| MemoryError::io(&path, error))?;
    let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
    if manifest.files.get(name) != Some(&hash) {
        return Err(MemoryError::corrupt(&path, "its content is not what the manifest says"));
    }
    let row = |(number, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| MemoryError::corrupt(&path, format!("line {}: {error}", number + 1)))
    };
    text.lines().enumerate().map(row).collect()
}

fn lines<T: Serialize>(rows: impl Iterator<Item = T>) -> String {
    rows.map(|row| serde_json::to_string(&row).expect("a memory holds nothing JSON cannot") + "\n").collect()
}

/// Written whole or not at all.
fn write_aside(path: &Path, text: &str) -> Result<(), MemoryError> {
    let aside = path.with_extension("part");
    let write = || {
        let mut file = std::fs::File::create(&aside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&aside, path)
    };
    write().map_err(|error| MemoryError::io(path, error))
}
