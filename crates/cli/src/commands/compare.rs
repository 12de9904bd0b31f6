//! `waterjar compare`: subjects pair by pair, with a test and an interval.

use crate::cli::CompareArgs;
use crate::exit::Exit;
use crate::output::{Output, table};
use anyhow::Result;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use waterjar_core::{FamilyId, Seed, SubjectId, SubjectResult, SuiteId, Variant, metric::Share};
use waterjar_engine::{EngineError, RunDir, key::key_of, plan::suggest};
use waterjar_scoring::stats::{Bootstrap, Difference, Tally, holm, mcnemar_exact, sign_test};
use waterjar_store::{Mode, Store};

/// One contrast: first minus second on the families both answered.
#[derive(Serialize)]
pub struct Comparison {
    pub suite: SuiteId,
    // `first` and `second` are their values.
    #[serde(rename = "subject")]
    pub first: String,
    #[serde(rename = "against")]
    pub second: String,
    pub metric: String,
    #[serde(flatten)]
    pub difference: Difference,
    /// The denominators of the two figures, over the families compared.
    pub first_n: u64,
    pub second_n: u64,
    /// Exact, over families where both count and one is in the numerator and the other is not.
    pub mcnemar_p: Option<f64>,
    /// Where scores are graded, so that there is no yes and no to count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signs: Option<Signs>,
    /// The exact p where there is one, else the bootstrap's, after Holm's correction over the table.
    pub holm_p: f64,
}

/// Families in which the first is higher, the same, lower, and the exact sign test on them.
#[derive(Serialize)]
pub struct Signs {
    pub higher: u64,
    pub same: u64,
    pub lower: u64,
    pub p: f64,
}

impl Comparison {
    /// McNemar's, or the sign test's.
    pub fn exact_p(&self) -> Option<f64> {
        self.mcnemar_p.or_else(|| self.signs.as_ref().map(|signs| signs.p))
    }
}

