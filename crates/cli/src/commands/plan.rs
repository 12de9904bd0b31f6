//! `waterjar plan`: how many cases a study needs, guessed from its metrics or measured on a run that was begun.

use crate::catalog::Parts;
use crate::cli::PlanArgs;
use crate::exit::Exit;
use crate::output::{Output, planned};
use crate::target::Target;
use anyhow::Result;
use serde::Serialize;
use waterjar_core::metric::{Enough, FEWEST, rounded};
use waterjar_core::{MetricColumn, MetricKind, SubjectResult};
use waterjar_engine::{Asks, EngineError, PlannedSuite, StudyFile};
use waterjar_scoring::stats::power::{
    FEW, Planned, cases_for_share, cases_for_width, families_for_difference, families_for_width, pairs_for_difference,
    pairs_that_differ, plausible,
};
use waterjar_store::{Mode, Store};
use waterjar_views::comparison::{Comparison, Side, Tested, compare};

/// What one figure of one suite needs.
#[derive(Serialize)]
pub struct Need {
    pub suite: String,
    pub metric: String,
    /// Whose figure, or whose against whose; nobody's where it is guessed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// Families that are there, and the half width of their 95 % interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub families_now: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half_width_now: Option<f64>,
    pub families: Option<u64>,
    /// The share that is taken for the true one, of cases or of those in which two differ, where it is not the one that was seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planned_at: Option<f64>,
    /// Widths and differences that are asked for are parts of a share; a count of places is another thing.
    #[serde(skip)]
    pub is_share: bool,
}

/// What all of them need: to know a figure, and to see a difference.
struct Needs {
    widths: Vec<Need>,
    differences: Vec<Need>,
    /// Figures that stay out of the printed tables.
    few: Vec<Few>,
}

pub async fn run(args: PlanArgs, out: &Output) -> Result<Exit> {
    refuse_nonsense(&args)?;
    let Needs { widths, differences, few } =
        if args.target.is_dir() { measured(&args).await? } else { guessed(&args)? };
    if args.json {
        out.json(&serde_json::json!({
            "schema": "waterjar.plan/1", "half_width": args.half_width, "difference": args.difference, "power": args.power,
            "to_know": widths, "to_see": differences,
        }))?;
        return Ok(Exit::Done);
    }
    out.prose(&format!("families to know a figure to ±{} (95 % interval)", args.half_width));
    match hardest(&widths, &few).as_slice() {
        [] if !few.is_empty() => out.prose("none: every figure that has an interval rests on too few cases"),
        [] => out.prose("none: no figure that is a share has an interval"),
        needs => out.print(&planned::needs(needs)),
    }
    out.prose(&format!(
        "\nfamilies to see a difference of {} between two subjects (two-sided 5 %, before Holm’s correction, power {})",
        args.difference, args.power
    ));
    match hardest(&differences, &few).as_slice() {
        [] => out.prose(
            "none: it takes two subjects that are no references, with shares of enough cases kept family by family",
        ),
        needs => out.print(&planned::needs(needs)),
    }
    if !few.is_empty() {
        out.say(&left_out(&few));
    }
    if let Some(told) = no_shares(&widths) {
        out.say(&told);
    }
    if let Some(told) = told_plausible(&hardest(&widths, &few), &hardest(&differences, &few)) {
        out.say(&told);
    }
    match args.target.is_dir() {
        true => out.say("by the run's own intervals; for each figure the subject, or the two, that need most. --json has them all"),
        false => out.say(&format!(
            "guessed: shares of {} of all families, families that are independent, and subjects that err independently. A metric over some of \
             the families (trap rates: those with a right control) needs more in proportion. Families of one story or one chart are not \
             independent: such suites (parity, sensitivity) need more. How many, a pilot tells: `waterjar run STUDY --limit 50`, then \
             `waterjar plan RUN`",
            args.assume.unwrap_or(HALF)
        )),
    }
    Ok(Exit::Done)
}

/// A figure of so few that it would lead every table, and say nothing of how many the others need.
struct Few {
    suite: String,
    metric: String,
    subject: String,
    n: u64,
}

