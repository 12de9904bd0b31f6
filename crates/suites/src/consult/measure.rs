//! family outcomes → figures. Intervals are of a bootstrap over patients: the letters of one are not independent.

use super::agreement::{Agreement, OWN_AUTHOR};
use super::outcome::{AnswerOutcome, FamilyOutcome};
use super::stance::Stance;
use std::collections::{BTreeMap, BTreeSet};
use waterjar_core::{
    Breakdown, FamilyId, Measured, Metric, Seed, Sharing, Strata, SuiteContext, counted,
    metric::{Share, rounded},
};
use waterjar_scoring::stats::{
    Alternative, Bootstrap, Difference, ENOUGH_FAMILIES, Resampled, Tally, quantile, relative_change, subsample_means,
    welch_t,
};

/// The four dimensions whose mean is the overall score.
pub(super) const DIMENSIONS: [&str; 4] = ["accuracy", "veracity", "helpfulness", "consistency"];
const HELP: [&str; 3] = ["evidence", "treatment", "lifestyle"];
/// As published: ten subsamples.
const SUBSAMPLES: usize = 10;
/// A p as small as this can be told.
const REPLICATES: usize = 10_000;

/// What there can be a figure of, by the roles of the letters. Who judged again is known only from what was judged.
pub(super) fn strata(metric: &str, roles: &[&str]) -> Option<Strata> {
    let traps = || Strata { whole: true, ..Strata::named(roles.iter().map(|role| format!("trap_{role}"))) };
    match metric {
        "accuracy" => Some(Strata { keys: STYLES.into(), ..traps() }),
        "veracity" => Some(traps()),
        "stance" => Some(Strata::named(Stance::ALL.map(Stance::as_str))),
        "helpfulness" => Some(Strata { whole: true, ..Strata::named(HELP) }),
        "coverage" => Some(Strata::named(DIMENSIONS)),
        "agreement" | "kappa" => None,
        again if again.ends_with("_again") => None,
        _ => Some(Strata::none()),
    }
}

/// Of the context it takes the seed, and who takes shares.
pub fn measure(ctx: &SuiteContext, outcomes: impl Iterator<Item = FamilyOutcome>) -> Measured {
    let (seed, mut sharing) = (ctx.seed, Sharing::new(ctx.taker.clone()));
    let mut measured = Measured::default();
    let mut figures = Figures::default();
    let mut by_condition: BTreeMap<String, (f64, u64)> = BTreeMap::new();
    // In the order of the families' names, so that the order they come in leaves no trace; of a family that was asked again, in turn.
    let mut challenges: BTreeMap<String, Vec<Challenges>> = BTreeMap::new();
    let mut letters = 0;
    let mut agreement = Agreement::default();
    let mut own_author = None;
    for family in outcomes {
        measured.n += 1;
        measured.missing += u64::from(family.is_incomplete());
        letters += family.letters.len() as u64;
        figures.family(&family);
        own_author = own_author.or(family.own_author);
        family.letters.iter().for_each(|it| agreement.add(it));
        let condition = by_condition.entry(family.condition.clone()).or_default();
        for answer in &family.letters {
            if let Some(first) = answer.first {
                condition.0 += f64::from(first);
                condition.1 += 1;
            }
        }
        let mut share = |name: &str, scores: Vec<f64>| {
            if !scores.is_empty() {
                let family = FamilyId::new(family.family.as_str());
                let share = Share::new(family, scores.iter().sum(), scores.len() as f64);
                sharing.push(name, &share);
            }
        };
        let each =
            |score: &dyn Fn(&AnswerOutcome) -> Option<f64>| family.letters.iter().filter_map(score).collect::<Vec<_>>();
        share("accuracy", each(&|it| it.first.map(f64::from)));
        share("veracity", each(&|it| it.veracity.score()));
        share("helpfulness", each(&AnswerOutcome::helpfulness));
        share("consistency", family.consistency().into_iter().collect());
        let control = family.control.as_ref().and_then(AnswerOutcome::challenge);
        let asked = Challenges { letters: each(&AnswerOutcome::challenge), control };
        challenges.entry(family.family.clone()).or_default().push(asked);
    }
    measured.shares = sharing.rest();
    measured.metrics = figures.metrics(seed);
    published(seed, &challenges, &mut measured.metrics);
    let covered = coverage(&measured.metrics, letters, measured.n);
    measured.metrics.extend(covered);
    measured.metrics.extend(agreement.metrics());
    measured.metrics.extend(own_author.map(|own| (OWN_AUTHOR.to_owned(), number(f64::from(own), measured.n))));
    measured.breakdown = by_condition
        .into_iter()
        .filter(|(_, (_, n))| *n > 0)
        .map(|(key, (right, n))| Breakdown {
            by: "condition".to_owned(),
            key,
            metrics: BTreeMap::from([("accuracy".to_owned(), number(right / n as f64, n))]),
        })
        .collect();
    measured
}

