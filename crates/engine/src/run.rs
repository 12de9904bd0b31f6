//! A study carried out: the directory that holds it, and its passes in turn.

use crate::bounds;
use crate::export::ResponsesFile;
use crate::passes::judge::Announce;
use crate::passes::{answer, judge, measure, vary};
use crate::work::{self, Others};
use crate::{EngineError, Plan, RunEvent, Stop, Unheard, differs, export};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use waterjar_core::{BenchmarkSummary, Kept, MetricsFile, SubjectResult};
use waterjar_store::{Identity, Mode, Server, Store, StoreError};

/// One directory holds everything, so that judging, measuring and reporting can be redone without asking again.
#[derive(Clone, Debug)]
pub struct RunDir(PathBuf);

pub struct Run<'a> {
    pub plan: &'a Plan,
    pub dir: RunDir,
    pub store: Store,
    pub stop: Stop,
    /// At most so many families of each suite.
    pub limit: Option<u64>,
    pub tell: Tell,
    /// Whether every call of a model is told, with what was said.
    pub tell_calls: bool,
    /// Who asks and judges besides, or instead.
    pub others: Option<Others>,
}

/// Hears of a run as it goes. Called from many tasks at once, so it should be quick.
pub type Tell = Arc<dyn Fn(RunEvent) + Send + Sync>;

/// How a run that was not stopped ended.
pub struct Outcome {
    pub metrics: MetricsFile,
    /// Verdicts that lack the word of somebody who was asked.
    pub unheard: Unheard,
}

impl Outcome {
    pub fn broken_bounds(&self) -> impl Iterator<Item = &str> {
        self.metrics.bounds.iter().filter_map(|bound| bound.broken.as_deref())
    }

    pub fn missing(&self) -> u64 {
        self.metrics.results.iter().map(|result| result.missing).sum()
    }
}

/// Under this the store keeps the fingerprints of the sources, by suite.
pub const SOURCES: &str = "sources";

/// Under this the store keeps when the study was declared, by whose word, and what was changed since.
pub const REGISTRATION: &str = "registration";

/// Under this the store keeps when a subject was first asked.
pub const FIRST_ASKED: &str = "first_asked";

/// Under this the store keeps the `--limit` that families were made with; empty where they were made without.
pub const LIMIT: &str = "limit";

/// Under this the store keeps who writes pairs and votes on them, and how they are asked.
const WRITERS: &str = "writers";

/// What a run that could not be made may leave: a full disk leaves SQLite no room to tidy up.
const OWN: [&str; 6] = ["run.sqlite", "run.sqlite-wal", "run.sqlite-shm", "run.sqlite-journal", "run.lock", POINTER];
/// Stands in place of the database of a run that is kept on a server, and says where.
const POINTER: &str = "run.postgres";

impl RunDir {
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A file of its own, or one that says on which server it is.
    pub fn database(&self) -> PathBuf {
        let pointer = self.file(POINTER);
        if pointer.is_file() { pointer } else { self.file("run.sqlite") }
    }

    /// What people said of the run.
    pub fn ratings(&self) -> PathBuf {
        let pointer = self.file(POINTER);
        if pointer.is_file() { pointer } else { self.file("ratings.sqlite") }
    }

    /// The run is to be kept on this server. Refused where it is kept elsewhere already.
    /// Tells whether that is new.
    pub fn keep_on(&self, server: &Server) -> Result<bool, EngineError> {
        let elsewhere = |problem: String| {
            let hint = "leave --store away, choose another --out, or move the run with `waterjar move`";
            Err(EngineError::file(&self.0, problem).with_hint(hint))
        };
        if self.file("run.sqlite").exists() {
            return elsewhere("is a run with its database in it, which stays there".to_owned());
        }
        let (pointer, address) = (self.file(POINTER), server.address());
        match std::fs::read_to_string(&pointer) {
            Ok(held) if held.trim() == address => Ok(false),
            Ok(held) => elsewhere(format!("is a run that is kept at {}", held.trim())),
            Err(_) => {
                self.refuse_foreign()?;
                self.make()?;
                export::write_text(&pointer, &format!("{address}\n"))?;
                Ok(true)
            }
        }
    }

