//! case outcomes → figures. Intervals are of a bootstrap over cases: the interventions on one chart are not independent.

use super::agreement::Agreement;
use super::calls;
use super::catalog::FamilyOf;
use super::coverage::{Coverage, PARTS};
use super::outcome::{CaseOutcome, TupleOutcome};
use super::together::TUPLES;
use std::collections::{BTreeMap, BTreeSet};
use waterjar_core::{
    Breakdown, FamilyId, Measured, Metric, Seed, Sharing, Strata, SuiteContext,
    metric::{Share, rounded},
};
use waterjar_scoring::stats::{Bootstrap, Tally};

/// What a tuple adds to a metric.
type Rule = fn(&TupleOutcome, f64) -> Option<f64>;

/// The paper's score and its distribution, over all tuples that were answered, and over those whose audit found nothing.
const METRICS: [(&str, Rule); 7] = [
    ("css", |_, score| Some(score)),
    ("css_clean", |tuple, score| tuple.clean?.then_some(score)),
    ("wrong_share", |_, score| Some(f64::from(score == 0.0))),
    ("partial_share", |_, score| Some(f64::from(score == 0.5))),
    ("correct_share", |_, score| Some(f64::from(score == 1.0))),
    ("css_refusal_credit", |tuple, score| Some(score.max(tuple.refusal_credit?))),
    ("already_met_share", |tuple, _| Some(f64::from(tuple.already_met))),
];

/// Those that are broken down by family and strata.
const BROKEN_DOWN: [&str; 2] = ["css", "css_clean"];
/// Strata of a tuple that have a metric of their own, beside its family.
const STRATA: [&str; 4] = ["cancer", "mentions", "latent", "consensus"];
/// What is no share: so many of something, per answer.
const COUNTS: [&str; 1] = ["tool_calls"];
/// Beyond this a figure of single cases cannot be read, and they are left out of the breakdown.
const MOST_CASES: usize = 500;

/// What there can be a figure of, whatever the charts are. Who grades is known only from what was graded.
pub(super) fn strata(metric: &str) -> Option<Strata> {
    match metric {
        "judge_kappa" => None,
        "calls" => Some(Strata::named(calls::names())),
        broken_down if BROKEN_DOWN.contains(&broken_down) => {
            let families = Strata::named(FamilyOf::ALL.map(FamilyOf::name));
            Some(Strata { whole: true, keys: STRATA.into(), ..families })
        }
        _ => Some(Strata::none()),
    }
}

/// Of the context it takes the seed, and who takes shares.
pub fn measure(ctx: &SuiteContext, outcomes: impl Iterator<Item = CaseOutcome>) -> Measured {
    let mut measuring = Measuring::new(Sharing::new(ctx.taker.clone()));
    for case in outcomes {
        measuring.case(&case);
    }
    measuring.measured(ctx.seed)
}

/// What adds up, case by case.
struct Measuring {
    n: u64,
    missing: u64,
    figures: Figures,
    sharing: Sharing,
    /// What is broken down: by what, and of which.
    parts: BTreeMap<(&'static str, String), BTreeMap<String, Sums>>,
    agreement: Agreement,
    audited: bool,
    /// One more than are shown at most. A case that is asked again is the same case.
    cases: BTreeSet<String>,
}

/// What one case adds to a metric, and of how much.
type CaseShares = BTreeMap<&'static str, (f64, f64)>;

impl Measuring {
    fn new(sharing: Sharing) -> Self {
        let mut figures = Figures::default();
        for name in METRICS.into_iter().map(|(name, _)| name).chain(["cms"]) {
            figures.sums.entry(name.to_owned()).or_default();
        }
        Self {
            n: 0,
            missing: 0,
            figures,
            sharing,
            parts: BTreeMap::new(),
            agreement: Agreement::default(),
            audited: false,
            cases: BTreeSet::new(),
        }
    }

    fn case(&mut self, case: &CaseOutcome) {
        self.n += 1;
        self.missing += u64::from(case.incomplete);
        if self.cases.len() <= MOST_CASES && !self.cases.contains(&case.case) {
            self.cases.insert(case.case.clone());
        }
        let mut shares = CaseShares::new();
        for tuple in &case.tuples {
            self.tuple(case, tuple, &mut shares);
        }
        for calls in &case.calls {
            let all: f64 = calls.values().sum();
            self.figures.push(&case.case, "tool_calls".to_owned(), all, 1.0);
            for name in calls::names() {
                let part = calls.get(name).copied().unwrap_or(0.0);
                self.figures.push(&case.case, format!("calls.{name}"), part, all);
            }
        }
        if let Some(coverage) = &case.coverage {
            self.coverage(case, coverage, &mut shares);
        }
        for (name, (part, whole)) in shares {
            let share = Share::new(FamilyId::new(case.case.as_str()), part, whole);
            self.sharing.push(name, &share);
        }
    }

