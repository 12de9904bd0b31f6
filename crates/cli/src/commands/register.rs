//! `waterjar register`: declares a study before it is run.

use crate::catalog::Parts;
use crate::cli::RegisterArgs;
use crate::exit::Exit;
use crate::lock::{self, Declared, Held, Lock};
use crate::output::{Output, table};
use anyhow::{Context, Result};
use std::path::Path;
use waterjar_engine::{EngineError, StudyFile};

pub fn run(args: &RegisterArgs, out: &Output) -> Result<Exit> {
    let path = Lock::path(&args.study)?;
    let study = StudyFile::read(&args.study, &[])?;
    let plan = study.resolve(&Parts)?;
    if let Some(token) = &args.token {
        return keep_token(&path, token, out);
    }
    let lock = Lock::of(&study, &plan);
    let before = if args.again { None } else { Declared::read(&path)? };
    if let Some(before) = before {
        same_as_before(&path, before.held(&lock), args.commit)?;
        out.say(&format!("{} is there already and declares the same; it stays as it is", path.display()));
        commit(&path, &plan.name, out)?;
        return Ok(Exit::Done);
    }
    lock.write(&path)?;
    let rows: Vec<(&str, String)> = lock.hashes().iter().map(|(what, hash)| (what.as_str(), hash.clone())).collect();
    out.print(&table::list(&rows));
    out.say(&format!("declared in {}; `waterjar run` says whether it held", path.display()));
    set_token_aside(&path, out)?;
    if args.commit {
        commit(&path, &plan.name, out)?;
    }
    Ok(Exit::Done)
}

/// What was declared stays. A commit may still be asked for, where the study is what was declared.
fn same_as_before(path: &Path, held: Held, commits: bool) -> Result<(), EngineError> {
    match held {
        Held::No(changed) => {
            let problem = format!("is there already, of another declaration; changed since: {}", changed.join(", "));
            Err(EngineError::file(path, problem)
                .with_hint("what was declared should stay, and nothing was changed; to declare anew, say --again"))
        }
        Held::Yes | Held::NotLocked if commits => Ok(()),
        Held::Yes | Held::NotLocked => Err(EngineError::file(path, "is there already, and declares the same")
            .with_hint("with --commit a git commit says when it was there; to declare anew, say --again")),
    }
}

/// A token of what was declared before speaks for this declaration no more.
fn set_token_aside(path: &Path, out: &Output) -> Result<()> {
    let token = lock::token_path(path);
    let moved = lock::set_token_aside(path).map_err(|error| {
        EngineError::file(&token, format!("is of an earlier lock and cannot be moved: {error}"))
            .with_hint("take it away: `waterjar run` refuses a token of another lock")
    })?;
    if let Some(aside) = moved {
        out.warn(&format!("{} was of an earlier lock and is {} now", token.display(), aside.display()));
        out.hint("have the new lock stamped, and keep that with --token");
    }
    Ok(())
}

fn commit(path: &Path, study: &str, out: &Output) -> Result<()> {
    let stamp = lock::commit(path, study).map_err(|problem| {
        EngineError::file(path, format!("is declared but cannot be committed: {problem}"))
            .with_hint("commit it yourself: `waterjar run` finds the commit that holds it")
    })?;
    out.say(&format!("{}, {}", stamp.by, stamp.at));
    Ok(())
}

/// Beside the lock, where `run` looks for it.
fn keep_token(path: &Path, token: &Path, out: &Output) -> Result<Exit> {
    let declared = Declared::read(path)?.ok_or_else(|| {
        EngineError::file(path, "is not there, so no token can be of it")
            .with_hint("declare the study first, without --token")
    })?;
    let bytes = std::fs::read(token).map_err(|error| EngineError::file(token, format!("cannot be read: {error}")))?;
    let stamp = declared.stamp_of(&bytes).map_err(|problem| EngineError::file(token, problem))?;
    let beside = lock::token_path(path);
    std::fs::write(&beside, bytes).with_context(|| format!("{} cannot be written", beside.display()))?;
    out.say(&format!("{}: {}, {}", beside.display(), stamp.by, stamp.at));
    Ok(Exit::Done)
}
