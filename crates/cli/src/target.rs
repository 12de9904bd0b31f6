//! What a command works on: a study file, or the directory of a run that remembers its study.

use crate::catalog::Parts;
use crate::cli::PassArgs;
use crate::lock::{Held, Lock};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::Path;
use waterjar_engine::run::SOURCES;
use waterjar_engine::{Asks, EngineError, Plan, RunDir, StudyFile};
use waterjar_store::{Mode, Server, Store};

pub struct Target {
    pub plan: Plan,
    pub dir: RunDir,
    /// Whether the study's lock held.
    pub held: Held,
    /// Where relative paths of a study start that lies in no file of its own.
    folder: Option<String>,
}

/// Where the study file lay when the run was started: relative paths in it start there.
const FOLDER: &str = "study_folder";
const REGISTERED: &str = "registered";
/// The day on which the run was started.
pub const STARTED: &str = "started";

impl Target {
    /// `sets` change the study before it is read.
    /// Only models that may have to be asked are opened.
    pub async fn resolve(target: &Path, out: Option<&Path>, sets: &[String], asks: Asks) -> Result<Self> {
        if target.is_dir() {
            return Self::of_run(target, out, sets, asks).await;
        }
        let study = StudyFile::read(target, sets)?;
        let mut plan = study.resolve_for(&Parts, asks)?;
        let path = Lock::path(target);
        // Hashing reads every case once more, which only a study with a lock has to wait for.
        let held = if path.exists() { Lock::of(&study, &plan).held(&path)? } else { Held::NotLocked };
        plan.registered = held == Held::Yes;
        let dir = run_dir(&plan.name, out);
        Ok(Self { plan, dir, held, folder: None })
    }

    /// The study of a run with the next edition of its letters, apart from all earlier ones.
    pub async fn fresh(args: &PassArgs, asks: Asks) -> Result<Self> {
        let last = RunDir::new(&args.target);
        if !args.target.is_dir() {
            let error = EngineError::file(&args.target, "is no run");
            return Err(error.with_hint("--fresh makes the next edition of a run: name its directory").into());
        }
        let Remembered { text, folder, .. } = Remembered::of(&last).await?;
        let path = last.file("study.toml");
        let study = StudyFile::parse(&path, text.clone(), &args.set)?;
        let asked = std::path::absolute(last.file("variants.jsonl")).context("the current directory is gone")?;
        let mut sets = args.set.clone();
        let mut next = 0;
        for table in study.suites.iter().map(|it| it.get_ref()) {
            if table.get("kind").and_then(|it| it.as_str()) != Some("consult") {
                continue;
            }
            let name = table.get("name").and_then(|it| it.as_str()).unwrap_or("consult");
            let edition = table.get("edition").and_then(|it| it.as_integer()).unwrap_or(1);
            next = next.max(edition + 1);
            let mut apart = table.get("apart_from").and_then(|it| it.as_array()).cloned().unwrap_or_default();
            apart.push(asked.to_string_lossy().into_owned().into());
            sets.push(format!("suite.{name}.edition={}", edition + 1));
            sets.push(format!("suite.{name}.apart_from={}", toml::Value::Array(apart)));
        }
        if next == 0 {
            let error = EngineError::file(&args.target, "has no suite of letters");
            return Err(error.with_hint("only the suite `consult` has editions").into());
        }
        let plan = StudyFile::parse(&path, text, &sets)?.from_folder(folder.clone()).resolve_for(&Parts, asks)?;
        let beside = || format!("{}-edition-{next}", args.target.display().to_string().trim_end_matches('/'));
        let dir = args.out.clone().unwrap_or_else(|| beside().into());
        if dir == args.target {
            return Err(EngineError::file(&dir, "is the last edition").with_hint("choose another --out").into());
        }
        Ok(Self { plan, dir: RunDir::new(dir), held: Held::NotLocked, folder: Some(folder) })
    }

    async fn of_run(target: &Path, out: Option<&Path>, sets: &[String], asks: Asks) -> Result<Self> {
        if out.is_some_and(|out| out != target) {
            let error = EngineError::file(target, "is a run already, so --out has no meaning");
            return Err(error.with_hint("leave --out away, or name the study file").into());
        }
        let dir = RunDir::new(target);
        let remembered = Remembered::of(&dir).await?;
        Self::remembered(dir, remembered, sets, asks)
    }

