//! pair outcomes → figures. Every figure is a share of families or a mean over them, with its own denominator.

use super::outcome::{PairOutcome, TrapOutcome};
use std::collections::BTreeMap;
use waterjar_core::{
    Breakdown, FailureMode, FamilyId, Interval, Measured, Metric, Sharing, Strata, SuiteContext,
    metric::{Share, rounded},
};
use waterjar_scoring::stats::{Bootstrap, Tally, wilson_of_share};

/// What a pair adds to a metric, as (part, whole); `None` where it could not be judged.
type Rule = fn(&PairOutcome) -> Option<(f64, f64)>;

/// MedEinst's equations 3–6, table A4 and failure modes, and our sham.
const METRICS: [(&str, Rule); 16] = [
    ("baseline_accuracy", |pair| Some((f64::from(pair.control?), 1.0))),
    ("robust_accuracy", |pair| {
        let (control, trap) = (pair.control?, pair.trap?);
        Some((f64::from(control && trap == TrapOutcome::Robust), 1.0))
    }),
    // A subject that misses the control cannot be trapped by it, so only pairs with a right control count.
    ("bias_trap_rate", |pair| share_of_right(pair, TrapOutcome::Rigid)),
    ("stochastic_error_rate", |pair| share_of_right(pair, TrapOutcome::Stochastic)),
    ("rigidity_ratio", |pair| {
        let (control, trap) = (pair.control?, pair.trap?);
        let failed = control && trap != TrapOutcome::Robust;
        Some((f64::from(failed && trap == TrapOutcome::Rigid), f64::from(failed)))
    }),
    ("top3", |pair| Some((f64::from(pair.control_place? <= 3.0), 1.0))),
    ("top5", |pair| Some((f64::from(pair.control_place? <= 5.0), 1.0))),
    ("rank_drop", |pair| {
        let drop = pair.rank_drop?;
        Some(if pair.control_right() { (drop, 1.0) } else { (0.0, 0.0) })
    }),
    ("reverted_confidence", |pair| {
        let reverted = pair.control_right() && pair.trap == Some(TrapOutcome::Rigid);
        Some(if reverted { (pair.reverted_confidence?, 1.0) } else { (0.0, 0.0) })
    }),
    ("sham_kept", |pair| {
        let (control, kept) = (pair.control?, pair.sham?);
        Some(if control { (f64::from(kept), 1.0) } else { (0.0, 0.0) })
    }),
    ("failure_mode.blindness", |pair| share_of_trapped(pair, FailureMode::Blindness)),
    ("failure_mode.underthinking", |pair| share_of_trapped(pair, FailureMode::Underthinking)),
    ("failure_mode.overthinking", |pair| share_of_trapped(pair, FailureMode::Overthinking)),
    ("failure_mode.mentioned", |pair| share_of_trapped(pair, FailureMode::Mentioned)),
    ("failure_mode.no_reasoning", |pair| share_of_trapped(pair, FailureMode::NoReasoning)),
    ("failure_mode.unaudited", |pair| share_of_trapped(pair, FailureMode::Unaudited)),
];

/// Those that need a ranked list with confidences.
pub(super) const RANKED: [&str; 4] = ["top3", "top5", "rank_drop", "reverted_confidence"];
/// Those that need a trap or a sham.
pub(super) const OF_TRAPS: [&str; 7] = [
    "robust_accuracy",
    "bias_trap_rate",
    "stochastic_error_rate",
    "rigidity_ratio",
    "rank_drop",
    "reverted_confidence",
    "sham_kept",
];
/// Why a figure has no cases, where its name does not tell.
const EMPTY: [(&str, &str); 5] = [
    ("top3", "no control was answered with a ranked list"),
    ("top5", "no control was answered with a ranked list"),
    ("rank_drop", "no right control and its trap were both answered with a ranked list"),
    ("reverted_confidence", "no kept diagnosis carries a confidence"),
    ("sham_kept", "nobody was asked, or judged on, a sham of a right control"),
];
/// Those that are means rather than shares.
const MEANS: [&str; 2] = ["rank_drop", "reverted_confidence"];
/// Those that are broken down, and what by.
const BROKEN_DOWN: [&str; 3] = ["baseline_accuracy", "robust_accuracy", "bias_trap_rate"];
const STRATA: [&str; 3] = ["edits", "place", "purity"];
const BREAKDOWNS: [&str; 3] = ["condition", "pair", DOSE];
/// How many findings a trap exchanges, among traps of one purity: traps of many exchanges are pure by the way they are made.
pub(super) const DOSE: &str = "purity_edits";