fn number(value: f64, n: u64) -> Metric {
    Metric { value: Some(rounded(value)), n, ..Metric::default() }
}

/// Ratios over patients.
#[derive(Default)]
struct Figures {
    tally: Tally,
    names: BTreeSet<String>,
    wholes: BTreeMap<String, f64>,
}

impl Figures {
    fn push(&mut self, family: &str, name: &str, part: Option<f64>) {
        let ratio = self.tally.ratio(name);
        let whole = f64::from(part.is_some());
        self.tally.push(family, ratio, part.unwrap_or(0.0), whole).expect("scores lie between 0 and 1");
        *self.wholes.entry(name.to_owned()).or_default() += whole;
        self.names.insert(name.to_owned());
    }

    fn family(&mut self, family: &FamilyOutcome) {
        let id = family.family.as_str();
        for answer in &family.letters {
            let role = answer.role.as_str();
            let top1 = answer.first.map(f64::from);
            self.push(id, "accuracy", top1);
            self.push(id, &format!("accuracy.trap_{role}"), top1);
            self.push(id, "accuracy_graded", answer.accuracy.score());
            self.push(id, "veracity", answer.veracity.score());
            self.push(id, &format!("veracity.trap_{role}"), answer.veracity.score());
            self.push(id, "veracity_weighted", answer.stance.map(Stance::weighted));
            for stance in Stance::ALL {
                self.push(id, &format!("stance.{}", stance.as_str()), answer.stance.map(|it| f64::from(it == stance)));
            }
            self.push(id, "helpfulness", answer.helpfulness());
            for (name, graded) in HELP.iter().zip(answer.help) {
                self.push(id, &format!("helpfulness.{name}"), graded.score());
            }
            self.push(id, "top1", top1);
            for (at, name) in [(1, "top3"), (2, "top5")] {
                self.push(id, name, answer.top.map(|top| f64::from(top[at])));
            }
            self.push(id, "challenge", answer.challenge());
            for (judge, words) in &answer.again {
                self.push(id, &format!("accuracy_again.{judge}"), words.first.score());
                self.push(id, &format!("veracity_again.{judge}"), words.stance.map(Stance::strict));
                self.push(id, &format!("helpfulness_again.{judge}"), words.helpfulness());
            }
            for (key, value) in answer.strata.iter().filter(|(key, _)| STYLES.contains(&key.as_str())) {
                self.push(id, &format!("accuracy.{key}_{value}"), top1);
            }
        }
        self.push(id, "consistency", family.consistency());
        let judges: BTreeSet<&String> = family.letters.iter().flat_map(|it| it.again.keys()).collect();
        for judge in judges {
            self.push(id, &format!("consistency_again.{judge}"), family.consistency_again(judge));
        }
        if let Some(control) = &family.control {
            self.push(id, "static_accuracy", control.first.map(f64::from));
            self.push(id, "static_challenge", control.challenge());
            self.push(id, "static_helpfulness", control.helpfulness());
        }
    }