    /// It was moved there: from now on it is there, whatever lies in the directory.
    pub fn moved_to(&self, server: &Server) -> Result<(), EngineError> {
        export::write_text(&self.file(POINTER), &format!("{}\n", server.address()))
    }

    /// Of a run that could not be made there.
    pub fn forget_server(&self) {
        let _ = std::fs::remove_file(self.file(POINTER));
        let _ = std::fs::remove_dir(&self.0);
    }

    /// What says on which server the run is, where it is on one.
    pub fn pointer(&self) -> PathBuf {
        self.file(POINTER)
    }

    /// Of the directory.
    pub fn name(&self) -> String {
        self.0.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// A new one is its owner's alone: it holds patients' texts. One that is there already keeps its permissions.
    fn make(&self) -> Result<(), EngineError> {
        let above = self.0.parent().map_or(Ok(()), std::fs::create_dir_all);
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        above.and_then(|()| builder.create(&self.0)).map_err(|error| {
            EngineError::file(&self.0, format!("cannot be made: {error}")).with_hint("choose another --out")
        })
    }

    /// What is kept of the files that a suite leans on.
    pub fn inputs(&self, suite: &str) -> PathBuf {
        self.file("inputs").join(suite)
    }

    /// Opens or creates the store of a plan. A directory that holds something else is left alone.
    pub async fn open(&self, plan: &Plan, program: &str) -> Result<Store, EngineError> {
        self.refuse_foreign()?;
        let new = !self.0.exists();
        self.make()?;
        let opened = self.claim(plan, program).await;
        if opened.is_err() && new {
            // Nothing half-made is left behind; a directory with files in it stays.
            for name in OWN {
                let _ = std::fs::remove_file(self.file(name));
            }
            let _ = std::fs::remove_dir(&self.0);
        }
        opened
    }

    async fn claim(&self, plan: &Plan, program: &str) -> Result<Store, EngineError> {
        let store = Store::open(self.database(), Mode::Create).await?;
        let identity =
            Identity { study_hash: plan.identity.clone(), study_text: plan.text.clone(), program: program.to_owned() };
        let claimed = store.claim(&identity).await;
        if let Err(StoreError::OtherStudy { path, .. }) = claimed {
            let held = store.identity().await?.map(|held| held.study_text).unwrap_or_default();
            return Err(StoreError::OtherStudy { path, why: Some(differs::study(&held, &plan.text)) }.into());
        }
        let resumed = claimed?;
        self.claim_writers(&store, plan).await?;
        self.keep_inputs(&store, plan).await?;
        if resumed {
            // What commands on the run read is the study as it was last started.
            store.put_meta("study_text", &plan.text).await?;
        }
        export::write_text(&self.file("study.toml"), &plan.text)?;
        Ok(store)
    }

    /// The directory holds everything that judging, measuring and reporting need.
    async fn keep_inputs(&self, store: &Store, plan: &Plan) -> Result<(), EngineError> {
        for planned in &plan.suites {
            let kept = Kept { folder: self.inputs(planned.id().as_str()), source: None };
            for (key, file) in &planned.opened.leans_on {
                let copy = kept.file(key, file);
                if copy.exists() {
                    continue;
                }
                let kept = std::fs::create_dir_all(&kept.folder).and_then(|()| std::fs::copy(file, &copy));
                kept.map_err(|error| EngineError::file(&copy, format!("cannot be written: {error}")))?;
            }
            if store.is_shared() {
                self.share_inputs(store, &kept.folder).await?;
            }
        }
        let sources = serde_json::to_string(&plan.sources).expect("texts are JSON");
        Ok(store.put_meta(SOURCES, &sources).await?)
    }

    /// The same for a run that comes to a server when it is made already.
    pub async fn share_kept(&self, store: &Store) -> Result<(), EngineError> {
        let Ok(suites) = std::fs::read_dir(self.file("inputs")) else { return Ok(()) };
        for folder in suites.flatten().map(|entry| entry.path()) {
            self.share_inputs(store, &folder).await?;
        }
        Ok(())
    }

    /// Workers on other machines have no other way to them.
    async fn share_inputs(&self, store: &Store, folder: &Path) -> Result<(), EngineError> {
        let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
        for file in entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()) {
            let body = std::fs::read(&file).map_err(|error| EngineError::file(&file, error.to_string()))?;
            let name = file.strip_prefix(&self.0).unwrap_or(&file).to_string_lossy().into_owned();
            store.put_file(&name, body).await?;
        }
        Ok(())
    }

