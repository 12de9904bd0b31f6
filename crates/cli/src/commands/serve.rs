//! `waterjar serve`: runs in a browser.

use super::wishes::Wishes;
use crate::catalog::Parts;
use crate::cli::ServeArgs;
use crate::embedders;
use crate::exit::Exit;
use crate::output::Output;
use crate::remote::Folders;
use crate::target::Target;
use anyhow::Result;
use async_trait::async_trait;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::TcpListener;
use waterjar_core::{Embedder, ModelId};
use waterjar_engine::{Asks, Catalog, EngineError, RunDir, StudyFile};
use waterjar_store::{Mode, Store};
use waterjar_web::{Opened, Opens, Settings, Shelf, Site, Token};

pub async fn run(args: ServeArgs, out: &Output) -> Result<Exit> {
    let password = password(args.password_file.as_deref())?;
    if !args.listen.ip().is_loopback() && password.is_none() {
        let problem = format!("{} can be reached from other machines, and nobody would have to sign in", args.listen);
        let error = EngineError::study("--listen", problem);
        return Err(error.with_hint("give it a password with --password-file, or listen on 127.0.0.1").into());
    }
    let forms = waterjar_annotation::forms(args.forms.as_deref());
    let forms = forms.map_err(|error| EngineError::study("--forms", error.to_string()))?;
    let mut runs = runs(&args.runs)?;
    let away = match &args.store {
        Some(url) => Some(Folders::open(url)?),
        None => None,
    };
    if let Some(away) = &away {
        let (found, left_out) = away.runs().await.map_err(EngineError::from)?;
        left_out.iter().for_each(|told| out.warn(told));
        if found.is_empty() {
            out.say("the team has no run yet; the first one appears here when it is begun");
        }
        runs.extend(found);
    }
    let token = token(args.token_file.as_deref())?;
    let listener = TcpListener::bind(args.listen).await.map_err(|error| {
        EngineError::study("--listen", format!("{} cannot be used: {error}", args.listen))
            .with_hint("another program may listen there; choose another port, or 0 for any")
    })?;
    let at = listener.local_addr()?;
    let mut wishes = Wishes::listen();
    let url = match args.url {
        Some(url) => public(&url, password.is_some())?,
        None => format!("http://{at}"),
    };
    out.say(&format!("{} at http://{at}/ · stop with Ctrl-C", counted(runs.len())));
    let settings = Settings { password, forms, url, token };
    let site = Site::new(Shelf::new(Box::new(ByTarget { named: args.runs, away }), runs), settings).await;
    site.serve(listener, async move { wishes.next().await }).await?;
    Ok(Exit::Done)
}

/// Where others reach the server, as browsers write it: a scheme, a name in small letters, a port that is not the usual one.
fn public(url: &str, has_password: bool) -> Result<String> {
    let wrong =
        |problem: String| EngineError::study("--url", problem).with_hint("write it as https://rate.example.org");
    let small = url.trim().trim_end_matches('/').to_ascii_lowercase();
    let (scheme, host) = small.split_once("://").unwrap_or_default();
    let usual = match scheme {
        "http" => ":80",
        "https" => ":443",
        _ => return Err(wrong(format!("`{url}` is no address of a web site")).into()),
    };
    if host.is_empty() || host.contains(['/', '?', '#', '@', ' ']) {
        return Err(wrong(format!("`{url}` should be a scheme and a name, with nothing after it")).into());
    }
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name).trim_matches(['[', ']']);
    let here = name == "localhost" || name.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback());
    if !here && !has_password {
        let problem = format!("others reach {url}, and nobody would have to sign in");
        return Err(EngineError::study("--url", problem).with_hint("give it a password with --password-file").into());
    }
    Ok(format!("{scheme}://{}", host.strip_suffix(usual).unwrap_or(host)))
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

/// Everything that was named must be a run or hold some.
fn runs(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut runs = Vec::new();
    for path in named {
        let found = runs_at(path);
        if found.is_empty() {
            let error = EngineError::file(path, "is no run, and holds none");
            return Err(error
                .with_hint("name the directory of a run, such as runs/quickstart, or a folder of runs")
                .into());
        }
        runs.extend(found);
    }
    Ok(runs)
}

/// A folder that is no run may hold some.
fn runs_at(path: &Path) -> Vec<PathBuf> {
    let is_run = |path: &Path| RunDir::new(path).database().is_file();
    if is_run(path) {
        return vec![path.to_owned()];
    }
    let within = std::fs::read_dir(path).map(|entries| entries.flatten().map(|it| it.path()).collect::<Vec<_>>());
    let mut within: Vec<PathBuf> = within.unwrap_or_default().into_iter().filter(|path| is_run(path)).collect();
    within.sort();
    within
}

async fn resolved(dir: &Path) -> Result<Target, EngineError> {
    Target::resolve(dir, None, &[], Asks::Nobody).await.map_err(|error| match error.downcast::<EngineError>() {
        Ok(error) => error,
        Err(error) => EngineError::file(dir, format!("{error:#}")),
    })
}

struct ByTarget {
    /// Runs and folders of runs on this machine, as they were named.
    named: Vec<PathBuf>,
    away: Option<Folders>,
}

#[async_trait]
impl Opens for ByTarget {
    async fn open(&self, dir: &Path) -> Result<Opened, EngineError> {
        let target = resolved(dir).await?;
        let store = Store::open(target.dir.database(), Mode::Read).await?;
        Ok(Opened { plan: target.plan, dir: target.dir, store })
    }

    async fn embedder(&self, run: &Opened, name: &str) -> Result<Arc<dyn Embedder>, EngineError> {
        let path = run.dir.file("study.toml");
        let study = StudyFile::parse(&path, run.plan.text.clone(), &[])?;
        if study.is_vendor(name) && run.plan.is_budgeted(&ModelId::new(name)) {
            let problem = format!("the run has a budget, and what is sent to `{name}` from here would not be counted");
            return Err(EngineError::study("/v1/score", problem).with_hint(format!(
                "leave [budget] out of the study that is served, or say that it costs nothing:\n\n  [prices]\n  \"{name}\" = {{ input = 0.0, output = 0.0 }}"
            )));
        }
        let opened = Parts.embedder(&study.wanted_embedder(name));
        let opened = opened.map_err(|why| EngineError::study(path.display().to_string(), why))?;
        // What is scored is not of the run: nothing of it is kept there.
        Ok(embedders::remembering(opened))
    }

    async fn all(&self) -> Vec<PathBuf> {
        let mut runs: Vec<PathBuf> = self.named.iter().flat_map(|path| runs_at(path)).collect();
        if let Some(away) = &self.away {
            // A server that is away now is asked again at the next look.
            runs.extend(away.runs().await.map(|(found, _)| found).unwrap_or_default());
        }
        runs
    }
}