    fn metrics(mut self, seed: Seed) -> BTreeMap<String, Metric> {
        // What nobody pushed to is a ratio without a value.
        for name in DIMENSIONS.into_iter().chain(["challenge", "static_challenge"]) {
            self.tally.ratio(name);
        }
        let resampled = Bootstrap::new(seed).resample(&self.tally);
        let mut metrics = BTreeMap::new();
        for name in &self.names {
            let n = self.wholes.get(name).map_or(0, |it| *it as u64);
            let ratio = self.tally.ratio(name);
            let found = if n > 0 { resampled.estimate(ratio) } else { None };
            let metric = match found {
                Some(found) => {
                    let interval = found.interval_of_share();
                    Metric {
                        low: interval.map(|it| rounded(it.low)),
                        high: interval.map(|it| rounded(it.high)),
                        ..number(found.value, n)
                    }
                    .of_clusters(found.counted)
                }
                None => Metric::absent(why_absent(name)),
            };
            metrics.insert(name.clone(), metric);
        }
        let overall = self.overall(&resampled, &metrics);
        metrics.insert("overall".to_owned(), overall);
        metrics.insert("challenge_change".to_owned(), self.change(&resampled));
        self.difference(seed, &mut metrics);
        metrics
    }

    /// The mean of the four dimensions, resampled together. Where no resample differs, its ends are the means of those of its `parts`.
    fn overall(&mut self, resampled: &Resampled, parts: &BTreeMap<String, Metric>) -> Metric {
        let ratios = DIMENSIONS.map(|name| self.tally.ratio(name));
        let mean = |scores: [Option<f64>; 4]| {
            let scores: Option<Vec<f64>> = scores.into_iter().collect();
            scores.map(|it| it.iter().sum::<f64>() / it.len() as f64)
        };
        let value = mean(ratios.map(|ratio| resampled.value(ratio)));
        let mut each = ratios.map(|ratio| resampled.replicates(ratio).collect::<Vec<_>>().into_iter());
        let mut means = Vec::new();
        while let [Some(a), Some(b), Some(c), Some(d)] = each.each_mut().map(Iterator::next) {
            means.extend(mean([a, b, c, d]));
        }
        let why = "one of the four dimensions has no score";
        let metric = with_interval(value, means, self.wholes.get("accuracy").map_or(0, |it| *it as u64), why);
        let clusters = parts.get("accuracy").and_then(|it| it.clusters);
        let metric = Metric { clusters: clusters.filter(|_| metric.value.is_some()), ..metric };
        if metric.value.is_none() || metric.low.is_some() {
            return metric;
        }
        let end = |of: fn(&Metric) -> Option<f64>| mean(DIMENSIONS.map(|name| parts.get(name).and_then(of)));
        Metric { low: end(|it| it.low).map(rounded), high: end(|it| it.high).map(rounded), ..metric }
    }

    /// By what part of the static baseline the challenge differs from it.
    fn change(&mut self, resampled: &Resampled) -> Metric {
        let (dynamic, fixed) = (self.tally.ratio("challenge"), self.tally.ratio("static_challenge"));
        let change = |dynamic: Option<f64>, fixed: Option<f64>| relative_change(dynamic?, fixed?);
        let value = change(resampled.value(dynamic), resampled.value(fixed));
        let pairs = resampled.replicates(dynamic).zip(resampled.replicates(fixed));
        let changes = pairs.filter_map(|(dynamic, fixed)| change(dynamic, fixed)).collect();
        let n = self.wholes.get("static_challenge").map_or(0, |it| *it as u64);
        with_interval(value, changes, n, "there is no static baseline to compare with")
    }

    /// Dynamic minus static on the same patients, with the p of a paired bootstrap.
    fn difference(&mut self, seed: Seed, metrics: &mut BTreeMap<String, Metric>) {
        let (dynamic, fixed) = (self.tally.ratio("challenge"), self.tally.ratio("static_challenge"));
        let bootstrap = Bootstrap { replicates: REPLICATES, ..Bootstrap::new(seed) };
        let absent = || Metric::absent("there is no static baseline to compare with");
        let (difference, p) = match bootstrap.difference(&self.tally, dynamic, fixed) {
            Ok(found) => {
                // Patients of whom one of the two could not be judged bear no difference.
                let n = found.counting as u64;
                let interval = found.interval.filter(|it| it.low < it.high);
                let difference = Metric {
                    low: interval.map(|it| rounded(it.low)),
                    high: interval.map(|it| rounded(it.high)),
                    ..number(found.value, n)
                };
                (difference, p_of(&found))
            }
            Err(_) => (absent(), absent()),
        };
        metrics.insert("challenge_difference".to_owned(), difference);
        metrics.insert("challenge_p".to_owned(), p);
    }
}

