//! `waterjar register`: declares a study before it is run.

use crate::catalog::Parts;
use crate::cli::RegisterArgs;
use crate::exit::Exit;
use crate::lock::Lock;
use crate::output::{Output, table};
use anyhow::Result;
use waterjar_engine::{EngineError, StudyFile};

pub fn run(args: &RegisterArgs, out: &Output) -> Result<Exit> {
    let study = StudyFile::read(&args.study, &[])?;
    let plan = study.resolve(&Parts)?;
    let path = Lock::path(&args.study);
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
    Ok(Exit::Done)
}
