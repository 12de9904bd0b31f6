//! `waterjar compare`: subjects pair by pair, with a test and an interval.

use crate::cli::CompareArgs;
use crate::exit::Exit;
use crate::output::{Output, table};
use anyhow::Result;
use std::path::Path;
use waterjar_core::{Seed, SubjectId, SubjectResult, SuiteId};
use waterjar_engine::{EngineError, RunDir, plan::suggest};
use waterjar_store::{Mode, Store};
use waterjar_views::comparison::{Side, compare, correct};
use waterjar_views::refuse_other_cases;

pub async fn run(args: CompareArgs, out: &Output) -> Result<Exit> {
    let runs = open_all(&args.runs).await?;
    let mut comparisons = Vec::new();
    for (first, second) in contrasts(&args, &runs).await? {
        match compare(&args.metric, Seed(args.seed), &first, &second) {
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

struct OpenRun {
    name: String,
    store: Store,
    suites: Vec<SuiteId>,
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
async fn contrasts(args: &CompareArgs, runs: &[OpenRun]) -> Result<Vec<(Side, Side)>> {
    let mut pairs = Vec::new();
    for suite in &measuring(args, &runs[0]).await? {
        let (subjects, references) = subjects(&runs[0], suite).await?;
        if let [_, other] = runs {
            if !other.suites.contains(suite) {
                continue;
            }
            let one = &runs[0];
            refuse_other_cases((&one.name, &one.store), (&other.name, &other.store), suite, args.editions).await?;
            let (theirs, _) = self::subjects(other, suite).await?;
            for subject in subjects.iter().filter(|subject| theirs.contains(subject)) {
                pairs.push((
                    side(args, &runs[0], suite, subject, true).await?,
                    side(args, other, suite, subject, true).await?,
                ));
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
            pairs.push((
                side(args, &runs[0], suite, subject, false).await?,
                side(args, &runs[0], suite, &against, false).await?,
            ));
        }
    }
    Ok(pairs)
}

/// The suites that have the metric; all of them where none has, so that the reader hears of whom it was asked.
async fn measuring(args: &CompareArgs, run: &OpenRun) -> Result<Vec<SuiteId>> {
    let mut found = Vec::new();
    for suite in &run.suites {
        for result in run.store.results(suite).await.map_err(EngineError::from)? {
            let shares = run.store.shares(suite, &result.subject, &args.metric).await.map_err(EngineError::from)?;
            if shares.is_some() {
                found.push(suite.clone());
                break;
            }
        }
    }
    Ok(if found.is_empty() { run.suites.clone() } else { found })
}

/// Those who compete, and the references.
async fn subjects(run: &OpenRun, suite: &SuiteId) -> Result<(Vec<SubjectId>, Vec<SubjectId>)> {
    let results = run.store.results(suite).await.map_err(EngineError::from)?;
    let (references, subjects): (Vec<_>, Vec<_>) = results.into_iter().partition(|it| it.reference);
    let names = |them: Vec<SubjectResult>| them.into_iter().map(|it| it.subject).collect();
    Ok((names(subjects), names(references)))
}

async fn side(args: &CompareArgs, run: &OpenRun, suite: &SuiteId, subject: &SubjectId, with_run: bool) -> Result<Side> {
    let shares = run.store.shares(suite, subject, &args.metric).await.map_err(EngineError::from)?;
    let shares = shares.ok_or_else(|| {
        EngineError::study("--metric", format!("{subject} has no metric `{}`", args.metric))
            .with_hint("the metrics are in metrics.json; strata cannot be compared")
    })?;
    let name = if with_run { format!("{subject} ({})", run.name) } else { subject.to_string() };
    Ok(Side { suite: suite.clone(), name, shares })
}