/// What there can be a figure of, whatever the cases are.
pub(super) fn strata(metric: &str) -> Strata {
    match metric {
        "failure_mode" => Strata::named(FailureMode::ALL.map(FailureMode::as_str)),
        broken_down if BROKEN_DOWN.contains(&broken_down) => Strata { keys: STRATA.into(), ..Strata::none() },
        _ => Strata::none(),
    }
}

/// Of the context it takes the seed, and who takes shares.
pub fn measure(ctx: &SuiteContext, outcomes: impl Iterator<Item = PairOutcome>) -> Measured {
    let mut sharing = Sharing::new(ctx.taker.clone());
    let mut sums: BTreeMap<String, Sums> =
        METRICS.iter().map(|(name, _)| ((*name).to_owned(), Sums::default())).collect();
    let mut parts: BTreeMap<(&str, String), BTreeMap<String, Sums>> = BTreeMap::new();
    let mut tally = Tally::new();
    let mut measured = Measured::default();
    for pair in outcomes {
        measured.n += 1;
        measured.missing += u64::from(pair.incomplete);
        for (name, rule) in METRICS {
            let Some((part, whole)) = rule(&pair) else {
                continue;
            };
            // Several answers of one family to the same question are no independent trials. All of a family are in the same strata.
            let ratio = tally.ratio(name);
            let first = whole > 0.0 && !tally.counts(&pair.family, ratio);
            for key in keys(name, &pair) {
                let ratio = tally.ratio(&key);
                tally.push(&pair.family, ratio, part, whole).expect("parts and wholes are small finite numbers");
                sums.entry(key).or_default().add(part, whole, first);
            }
            if BROKEN_DOWN.contains(&name) {
                for by in BREAKDOWNS {
                    if let Some(key) = part_of(&pair, by) {
                        parts.entry((by, key)).or_default().entry(name.to_owned()).or_default().add(part, whole, first);
                    }
                }
            }
            let share = Share::new(FamilyId::new(pair.family.as_str()), part, whole);
            sharing.push(name, &share);
        }
    }
    measured.shares = sharing.rest();
    let resampled = Bootstrap::new(ctx.seed).resample(&tally);
    for (name, sum) in sums {
        let ratio = tally.ratio(&name);
        // A ratio nobody pushed to was not resampled.
        let estimate = (sum.pushed > 0).then(|| resampled.estimate(ratio)).flatten();
        let bootstrap = estimate.and_then(|it| it.interval);
        let mut metric = sum.metric(is_mean(&name), bootstrap);
        if metric.value.is_none() {
            metric.absent = EMPTY.iter().find(|(known, _)| *known == name).map(|(_, why)| (*why).to_owned());
        }
        measured.metrics.insert(name, metric);
    }
    measured.breakdown = parts
        .into_iter()
        .map(|((by, key), metrics)| Breakdown {
            by: by.to_owned(),
            key,
            metrics: metrics.into_iter().map(|(name, sum)| (name, sum.metric(false, None))).collect(),
        })
        .collect();
    measured
}

/// The metric itself and, where it is broken down, the metric of each stratum the pair is in.
fn keys(name: &str, pair: &PairOutcome) -> Vec<String> {
    let mut keys = vec![name.to_owned()];
    if BROKEN_DOWN.contains(&name) {
        let strata = STRATA.iter().filter_map(|stratum| Some((stratum, pair.strata.get(*stratum)?)));
        keys.extend(strata.map(|(stratum, value)| format!("{name}.{stratum}_{value}")));
    }
    keys
}

/// Which part of a breakdown the pair is in: `mixed_2` of the dose.
fn part_of(pair: &PairOutcome, by: &str) -> Option<String> {
    if by == DOSE {
        return Some(format!("{}_{}", pair.strata.get("purity")?, pair.strata.get("edits")?));
    }
    pair.strata.get(by).cloned()
}

fn is_mean(name: &str) -> bool {
    MEANS.contains(&name)
}

fn share_of_right(pair: &PairOutcome, outcome: TrapOutcome) -> Option<(f64, f64)> {
    let (control, trap) = (pair.control?, pair.trap?);
    Some(if control { (f64::from(trap == outcome), 1.0) } else { (0.0, 0.0) })
}

/// Of the answers that the bias trap rate counts. Outputs made elsewhere bring no reasoning, so their modes are unknown.
fn share_of_trapped(pair: &PairOutcome, mode: FailureMode) -> Option<(f64, f64)> {
    let trapped = pair.control? && pair.trap? == TrapOutcome::Rigid;
    Some(if trapped { (f64::from(pair.failure? == mode), 1.0) } else { (0.0, 0.0) })
}

