//! Runs on a server, as directories on this machine.

use crate::private;
use anyhow::Result;
use std::path::{Component, Path, PathBuf};
use tempfile::TempDir;
use waterjar_engine::{EngineError, RunDir};
use waterjar_store::{Mode, Queue, Server, Store, StoreError};

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

/// Directories for the runs of a team, gone with this.
pub struct Folders {
    server: Server,
    all: TempDir,
}

impl Folders {
    pub fn open(url: &str) -> Result<Self> {
        Ok(Self { server: Server::parse(url).map_err(EngineError::from)?, all: private::folder("runs")? })
    }

    /// One for each run that is there now; and what is wrong with those that are left out.
    pub async fn runs(&self) -> Result<(Vec<PathBuf>, Vec<String>), StoreError> {
        let (mut folders, mut left_out) = (Vec::new(), Vec::new());
        for run in Queue::runs(&self.server).await? {
            let folder = self.all.path().join(&run);
            if !folder.exists()
                && let Err(error) = self.stand_in(&run, &folder).await
            {
                // The others can be looked at all the same, and this one at the next look.
                left_out.push(format!("{run} is left out: {error:#}"));
                let _ = std::fs::remove_dir_all(&folder);
                continue;
            }
            folders.push(folder);
        }
        Ok((folders, left_out))
    }

    async fn stand_in(&self, run: &str, folder: &Path) -> Result<()> {
        stand_in(&self.server.clone().with_run(run).map_err(EngineError::from)?, folder).await
    }
}