    /// The study of a run with another text, where that asks the same.
    pub async fn with_study(run: &Path, change: impl FnOnce(String) -> Result<String>) -> Result<Self> {
        let dir = RunDir::new(run);
        let mut remembered = Remembered::of(&dir).await?;
        remembered.text = change(remembered.text)?;
        Self::remembered(dir, remembered, &[], Asks::Nobody)
    }

    fn remembered(dir: RunDir, remembered: Remembered, sets: &[String], asks: Asks) -> Result<Self> {
        let Remembered { text, folder, registered, sources } = remembered;
        let study = StudyFile::parse(&dir.file("study.toml"), text, sets)?.from_folder(folder).kept_by(&dir, sources);
        let mut plan = study.resolve_for(&Parts, asks)?;
        plan.registered = registered && sets.is_empty();
        let held = if plan.registered { Held::Yes } else { Held::NotLocked };
        Ok(Self { plan, dir, held, folder: None })
    }

    /// On a server where one is named, else where it is or would be.
    pub async fn open_at(&self, study: &Path, store: Option<&str>) -> Result<Store> {
        let Some(url) = store else { return self.open(study).await };
        let server = Server::parse(url).map_err(EngineError::from)?;
        let server = match server.run() {
            Some(_) => server,
            None => server.with_run(&file_name(&self.plan.name)).map_err(EngineError::from)?,
        };
        let new = self.dir.keep_on(&server)?;
        let opened = self.open(study).await;
        if opened.is_err() && new {
            self.dir.forget_server();
        }
        opened
    }

    /// Opens the run for writing and notes where its study lay.
    pub async fn open(&self, study: &Path) -> Result<Store> {
        let store = self.dir.open(&self.plan, concat!("waterjar ", env!("CARGO_PKG_VERSION"))).await?;
        if store.meta(STARTED).await.map_err(EngineError::from)?.is_none() {
            store.put_meta(STARTED, &today()).await.map_err(EngineError::from)?;
        }
        if let Some(folder) = &self.folder {
            store.put_meta(FOLDER, folder).await.map_err(EngineError::from)?;
        } else if study.is_file() {
            let folder = study.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let folder = std::path::absolute(folder).context("the current directory is gone")?;
            store.put_meta(FOLDER, &folder.to_string_lossy()).await.map_err(EngineError::from)?;
            let registered = if self.plan.registered { "yes" } else { "no" };
            store.put_meta(REGISTERED, registered).await.map_err(EngineError::from)?;
            if self.plan.registered {
                std::fs::copy(Lock::path(study), self.dir.file("study.lock"))
                    .context("the lock cannot be kept with the run")?;
            }
        }
        Ok(store)
    }
}

/// What a run remembers.
struct Remembered {
    /// Its study.
    text: String,
    /// Where that lay.
    folder: String,
    /// Whether it was declared.
    registered: bool,
    /// The fingerprints of its suites' sources.
    sources: BTreeMap<String, String>,
}

impl Remembered {
    async fn of(dir: &RunDir) -> Result<Self> {
        let store = Store::open(dir.database(), Mode::Read).await.map_err(EngineError::from)?;
        let identity = store.identity().await.map_err(EngineError::from)?;
        let folder = store.meta(FOLDER).await.map_err(EngineError::from)?.unwrap_or_default();
        let registered = store.meta(REGISTERED).await.map_err(EngineError::from)?.as_deref() == Some("yes");
        let sources = store.meta(SOURCES).await.map_err(EngineError::from)?;
        store.close().await;
        Ok(Self {
            text: identity.map(|identity| identity.study_text).unwrap_or_default(),
            folder,
            registered,
            sources: sources.and_then(|it| serde_json::from_str(&it).ok()).unwrap_or_default(),
        })
    }
}

/// `2026-11-15`, in UTC.
fn today() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    date(since.as_secs() / 86_400)
}

/// Of the days since 1970-01-01: years that begin in March, in cycles of 400.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let of_month = day - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    format!("{:04}-{month:02}-{of_month:02}", year + 400 * cycle)
}

/// Where a study is carried out: `runs/NAME` unless told otherwise.
pub fn run_dir(study: &str, out: Option<&Path>) -> RunDir {
    RunDir::new(out.map_or_else(|| Path::new("runs").join(file_name(study)), Path::to_owned))
}

/// A study may be called anything; its directory may not.
fn file_name(study: &str) -> String {
    let name: String = study.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect();
    // `.` and `..` are directories already, and not ours.
    if name.chars().all(|c| c == '.') { name.replace('.', "-") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (20_772, "2026-11-15"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(days), expected);
        }
    }
}
