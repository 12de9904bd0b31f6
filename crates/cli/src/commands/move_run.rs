//! `waterjar move`: a run from a file to a server, or back.

use crate::cli::MoveArgs;
use crate::exit::Exit;
use crate::output::Output;
use anyhow::Result;
use std::path::Path;
use waterjar_core::counted;
use waterjar_engine::{EngineError, RunDir};
use waterjar_store::{Mode, Queue, Server, Store, copy_ratings, copy_run, settle_ratings, settle_run};

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
    let ratings = dir.file("ratings.sqlite");
    let mut moved = vec![file.clone()];
    let mut rated = 0;
    // First, because whoever rates holds them: then nothing else has been copied.
    if ratings.is_file() {
        rated = copy_ratings(&ratings, address.as_ref()).await.map_err(EngineError::from)?;
        moved.push(ratings);
    }
    let rows = copy_run(&file, address.as_ref()).await.map_err(EngineError::from)?;
    let store = Store::open(&address, Mode::Existing).await.map_err(EngineError::from)?;
    dir.share_kept(&store).await?;
    store.close().await;
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
    settle(&[&dir.file("run.moved"), address.as_ref()], &[&dir.file("ratings.moved"), address.as_ref()]).await?;
    out.say(&format!("{} moved to {}{}", counted(rows, "row", "rows"), server.shown(), and(rated)));
    out.say("the file is kept as run.moved; delete it when you no longer need it");
    Ok(())
}

async fn to_file(dir: &RunDir, out: &Output) -> Result<()> {
    let pointer = dir.pointer();
    if !pointer.is_file() {
        let error = EngineError::file(dir.path(), "is kept in a file already");
        return Err(error.with_hint("say where to with --store postgres://…").into());
    }
    let server = Server::read(&pointer).map_err(EngineError::from)?;
    let run = server.run().unwrap_or_default().to_owned();
    let queue = Queue::open(&server).await.map_err(EngineError::from)?;
    // What they store after the copy would be lost, and be paid for again.
    queue.clear(&run).await.map_err(EngineError::from)?;
    let taken = queue.taken(&run).await.map_err(EngineError::from)?.len();
    if taken > 0 {
        let error = EngineError::file(dir.path(), format!("workers have {taken} parts of it"));
        return Err(error
            .with_hint("nothing more of it is given out: start the same command again when they have ended")
            .into());
    }
    let rows = copy_run(&pointer, &dir.file("run.sqlite")).await.map_err(EngineError::from)?;
    let rated = match copy_ratings(&pointer, &dir.file("ratings.sqlite")).await {
        Err(waterjar_store::StoreError::Missing { .. }) => 0,
        rated => rated.map_err(EngineError::from)?,
    };
    std::fs::rename(&pointer, dir.file("moved-from"))?;
    let address = server.address();
    settle(&[&dir.file("run.sqlite"), address.as_ref()], &[&dir.file("ratings.sqlite"), address.as_ref()]).await?;
    out.say(&format!("{} moved to {}{}", counted(rows, "row", "rows"), dir.file("run.sqlite").display(), and(rated)));
    let (team, run) = (server.team_name(), run);
    out.say(&format!("on the server it is kept too; there `DROP SCHEMA \"{team}:{run}\" CASCADE` removes it"));
    Ok(())
}

async fn settle(runs: &[&Path], ratings: &[&Path]) -> Result<()> {
    for place in runs {
        settle_run(place).await.map_err(EngineError::from)?;
    }
    for place in ratings {
        settle_ratings(place).await.map_err(EngineError::from)?;
    }
    Ok(())
}

fn and(rated: u64) -> String {
    if rated == 0 { String::new() } else { format!(", with {rated} of what people said of it") }
}