#[derive(Clone, Copy, Default)]
struct Sums {
    part: f64,
    whole: f64,
    pushed: u64,
    /// That add to the whole, however often each was asked.
    families: u64,
}

impl Sums {
    /// `first` where the family has not added to the whole before.
    fn add(&mut self, part: f64, whole: f64, first: bool) {
        self.part += part;
        self.whole += whole;
        self.pushed += 1;
        self.families += u64::from(first);
    }

    /// Shares have Wilson's interval over families, because many strata are small, and the bootstrap over families beside it. Means have the
    /// bootstrap alone.
    fn metric(self, is_mean: bool, bootstrap: Option<Interval>) -> Metric {
        let n = self.whole as u64;
        if n == 0 {
            return Metric::default();
        }
        let round = |interval: Interval| Interval { low: rounded(interval.low), high: rounded(interval.high) };
        let bootstrap = bootstrap.map(round);
        let value = self.part / self.whole;
        let interval = if is_mean { bootstrap } else { wilson_of_share(value, self.families).map(round) };
        Metric {
            value: Some(rounded(value)),
            low: interval.map(|it| it.low),
            high: interval.map(|it| it.high),
            n,
            bootstrap: bootstrap.filter(|_| !is_mean),
            ..Metric::default()
        }
        .of_clusters(self.families as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::Seed;

    /// Ten families of one condition of which so many are trapped, each asked so often, with the same answer every time.
    fn measured(trapped: usize, repeats: usize) -> Measured {
        let pair = |at: usize| PairOutcome {
            family: format!("f{at}"),
            control: Some(true),
            trap: Some(if at < trapped { TrapOutcome::Rigid } else { TrapOutcome::Robust }),
            strata: BTreeMap::from([("condition".to_owned(), "gout".to_owned()), ("edits".to_owned(), "1".to_owned())]),
            ..PairOutcome::default()
        };
        measure(&SuiteContext::new(Seed(7)), (0..10 * repeats).map(|at| pair(at % 10)))
    }

    #[test]
    fn the_same_answer_said_again_tells_nothing_more() {
        for trapped in [0, 1, 5, 10] {
            let (once, thrice) = (measured(trapped, 1), measured(trapped, 3));
            let of_condition = |it: &Measured| it.breakdown[0].metrics["bias_trap_rate"].clone();
            let pairs = ["bias_trap_rate", "bias_trap_rate.edits_1", "robust_accuracy"]
                .map(|name| (once.metrics[name].clone(), thrice.metrics[name].clone()));
            for (one, three) in pairs.into_iter().chain([(of_condition(&once), of_condition(&thrice))]) {
                assert_eq!((one.n, three.n), (10, 30));
                assert_eq!(
                    (one.value, one.low, one.high, one.bootstrap),
                    (three.value, three.low, three.high, three.bootstrap)
                );
                assert!(three.half_width() > Some(0.1), "ten families are few: {three:?}");
            }
        }
    }

    #[test]
    fn a_family_whose_answers_differ_is_one_family() {
        let pair = |at: usize| PairOutcome {
            family: format!("f{}", at / 2),
            control: Some(true),
            trap: Some(if at.is_multiple_of(2) { TrapOutcome::Rigid } else { TrapOutcome::Robust }),
            ..PairOutcome::default()
        };
        let rate = measure(&SuiteContext::new(Seed(7)), (0..40).map(pair)).metrics["bias_trap_rate"].clone();
        let expected = wilson_of_share(0.5, 20).unwrap();
        assert_eq!((rate.value, rate.n, rate.low), (Some(0.5), 40, Some(rounded(expected.low))));
    }

    #[test]
    fn how_many_findings_were_exchanged_is_told_apart_from_whether_any_is_left() {
        let pair = |at: usize| PairOutcome {
            family: format!("f{at}"),
            control: Some(true),
            trap: Some(if at < 4 { TrapOutcome::Rigid } else { TrapOutcome::Robust }),
            strata: BTreeMap::from([
                ("edits".to_owned(), "2".to_owned()),
                ("purity".to_owned(), (if at < 8 { "mixed" } else { "pure" }).to_owned()),
            ]),
            ..PairOutcome::default()
        };
        let measured = measure(&SuiteContext::new(Seed(7)), (0..12).map(pair));
        let parts = measured.breakdown.iter().filter(|part| part.by == DOSE);
        let rates = parts.map(|part| (part.key.as_str(), &part.metrics["bias_trap_rate"]));
        let rates: Vec<_> = rates.map(|(key, rate)| (key, rate.value, rate.n)).collect();
        assert_eq!(rates, [("mixed_2", Some(0.5), 8), ("pure_2", Some(0.0), 4)]);
    }
}
