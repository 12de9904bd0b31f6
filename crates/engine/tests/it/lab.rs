//! A directory, a world, and a study run in them.

use crate::parts::{Parts, World};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use waterjar_engine::{EngineError, Outcome, Plan, Run, RunDir, RunEvent, Stop, StudyFile};
use waterjar_store::Store;

pub struct Lab {
    pub world: Arc<World>,
    folder: tempfile::TempDir,
}

/// Two subjects, 27 families.
pub const STUDY: &str = r#"
[study]
name = "lab"
seed = 7

[[suite]]
kind = "tiny"

[[subject]]
agent = "plain"
model = "echo"

[[subject]]
agent = "plain"
model = "mumble"
"#;

/// The same with one subject.
pub fn study_of(agent: &str, model: &str) -> String {
    let head = STUDY.split("[[subject]]").next().unwrap();
    format!("{head}[[subject]]\nagent = \"{agent}\"\nmodel = \"{model}\"\n")
}

impl Lab {
    pub fn new() -> Self {
        Self { world: Arc::default(), folder: tempfile::tempdir().unwrap() }
    }

    pub fn dir(&self) -> PathBuf {
        self.folder.path().join("run")
    }

    pub fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.dir().join(name)).unwrap()
    }

    pub fn plan(&self, study: &str) -> Result<Plan, EngineError> {
        StudyFile::parse(Path::new("lab.toml"), study.to_owned(), &[])?.resolve(&Parts(Arc::clone(&self.world)))
    }

    pub async fn open(&self, study: &str) -> Result<Store, EngineError> {
        RunDir::new(self.dir()).open(&self.plan(study)?, "test").await
    }

    pub async fn run(&self, study: &str) -> Result<Outcome, EngineError> {
        self.run_with(study, Stop::default(), None).await
    }

    pub async fn run_limited(&self, study: &str, limit: u64) -> Result<Outcome, EngineError> {
        self.run_with(study, Stop::default(), Some(limit)).await
    }

    /// Stops when the question of this number, counted over all runs, is asked.
    pub async fn run_until_question(&self, study: &str, number: u32) -> Result<Outcome, EngineError> {
        let stop = Stop::default();
        *self.world.stop.lock().unwrap() = Some((number, stop.clone()));
        self.run_with(study, stop, None).await
    }

    async fn run_with(&self, study: &str, stop: Stop, limit: Option<u64>) -> Result<Outcome, EngineError> {
        let plan = self.plan(study)?;
        let dir = RunDir::new(self.dir());
        let store = dir.open(&plan, "test").await?;
        let tell = Arc::new(|_: RunEvent| {});
        let run = Run { plan: &plan, dir, store: store.clone(), stop, limit, tell, tell_calls: false, others: None };
        let outcome = run.all().await;
        drop(run);
        store.close().await;
        outcome
    }
}

/// The share of right answers of a subject.
pub fn right(outcome: &Outcome, subject: &str) -> (Option<f64>, u64) {
    let result = outcome.metrics.results.iter().find(|it| it.subject.as_str() == subject).unwrap();
    let metric = &result.metrics["right"];
    (metric.value, metric.n)
}
