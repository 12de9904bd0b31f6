//! What a study had declared before it was run: hashes of everything that decides the benchmark, who is asked, and how it is judged.

mod asked;
mod declared;
mod stamps;

pub use asked::asked;
pub use declared::{Declared, differences};
pub use stamps::{commit, set_token_aside, token_path};

use crate::clock;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use waterjar_core::{Expectation, Suite, Variant};
use waterjar_engine::{EngineError, Plan, StudyFile};
use waterjar_suites::sensitivity;

const SCHEMA: &str = "waterjar.lock/1";

/// `STUDY.lock`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    schema: String,
    study: String,
    /// By the clock of the machine. Locks of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    declared: Option<String>,
    /// By what is hashed: `seed`, `bounds`, `sensitivity.catalog`.
    hashes: BTreeMap<String, String>,
}

/// What became of it when the study was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// Nobody registered the study.
    NotLocked,
    Yes,
    /// What is another thing now than it was.
    No(Vec<String>),
}

impl Held {
    /// Not any more: this is another thing too.
    pub fn but_for(self, deviation: String) -> Self {
        let mut changed = match self {
            Self::No(changed) => changed,
            Self::Yes | Self::NotLocked => Vec::new(),
        };
        changed.push(deviation);
        Self::No(changed)
    }
}

impl Lock {
    pub fn of(study: &StudyFile, plan: &Plan) -> Self {
        let mut hashes = BTreeMap::from([
            ("seed".to_owned(), plan.seed.0.to_string()),
            ("repeats".to_owned(), plan.repeats.to_string()),
            ("bounds".to_owned(), hash(format!("{:?}", plan.bounds).as_bytes())),
        ]);
        hashes.extend(asked(study));
        if !plan.stopping.is_empty() {
            hashes.insert("stopping".to_owned(), hash(format!("{:?}", plan.stopping).as_bytes()));
        }
        for (planned, written) in plan.suites.iter().zip(&study.suites) {
            let (suite, table) = (planned.suite(), written.get_ref());
            let mut put = |what: &str, value: String| hashes.insert(format!("{}.{what}", suite.id()), value);
            put("settings", hash(table.to_string().as_bytes()));
            put("version", suite.card().version.to_string());
            put("cases", hash(planned.opened.source.fingerprint().as_bytes()));
            if let Some(names) = suite.reads_by() {
                put("umbrellas", names);
            }
            put("prompt", hash(prompt(suite).as_bytes()));
            for (key, bytes) in files(table, study.folder()) {
                put(&key, hash(&bytes));
            }
            let catalog = table.get("catalog").and_then(toml::Value::as_str).unwrap_or(sensitivity::catalog::OURS);
            if suite.card().kind == sensitivity::KIND {
                put("other_prompts", hash(sensitivity::PROMPTS.concat().as_bytes()));
                if catalog == sensitivity::catalog::OURS {
                    put("catalog", sensitivity::catalog::Catalog::ours().hash);
                }
            }
        }
        Self { schema: SCHEMA.to_owned(), study: plan.name.clone(), declared: Some(clock::now()), hashes }
    }

    /// `studies/quickstart.toml` → `studies/quickstart.lock`. No study whose own file the lock or its token would overwrite has one.
    pub fn path(study: &Path) -> Result<PathBuf, EngineError> {
        let lock = study.with_extension("lock");
        if [&lock, &token_path(&lock)].into_iter().any(|it| is_same(it, study)) {
            return Err(EngineError::file(study, "is the place of the study's own lock or token")
                .with_hint("call the study something that ends in .toml"));
        }
        Ok(lock)
    }

    pub fn write(&self, path: &Path) -> Result<()> {
        let text = toml::to_string(self).context("a lock is a table of texts")?;
        std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
    }

    pub fn hashes(&self) -> &BTreeMap<String, String> {
        &self.hashes
    }
}

/// By name, whatever its case (to some file systems `A.LOCK` is `a.lock`), or by way of a link.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    one.as_os_str().eq_ignore_ascii_case(other.as_os_str()) || real(one).is_some_and(|it| Some(it) == real(other))
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// What the suite asks, without anybody to ask about.
fn prompt(suite: &dyn Suite) -> String {
    let nobody = Variant {
        id: "lock".into(),
        family: "lock".into(),
        case: "lock".into(),
        text: String::new(),
        facts: None,
        intervention: None,
        expectation: Expectation::Recommends,
        strata: BTreeMap::new(),
        record: serde_json::Value::Null,
    };
    suite.ask(&nobody).task
}

/// The files a table names, by key. Folders of cases and large sources are in the fingerprint of the cases.
fn files(table: &toml::Table, folder: &Path) -> Vec<(String, Vec<u8>)> {
    let named = table.iter().filter_map(|(key, value)| Some((key, value.as_str()?)));
    named
        .filter(|(key, _)| *key != "source")
        .filter_map(|(key, name)| Some((key.clone(), std::fs::read(folder.join(name)).ok()?)))
        .collect()
}