    fn tuple(&mut self, case: &CaseOutcome, tuple: &TupleOutcome, shares: &mut CaseShares) {
        self.agreement.attend(tuple);
        self.audited |= tuple.clean.is_some();
        let Some(score) = tuple.score else { return };
        self.agreement.add(tuple, score);
        for (name, rule) in METRICS {
            let Some(part) = rule(tuple, score) else { continue };
            for key in keys(name, tuple) {
                self.figures.push(&case.case, key, part, 1.0);
            }
            let share = shares.entry(name).or_default();
            *share = (share.0 + part, share.1 + 1.0);
            if BROKEN_DOWN.contains(&name) {
                let (cancer, shown) = (case.strata.get("cancer"), self.shown(case));
                let by = [("intervention", Some(&tuple.intervention)), ("cancer", cancer), ("case", shown)];
                for (by, key) in by.into_iter().filter_map(|(by, key)| Some((by, key?))) {
                    self.part(by, key, name).add(part, 1.0);
                }
            }
        }
        let tuple = FamilyId::new(format!("{}/{}", case.case, tuple.intervention));
        let share = Share { within: Some(FamilyId::new(case.case.as_str())), ..Share::new(tuple, score, 1.0) };
        self.sharing.push(TUPLES, &share);
    }

    fn coverage(&mut self, case: &CaseOutcome, coverage: &Coverage, shares: &mut CaseShares) {
        let values = [coverage.strong, coverage.tacit, coverage.refusal, coverage.extra];
        for (name, value) in PARTS.into_iter().zip(values).chain([("cms", coverage.cms())]) {
            if let Some(value) = value {
                self.figures.push(&case.case, name.to_owned(), value, 1.0);
            }
        }
        if let Some(cms) = coverage.cms() {
            shares.insert("cms", (cms, 1.0));
            if let Some(shown) = self.shown(case) {
                self.part("case", shown, "cms").add(cms, 1.0);
            }
        }
    }

    /// Its name, unless there are so many that none is shown by itself.
    fn shown<'c>(&self, case: &'c CaseOutcome) -> Option<&'c String> {
        (self.cases.len() <= MOST_CASES).then_some(&case.case)
    }

    fn part(&mut self, by: &'static str, key: &str, name: &str) -> &mut Sums {
        self.parts.entry((by, key.to_owned())).or_default().entry(name.to_owned()).or_default()
    }

    fn measured(mut self, seed: Seed) -> Measured {
        if self.cases.len() > MOST_CASES {
            self.parts.retain(|(by, _), _| *by != "case");
        }
        let breakdown = self.parts.into_iter().map(|((by, key), metrics)| Breakdown {
            by: by.to_owned(),
            key,
            metrics: metrics.into_iter().map(|(name, sums)| (name, sums.metric())).collect(),
        });
        let mut metrics = self.figures.metrics(seed, self.audited);
        metrics.extend(self.agreement.metrics());
        Measured {
            n: self.n,
            missing: self.missing,
            metrics,
            shares: self.sharing.rest(),
            breakdown: breakdown.collect(),
        }
    }
}

/// The metric itself and, where it is broken down, the metric of the family and of each stratum.
fn keys(name: &str, tuple: &TupleOutcome) -> Vec<String> {
    let mut keys = vec![name.to_owned()];
    if BROKEN_DOWN.contains(&name) {
        if !tuple.family.is_empty() {
            keys.push(format!("{name}.{}", tuple.family));
        }
        let strata = STRATA.iter().filter_map(|stratum| Some((stratum, tuple.strata.get(*stratum)?)));
        keys.extend(strata.map(|(stratum, value)| format!("{name}.{stratum}_{value}")));
    }
    keys
}

#[derive(Default)]
struct Figures {
    sums: BTreeMap<String, Sums>,
    tally: Tally,
}

impl Figures {
    fn push(&mut self, case: &str, key: String, part: f64, whole: f64) {
        let ratio = self.tally.ratio(&key);
        self.tally.push(case, ratio, part, whole).expect("scores are small finite numbers");
        self.sums.entry(key).or_default().add(part, whole);
    }

    fn metrics(mut self, seed: Seed, audited: bool) -> BTreeMap<String, Metric> {
        let resampled = Bootstrap::new(seed).resample(&self.tally);
        let mut metrics = BTreeMap::new();
        let scored = self.sums.get("css").is_some_and(|sums| sums.whole > 0.0);
        for (name, sums) in self.sums {
            let mut metric = sums.metric();
            if sums.whole > 0.0 {
                let ratio = self.tally.ratio(&name);
                let found = resampled.estimate(ratio);
                metric = metric.of_clusters(found.as_ref().map_or(0, |it| it.counted));
                let interval = if COUNTS.contains(&name.as_str()) {
                    // Charts that all took as many say nothing of others.
                    found.and_then(|it| it.interval).filter(|it| it.high > it.low)
                } else {
                    found.and_then(|it| it.interval_of_share())
                };
                metric.low = interval.map(|it| rounded(it.low));
                metric.high = interval.map(|it| rounded(it.high));
            } else {
                metric.absent = absent(&name, audited, scored).map(str::to_owned);
            }
            metrics.insert(name, metric);
        }
        metrics
    }
}

