//! `waterjar compare`: subjects pair by pair, with a test and an interval.

use crate::cli::CompareArgs;
use crate::exit::Exit;
use crate::output::{Output, compared};
use crate::target::Target;
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::Path;
use waterjar_core::{MetricKind, Seed, SuiteId, slip};
use waterjar_engine::{Asks, EngineError, Plan, PlannedSuite, RunDir, plan::suggest};
use waterjar_store::{Mode, Store};
use waterjar_views::comparison::{Comparison, correct};
use waterjar_views::contenders::{Contender, Contest, LeftOut, of_study, shared, with_figures};
use waterjar_views::refuse_other_cases;
use waterjar_views::sides::{headline, metrics};

pub async fn run(args: CompareArgs, out: &Output) -> Result<Exit> {
    if args.runs.len() > 1 && args.against.is_some() {
        let error = EngineError::study("--against", "with two runs each subject is compared with itself");
        return Err(error.with_hint("leave --against away, or name one run").into());
    }
    let runs = open_all(&args).await?;
    let plan = runs[0].plan.as_ref();
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
    /// None where the study cannot be read any more.
    plan: Option<Plan>,
    /// Those with figures; in the order of the study, where that is known, and only those it still has.
    suites: Vec<SuiteId>,
}

async fn open_all(args: &CompareArgs) -> Result<Vec<OpenRun>> {
    let mut runs = Vec::new();
    for path in &args.runs {
        let store = Store::open(RunDir::new(path).database(), Mode::Read).await.map_err(EngineError::from)?;
        let measured = store.measured_suites().await.map_err(EngineError::from)?;
        if measured.is_empty() {
            let error = EngineError::file(path, "holds no figures yet");
            return Err(error.with_hint("finish the run with `waterjar run`").into());
        }
        // The study of the first run tells what a suite is about. Whoever names a metric can do without.
        let can_do_without = !runs.is_empty() || args.metric.is_some();
        let plan = match Target::resolve(path, None, &[], Asks::Nobody).await {
            Ok(target) => Some(target.plan),
            Err(_) if can_do_without => None,
            Err(error) => return Err(error),
        };
        let suites = match &plan {
            Some(plan) => plan.suites.iter().map(|it| it.id().clone()).filter(|it| measured.contains(it)).collect(),
            None => measured,
        };
        runs.push(OpenRun { name: name_of(path), store, plan, suites });
    }
    Ok(runs)
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

impl OpenRun {
    fn planned(&self, suite: &SuiteId) -> Option<&PlannedSuite> {
        self.plan.as_ref()?.suites.iter().find(|it| it.id() == suite)
    }

    async fn contenders(&self, suite: &SuiteId) -> Result<Vec<Contender>> {
        match self.planned(suite) {
            Some(planned) => Ok(of_study(planned)),
            None => Ok(with_figures(&self.store, suite).await?),
        }
    }
}

struct Comparing<'a> {
    args: &'a CompareArgs,
    out: &'a Output,
    /// The first run's.
    plan: Option<&'a Plan>,
    comparisons: Vec<Comparison>,
    /// What would give something to compare, where nothing else does.
    hint: Option<String>,
}

impl Comparing<'_> {
    fn planned(&self, suite: &SuiteId) -> Option<&PlannedSuite> {
        self.plan?.suites.iter().find(|it| it.id() == suite)
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
            known.extend(run.contenders(suite).await?.into_iter().map(|it| it.subject));
        }
        if known.iter().any(|it| it.as_str() == asked) {
            return Ok(());
        }
        let error = EngineError::study("--against", format!("no subject of the run is called `{asked}`"));
        let known: Vec<&str> = known.iter().map(|it| it.as_str()).collect();
        Err(error.with_hint(suggest::hint(asked, "subjects", known)).into())
    }

    /// The suites that have the metric somebody asked for, or each with what it is about.
    async fn chosen(&self, run: &OpenRun) -> Result<Vec<(SuiteId, String)>> {
        let mut known = Vec::new();
        for suite in &run.suites {
            let metrics = metrics(&run.store, suite, &run.contenders(suite).await?).await?;
            known.push((suite.clone(), metrics));
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

    /// Every subject of a run against one of them.
    async fn within(&mut self, run: &OpenRun, suite: &SuiteId, metric: &str) -> Result<()> {
        let asked = self.args.against.as_deref();
        let is_asked = |it: &Contender| Some(it.subject.as_str()) == asked;
        let all = run.contenders(suite).await?;
        if let Some(asked) = asked
            && !all.iter().any(is_asked)
        {
            self.out.warn(&format!("{suite} is left out: {asked} does not answer it"));
            self.hint.get_or_insert_with(|| format!("name a subject that answers {suite}"));
            return Ok(());
        }
        // A reference competes with nobody unless it is asked for.
        let (competing, references): (Vec<_>, Vec<_>) = all.into_iter().partition(|it| !it.reference || is_asked(it));
        if competing.is_empty() {
            self.out.warn(&format!("{suite} is left out: it has references only"));
        }
        let found = self.contest(suite, metric).within(&run.store, &competing, asked).await?;
        self.tell(suite, &found.left_out);
        let Some(against) = found.against else { return Ok(()) };
        if found.alone {
            self.alone(suite, &against, &references);
        }
        self.comparisons.extend(found.comparisons);
        Ok(())
    }

    /// Nobody is left to compare a subject with but, maybe, a reference.
    fn alone(&mut self, suite: &SuiteId, subject: &str, references: &[Contender]) {
        match references.first() {
            Some(Contender { subject: reference, .. }) => {
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
        let mut subjects = shared(one.contenders(suite).await?, &other.contenders(suite).await?);
        subjects.retain(|it| !it.reference);
        let found = self.contest(suite, metric).across([ours, theirs], &subjects).await?;
        self.tell(suite, &found.left_out);
        self.comparisons.extend(found.comparisons);
        Ok(())
    }

    fn contest<'c>(&self, suite: &'c SuiteId, metric: &'c str) -> Contest<'c> {
        Contest { suite, metric, seed: self.seed() }
    }

    fn tell(&self, suite: &SuiteId, left_out: &[LeftOut]) {
        left_out.iter().for_each(|it| self.out.warn(&format!("{suite}: {it}")));
    }

    /// The study's, as on the pages of `serve`: both then print the same figures. A study that cannot be read any more has none to give.
    fn seed(&self) -> Seed {
        let of_plan = || self.plan.map(|plan| plan.seed);
        self.args.seed.map(Seed).or_else(of_plan).unwrap_or(Seed(0))
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
