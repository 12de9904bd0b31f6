//! `waterjar move`: a run from a file to a server, or back.

use crate::cli::MoveArgs;
use crate::exit::Exit;
use crate::output::Output;
use anyhow::Result;
use waterjar_engine::{EngineError, RunDir};
use waterjar_store::{Server, copy_ratings, copy_run};

pub async fn run(args: MoveArgs, out: &Output) -> Result<Exit> {
    let dir = RunDir::new(&args.run);
    match &args.store {
        Some(url) => to_server(&dir, url, out).await?,
        None => to_file(&dir, out).await?,
    }
    Ok(Exit::Done)
}

/// What was there stays beside it under another name: nothing is lost whatever happens to the server.
async fn to_server(dir: &RunDir, url: &str, out: &Output) -> Result<()> {
    let file = dir.file("run.sqlite");
    if !file.is_file() {
        let error = EngineError::file(dir.path(), "holds no database");
        return Err(error.with_hint("name the directory of a run that is kept in a file").into());
    }
    let server = Server::parse(url).map_err(EngineError::from)?;
    let server = match server.run() {
        Some(_) => server,
        None => server.with_run(&dir.name()).map_err(EngineError::from)?,
    };
    let address = server.address();
    let rows = copy_run(&file, address.as_ref()).await.map_err(EngineError::from)?;
    let ratings = dir.file("ratings.sqlite");
    let mut moved = vec![file];
    let mut rated = 0;
    if ratings.is_file() {
        rated = copy_ratings(&ratings, address.as_ref()).await.map_err(EngineError::from)?;
        moved.push(ratings);
    }
    dir.moved_to(&server)?;
    for path in moved {
        // Where somebody looks at it, its last rows are still in the `-wal`.
        for end in ["", "-wal", "-shm"] {
            let (from, to) = (path.with_extension(format!("sqlite{end}")), path.with_extension(format!("moved{end}")));
            if from.exists() {
                std::fs::rename(from, to)?;
            }
        }
    }
    out.say(&format!("{rows} rows moved to {}{}", server.shown(), and(rated)));
    out.say("the file is kept as run.moved; delete it when you no longer need it");
    Ok(())
}

async fn to_file(dir: &RunDir, out: &Output) -> Result<()> {
    let pointer = dir.pointer();
    if !pointer.is_file() {
        let error = EngineError::file(dir.path(), "is kept in a file already");
        return Err(error.with_hint("say where to with --store postgres://…").into());
    }
    let rows = copy_run(&pointer, &dir.file("run.sqlite")).await.map_err(EngineError::from)?;
    let rated = match copy_ratings(&pointer, &dir.file("ratings.sqlite")).await {
        Err(waterjar_store::StoreError::Missing { .. }) => 0,
        rated => rated.map_err(EngineError::from)?,
    };
    std::fs::rename(&pointer, dir.file("moved-from"))?;
    out.say(&format!("{rows} rows moved to {}{}", dir.file("run.sqlite").display(), and(rated)));
    out.say("on the server it is kept too; `DROP SCHEMA` removes it there");
    Ok(())
}

fn and(rated: u64) -> String {
    if rated == 0 { String::new() } else { format!(", with {rated} of what people said of it") }
}
