//! `waterjar compare`: subjects pair by pair, with a test and an interval.

use crate::cli::CompareArgs;
use crate::exit::Exit;
use crate::output::{Output, compared};
use crate::target::Target;
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::Path;
use waterjar_core::{MetricKind, Seed, SubjectId, SubjectResult, SuiteId, slip};
use waterjar_engine::{Asks, EngineError, Plan, PlannedSuite, RunDir, plan::suggest};
use waterjar_store::{Mode, Store};
use waterjar_views::comparison::{Comparison, Side, compare, correct};
use waterjar_views::refuse_other_cases;
use waterjar_views::sides::{headline, metrics, side};

pub async fn run(args: CompareArgs, out: &Output) -> Result<Exit> {
    if args.runs.len() > 1 && args.against.is_some() {
        let error = EngineError::study("--against", "with two runs each subject is compared with itself");
        return Err(error.with_hint("leave --against away, or name one run").into());
    }
    let runs = open_all(&args.runs).await?;
    let plan = study(&args).await?;
    let mut comparing = Comparing { args: &args, out, plan, comparisons: Vec::new(), hint: None };
    comparing.refuse_stranger(&runs[0]).await?;
    let chosen = comparing.chosen(&runs[0]).await?;
    for (suite, metric) in &chosen {
        match &runs[..] {
            [one, other] => comparing.across(one, other, suite, metric).await?,
            _ => comparing.within(&runs[0], suite, metric).await?,
        }
    }
    let mut comparisons = std::mem::take(&mut comparing.comparisons);
    if comparisons.is_empty() {
        let error = EngineError::study("waterjar compare", "there is nothing to compare");
        let usual = || "name a run with two subjects, or two runs that share a subject".to_owned();
        return Err(error.with_hint(comparing.hint.unwrap_or_else(usual)).into());
    }
    correct(&mut comparisons);
    if args.json {
        out.json(&comparisons)?;
    } else {
        out.print(&compared::comparisons(&comparisons, |it| comparing.kind(it)));
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

/// The study of the first run tells the order of suites and subjects, and what a suite is about. Whoever names a metric can do without.
async fn study(args: &CompareArgs) -> Result<Option<Plan>> {
    match Target::resolve(&args.runs[0], None, &[], Asks::Nobody).await {
        Ok(target) => Ok(Some(target.plan)),
        Err(_) if args.metric.is_some() => Ok(None),
        Err(error) => Err(error),
    }
}

struct Comparing<'a> {
    args: &'a CompareArgs,
    out: &'a Output,
    plan: Option<Plan>,
    comparisons: Vec<Comparison>,
    /// What would give something to compare, where nothing else does.
    hint: Option<String>,
}

impl Comparing<'_> {
    fn planned(&self, suite: &SuiteId) -> Option<&PlannedSuite> {
        self.plan.as_ref()?.suites.iter().find(|it| it.id() == suite)
    }

    /// A stratum is of the kind of its metric. What no column tells of is printed as `metrics.json` has it.
    fn kind(&self, it: &Comparison) -> MetricKind {
        let columns = self.planned(&it.suite).map(|it| it.suite().card().columns).unwrap_or_default();
        let stem = it.metric.split('.').next().unwrap_or_default();
        let column = |name: &str| columns.iter().find(|it| it.name == name);
        column(&it.metric).or_else(|| column(stem)).map_or(MetricKind::Number, |it| it.kind)
    }

    /// A subject that is in no suite of the run; one that is not in all of them is compared where it is.
    async fn refuse_stranger(&self, run: &OpenRun) -> Result<()> {
        let Some(asked) = &self.args.against else { return Ok(()) };
        let mut known = BTreeSet::new();
        for suite in &run.suites {
            let results = run.store.results(suite).await.map_err(EngineError::from)?;
            known.extend(results.into_iter().map(|it| it.subject));
        }
        if known.iter().any(|it| it.as_str() == asked) {
            return Ok(());
        }
        let error = EngineError::study("--against", format!("no subject of the run is called `{asked}`"));
        let known: Vec<&str> = known.iter().map(SubjectId::as_str).collect();
        Err(error.with_hint(suggest::hint(asked, "subjects", known)).into())
    }

    /// The suites that have the metric somebody asked for, or each with what it is about.
    async fn chosen(&self, run: &OpenRun) -> Result<Vec<(SuiteId, String)>> {
        let mut known = Vec::new();
        for suite in self.suites(run) {
            let metrics = metrics(&run.store, &suite).await?;
            known.push((suite, metrics));
        }
        if let Some(asked) = &self.args.metric {
            let having = known.iter().filter(|(_, metrics)| metrics.contains(asked));
            let found: Vec<_> = having.map(|(suite, _)| (suite.clone(), asked.clone())).collect();
            return if found.is_empty() { Err(unknown_metric(asked, &known).into()) } else { Ok(found) };
        }
        let mut found = Vec::new();
        for (suite, metrics) in known {
            let columns = self.planned(&suite).map(|it| it.suite().card().columns).unwrap_or_default();
            match headline(&columns, &metrics) {
                Some(column) => found.push((suite, column.name.clone())),
                None => self.out.warn(&format!("{suite} is left out: nobody has answers to compare")),
            }
        }
        Ok(found)
    }

    /// In the order of the study.
    fn suites(&self, run: &OpenRun) -> Vec<SuiteId> {
        let place = |suite: &SuiteId| {
            let plan = self.plan.as_ref();
            plan.and_then(|plan| plan.suites.iter().position(|it| it.id() == suite)).unwrap_or(usize::MAX)
        };
        let mut suites = run.suites.clone();
        suites.sort_by_key(place);
        suites
    }

    /// Those who compete, and the references; in the order of the study where that is known, else by name.
    async fn subjects(&self, run: &OpenRun, suite: &SuiteId) -> Result<(Vec<SubjectId>, Vec<SubjectId>)> {
        let mut results = run.store.results(suite).await.map_err(EngineError::from)?;
        let planned = self.planned(suite);
        results.sort_by_key(|result| {
            let place = planned.and_then(|it| it.subjects.iter().position(|it| it.id == result.subject));
            place.unwrap_or(usize::MAX)
        });
        let (references, subjects): (Vec<_>, Vec<_>) = results.into_iter().partition(|it| it.reference);
        let names = |them: Vec<SubjectResult>| them.into_iter().map(|it| it.subject).collect();
        Ok((names(subjects), names(references)))
    }

    /// Every subject of a run against one of them.
    async fn within(&mut self, run: &OpenRun, suite: &SuiteId, metric: &str) -> Result<()> {
        let (competitors, references) = self.subjects(run, suite).await?;
        let mut subjects = competitors.clone();
        if let Some(asked) = &self.args.against {
            let mut all = competitors.iter().chain(&references);
            let Some(found) = all.find(|it| it.as_str() == asked) else {
                self.out.warn(&format!("{suite} is left out: {asked} does not answer it"));
                self.hint.get_or_insert_with(|| format!("name a subject that answers {suite}"));
                return Ok(());
            };
            // Also a reference, which competes with nobody unless it is asked for.
            if !competitors.contains(found) {
                subjects.push(found.clone());
            }
        }
        let mut sides = Vec::new();
        for subject in &subjects {
            // One subject without a figure does not keep the others from being compared.
            match side(&run.store, suite, subject, metric).await? {
                Ok(side) => sides.push(side),
                Err(why) => self.out.warn(&format!("{suite}: {subject} is left out: {why}")),
            }
        }
        let place = match &self.args.against {
            Some(asked) => sides.iter().position(|it| it.name == *asked),
            None => (!sides.is_empty()).then_some(0),
        };
        let Some(place) = place else {
            if subjects.is_empty() {
                self.out.warn(&format!("{suite} is left out: it has references only"));
            }
            return Ok(());
        };
        let against = sides.remove(place);
        if sides.is_empty() {
            self.alone(suite, &against.name, &references);
        }
        for first in &sides {
            self.push(metric, first, &against);
        }
        Ok(())
    }

    /// Nobody is left to compare a subject with but, maybe, a reference.
    fn alone(&mut self, suite: &SuiteId, subject: &str, references: &[SubjectId]) {
        match references.iter().find(|it| it.as_str() != subject) {
            Some(reference) => {
                let hint = format!("--against {reference} compares {subject} with the reference");
                self.out.warn(&format!("{suite} is left out: nobody competes with {subject}; {hint}"));
                self.hint = Some(hint);
            }
            None => self.out.warn(&format!("{suite} is left out: nobody competes with {subject}")),
        }
    }

    /// Each subject that two runs share against itself.
    async fn across(&mut self, one: &OpenRun, other: &OpenRun, suite: &SuiteId, metric: &str) -> Result<()> {
        if !other.suites.contains(suite) {
            self.out.warn(&format!("{suite} is left out: {} does not have it", other.name));
            return Ok(());
        }
        let (ours, theirs) = ((one.name.as_str(), &one.store), (other.name.as_str(), &other.store));
        let common = refuse_other_cases(ours, theirs, suite, self.args.editions).await?;
        if let Some(told) = common.told() {
            self.out.warn(&format!("{suite}: {told}"));
        }
        let (subjects, _) = self.subjects(one, suite).await?;
        let (theirs, _) = self.subjects(other, suite).await?;
        for subject in subjects.iter().filter(|subject| theirs.contains(subject)) {
            let mut sides = Vec::new();
            for run in [one, other] {
                let name = format!("{subject} ({})", run.name);
                match side(&run.store, suite, subject, metric).await? {
                    Ok(side) => sides.push(Side { name, ..side }),
                    Err(why) => self.out.warn(&format!("{suite}: {name} is left out: {why}")),
                }
            }
            if let [first, second] = &sides[..] {
                self.push(metric, first, second);
            }
        }
        Ok(())
    }

    /// The study's, as on the pages of `serve`: both then print the same figures. A study that cannot be read any more has none to give.
    fn seed(&self) -> Seed {
        let of_study = || self.plan.as_ref().map(|plan| plan.seed);
        self.args.seed.map(Seed).or_else(of_study).unwrap_or(Seed(0))
    }

    fn push(&mut self, metric: &str, first: &Side, second: &Side) {
        match compare(metric, self.seed(), first, second) {
            Ok(comparison) => self.comparisons.push(comparison),
            Err(error) => self.out.warn(&format!("{} and {} are left out: {error}", first.name, second.name)),
        }
    }
}

