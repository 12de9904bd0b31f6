//! `waterjar compare`: subjects pair by pair, with a test and an interval.

use crate::cli::CompareArgs;
use crate::exit::Exit;
use crate::output::{Output, table};
use crate::target::Target;
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::Path;
use waterjar_core::{Seed, SubjectId, SubjectResult, SuiteId};
use waterjar_engine::{Asks, EngineError, RunDir, plan::suggest};
use waterjar_store::{Mode, Store};
use waterjar_views::comparison::{Side, compare, correct};
use waterjar_views::refuse_other_cases;

pub async fn run(args: CompareArgs, out: &Output) -> Result<Exit> {
    let runs = open_all(&args.runs).await?;
    let mut comparisons = Vec::new();
    for Contrast { metric, first, second } in contrasts(&args, &runs).await? {
        match compare(&metric, Seed(args.seed), &first, &second) {
            Ok(comparison) => comparisons.push(comparison),
            // One subject without a figure does not keep the others from being compared.
            Err(error) => out.warn(&format!("{} and {} are left out: {error}", first.name, second.name)),
        }
    }
    if comparisons.is_empty() {
        let error = EngineError::study("waterjar compare", "there is nothing to compare");
        return Err(error.with_hint("name a run with two subjects, or two runs that share a subject").into());
    }
    correct(&mut comparisons);
    if args.json {
        out.json(&comparisons)?;
    } else {
        out.print(&table::comparisons(&comparisons));
    }
    Ok(Exit::Done)
}

/// What is compared where nobody says, as long as a suite has it.
const USUAL: &str = "bias_trap_rate";

struct Contrast {
    metric: String,
    first: Side,
    second: Side,
}

struct OpenRun {
    name: String,
    store: Store,
    suites: Vec<SuiteId>,
}

impl OpenRun {
    /// The metrics that any subject can be compared by.
    async fn metrics(&self, suite: &SuiteId) -> Result<BTreeSet<String>> {
        let mut metrics = BTreeSet::new();
        for result in self.store.results(suite).await.map_err(EngineError::from)? {
            let of_subject = self.store.metrics_with_shares(suite, &result.subject).await;
            metrics.extend(of_subject.map_err(EngineError::from)?);
        }
        Ok(metrics)
    }
}

async fn open_all(paths: &[std::path::PathBuf]) -> Result<Vec<OpenRun>> {
    let mut runs = Vec::new();
    for path in paths {
        let store = Store::open(RunDir::new(path).database(), Mode::Read).await.map_err(EngineError::from)?;
        let suites = store.measured_suites().await.map_err(EngineError::from)?;
        if suites.is_empty() {
            let error = EngineError::file(path, "holds no figures yet");
            return Err(error.with_hint("finish the run with `waterjar run`").into());
        }
        runs.push(OpenRun { name: name_of(path), store, suites });
    }
    Ok(runs)
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// In one run every subject against one of them; in two runs each shared subject against itself.
async fn contrasts(args: &CompareArgs, runs: &[OpenRun]) -> Result<Vec<Contrast>> {
    let mut pairs = Vec::new();
    for (suite, metric) in &chosen(args, &runs[0]).await? {
        let (subjects, references) = subjects(&runs[0], suite).await?;
        if let [_, other] = runs {
            if !other.suites.contains(suite) {
                continue;
            }
            let one = &runs[0];
            refuse_other_cases((&one.name, &one.store), (&other.name, &other.store), suite, args.editions).await?;
            let (theirs, _) = self::subjects(other, suite).await?;
            for subject in subjects.iter().filter(|subject| theirs.contains(subject)) {
                pairs.push(Contrast {
                    metric: metric.clone(),
                    first: side(metric, &runs[0], suite, subject, true).await?,
                    second: side(metric, other, suite, subject, true).await?,
                });
            }
            continue;
        }
        let against = match &args.against {
            None => match subjects.first() {
                Some(first) => first.clone(),
                // Only references: nobody competes.
                None => continue,
            },
            // Also a reference, which competes with nobody unless it is asked for.
            Some(asked) => {
                let all = || subjects.iter().chain(&references);
                all().find(|it| it.as_str() == asked).cloned().ok_or_else(|| {
                    EngineError::study("--against", format!("no subject of the run is called `{asked}`"))
                        .with_hint(suggest::hint(asked, "subjects", all().map(SubjectId::as_str).collect::<Vec<_>>()))
                })?
            }
        };
        for subject in subjects.iter().filter(|subject| **subject != against) {
            pairs.push(Contrast {
                metric: metric.clone(),
                first: side(metric, &runs[0], suite, subject, false).await?,
                second: side(metric, &runs[0], suite, &against, false).await?,
            });
        }
    }
    Ok(pairs)
}

/// The suites that have the metric; all of them where none has what somebody asked for, so that the reader hears of whom it was asked.
async fn chosen(args: &CompareArgs, run: &OpenRun) -> Result<Vec<(SuiteId, String)>> {
    let asked = args.metric.as_deref().unwrap_or(USUAL);
    let mut found = Vec::new();
    for suite in &run.suites {
        if run.metrics(suite).await?.contains(asked) {
            found.push((suite.clone(), asked.to_owned()));
        }
    }
    match &args.metric {
        _ if !found.is_empty() => Ok(found),
        Some(_) => Ok(run.suites.iter().map(|suite| (suite.clone(), asked.to_owned())).collect()),
        None => headlines(&args.runs[0], run).await,
    }
}

/// Every suite with what it is about or, where that could not be measured, with the first of its columns that was.
async fn headlines(path: &Path, run: &OpenRun) -> Result<Vec<(SuiteId, String)>> {
    let plan = Target::resolve(path, None, &[], Asks::Nobody).await?.plan;
    let mut found = Vec::new();
    for planned in &plan.suites {
        let measured = run.metrics(planned.id()).await?;
        let columns = planned.suite().card().columns;
        let mut by_weight = columns.iter().filter(|it| it.primary).chain(&columns);
        let headline = by_weight.find(|it| measured.contains(&it.name));
        found.extend(headline.map(|it| (planned.id().clone(), it.name.clone())));
    }
    Ok(found)
}

/// Those who compete, and the references.
async fn subjects(run: &OpenRun, suite: &SuiteId) -> Result<(Vec<SubjectId>, Vec<SubjectId>)> {
    let results = run.store.results(suite).await.map_err(EngineError::from)?;
    let (references, subjects): (Vec<_>, Vec<_>) = results.into_iter().partition(|it| it.reference);
    let names = |them: Vec<SubjectResult>| them.into_iter().map(|it| it.subject).collect();
    Ok((names(subjects), names(references)))
}

async fn side(metric: &str, run: &OpenRun, suite: &SuiteId, subject: &SubjectId, with_run: bool) -> Result<Side> {
    let Some(shares) = run.store.shares(suite, subject, metric).await.map_err(EngineError::from)? else {
        let known = run.store.metrics_with_shares(suite, subject).await.map_err(EngineError::from)?;
        let nouns = format!("metrics of `{suite}` that it can be compared by");
        let error = EngineError::study("--metric", format!("{subject} has no metric `{metric}`"));
        return Err(error.with_hint(suggest::hint(metric, &nouns, known.iter().map(String::as_str))).into());
    };
    let name = if with_run { format!("{subject} ({})", run.name) } else { subject.to_string() };
    Ok(Side { suite: suite.clone(), name, shares })
}