impl Few {
    fn is_of(&self, need: &Need) -> bool {
        let mut subjects = [&need.subject, &need.against].into_iter().flatten();
        (&self.suite, &self.metric) == (&need.suite, &need.metric) && subjects.any(|it| *it == self.subject)
    }
}

/// Those whose figure rests on too few cases to be ranked in the report.
fn resting_on_few(planned: &PlannedSuite, metric: &str, rivals: &[&SubjectResult]) -> Vec<Few> {
    let figures = rivals.iter().filter_map(|result| Some((&result.subject, result.metrics.get(metric)?)));
    let enough = Enough::among(figures.clone().map(|(_, figure)| figure));
    figures
        .filter(|(_, figure)| figure.n > 0 && !enough.is_met_by(figure))
        .map(|(subject, figure)| Few {
            suite: planned.id().to_string(),
            metric: metric.to_owned(),
            subject: subject.to_string(),
            n: figure.cases(),
        })
        .collect()
}

/// `left out, …: plain@prior (einstellung.bias_trap_rate n 5)`
fn left_out(few: &[Few]) -> String {
    let mut subjects: Vec<&str> = few.iter().map(|it| it.subject.as_str()).collect();
    subjects.sort_unstable();
    subjects.dedup();
    let figures = |subject: &&str| {
        let own = few.iter().filter(|it| it.subject == *subject);
        let own: Vec<String> = own.map(|it| format!("{}.{} n {}", it.suite, it.metric, it.n)).collect();
        format!("{subject} ({})", own.join(", "))
    };
    let told: Vec<String> = subjects.iter().map(figures).collect();
    format!(
        "left out, for they rest on fewer than {FEWEST} independent cases or on less than half as many as is usual: {}",
        told.join("; ")
    )
}

/// `planned at shares that are plausible where …: einstellung.top3 95.6 %`
fn told_plausible(widths: &[&Need], differences: &[&Need]) -> Option<String> {
    let name = |need: &&Need| {
        let share = 100.0 * need.planned_at?;
        Some(format!("{}.{} {share:.1} %", need.suite, need.metric))
    };
    let list = |needs: &[&Need]| needs.iter().filter_map(name).collect::<Vec<_>>().join(", ");
    let (shares, pairs) = (list(widths), list(differences));
    let mut told = Vec::new();
    if !shares.is_empty() {
        told.push(format!("shares near 0 or 100 % are planned at the middle of their Wilson interval: {shares}"));
    }
    if !pairs.is_empty() {
        told.push(format!(
            "two subjects are taken to differ in the families that make the difference and in those that cancel each other out; where fewer than \
             {FEW} do, in the middle of their Wilson interval, in all: {pairs}"
        ));
    }
    (!told.is_empty()).then(|| told.join("\n"))
}

/// `left out, for they are no shares, …: einstellung.rank_drop, einstellung.reverted_confidence`
fn no_shares(needs: &[Need]) -> Option<String> {
    let mut names: Vec<String> =
        needs.iter().filter(|it| !it.is_share).map(|it| format!("{}.{}", it.suite, it.metric)).collect();
    names.dedup();
    (!names.is_empty()).then(|| {
        format!(
            "left out, for they are no shares, of which a width and a difference are asked for: {}",
            names.join(", ")
        )
    })
}

/// The worst of each metric, of shares that rest on enough to say so.
fn hardest<'a>(needs: &'a [Need], few: &[Few]) -> Vec<&'a Need> {
    let mut worst: Vec<&Need> = Vec::new();
    for need in needs.iter().filter(|need| need.is_share && !few.iter().any(|it| it.is_of(need))) {
        match worst.iter_mut().find(|it| (&it.suite, &it.metric) == (&need.suite, &need.metric)) {
            // For which no number is enough is worse than any.
            Some(known) if known.families.is_some_and(|it| need.families.is_none_or(|other| other > it)) => {
                *known = need
            }
            Some(_) => {}
            None => worst.push(need),
        }
    }
    worst
}

/// The columns of the main table.
fn headline(planned: &PlannedSuite) -> Vec<MetricColumn> {
    planned.suite().card().columns.into_iter().filter(|column| !column.drawn).collect()
}

/// Taken where nothing else is assumed: no share needs more families.
const HALF: f64 = 0.5;