/// What somebody asked for may be a metric without its stratum, or a stratum that is not kept by family: all near ones of the run are told.
fn unknown_metric(asked: &str, known: &[(SuiteId, BTreeSet<String>)]) -> EngineError {
    let names: BTreeSet<&str> = known.iter().flat_map(|(_, metrics)| metrics).map(String::as_str).collect();
    let stem = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let mut near: Vec<&str> = names.iter().copied().filter(|it| stem(it) == stem(asked)).collect();
    if near.is_empty() {
        near.extend(slip::meant(asked, names));
    }
    let of_suite = |(suite, metrics): &(SuiteId, BTreeSet<String>)| {
        let metrics: Vec<&str> = metrics.iter().map(String::as_str).collect();
        (!metrics.is_empty()).then(|| format!("the metrics of `{suite}` are: {}", metrics.join(", ")))
    };
    let all: Vec<String> = known.iter().filter_map(of_suite).collect();
    let hint = if !near.is_empty() {
        let near: Vec<String> = near.iter().map(|it| format!("`{it}`")).collect();
        format!("did you mean {}?", near.join(" or "))
    } else if !all.is_empty() {
        all.join("; ")
    } else {
        "nobody has answers to compare yet; finish the run with `waterjar run`".to_owned()
    };
    EngineError::study("--metric", format!("no suite of the run can be compared by `{asked}`")).with_hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(asked: &str, hint: &str) {
        let metrics = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<BTreeSet<String>>();
        let known = [
            (SuiteId::from("einstellung"), metrics(&["bias_trap_rate", "robust_accuracy"])),
            (SuiteId::from("parity"), metrics(&["answer_flip_rate.a_b", "answer_flip_rate.b_c"])),
        ];
        assert_eq!(unknown_metric(asked, &known).hint().as_deref(), Some(hint));
    }

    #[test]
    fn near_metrics_of_every_suite_are_told_or_all() {
        check("answer_flip_rate", "did you mean `answer_flip_rate.a_b` or `answer_flip_rate.b_c`?");
        check("bias_trap_rate.edits_1", "did you mean `bias_trap_rate`?");
        check("bias_trap_rat", "did you mean `bias_trap_rate`?");
        check(
            "nonsense",
            "the metrics of `einstellung` are: bias_trap_rate, robust_accuracy; \
             the metrics of `parity` are: answer_flip_rate.a_b, answer_flip_rate.b_c",
        );
    }

    #[test]
    fn where_nobody_answered_no_empty_list_is_told() {
        let hint = unknown_metric("css", &[(SuiteId::from("einstellung"), BTreeSet::new())]).hint().unwrap();
        assert!(hint.starts_with("nobody has answers to compare yet"), "{hint}");
    }
}
