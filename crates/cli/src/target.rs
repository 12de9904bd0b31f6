//! What a command works on: a study file, or the directory of a run that remembers its study.

use crate::catalog::Parts;
use crate::lock::{Held, Lock};
use anyhow::{Context, Result};
use std::path::Path;
use waterjar_engine::run::SOURCES;
use waterjar_engine::{Asks, EngineError, Plan, RunDir, StudyFile};
use waterjar_store::{Mode, Store};

pub struct Target {
    pub plan: Plan,
    pub dir: RunDir,
    /// Whether the study's lock held.
    pub held: Held,
}

/// Where the study file lay when the run was started: relative paths in it start there.
const FOLDER: &str = "study_folder";
const REGISTERED: &str = "registered";

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
        Ok(Self { plan, dir, held })
    }

    async fn of_run(target: &Path, out: Option<&Path>, sets: &[String], asks: Asks) -> Result<Self> {
        if out.is_some_and(|out| out != target) {
            let error = EngineError::file(target, "is a run already, so --out has no meaning");
            return Err(error.with_hint("leave --out away, or name the study file").into());
        }
        let dir = RunDir::new(target);
        let store = Store::open(dir.database(), Mode::Read).await.map_err(EngineError::from)?;
        let identity = store.identity().await.map_err(EngineError::from)?;
        let folder = store.meta(FOLDER).await.map_err(EngineError::from)?.unwrap_or_default();
        let registered = store.meta(REGISTERED).await.map_err(EngineError::from)?.as_deref() == Some("yes");
        let sources = store.meta(SOURCES).await.map_err(EngineError::from)?;
        let sources = sources.and_then(|it| serde_json::from_str(&it).ok()).unwrap_or_default();
        store.close().await;
        let text = identity.map(|identity| identity.study_text).unwrap_or_default();
        let study = StudyFile::parse(&dir.file("study.toml"), text, sets)?.from_folder(folder).kept_by(&dir, sources);
        let mut plan = study.resolve_for(&Parts, asks)?;
        plan.registered = registered && sets.is_empty();
        let held = if plan.registered { Held::Yes } else { Held::NotLocked };
        Ok(Self { plan, dir, held })
    }

    /// Opens the run for writing and notes where its study lay.
    pub async fn open(&self, study: &Path) -> Result<Store> {
        let store = self.dir.open(&self.plan, concat!("waterjar ", env!("CARGO_PKG_VERSION"))).await?;
        if study.is_file() {
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
