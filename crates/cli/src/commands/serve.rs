//! `waterjar serve`: runs in a browser.

use super::wishes::Wishes;
use crate::cli::ServeArgs;
use crate::exit::Exit;
use crate::output::Output;
use crate::target::Target;
use anyhow::Result;
use async_trait::async_trait;
use std::path::{Path, PathBuf};
use tokio::net::TcpListener;
use waterjar_engine::{Asks, EngineError, RunDir};
use waterjar_store::{Mode, Store};
use waterjar_web::{Opened, Opens, Shelf, Site};

pub async fn run(args: ServeArgs, out: &Output) -> Result<Exit> {
    if !args.listen.ip().is_loopback() {
        let problem = format!("{} can be reached from other machines, and nobody would have to sign in", args.listen);
        let error = EngineError::study("--listen", problem);
        return Err(error.with_hint("listen on 127.0.0.1 and reach it through ssh -L").into());
    }
    let runs = runs(&args.runs)?;
    let listener = TcpListener::bind(args.listen).await.map_err(|error| {
        EngineError::study("--listen", format!("{} cannot be used: {error}", args.listen))
            .with_hint("another program may listen there; choose another port, or 0 for any")
    })?;
    let at = listener.local_addr()?;
    let mut wishes = Wishes::listen();
    out.say(&format!("{} at http://{at}/ · stop with Ctrl-C", counted(runs.len())));
    Site::new(Shelf::new(Box::new(ByTarget), runs)).serve(listener, async move { wishes.next().await }).await?;
    Ok(Exit::Done)
}

fn counted(runs: usize) -> String {
    if runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") }
}

/// A folder that is no run may hold some.
fn runs(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut runs = Vec::new();
    for path in named {
        let is_run = |path: &Path| RunDir::new(path).database().is_file();
        if is_run(path) {
            runs.push(path.clone());
            continue;
        }
        let within = std::fs::read_dir(path).map(|entries| entries.flatten().map(|it| it.path()).collect::<Vec<_>>());
        let mut within: Vec<PathBuf> = within.unwrap_or_default().into_iter().filter(|path| is_run(path)).collect();
        if within.is_empty() {
            let error = EngineError::file(path, "is no run, and holds none");
            return Err(error
                .with_hint("name the directory of a run, such as runs/quickstart, or a folder of runs")
                .into());
        }
        within.sort();
        runs.extend(within);
    }
    Ok(runs)
}

struct ByTarget;

#[async_trait]
impl Opens for ByTarget {
    async fn open(&self, dir: &Path) -> Result<Opened, EngineError> {
        let target = Target::resolve(dir, None, &[], Asks::Nobody).await;
        let target = target.map_err(|error| match error.downcast::<EngineError>() {
            Ok(error) => error,
            Err(error) => EngineError::file(dir, format!("{error:#}")),
        })?;
        let store = Store::open(target.dir.database(), Mode::Read).await?;
        Ok(Opened { plan: target.plan, dir: target.dir, store })
    }
}