/// Why a figure has no cases, where its name does not tell.
fn absent(name: &str, audited: bool, scored: bool) -> Option<&'static str> {
    match name {
        "css_clean" if audited && !scored => Some("nobody could grade an answer"),
        "css_clean" if audited => Some("the audit found something in every variant"),
        "css_clean" => Some("no variant was audited"),
        "css_refusal_credit" => Some("no model graded: the rule sees no rationale that calls a change incoherent"),
        "cms" => Some("no control was held against a consensus list"),
        _ => None,
    }
}

#[derive(Clone, Copy, Default)]
struct Sums {
    part: f64,
    whole: f64,
}

impl Sums {
    fn add(&mut self, part: f64, whole: f64) {
        self.part += part;
        self.whole += whole;
    }

    fn metric(self) -> Metric {
        let value = (self.whole > 0.0).then(|| rounded(self.part / self.whole));
        Metric { value, n: self.whole as u64, ..Metric::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::together::TOGETHER;
    use super::*;
    use std::sync::{Arc, Mutex};
    use waterjar_core::shares::{Shares, Taker};

    #[test]
    fn what_ranks_are_made_of_stays_and_the_rest_is_handed_on() {
        let tuple = TupleOutcome { intervention: "x".to_owned(), score: Some(0.5), ..TupleOutcome::default() };
        let case = |at: usize| CaseOutcome {
            case: format!("c{at:04}"),
            tuples: vec![tuple.clone()],
            ..CaseOutcome::default()
        };
        let taken = Arc::new(Mutex::new(Vec::new()));
        let shelf = Arc::clone(&taken);
        let take = move |shares: Shares| shelf.lock().unwrap().push(shares.of("partial_share").iter().count());
        let taker = Taker { take: Arc::new(take), but: TOGETHER.reads };
        let all = measure(&SuiteContext::new(Seed(7)), (0..1500).map(case));
        let ctx = SuiteContext { taker: Some(taker), ..SuiteContext::new(Seed(7)) };
        let measured = measure(&ctx, (0..1500).map(case));
        let left = |metric: &str| measured.shares.of(metric).iter().count();
        assert_eq!((left("css"), left(TUPLES)), (1500, 1500));
        assert_eq!(taken.lock().unwrap().iter().sum::<usize>() + left("partial_share"), 1500);
        assert!(left("partial_share") < 1024);
        assert_eq!(measured.metrics, all.metrics);
    }

    /// So many cases with two changes each, both of the same score; each asked so often, with the same answer every time.
    fn repeated(cases: usize, repeats: usize, score: fn(usize) -> f64) -> Measured {
        let tuple = |intervention: &str, score: f64| TupleOutcome {
            intervention: intervention.to_owned(),
            score: Some(score),
            ..TupleOutcome::default()
        };
        let case = |at: usize| CaseOutcome {
            case: format!("c{at:04}"),
            tuples: vec![tuple("x", score(at)), tuple("y", score(at))],
            ..CaseOutcome::default()
        };
        measure(&SuiteContext::new(Seed(7)), (0..cases * repeats).map(|at| case(at % cases)))
    }

    #[test]
    fn the_same_answer_said_again_tells_nothing_more() {
        let scores: [fn(usize) -> f64; 3] = [|_| 0.0, |_| 1.0, |at| f64::from(at.is_multiple_of(3))];
        for score in scores {
            let (once, thrice) = (repeated(10, 1, score), repeated(10, 3, score));
            for name in ["css", "wrong_share", "correct_share"] {
                let (one, three) = (&once.metrics[name], &thrice.metrics[name]);
                assert_eq!((one.n, three.n), (20, 60), "{name}");
                assert_eq!((one.value, one.low, one.high), (three.value, three.low, three.high), "{name}");
                assert!(three.half_width() > Some(0.1), "ten charts are few: {name} {three:?}");
            }
        }
    }

    #[test]
    fn how_many_calls_an_answer_takes_has_an_interval() {
        let called = |calls: fn(usize) -> f64| {
            let case = |at: usize| CaseOutcome {
                case: format!("c{at:04}"),
                calls: vec![BTreeMap::from([(calls::names().next().unwrap(), calls(at))])],
                ..CaseOutcome::default()
            };
            measure(&SuiteContext::new(Seed(7)), (0..10).map(case)).metrics["tool_calls"].clone()
        };
        let some = called(|at| at as f64);
        assert_eq!(some.value, Some(4.5));
        let (low, high) = (some.low.unwrap(), some.high.unwrap());
        assert!(2.0 < low && low < 4.0 && 5.0 < high && high < 7.0, "{some:?}");
        // A share of 1 would reach from 0.72 to 1.
        let one = called(|_| 1.0);
        assert_eq!((one.value, one.low, one.high), (Some(1.0), None, None));
    }

    #[test]
    fn a_case_that_is_asked_again_is_shown_once() {
        let shown = |cases: usize, repeats: usize| {
            let measured = repeated(cases, repeats, |_| 0.5);
            measured.breakdown.iter().filter(|it| it.by == "case").count()
        };
        assert_eq!((shown(101, 5), shown(MOST_CASES, 2), shown(MOST_CASES + 1, 2)), (101, MOST_CASES, 0));
    }
}
