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
use waterjar_web::{Opened, Opens, Settings, Shelf, Site};

pub async fn run(args: ServeArgs, out: &Output) -> Result<Exit> {
    let password = password(args.password_file.as_deref())?;
    if !args.listen.ip().is_loopback() && password.is_none() {
        let problem = format!("{} can be reached from other machines, and nobody would have to sign in", args.listen);
        let error = EngineError::study("--listen", problem);
        return Err(error.with_hint("give it a password with --password-file, or listen on 127.0.0.1").into());
    }
    let forms = waterjar_annotation::forms(args.forms.as_deref());
    let forms = forms.map_err(|error| EngineError::study("--forms", error.to_string()))?;
    let runs = runs(&args.runs)?;
    let listener = TcpListener::bind(args.listen).await.map_err(|error| {
        EngineError::study("--listen", format!("{} cannot be used: {error}", args.listen))
            .with_hint("another program may listen there; choose another port, or 0 for any")
    })?;
    let at = listener.local_addr()?;
    let mut wishes = Wishes::listen();
    let url = args.url.unwrap_or_else(|| format!("http://{at}"));
    if !url.starts_with("http://") && !url.starts_with("https://") {
        let error = EngineError::study("--url", format!("`{url}` is no address of a web site"));
        return Err(error.with_hint("write it as https://rate.example.org").into());
    }
    out.say(&format!("{} at http://{at}/ · stop with Ctrl-C", counted(runs.len())));
    let site = Site::new(Shelf::new(Box::new(ByTarget), runs), Settings { password, forms, url }).await;
    site.serve(listener, async move { wishes.next().await }).await?;
    Ok(Exit::Done)
}

/// From the file, else from the environment. One that is too short to keep anybody out is refused.
fn password(file: Option<&Path>) -> Result<Option<String>> {
    let (from, text) = match file {
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|error| EngineError::file(path, format!("cannot be read: {error}")))?;
            ("--password-file", text.lines().next().unwrap_or_default().to_owned())
        }
        None => match std::env::var("WATERJAR_PASSWORD") {
            Ok(text) if !text.is_empty() => ("WATERJAR_PASSWORD", text),
            _ => return Ok(None),
        },
    };
    let password = text.trim().to_owned();
    if password.chars().count() < 8 {
        return Err(EngineError::study(from, "a password has at least 8 signs").into());
    }
    Ok(Some(password))
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
