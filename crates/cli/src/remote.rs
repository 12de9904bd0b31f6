//! Runs on a server, as directories on this machine.

use crate::output::Output;
use anyhow::Result;
use std::path::{Component, Path, PathBuf};
use tempfile::TempDir;
use waterjar_engine::{EngineError, RunDir};
use waterjar_store::{Mode, Queue, Server, Store};

/// A directory that stands for a run: where it is, and the files it leans on.
pub async fn stand_in(server: &Server, folder: &Path) -> Result<()> {
    let dir = RunDir::new(folder);
    dir.keep_on(server)?;
    let store = Store::open(dir.database(), Mode::Read).await.map_err(EngineError::from)?;
    for name in store.file_names().await.map_err(EngineError::from)? {
        let inside = Path::new(&name).components().all(|part| matches!(part, Component::Normal(_)));
        let Some(body) = store.file(&name).await.map_err(EngineError::from)?.filter(|_| inside) else { continue };
        let path = folder.join(&name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, body)?;
    }
    store.close().await;
    Ok(())
}

/// One for each run of the team, gone with the first of the two.
pub async fn folders(url: &str, out: &Output) -> Result<(TempDir, Vec<PathBuf>)> {
    let server = Server::parse(url).map_err(EngineError::from)?;
    let all = tempfile::tempdir()?;
    let mut folders = Vec::new();
    for run in Queue::runs(&server).await.map_err(EngineError::from)? {
        let folder = all.path().join(&run);
        match stand_in(&server.clone().with_run(&run).map_err(EngineError::from)?, &folder).await {
            Ok(()) => folders.push(folder),
            // The others can be looked at all the same.
            Err(error) => out.warn(&format!("{run} is left out: {error:#}")),
        }
    }
    if folders.is_empty() {
        let error = EngineError::study("--store", format!("{} holds no run yet", server.shown()));
        return Err(error.with_hint("start one with `waterjar run STUDY --store URL`").into());
    }
    Ok((all, folders))
}
