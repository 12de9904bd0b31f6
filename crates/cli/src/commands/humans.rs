//! `waterjar measure --judge humans`: the figures of the cases people rated, and the run's figures corrected by them.

use super::passes::refuse_limit;
use crate::cli::PassArgs;
use crate::exit::Exit;
use crate::output::{Output, table};
use crate::target::Target;
use anyhow::Result;
use serde::Serialize;
use waterjar_annotation::{Corrected, Estimates, FEWEST, JUDGE, estimates};
use waterjar_core::{MetricsFile, SubjectId, SubjectResult, SuiteId};
use waterjar_engine::export::write_json;
use waterjar_engine::{Asks, EngineError, PlannedSuite};
use waterjar_store::{Mode, Ratings, Store, StoreError};

/// Beside the run's `metrics.json`.
const FILE: &str = "metrics.humans.json";

/// What the file holds.
#[derive(Serialize)]
struct Figures {
    #[serde(flatten)]
    people: MetricsFile,
    corrected: Vec<OfSubject>,
}

#[derive(Serialize)]
struct OfSubject {
    suite: SuiteId,
    subject: SubjectId,
    figures: Vec<Corrected>,
}

pub async fn measure(args: PassArgs, out: &Output) -> Result<Exit> {
    refuse_limit(&args)?;
    let target = Target::resolve(&args.target, args.out.as_deref(), &args.set, Asks::Nobody).await?;
    let figures = Figures::of(&target).await?;
    write_json(&target.dir.file(FILE), &figures)?;
    if args.json {
        out.json(&figures)?;
    } else {
        figures.tell(&target.plan.suites, out);
    }
    Ok(Exit::Done)
}

impl Figures {
    async fn of(target: &Target) -> Result<Self> {
        let store = Store::open(target.dir.database(), Mode::Read).await.map_err(EngineError::from)?;
        let path = target.dir.ratings();
        let ratings = Ratings::open(&path, Mode::Read).await.map_err(|error| match error {
            StoreError::Missing { .. } => EngineError::file(&path, "is not there: nobody has rated this run")
                .with_hint("make a project with `waterjar serve RUN` and let people rate"),
            error => error.into(),
        })?;
        let plan = &target.plan;
        let mut figures = Self { people: MetricsFile::new(&plan.name, plan.seed.0, Vec::new()), corrected: Vec::new() };
        for planned in &plan.suites {
            let told = estimates(&ratings, &store, planned, plan.seed).await.map_err(EngineError::from)?;
            for of_subject in told {
                figures.add(planned, of_subject);
            }
        }
        store.close().await;
        if figures.corrected.is_empty() {
            return Err(EngineError::file(&path, "holds no rating that makes a verdict")
                .with_hint("forms with [[verdicts]] do: causal_sensitivity, diagnosis_followed, failure_mode")
                .into());
        }
        Ok(figures)
    }

    fn add(&mut self, planned: &PlannedSuite, of_subject: Estimates) {
        let Estimates { subject, people, corrected } = of_subject;
        let reference = planned.subjects.iter().any(|it| it.id == subject && it.reference);
        self.people.results.push(SubjectResult {
            suite: planned.id().clone(),
            subject: subject.clone(),
            n: people.n,
            missing: people.missing,
            reference,
            metrics: people.metrics,
            breakdown: people.breakdown,
        });
        self.corrected.push(OfSubject { suite: planned.id().clone(), subject, figures: corrected });
    }

    fn tell(&self, suites: &[PlannedSuite], out: &Output) {
        out.say("the first table counts every rated case once; corrected figures weigh each as many as it stands for");
        if self.corrected.iter().flat_map(|it| &it.figures).any(|it| it.corrected.is_none()) {
            out.say(&format!(
                "“too few”: fewer than {FEWEST} rated cases count in that figure, so it is not corrected"
            ));
        }
        out.say(&format!("all of it: {FILE}"));
        let (mut marked, mut is_first) = (false, true);
        for planned in suites {
            let of_suite: Vec<&SubjectResult> =
                self.people.results.iter().filter(|it| it.suite == *planned.id()).collect();
            if of_suite.is_empty() {
                continue;
            }
            let title = format!("{} by {JUDGE}", planned.id());
            if !std::mem::take(&mut is_first) {
                out.print("");
            }
            let told = table::results(&title, &planned.suite().card().columns, &of_suite);
            marked |= told.marked;
            out.print(&told.text);
            out.print("");
            let corrected = self.corrected.iter().filter(|it| it.suite == *planned.id());
            out.print(&table::corrected(corrected.map(|it| (&it.subject, it.figures.as_slice()))));
        }
        out.print(&table::legend(marked, FILE));
    }
}