/// Shares are 0 to 1, and so are their intervals and differences. An interval reaches to both sides of its share.
fn refuse_nonsense(args: &PlanArgs) -> Result<()> {
    let (difference, half_width) = (args.difference, args.half_width);
    for (flag, value) in [("--half-width", half_width), ("--difference", difference)] {
        if value >= 1.0 {
            let problem = format!("{value} is no part of a share, which is 0 to 1");
            return Err(EngineError::study(flag, problem).with_hint(meant(value)).into());
        }
    }
    if half_width >= HALF {
        let problem = format!("{half_width} to both sides of a share is all there is, from 0 to 1");
        let hint = "it is half the width of the interval and less than 0.5; 0.03, for ±3 points, is usual";
        return Err(EngineError::study("--half-width", problem).with_hint(hint).into());
    }
    if let Some(assumed) = args.assume.filter(|_| args.target.is_dir()) {
        let problem = format!("{assumed} is not looked at where a run is given: its own figures are taken");
        let hint = "leave it away, or name the study file in place of the run";
        return Err(EngineError::study("--assume", problem).with_hint(hint).into());
    }
    Ok(())
}

/// `5 points of a percentage are 0.05`
fn meant(value: f64) -> String {
    let points = if value < 100.0 { value } else { 3.0 };
    format!("{points} points of a percentage are {}", rounded(points / 100.0))
}

/// The share of the other subject, above the assumed one where there is room.
fn other_share(assumed: f64, difference: f64) -> Result<f64> {
    let found = [assumed + difference, assumed - difference].into_iter().find(|share| (0.0..=1.0).contains(share));
    found.ok_or_else(|| {
        let problem = format!("{difference} more or less than a share of {assumed} is no share any more");
        let hint = format!("make it smaller, or assume a share of at most {} with --assume", rounded(1.0 - difference));
        EngineError::study("--difference", problem).with_hint(hint).into()
    })
}

fn guessed(args: &PlanArgs) -> Result<Needs> {
    let plan = StudyFile::read(&args.target, &args.set)?.resolve_for(&Parts, Asks::Nobody)?;
    let (mut widths, mut differences) = (Vec::new(), Vec::new());
    let assumed = args.assume.unwrap_or(HALF);
    let other = other_share(assumed, args.difference)?;
    for planned in &plan.suites {
        for column in headline(planned).into_iter().filter(is_share) {
            let need = |families| Need {
                suite: planned.id().to_string(),
                metric: column.name.clone(),
                subject: None,
                against: None,
                families_now: None,
                half_width_now: None,
                families,
                planned_at: None,
                is_share: true,
            };
            widths.push(need(cases_for_share(assumed, args.half_width)));
            differences.push(need(pairs_for_difference(assumed, other, args.power)));
        }
    }
    Ok(Needs { widths, differences, few: Vec::new() })
}

async fn measured(args: &PlanArgs) -> Result<Needs> {
    let target = Target::resolve(&args.target, None, &args.set, Asks::Nobody).await?;
    let store = Store::open(target.dir.database(), Mode::Read).await.map_err(EngineError::from)?;
    let (mut widths, mut differences, mut few) = (Vec::new(), Vec::new(), Vec::new());
    for planned in &target.plan.suites {
        let results = waterjar_views::results(&store, planned).await?;
        let rivals: Vec<&SubjectResult> = results.iter().filter(|it| !it.reference).collect();
        for column in headline(planned) {
            if is_share(&column) {
                few.extend(resting_on_few(planned, &column.name, &rivals));
            }
            widths.extend(rivals.iter().filter_map(|result| width(args, &target, planned, &column, result)));
            for (at, first) in rivals.iter().enumerate() {
                for other in &rivals[at + 1..] {
                    let pair = [*first, *other];
                    differences.extend(difference(args, &target, &store, planned, &column, pair).await?);
                }
            }
        }
    }
    Ok(Needs { widths, differences, few })
}

fn is_share(column: &MetricColumn) -> bool {
    column.kind == MetricKind::Share
}