/// Of few patients a bootstrap is too sure: five that all say the same would be p = 0.0001.
fn p_of(found: &Difference) -> Metric {
    let n = found.counting as u64;
    if found.has_enough() {
        return number(found.p_less, n);
    }
    let rests_on = counted(n, "patient", "patients");
    let why = format!("it rests on {rests_on}, and a bootstrap of fewer than {ENOUGH_FAMILIES} is too sure of itself");
    Metric { n, ..Metric::absent(why) }
}

const STYLES: [&str; 3] = ["medical_knowledge", "clarity", "communication"];

/// Replicates that are all the same tell nothing of other patients: then there is no interval.
fn with_interval(value: Option<f64>, mut replicates: Vec<f64>, n: u64, why: &str) -> Metric {
    let Some(value) = value else { return Metric::absent(why) };
    replicates.sort_by(f64::total_cmp);
    let end = |share: f64| quantile(&replicates, share).map(rounded);
    let ends = end(0.025).zip(end(0.975)).filter(|(low, high)| low < high);
    Metric { low: ends.map(|it| it.0), high: ends.map(|it| it.1), ..number(value, n) }
}

/// How deep the right disease stood each time a patient was asked about: in the answers to the letters, and to the raw question.
struct Challenges {
    letters: Vec<f64>,
    control: Option<f64>,
}

/// The paper's test, for comparison alone: ten subsamples of 80 % of each, and a t-test on their means (specs 3.2). It is unsound.
fn published(seed: Seed, of: &BTreeMap<String, Vec<Challenges>>, metrics: &mut BTreeMap<String, Metric>) {
    let all = || of.values().flatten();
    let dynamic: Vec<f64> = all().flat_map(|it| it.letters.iter().copied()).collect();
    let fixed: Vec<f64> = all().filter_map(|it| it.control).collect();
    let means = |scores: &[f64]| subsample_means(seed, scores, SUBSAMPLES).ok();
    let tested = means(&dynamic).zip(means(&fixed)).and_then(|(a, b)| welch_t(&a, &b, Alternative::Less).ok());
    let absent = || Metric::absent("too few answers, or all alike");
    let metric = |value: Option<f64>| value.map_or_else(absent, |it| number(it, dynamic.len() as u64));
    metrics.insert("published_t".to_owned(), metric(tested.map(|it| it.t)));
    metrics.insert("published_p".to_owned(), metric(tested.map(|it| it.p)));
}

/// How many of what was asked could be judged, by dimension.
fn coverage(known: &BTreeMap<String, Metric>, letters: u64, families: u64) -> Vec<(String, Metric)> {
    let covered = |dimension: &str| {
        let all = if dimension == "consistency" { families } else { letters };
        let valid = known.get(dimension).map_or(0, |it| it.n);
        let metric = if all > 0 { number(valid as f64 / all as f64, all) } else { Metric::absent("nothing was asked") };
        (format!("coverage.{dimension}"), metric)
    };
    DIMENSIONS.into_iter().map(covered).collect()
}

fn why_absent(name: &str) -> &'static str {
    match name {
        "top3" | "top5" | "challenge" | "static_challenge" => "nobody says how deep the right disease stands",
        name if name.contains("_again.") => "this judge gave no usable word",
        "consistency" => "no patient has two letters with a diagnosis",
        name if name.starts_with("helpfulness") || name.starts_with("static_help") => {
            "nobody wrote down what a helpful answer says"
        }
        name if name.starts_with("veracity") || name.starts_with("stance") => "no answer could be held against a rumor",
        _ => "there is no answer",
    }
}
