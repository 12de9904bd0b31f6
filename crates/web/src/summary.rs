//! How far a run has come, what is missing, what it cost.

use waterjar_core::{BoundCheck, SuiteId};
use waterjar_engine::{EngineError, PlannedSuite};
use waterjar_report::ModelUse;
use waterjar_views::{OpenRun, notes, spending};

pub struct Summary {
    pub suites: Vec<SuiteSummary>,
    pub uses: Vec<ModelUse>,
    /// What the study demands of the figures that are there.
    pub bounds: Vec<BoundCheck>,
}

pub struct SuiteSummary {
    pub id: SuiteId,
    pub title: String,
    pub families: u64,
    pub subjects: usize,
    /// Answers and failures.
    pub answered: u64,
    pub expected: u64,
    /// Families in which an answer is missing, as tables and report count them; before there are figures, answers that failed.
    pub missing: u64,
    /// Who was asked no further, as the study declares: a line each.
    pub stopped: Vec<String>,
    /// Whether there are figures.
    pub measured: bool,
}

impl Summary {
    pub async fn of(run: OpenRun<'_>) -> Result<Self, EngineError> {
        let measured = run.store.measured_suites().await?;
        let mut suites = Vec::new();
        for planned in &run.plan.suites {
            suites.push(suite(run, planned, measured.contains(planned.id())).await?);
        }
        let uses = spending::uses(&run.plan.prices, run.store).await?;
        Ok(Self { suites, uses, bounds: waterjar_views::bounds(run).await? })
    }

    pub fn answered(&self) -> u64 {
        self.suites.iter().map(|suite| suite.answered).sum()
    }

    pub fn expected(&self) -> u64 {
        self.suites.iter().map(|suite| suite.expected).sum()
    }

    pub fn missing(&self) -> u64 {
        self.suites.iter().map(|suite| suite.missing).sum()
    }

    /// Less was asked than there is, because figures are known well enough.
    pub fn stopped_early(&self) -> bool {
        self.suites.iter().any(|suite| !suite.stopped.is_empty())
    }

    pub fn is_measured(&self) -> bool {
        self.suites.iter().all(|suite| suite.measured)
    }

    pub fn breaks_a_bound(&self) -> bool {
        self.bounds.iter().any(|bound| bound.broken.is_some())
    }

    /// `$1.71`, or nothing where nothing was asked over a network.
    pub fn cost(&self) -> String {
        let known: f64 = self.uses.iter().filter_map(|it| it.usd).sum();
        let unknown = self.uses.iter().any(|it| it.usd.is_none());
        match (self.uses.is_empty(), unknown) {
            (true, _) => "–".to_owned(),
            (false, false) => format!("${known:.2}"),
            (false, true) if known > 0.0 => format!("${known:.2} and more"),
            (false, true) => "no price known".to_owned(),
        }
    }
}

async fn suite(run: OpenRun<'_>, planned: &PlannedSuite, measured: bool) -> Result<SuiteSummary, EngineError> {
    let counts = run.store.counts(planned.id()).await?;
    let asked = planned.subjects.iter().filter_map(|it| counts.subjects.get(&it.id));
    let of_each = counts.variants * u64::from(run.plan.repeats);
    // A run that was made smaller keeps what was answered before, which is more than is asked now.
    let (answered, failed) =
        asked.fold((0, 0), |(all, failed), it| (all + it.responses.min(of_each), failed + it.failed));
    let missing = if measured { missing(run, planned).await? } else { failed };
    Ok(SuiteSummary {
        id: planned.id().clone(),
        title: planned.suite().card().title.to_owned(),
        families: counts.kept,
        subjects: planned.subjects.len(),
        answered,
        expected: of_each * planned.subjects.len() as u64,
        missing,
        stopped: notes::stopped(run.plan, run.store, planned).await?,
        measured,
    })
}

async fn missing(run: OpenRun<'_>, planned: &PlannedSuite) -> Result<u64, EngineError> {
    let results = run.store.results(planned.id()).await?;
    let concerned = results.iter().filter(|it| planned.subjects.iter().any(|subject| subject.id == it.subject));
    Ok(concerned.map(|it| it.missing).sum())
}
