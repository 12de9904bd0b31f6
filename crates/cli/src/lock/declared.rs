//! A lock as it lies beside its study: whether it held, and who says when it was declared.

use super::asked::is_asked;
use super::stamps::{of_git, of_token, token_path};
use super::{Held, Lock, SCHEMA};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use waterjar_core::{Registration, Stamp};
use waterjar_engine::EngineError;

/// What locks of earlier versions do not declare: one without it says nothing about it.
const DECLARED_LATER: [&str; 2] = ["repeats", SUBJECTS];
const SUBJECTS: &str = "subjects and models";

pub struct Declared {
    path: PathBuf,
    text: String,
    lock: Lock,
}

impl Declared {
    /// Nothing where nobody declared the study. A lock that cannot be read is an error: it may say that the study was changed.
    pub fn read(path: &Path) -> Result<Option<Self>, EngineError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            // A link to nowhere is a lock that was lost.
            Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => return Ok(None),
            Err(error) => return Err(unreadable(path, format!("the lock cannot be read: {error}"))),
        };
        let lock = parse(&text).map_err(|problem| unreadable(path, problem))?;
        Ok(Some(Self { path: path.to_owned(), text, lock }))
    }

    /// Whether what is declared is what is about to be run.
    pub fn held(&self, now: &Lock) -> Held {
        let undeclared = self.undeclared();
        let mut now = now.hashes.clone();
        now.retain(|key, _| !undeclared.contains(&kind(key)));
        let changed = differences(&self.lock.hashes, &now);
        if changed.is_empty() { Held::Yes } else { Held::No(changed) }
    }

    /// What it says nothing of, because an earlier version made it.
    pub fn undeclared(&self) -> Vec<&'static str> {
        let holds = |what: &str| self.lock.hashes.keys().any(|key| kind(key) == what);
        DECLARED_LATER.into_iter().filter(|what| !holds(what)).collect()
    }

    pub fn registration(&self, held: &Held) -> Result<Registration, EngineError> {
        let deviations = match held {
            Held::No(changed) => changed.clone(),
            Held::Yes | Held::NotLocked => Vec::new(),
        };
        let undeclared = self.undeclared().into_iter().map(str::to_owned).collect();
        Ok(Registration { stamps: self.stamps()?, deviations, undeclared })
    }

    /// What a token says of the lock; an error where it is of another file.
    pub fn stamp_of(&self, token: &[u8]) -> Result<Stamp, String> {
        of_token(token, self.text.as_bytes())
    }

    fn stamps(&self) -> Result<Vec<Stamp>, EngineError> {
        let by = || "the clock of the machine that declared it".to_owned();
        let clock = self.lock.declared.clone().map(|at| Stamp { at, by: by() });
        Ok(clock.into_iter().chain(of_git(&self.path)).chain(self.kept_token()?).collect())
    }

    fn kept_token(&self) -> Result<Option<Stamp>, EngineError> {
        let path = token_path(&self.path);
        let bad = |problem: String| {
            EngineError::file(&path, problem).with_hint("take it away, or have the lock as it is stamped again")
        };
        match std::fs::read(&path) {
            Ok(token) => self.stamp_of(&token).map(Some).map_err(bad),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(bad(format!("the token cannot be read: {error}"))),
        }
    }
}

/// Every study has subjects, so a lock without any is of an earlier version.
fn kind(key: &str) -> &str {
    if is_asked(key) { SUBJECTS } else { key }
}

/// What is another thing now, by its key in the lock; or is there no more, or was not there.
pub fn differences(then: &BTreeMap<String, String>, now: &BTreeMap<String, String>) -> Vec<String> {
    let keys: BTreeSet<&String> = then.keys().chain(now.keys()).collect();
    let told = |key: &String| match (then.get(key), now.get(key)) {
        (Some(_), None) => Some(format!("{key} (removed)")),
        (None, Some(_)) => Some(format!("{key} (added)")),
        (before, after) => (before != after).then(|| key.clone()),
    };
    keys.into_iter().filter_map(told).collect()
}

/// The schema first: a later one may hold anything.
fn parse(text: &str) -> Result<Lock, String> {
    let table: toml::Table = toml::from_str(text).map_err(|error| format!("is no lock: {error}"))?;
    match table.get("schema").and_then(toml::Value::as_str) {
        Some(SCHEMA) => table.try_into().map_err(|error| format!("is no lock: {error}")),
        Some(other) => Err(format!("is a lock of schema `{other}`, and this version reads `{SCHEMA}`")),
        None => Err("is no lock: it names no schema".to_owned()),
    }
}

fn unreadable(path: &Path, problem: String) -> EngineError {
    EngineError::file(path, problem)
        .with_hint("put the lock back as it was declared, or declare anew: `waterjar register STUDY --again`")
}