fn width(
    args: &PlanArgs,
    target: &Target,
    planned: &PlannedSuite,
    column: &MetricColumn,
    result: &SubjectResult,
) -> Option<Need> {
    let figure = result.metrics.get(&column.name)?;
    let (share, half, cases) = (figure.value?, figure.half_width()?, figure.cases());
    // However often each was asked.
    let families = result.n.div_ceil(u64::from(target.plan.repeats).max(1));
    let need = match is_share(column) {
        true => cases_for_width(cases, share, half, args.half_width),
        false => families_for_width(cases, half, args.half_width).map(|cases| Planned { cases, assumed: None }),
    };
    // An interval without width says nothing of how many are needed: nobody differed yet.
    let need = need.filter(|_| half > 0.0);
    Some(Need {
        suite: planned.id().to_string(),
        metric: column.name.clone(),
        subject: Some(result.subject.to_string()),
        against: None,
        families_now: Some(families),
        half_width_now: Some(rounded(half)),
        families: need.map(|need| in_proportion(need.cases, families, cases)),
        planned_at: need.and_then(|need| need.assumed).map(rounded),
        is_share: is_share(column),
    })
}

/// Families that hold so many cases that count, if so many of them hold `now`: several may be of one story, and not all of them count.
fn in_proportion(cases: u64, families: u64, now: u64) -> u64 {
    (u128::from(cases) * u128::from(families)).div_ceil(u128::from(now.max(1))).try_into().unwrap_or(u64::MAX)
}

/// Nothing where a metric is not kept family by family, or one of the two has no figure.
async fn difference(
    args: &PlanArgs,
    target: &Target,
    store: &Store,
    planned: &PlannedSuite,
    column: &MetricColumn,
    subjects: [&SubjectResult; 2],
) -> Result<Option<Need>> {
    let metric = column.name.as_str();
    let mut sides = Vec::new();
    for result in subjects {
        let Some(shares) = store.shares(planned.id(), &result.subject, metric).await.map_err(EngineError::from)? else {
            return Ok(None);
        };
        sides.push(Side { suite: planned.id().clone(), name: result.subject.to_string(), shares });
    }
    let Ok(found) = compare(metric, target.plan.seed, &sides[0], &sides[1]) else { return Ok(None) };
    let Some(interval) = found.difference.interval else { return Ok(None) };
    let half = (interval.high - interval.low) / 2.0;
    let families = families_of(&found);
    let (need, planned_at) = match is_share(column) {
        true => to_see(&found, half, args),
        false => (families_for_difference(families, half, args.difference, args.power), None),
    };
    Ok(Some(Need {
        suite: planned.id().to_string(),
        metric: metric.to_owned(),
        subject: Some(found.first),
        against: Some(found.second),
        families_now: Some(families),
        half_width_now: Some(rounded(half)),
        families: need,
        planned_at,
        is_share: is_share(column),
    }))
}

/// Families (or stories) until both see the difference: the exact test, and the interval, whose denominators are not the same for both subjects.
/// Beside them the share of families that are taken to differ, where it is not what was seen.
fn to_see(found: &Comparison, half: f64, args: &PlanArgs) -> (Option<u64>, Option<f64>) {
    let Tested { pairs, cancelling, apart } = found.tested;
    let families = families_of(found);
    // Where families differ by half a point, it takes twice as many of them to make a difference.
    let difference = if apart > 0.0 { (args.difference / apart).min(1.0) } else { args.difference };
    // Those that make the difference, and beside them those that cancel each other out. Two that are far apart differ in more than two that are
    // not, so that all in which they differ now say nothing of it.
    let seen = cancelling as f64 / pairs.max(1) as f64;
    let is_few = cancelling < FEW;
    let Some(likely) = (if is_few { plausible(seen, pairs) } else { Some(seen) }) else { return (None, None) };
    let taken = (likely + difference).min(1.0);
    let exact = pairs_that_differ(taken, difference, args.power).map(|need| in_proportion(need, families, pairs));
    let interval = families_for_difference(families, half, args.difference, args.power);
    (exact.zip(interval).map(|(exact, interval)| exact.max(interval)), is_few.then(|| rounded(taken)))
}

/// A story may be told in several.
fn families_of(found: &Comparison) -> u64 {
    found.families_within.unwrap_or(found.difference.families as u64)
}
