//! A study carried out: the directory that holds it, and its passes in turn.

use crate::passes::{answer, judge, measure, vary};
use crate::{EngineError, Plan, RunEvent, Stop, bounds, differs, export};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use waterjar_core::{BenchmarkSummary, Kept, MetricsFile, SubjectResult};
use waterjar_store::{Identity, Mode, Store, StoreError};

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
}

/// Hears of a run as it goes. Called from many tasks at once, so it should be quick.
pub type Tell = Arc<dyn Fn(RunEvent) + Send + Sync>;

/// How a run that was not stopped ended.
pub struct Outcome {
    pub metrics: MetricsFile,
    /// Verdicts with an audit that somebody was to make and nobody could.
    pub unaudited: u64,
    pub broken_bounds: Vec<String>,
}

impl Outcome {
    pub fn missing(&self) -> u64 {
        self.metrics.results.iter().map(|result| result.missing).sum()
    }
}

/// Under this the store keeps the fingerprints of the sources, by suite.
pub const SOURCES: &str = "sources";

/// Under this the store keeps who writes pairs and votes on them, and how they are asked.
const WRITERS: &str = "writers";

/// What a run that could not be made may leave: a full disk leaves SQLite no room to tidy up.
const OWN: [&str; 5] = ["run.sqlite", "run.sqlite-wal", "run.sqlite-shm", "run.sqlite-journal", "run.lock"];

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

    pub fn database(&self) -> PathBuf {
        self.file("run.sqlite")
    }

    /// What people said of the run.
    pub fn ratings(&self) -> PathBuf {
        self.file("ratings.sqlite")
    }

    /// What is kept of the files that a suite leans on.
    pub fn inputs(&self, suite: &str) -> PathBuf {
        self.file("inputs").join(suite)
    }

    /// Opens or creates the store of a plan. A directory that holds something else is left alone.
    pub async fn open(&self, plan: &Plan, program: &str) -> Result<Store, EngineError> {
        self.refuse_foreign()?;
        let new = !self.0.exists();
        std::fs::create_dir_all(&self.0).map_err(|error| {
            EngineError::file(&self.0, format!("cannot be made: {error}")).with_hint("choose another --out")
        })?;
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
        }
        let sources = serde_json::to_string(&plan.sources).expect("texts are JSON");
        Ok(store.put_meta(SOURCES, &sources).await?)
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
        self.answer().await?;
        self.judge().await?;
        self.measure().await
    }

    pub async fn vary(&self) -> Result<Vec<BenchmarkSummary>, EngineError> {
        let mut summaries = Vec::new();
        for planned in &self.plan.suites {
            let summary = vary::vary(self, planned).await?;
            (self.tell)(RunEvent::Benchmark(summary.clone()));
            summaries.push(summary);
        }
        export::variants(&self.store, &self.plan.suites, &self.dir.file("variants.jsonl")).await?;
        export::lost(&self.store, &self.plan.suites, &self.dir.file("lost.jsonl")).await?;
        Ok(summaries)
    }

    pub async fn answer(&self) -> Result<(), EngineError> {
        for planned in &self.plan.suites {
            answer::answer(self, planned).await?;
        }
        let file = self.dir.file("responses.jsonl");
        let (written, ()) = tokio::join!(export::responses(&self.store, &self.plan.suites, &file), self.store.tidy());
        written
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

    /// The same for audits without a usable word.
    pub async fn forget_unaudited(&self) -> Result<u64, EngineError> {
        let mut forgotten = 0;
        for planned in &self.plan.suites {
            forgotten += judge::forget_unaudited(self, planned).await?;
        }
        Ok(forgotten)
    }

    /// Tells how many verdicts have an audit that somebody was to make and nobody could.
    pub async fn judge(&self) -> Result<u64, EngineError> {
        for planned in &self.plan.suites {
            judge::judge(self, planned).await?;
        }
        export::verdicts(&self.store, &self.plan.suites, &self.dir.file("verdicts.jsonl")).await
    }

    pub async fn measure(&self) -> Result<Outcome, EngineError> {
        let mut results: Vec<SubjectResult> = Vec::new();
        let mut unaudited = 0;
        for planned in &self.plan.suites {
            results.extend(measure::measure(self, planned, &mut unaudited).await?);
        }
        let metrics = MetricsFile::new(&self.plan.name, self.plan.seed.0, results);
        let metrics = MetricsFile { registered: self.plan.registered, ..metrics };
        export::write_json(&self.dir.file("metrics.json"), &metrics)?;
        let broken_bounds = bounds::broken(&self.plan.bounds, &metrics.results);
        Ok(Outcome { metrics, unaudited, broken_bounds })
    }

    pub(crate) fn check_stop(&self) -> Result<(), EngineError> {
        if self.stop.is_requested() { Err(EngineError::Interrupted) } else { Ok(()) }
    }
}