    /// Who writes and votes is not part of the study's hash, which runs of earlier versions have too; it must stay the same
    /// all the same once something is written.
    async fn claim_writers(&self, store: &Store, plan: &Plan) -> Result<(), EngineError> {
        if plan.writers.is_empty() {
            return Ok(());
        }
        let held = store.meta(WRITERS).await?.and_then(|held| serde_json::from_str(&held).ok());
        let mut held: BTreeMap<String, serde_json::Value> = held.unwrap_or_default();
        if let Some(why) = differs::writers(&held, &plan.writers) {
            let mut made = 0;
            for planned in &plan.suites {
                let counts = store.counts(planned.id()).await?;
                made += counts.kept + counts.surplus;
            }
            if made > 0 {
                return Err(StoreError::OtherStudy { path: store.path().to_owned(), why: Some(why) }.into());
            }
        }
        // A pass may know only some of them.
        held.extend(plan.writers.clone());
        let writers = serde_json::to_string(&held).expect("what was JSON is JSON");
        Ok(store.put_meta(WRITERS, &writers).await?)
    }

    /// Whether the directory may be used: it is not there, empty, or holds a run.
    pub fn refuse_foreign(&self) -> Result<(), EngineError> {
        let foreign = |problem: &str| {
            Err(EngineError::file(&self.0, problem).with_hint("choose another directory with --out, or empty this one"))
        };
        if self.0.is_file() {
            return foreign("is a file, not a directory");
        }
        let is_own = |name: &std::ffi::OsStr| OWN.iter().any(|own| *own == name);
        let mut entries = match std::fs::read_dir(&self.0) {
            Ok(entries) => entries.flatten(),
            Err(_) => return Ok(()),
        };
        // An empty file is what is left of a run whose database was lost.
        let has_run = std::fs::metadata(self.database()).is_ok_and(|database| database.len() > 0);
        if !has_run && entries.any(|entry| !is_own(&entry.file_name())) {
            return foreign("holds files but no run");
        }
        Ok(())
    }
}

/// Without families there is nothing to ask: the losses say why.
fn refuse_empty(made: BenchmarkSummary) -> Result<(), EngineError> {
    if made.families > 0 {
        return Ok(());
    }
    let losses = made.losses.into_iter().collect();
    Err(EngineError::NoFamilies { suite: made.suite.to_string(), cases: made.cases, losses })
}

