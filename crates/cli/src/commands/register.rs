//! `waterjar register`: declares a study before it is run.

use crate::catalog::Parts;
use crate::cli::RegisterArgs;
use crate::exit::Exit;
use crate::lock::{self, Lock};
use crate::output::{Output, table};
use anyhow::{Context, Result};
use std::path::Path;
use waterjar_engine::{EngineError, StudyFile};

pub fn run(args: &RegisterArgs, out: &Output) -> Result<Exit> {
    let study = StudyFile::read(&args.study, &[])?;
    let plan = study.resolve(&Parts)?;
    let path = Lock::path(&args.study);
    if let Some(token) = &args.token {
        return keep_token(&path, token, out);
    }
    if path.exists() && !args.again {
        return Err(EngineError::file(&path, "is there already")
            .with_hint("what was declared should stay; to declare anew, say --again")
            .into());
    }
    let lock = Lock::of(&study, &plan);
    lock.write(&path)?;
    let rows: Vec<(&str, String)> = lock.hashes().iter().map(|(what, hash)| (what.as_str(), hash.clone())).collect();
    out.print(&table::list(&rows));
    out.say(&format!("declared in {}; `waterjar run` says whether it held", path.display()));
    if args.commit {
        let stamp = lock::commit(&path, &plan.name).map_err(|problem| {
            EngineError::file(&path, format!("cannot be committed: {problem}"))
                .with_hint("commit it yourself: `waterjar run` finds the commit that holds it")
        })?;
        out.say(&format!("{}, {}", stamp.by, stamp.at));
    }
    Ok(Exit::Done)
}

/// Beside the lock, where `run` looks for it.
fn keep_token(path: &Path, token: &Path, out: &Output) -> Result<Exit> {
    let declared = std::fs::read(path).map_err(|error| {
        EngineError::file(path, format!("cannot be read: {error}"))
            .with_hint("declare the study first, without --token")
    })?;
    let bytes = std::fs::read(token).map_err(|error| EngineError::file(token, format!("cannot be read: {error}")))?;
    let stamp = lock::of_token(&bytes, &declared).map_err(|problem| EngineError::file(token, problem))?;
    let beside = lock::token_path(path);
    std::fs::write(&beside, bytes).with_context(|| format!("{} cannot be written", beside.display()))?;
    out.say(&format!("{}: {}, {}", beside.display(), stamp.by, stamp.at));
    Ok(Exit::Done)
}
