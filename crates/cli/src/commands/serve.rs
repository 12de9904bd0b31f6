//! `waterjar serve`: runs in a browser.

use super::wishes::Wishes;
use crate::cli::ServeArgs;
use crate::exit::Exit;
use crate::output::Output;
use crate::target::Target;
use anyhow::Result;
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::TcpListener;
use waterjar_core::{Embedder, SuiteId};
use waterjar_engine::{Asks, EngineError, RunDir};
use waterjar_store::{Mode, Store};
use waterjar_web::{Opened, Opens, Shelf, Site, Token};

pub async fn run(args: ServeArgs, out: &Output) -> Result<Exit> {
    if !args.listen.ip().is_loopback() {
        let problem = format!("{} can be reached from other machines, and nobody would have to sign in", args.listen);
        let error = EngineError::study("--listen", problem);
        return Err(error.with_hint("listen on 127.0.0.1 and reach it through ssh -L").into());
    }
    let runs = runs(&args.runs)?;
    let token = token(args.token_file.as_deref())?;
    let listener = TcpListener::bind(args.listen).await.map_err(|error| {
        EngineError::study("--listen", format!("{} cannot be used: {error}", args.listen))
            .with_hint("another program may listen there; choose another port, or 0 for any")
    })?;
    let at = listener.local_addr()?;
    let mut wishes = Wishes::listen();
    out.say(&format!("{} at http://{at}/ · stop with Ctrl-C", counted(runs.len())));
    let site = Site::new(Shelf::new(Box::new(ByTarget), runs)).with_token(token);
    site.serve(listener, async move { wishes.next().await }).await?;
    Ok(Exit::Done)
}

const TOKEN: &str = "WATERJAR_TOKEN";

/// The file goes before the environment.
fn token(file: Option<&Path>) -> Result<Option<Token>> {
    let wrong = |where_: String, problem: String| {
        EngineError::study(where_, problem).with_hint("make one with: openssl rand -hex 32")
    };
    let (told, place) = match (file, std::env::var(TOKEN)) {
        (Some(file), _) => {
            let read = std::fs::read_to_string(file);
            let read = read.map_err(|error| EngineError::file(file, format!("cannot be read: {error}")))?;
            (read, format!("--token-file {}", file.display()))
        }
        (None, Ok(told)) if !told.is_empty() => (told, TOKEN.to_owned()),
        (None, _) => return Ok(None),
    };
    Ok(Some(Token::new(&told).map_err(|problem| wrong(place, problem))?))
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

async fn resolved(dir: &Path, asks: Asks) -> Result<Target, EngineError> {
    Target::resolve(dir, None, &[], asks).await.map_err(|error| match error.downcast::<EngineError>() {
        Ok(error) => error,
        Err(error) => EngineError::file(dir, format!("{error:#}")),
    })
}

struct ByTarget;

#[async_trait]
impl Opens for ByTarget {
    async fn open(&self, dir: &Path) -> Result<Opened, EngineError> {
        let target = resolved(dir, Asks::Nobody).await?;
        let store = Store::open(target.dir.database(), Mode::Read).await?;
        Ok(Opened { plan: target.plan, dir: target.dir, store })
    }

    async fn embedders(&self, dir: &Path) -> Result<BTreeMap<SuiteId, Arc<dyn Embedder>>, EngineError> {
        let suites = resolved(dir, Asks::Judges).await?.plan.suites;
        Ok(suites.into_iter().filter_map(|it| Some((it.id().clone(), it.embedder.clone()?))).collect())
    }
}