pub async fn run(args: CompareArgs, out: &Output) -> Result<Exit> {
    let runs = open_all(&args.runs).await?;
    let mut comparisons = Vec::new();
    for (first, second) in contrasts(&args, &runs).await? {
        match compare(&args, &first, &second) {
            Ok(comparison) => comparisons.push(comparison),
            // One subject without a figure does not keep the others from being compared.
            Err(error) => out.warn(&format!("{} and {} are left out: {error}", first.name, second.name)),
        }
    }
    if comparisons.is_empty() {
        let error = EngineError::study("waterjar compare", "there is nothing to compare");
        return Err(error.with_hint("name a run with two subjects, or two runs that share a subject").into());
    }
    // The exact test where there is one: a bootstrap of five families that all say the same is sure of itself.
    let p_of = |it: &Comparison| it.exact_p().unwrap_or(it.difference.p);
    let corrected = holm(&comparisons.iter().map(p_of).collect::<Vec<_>>());
    for (comparison, p) in comparisons.iter_mut().zip(corrected) {
        comparison.holm_p = p;
    }
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

/// One subject's shares, with a name that says where it is from.
struct Side {
    suite: SuiteId,
    name: String,
    shares: Vec<Share>,
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
            refuse_other_cases(&runs[0], other, suite, args.editions).await?;
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

/// Pairing needs the same questions, and ids alone do not say so: another seed gives other patients the same ids. Of editions only the
/// patients must be the same.
async fn refuse_other_cases(one: &OpenRun, other: &OpenRun, suite: &SuiteId, editions: bool) -> Result<()> {
    let theirs = benchmark(other, suite, editions).await?;
    for (family, key) in benchmark(one, suite, editions).await? {
        if theirs.get(&family).is_some_and(|their_key| *their_key != key) {
            let problem = format!("the cases of `{}` are others than those of `{}`", one.name, other.name);
            let error = EngineError::study(format!("family {family} of {suite}"), problem);
            return Err(error
                .with_hint(
                    "compare runs made from the same source with the same settings and seed, or editions of one with --editions",
                )
                .into());
        }
    }
    Ok(())
}

/// The families of a run, each with a key of what it asks, or of whom it asks about.
async fn benchmark(run: &OpenRun, suite: &SuiteId, editions: bool) -> Result<BTreeMap<FamilyId, String>> {
    let key = |variants: &[Variant]| match variants.first() {
        Some(first) if editions => key_of(&(&first.case, &first.facts, first.expectation.condition())),
        _ => key_of(&variants),
    };
    let mut families = BTreeMap::new();
    let mut after = Some(0);
    while let Some(position) = after {
        let page = run.store.families_page(suite, position, 128).await.map_err(EngineError::from)?;
        families.extend(page.items.into_iter().map(|family| (family.id, key(&family.variants))));
        after = page.next;
    }
    Ok(families)
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

fn compare(args: &CompareArgs, first: &Side, second: &Side) -> Result<Comparison> {
    let mut tally = Tally::new();
    let (one, two) = (tally.ratio("first"), tally.ratio("second"));
    for (ratio, side) in [(one, first), (two, second)] {
        for share in &side.shares {
            tally.push(share.cluster().as_str(), ratio, share.part, share.whole)?;
        }
    }
    let bootstrap = Bootstrap { seed: Seed(args.seed), replicates: 10_000 };
    Ok(Comparison {
        suite: first.suite.clone(),
        first: first.name.clone(),
        second: second.name.clone(),
        metric: args.metric.clone(),
        difference: bootstrap.difference(&tally, one, two)?,
        first_n: denominator(first, second),
        second_n: denominator(second, first),
        mcnemar_p: mcnemar(first, second),
        signs: signs(first, second),
        holm_p: 1.0,
    })
}

/// What the figure of `side` is a share of, over the families both have.
fn denominator(side: &Side, other: &Side) -> u64 {
    let theirs: std::collections::HashSet<_> = other.shares.iter().map(|share| &share.family).collect();
    let common = side.shares.iter().filter(|share| theirs.contains(&share.family));
    common.map(|share| share.whole).sum::<f64>() as u64
}

/// Only where McNemar's test is not: a family counts by whether its figure is higher or lower.
fn signs(first: &Side, second: &Side) -> Option<Signs> {
    if mcnemar(first, second).is_some() {
        return None;
    }
    let theirs: std::collections::HashMap<_, _> = second.shares.iter().map(|share| (&share.family, share)).collect();
    let (mut higher, mut same, mut lower) = (0, 0, 0);
    for mine in first.shares.iter().filter(|share| share.whole > 0.0) {
        let Some(other) = theirs.get(&mine.family).filter(|share| share.whole > 0.0) else { continue };
        match (mine.part / mine.whole).total_cmp(&(other.part / other.whole)) {
            std::cmp::Ordering::Greater => higher += 1,
            std::cmp::Ordering::Equal => same += 1,
            std::cmp::Ordering::Less => lower += 1,
        }
    }
    Some(Signs { higher, same, lower, p: sign_test(higher, lower) })
}

/// Only for shares: where a part is neither nothing nor all, there is no yes and no to count.
fn mcnemar(first: &Side, second: &Side) -> Option<f64> {
    let is_yes_or_no =
        |share: &Share| share.whole == 0.0 || (share.whole == 1.0 && (share.part == 0.0 || share.part == 1.0));
    if !first.shares.iter().chain(&second.shares).all(is_yes_or_no) {
        return None;
    }
    let theirs: std::collections::HashMap<_, _> = second.shares.iter().map(|share| (&share.family, share)).collect();
    let (mut only_first, mut only_second) = (0, 0);
    for mine in first.shares.iter().filter(|share| share.whole > 0.0) {
        if let Some(other) = theirs.get(&mine.family).filter(|share| share.whole > 0.0) {
            only_first += u64::from(mine.part > other.part);
            only_second += u64::from(mine.part < other.part);
        }
    }
    Some(mcnemar_exact(only_first, only_second))
}
