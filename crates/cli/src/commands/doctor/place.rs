//! The directory of the run: free, ours and writable?

use super::Check;
use std::path::{Path, PathBuf};
use waterjar_engine::{EngineError, Plan, RunDir};
use waterjar_store::{Mode, Store, StoreError};

const OTHER: &str = "choose another directory with --out";

pub async fn check(dir: &RunDir, plan: Option<&Plan>) -> Vec<Check> {
    let of = dir.path().display().to_string();
    if let Err(error) = dir.refuse_foreign() {
        return vec![Check::fail("store", of, error.to_string(), error.hint().unwrap_or_else(|| OTHER.to_owned()))];
    }
    let mut checks = Vec::new();
    if dir.database().exists() {
        checks.push(held(dir, plan, &of).await);
    }
    let ground = ground(dir.path());
    checks.push(match try_out(&ground).await {
        Ok(()) => Check::ok("store", of, "a run can be written there"),
        Err(problem) => {
            let found = format!("nothing can be written in {}: {problem}", ground.display());
            Check::fail("store", of, found, format!("make it writable, or {OTHER}"))
        }
    });
    checks
}

/// What the run that is there belongs to.
async fn held(dir: &RunDir, plan: Option<&Plan>, of: &str) -> Check {
    let database = dir.database();
    if let Some(error) = Store::in_use(&database) {
        return Check::fail("run", of, error.to_string(), "wait for it, or stop it");
    }
    let identity = async {
        let store = Store::open(&database, Mode::Read).await?;
        let identity = store.identity().await;
        store.close().await;
        identity
    };
    match (identity.await, plan) {
        (Ok(Some(held)), Some(plan)) if held.study_hash != plan.identity => {
            let found = "a run of another study is there: its name, seed or suites differ";
            Check::fail("run", of, found, format!("{OTHER}, or delete it"))
        }
        (Ok(Some(_)), Some(_)) => Check::ok("run", of, "a run of this study is there; `run` goes on with it"),
        (Ok(_), _) => Check::ok("run", of, "a run is there"),
        (Err(error @ StoreError::Older { .. }), _) => {
            Check::warn("run", of, error.to_string(), "`run` brings it up to date; copy it first to keep the old one")
        }
        (Err(error), _) => {
            let error = EngineError::from(error);
            let todo = error.hint().unwrap_or_else(|| OTHER.to_owned());
            Check::fail("run", of, error.to_string(), todo)
        }
    }
}

/// The directory, or the nearest above it that is there.
pub fn ground(dir: &Path) -> PathBuf {
    let there = dir.ancestors().find(|path| path.is_dir());
    there.filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

/// Makes a real store there and takes it away again: permissions, read-only disks and network disks without locks all
/// show only when it is done.
async fn try_out(ground: &Path) -> Result<(), String> {
    let place = tempfile::Builder::new().prefix(".waterjar-doctor-").tempdir_in(ground);
    // Without the name that was only tried.
    let place = place.map_err(|error| error.to_string().split(" at path ").next().unwrap_or_default().to_owned())?;
    let made = async {
        let store = Store::open(place.path().join("run.sqlite"), Mode::Create).await?;
        let written = store.put_meta("doctor", "was here").await;
        store.close().await;
        written
    };
    made.await.map_err(|error: StoreError| error.to_string())
}