impl Run<'_> {
    /// All passes. Started again on the same directory, it asks nothing twice.
    pub async fn all(&self) -> Result<Outcome, EngineError> {
        for made in self.vary().await? {
            refuse_empty(made)?;
        }
        if self.plan.stopping.is_empty() {
            self.answer().await?;
            self.judge().await?;
        } else {
            bounds::check_strata(self).await?;
            self.note_first_asked().await?;
            for planned in &self.plan.suites {
                self.ask_until_known(planned).await?;
            }
            self.export_responses().await?;
            self.export_verdicts().await?;
        }
        self.measure().await
    }

    pub async fn vary(&self) -> Result<Vec<BenchmarkSummary>, EngineError> {
        let mut summaries = Vec::new();
        for planned in &self.plan.suites {
            let summary = vary::vary(self, planned).await?;
            (self.tell)(RunEvent::Benchmark(summary.clone()));
            summaries.push(summary);
        }
        let limit = self.limit.map(|limit| limit.to_string()).unwrap_or_default();
        self.store.put_meta(LIMIT, &limit).await?;
        export::variants(&self.store, &self.plan.suites, &self.dir.file("variants.jsonl")).await?;
        export::lost(&self.store, &self.plan.suites, &self.dir.file("lost.jsonl")).await?;
        Ok(summaries)
    }

    pub async fn answer(&self) -> Result<(), EngineError> {
        bounds::check_strata(self).await?;
        self.note_first_asked().await?;
        let mut file = ResponsesFile::create(&self.dir.file("responses.jsonl"), self.plan.repeats)?;
        let mut suites = self.plan.suites.iter().peekable();
        while let Some(planned) = suites.next() {
            match &self.others {
                Some(others) if others.instead => work::plan::answer(self, planned, others).await?,
                _ => answer::answer(self, planned, Some(&mut file)).await?,
            }
            if suites.peek().is_some() {
                file.rest(&self.store, planned.id()).await?;
                continue;
            }
            let (written, ()) = tokio::join!(file.rest(&self.store, planned.id()), self.store.tidy());
            written?;
        }
        file.move_into_place()
    }

    async fn export_responses(&self) -> Result<(), EngineError> {
        let file = self.dir.file("responses.jsonl");
        let (written, ()) = tokio::join!(
            export::responses(&self.store, &self.plan.suites, self.plan.repeats, &file),
            self.store.tidy()
        );
        written
    }

    /// A run of an earlier version has answers and does not know since when.
    async fn note_first_asked(&self) -> Result<(), EngineError> {
        if self.store.meta(FIRST_ASKED).await?.is_some() {
            return Ok(());
        }
        for planned in &self.plan.suites {
            if self.store.subjects(planned.id()).await?.values().any(|it| it.responses > 0) {
                return Ok(());
            }
        }
        let now = humantime::format_rfc3339_seconds(std::time::SystemTime::now());
        Ok(self.store.put_meta(FIRST_ASKED, &now.to_string()).await?)
    }

    /// Forgets answers that failed, so that the next pass asks for them again; tells how many.
    pub async fn forget_failed(&self) -> Result<u64, EngineError> {
        let mut forgotten = 0;
        for planned in &self.plan.suites {
            forgotten += answer::forget_failed(self, planned).await?;
        }
        Ok(forgotten)
    }

    /// The same for cases that were lost because a model gave no answer.
    pub async fn forget_unanswered(&self) -> Result<u64, EngineError> {
        let mut forgotten = 0;
        for planned in &self.plan.suites {
            forgotten += vary::forget_unanswered(self, planned).await?;
        }
        Ok(forgotten)
    }

    /// The same for verdicts without a usable word of an auditor or a judge.
    pub async fn forget_unheard(&self) -> Result<u64, EngineError> {
        let mut forgotten = 0;
        for planned in &self.plan.suites {
            forgotten += judge::forget_unheard(self, planned).await?;
        }
        Ok(forgotten)
    }

    /// Tells how many verdicts lack the word of somebody who was asked.
    pub async fn judge(&self) -> Result<Unheard, EngineError> {
        for planned in &self.plan.suites {
            match &self.others {
                Some(others) if others.instead => work::plan::judge(self, planned, others).await?,
                _ => judge::judge(self, planned, Announce::Open).await?,
            }
        }
        self.export_verdicts().await
    }

    async fn export_verdicts(&self) -> Result<Unheard, EngineError> {
        let file = self.dir.file("verdicts.jsonl");
        export::verdicts(&self.store, &self.plan.suites, self.plan.repeats, &file).await
    }

    pub async fn measure(&self) -> Result<Outcome, EngineError> {
        let mut results: Vec<SubjectResult> = Vec::new();
        let mut unheard = Unheard::default();
        for planned in &self.plan.suites {
            results.extend(measure::measure(self, planned, &mut unheard).await?);
        }
        let metrics = MetricsFile::new(&self.plan.name, self.plan.seed.0, results);
        let bounds = bounds::check(&self.plan.bounds, &metrics.results);
        let metrics = MetricsFile { registered: self.plan.registered, bounds, ..metrics };
        export::write_json(&self.dir.file("metrics.json"), &metrics)?;
        Ok(Outcome { metrics, unheard })
    }

    pub(crate) fn check_stop(&self) -> Result<(), EngineError> {
        if self.stop.is_requested() { Err(EngineError::Interrupted) } else { Ok(()) }
    }
}
