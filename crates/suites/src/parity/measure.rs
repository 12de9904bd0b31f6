//! family outcomes → figures. Intervals are of a bootstrap over vignettes: the ablations of one are not independent.

use super::contrast::Divergence;
use super::outcome::{FamilyOutcome, PairOutcome};
use super::pairing::{CONTROL, NEUTRAL, PUBLISHED, Pairing, SWAPPED};
use super::ratios::Ratios;
use super::region::{Pair, Region, region};
use super::spans::Spans;
use std::collections::{BTreeMap, BTreeSet};
use waterjar_core::{
    Breakdown, FamilyId, Measured, Metric, Seed, Sharing, Strata, SuiteContext,
    metric::{Share, rounded},
};
use waterjar_scoring::stats::{Bootstrap, Estimate, Tally, chi_square_homogeneity};

/// Two reasonings above this are alike, as published.
const ALIKE: f64 = 0.75;
/// Bars of a histogram are this wide.
const BIN: f64 = 0.02;

/// Families for which room is made before they are there.
const MOST_AT_ONCE: usize = 1 << 20;

/// What a pair adds to a metric.
type Rule = fn(&PairOutcome) -> Option<f64>;

pub(super) const STS_MEAN: &str = "sts_mean";
/// How much of what `sts_mean` lacks to 1 is the pronoun: it is not lacking here.
pub(super) const UNSEXED_MEAN: &str = "sts_unsexed_mean";

pub(super) const METRICS: [(&str, Rule); 9] = [
    // Pairs that none of the others counts.
    ("unread_rate", |pair| Some(f64::from(pair.unread))),
    (STS_MEAN, |pair| pair.sts),
    (UNSEXED_MEAN, |pair| pair.unsexed),
    // Two reasonings that are the same to the letter have a likeness of exactly 1, and no others have.
    ("unlike_rate", |pair| pair.sts.map(|sts| f64::from(sts < 1.0))),
    ("sts_above_75", |pair| pair.sts.map(|sts| f64::from(sts > ALIKE))),
    ("answer_flip_rate", |pair| pair.flipped.map(f64::from)),
    ("conclusion_flip_rate", |pair| pair.ends_elsewhere.map(f64::from)),
    ("polarity_flip_rate", |pair| pair.turned.map(|turned| f64::from(turned > 0))),
    // What STS alone would not have told.
    ("hidden_flip_rate", |pair| {
        let flipped = pair.flipped == Some(true) || pair.ends_elsewhere == Some(true) || pair.turned > Some(0);
        pair.sts.map(|sts| f64::from(sts > ALIKE && flipped))
    }),
];

/// What there can be a figure of; `others` are the roles beside those of the published pairings.
pub(super) fn strata(metric: &str, others: &[&str]) -> Strata {
    let roles = [CONTROL, SWAPPED, NEUTRAL].into_iter().chain(others.iter().copied());
    match metric {
        "texts_cut_share" | "divergence_p" => Strata::none(),
        "accuracy" | "accuracy_ablated" => {
            Strata::named(roles.map(|role| if role == CONTROL { "original" } else { role }))
        }
        _ => Strata::named(Pairing::of_roles(roles).into_iter().map(|it| it.name)),
    }
}

/// Of the context it takes the seed, and who takes shares.
pub fn measure(ctx: &SuiteContext, outcomes: impl Iterator<Item = FamilyOutcome>) -> Measured {
    let mut measuring = Measuring::new(ctx, outcomes.size_hint().1.unwrap_or(0).min(MOST_AT_ONCE));
    for family in outcomes {
        measuring.family(&family);
    }
    measuring.measured()
}

/// What adds up, family by family.
struct Measuring {
    seed: Seed,
    n: u64,
    missing: u64,
    figures: Ratios,
    sharing: Sharing,
    /// By pairing, those with a likeness.
    pairs: BTreeMap<String, Vec<Pair>>,
    /// For how many pairs there is room at once, because what grows is there twice while it grows.
    room: usize,
    spans: Spans,
    embedders: BTreeMap<String, u64>,
    labels_by_both: u64,
    agreed: u64,
    /// The vignettes, numbered as they came.
    items: BTreeMap<String, u32>,
}

/// What one family adds to a metric, and of how much.
type FamilyShares = BTreeMap<String, (f64, f64)>;

impl Measuring {
    fn new(ctx: &SuiteContext, room: usize) -> Self {
        Self {
            seed: ctx.seed,
            n: 0,
            missing: 0,
            figures: Ratios::default(),
            sharing: Sharing::new(ctx.taker.clone()),
            pairs: PUBLISHED.into_iter().map(|it| (it.to_owned(), Vec::with_capacity(room))).collect(),
            room,
            spans: Spans::default(),
            embedders: BTreeMap::new(),
            labels_by_both: 0,
            agreed: 0,
            items: BTreeMap::new(),
        }
    }

    fn family(&mut self, family: &FamilyOutcome) {
        self.n += 1;
        // A label that was asked for is an answer too.
        let unlabelled = family.pairs.iter().any(|it| it.unlabelled == Some(true));
        self.missing += u64::from(family.incomplete || unlabelled);
        let next = self.items.len() as u32;
        let item = *self.items.entry(family.item.clone()).or_insert(next);
        *self.embedders.entry(family.embedder.clone()).or_default() += 1;
        self.figures.push(&family.item, "texts_cut_share".to_owned(), family.cut as f64, family.texts as f64);
        for (role, right) in &family.right {
            let stem = if family.removed.is_some() { "accuracy_ablated" } else { "accuracy" };
            let role = if role == CONTROL { "original" } else { role };
            self.figures.push(&family.item, format!("{stem}.{role}"), f64::from(*right), 1.0);
        }
        let mut shares = FamilyShares::new();
        for pair in &family.pairs {
            self.pair(family, item, pair, &mut shares);
        }
        self.spans.push(item, family);
        for (name, (part, whole)) in shares {
            // The ablations of a vignette are drawn with it, as they are for the intervals above.
            let within = (family.item != family.family).then(|| FamilyId::new(family.item.as_str()));
            let share = Share::new(FamilyId::new(family.family.as_str()), part, whole);
            self.sharing.push(&name, &Share { within, ..share });
        }
    }

    fn pair(&mut self, family: &FamilyOutcome, item: u32, pair: &PairOutcome, shares: &mut FamilyShares) {
        for (name, rule) in METRICS {
            let Some(part) = rule(pair) else { continue };
            let key = format!("{name}.{}", pair.pairing);
            self.figures.push(&family.item, key.clone(), part, 1.0);
            if PUBLISHED.contains(&pair.pairing.as_str()) && [STS_MEAN, "answer_flip_rate"].contains(&name) {
                let share = shares.entry(key).or_default();
                *share = (share.0 + part, share.1 + 1.0);
            }
        }
        if let Some(unlabelled) = pair.unlabelled {
            let key = format!("unlabelled_rate.{}", pair.pairing);
            self.figures.push(&family.item, key, f64::from(unlabelled), 1.0);
        }
        if let (Some(mine), Some(rules)) = (&pair.divergences, &pair.by_rules) {
            self.labels_by_both += Divergence::ALL.len() as u64;
            self.agreed += Divergence::ALL.iter().filter(|it| mine.contains(it) == rules.contains(it)).count() as u64;
        }
        if let Some(sts) = pair.sts {
            let labels = pair.divergences.as_ref().map(|it| bits(it));
            let rank = Pair::rank(self.seed, &pair.pairing, &family.family);
            let kept = Pair { rank, item, sts: sts as f32, labels };
            self.pairs.entry(pair.pairing.clone()).or_insert_with(|| Vec::with_capacity(self.room)).push(kept);
        }
    }

    fn measured(self) -> Measured {
        let mut measured = Measured {
            n: self.n,
            missing: self.missing,
            shares: self.sharing.rest(),
            metrics: self.figures.metrics(self.seed),
            ..Measured::default()
        };
        of_all_pairs(self.seed, self.pairs, &self.items, &mut measured);
        if self.labels_by_both > 0 {
            let value = Some(rounded(self.agreed as f64 / self.labels_by_both as f64));
            let agreement = Metric { value, n: self.labels_by_both, ..Metric::default() };
            measured.metrics.insert("judge_agreement".to_owned(), agreement);
        }
        measured.breakdown.extend(self.spans.breakdown(&self.items));
        let embedders = self.embedders.into_iter().filter(|(id, _)| !id.is_empty());
        measured.breakdown.extend(embedders.map(|(key, n)| Breakdown {
            by: "embedder".to_owned(),
            key,
            metrics: BTreeMap::from([("families".to_owned(), number(n as f64, n))]),
        }));
        measured
    }
}

/// How the likenesses of each pairing are spread, and what diverges where they are least.
fn of_all_pairs(
    seed: Seed,
    pairs: BTreeMap<String, Vec<Pair>>,
    items: &BTreeMap<String, u32>,
    measured: &mut Measured,
) {
    // What is computed must not depend on the order families came in: items are numbered by their names.
    let mut numbers = vec![0; items.len()];
    items.values().zip(0..).for_each(|(came, number)| numbers[*came as usize] = number);
    let mut regions = BTreeMap::new();
    for (pairing, mut pairs) in pairs {
        pairs.iter_mut().for_each(|pair| pair.item = numbers[pair.item as usize]);
        pairs.sort_unstable_by(|a, b| a.sts.total_cmp(&b.sts).then(a.rank.cmp(&b.rank)).then(a.item.cmp(&b.item)));
        spread(seed, &pairing, &pairs, numbers.len(), &mut measured.metrics);
        measured.breakdown.extend(histogram(&pairing, &pairs));
        if let Some(found) = region(&pairs) {
            in_region(seed, &pairing, &found, pairs.len(), &mut measured.metrics);
            regions.insert(pairing, found);
        }
    }
    homogeneity(&regions, &mut measured.metrics);
}

pub(super) fn number(value: f64, n: u64) -> Metric {
    Metric { value: Some(rounded(value)), n, ..Metric::default() }
}

fn bits(labels: &[Divergence]) -> u8 {
    let at = |it: &Divergence| Divergence::ALL.iter().position(|one| one == it).unwrap_or_default();
    labels.iter().fold(0, |bits, it| bits | 1 << at(it))
}

/// Standard deviation and percentiles of ascending pairs, with intervals over so many vignettes.
fn spread(seed: Seed, pairing: &str, pairs: &[Pair], items: usize, metrics: &mut BTreeMap<String, Metric>) {
    let values: Vec<(u32, f64)> = pairs.iter().map(|it| (it.item, it.sts())).collect();
    let n = values.len() as u64;
    let told = values.iter().map(|(item, _)| item).collect::<BTreeSet<_>>().len();
    let mut put = |name: &str, found: Option<Estimate>| {
        let metric = match found {
            Some(Estimate { value, interval }) => Metric {
                low: interval.map(|it| rounded(it.low)),
                high: interval.map(|it| rounded(it.high)),
                ..number(value, n)
            }
            .of_clusters(told),
            None => Metric { n, ..Metric::absent("too few pairs have a reasoning on both sides") },
        };
        metrics.insert(format!("{name}.{pairing}"), metric);
    };
    let found = Bootstrap::new(seed).spread(&values, items, &[0.05, 0.95]);
    put("sts_sd", found.as_ref().and_then(|it| it.sd));
    put("sts_p5", found.as_ref().map(|it| it.quantiles[0]));
    put("sts_p95", found.as_ref().map(|it| it.quantiles[1]));
    if n == 0 {
        put(STS_MEAN, None);
    }
}

/// The bars of a histogram, by their lower edge in hundredths: `sts_70`.
fn histogram(pairing: &str, pairs: &[Pair]) -> Option<Breakdown> {
    let mut bars: BTreeMap<i64, u64> = BTreeMap::new();
    for pair in pairs {
        let bar = ((pair.sts() / BIN + 1e-6).floor() as i64).min((1.0 / BIN) as i64 - 1);
        *bars.entry(bar).or_default() += 1;
    }
    let all = pairs.len() as u64;
    let metrics = bars
        .into_iter()
        .map(|(bar, n)| (format!("sts_{:03}", bar * (BIN * 100.0) as i64), number(n as f64 / all as f64, all)));
    (all > 0).then(|| Breakdown { by: "histogram".to_owned(), key: pairing.to_owned(), metrics: metrics.collect() })
}

/// The size of the region, and how many of the sample show each divergence, with intervals over the vignettes of the sample.
fn in_region(seed: Seed, pairing: &str, found: &Region, pairs: usize, metrics: &mut BTreeMap<String, Metric>) {
    metrics.insert(format!("region_share.{pairing}"), number(found.pairs as f64 / pairs as f64, pairs as u64));
    let labelled: Vec<(u32, u8)> = found.sample.iter().filter_map(|it| Some((it.item, it.labels?))).collect();
    let mut tally = Tally::new();
    let ratios = Divergence::ALL.map(|it| tally.ratio(it.as_str()));
    for (item, bits) in &labelled {
        for (at, ratio) in ratios.into_iter().enumerate() {
            let shown = f64::from(bits >> at & 1 == 1);
            tally.push(&format!("{item:08}"), ratio, shown, 1.0).expect("shares are small finite numbers");
        }
    }
    let resampled = Bootstrap::new(seed).resample(&tally);
    let n = labelled.len() as u64;
    for (divergence, ratio) in Divergence::ALL.into_iter().zip(ratios) {
        let metric = match resampled.estimate(ratio) {
            Some(estimate) => {
                let interval = estimate.interval_of_share();
                Metric {
                    low: interval.map(|it| rounded(it.low)),
                    high: interval.map(|it| rounded(it.high)),
                    ..number(estimate.value, n)
                }
                .of_clusters(estimate.counted)
            }
            None => Metric { n, ..Metric::absent("nobody labelled the sample") },
        };
        metrics.insert(format!("{}.{pairing}", divergence.as_str()), metric);
    }
}

/// The test speaks from so many expected labels in every cell.
const FEW: f64 = 5.0;

fn least_expected(table: &[Vec<u64>]) -> f64 {
    let all: u64 = table.iter().flatten().sum();
    let column = |at: usize| table.iter().map(|row| row[at]).sum::<u64>();
    let columns = (0..Divergence::ALL.len()).map(column).filter(|it| *it > 0).min().unwrap_or(0);
    let rows = table.iter().map(|row| row.iter().sum::<u64>()).min().unwrap_or(0);
    (rows * columns) as f64 / all.max(1) as f64
}

/// Whether the published pairings differ in what diverges: one row of label counts per pairing.
fn homogeneity(regions: &BTreeMap<String, Region>, metrics: &mut BTreeMap<String, Metric>) {
    let counts = |region: &Region| -> Vec<u64> {
        let labels = || region.sample.iter().filter_map(|it| it.labels);
        (0..Divergence::ALL.len()).map(|at| labels().filter(|bits| bits >> at & 1 == 1).count() as u64).collect()
    };
    let table: Vec<Vec<u64>> = PUBLISHED.iter().filter_map(|it| regions.get(*it)).map(counts).collect();
    let n = table.iter().flatten().sum();
    let found = chi_square_homogeneity(&table).filter(|_| least_expected(&table) >= FEW);
    let absent = || Metric {
        n,
        ..Metric::absent("too few labels to compare the pairings: fewer than five are expected of one")
    };
    for (name, value) in [
        ("divergence_chi2", found.map(|it| it.statistic)),
        ("divergence_df", found.map(|it| it.df as f64)),
        ("divergence_p", found.map(|it| it.p)),
    ] {
        metrics.insert(name.to_owned(), value.map_or_else(absent, |value| number(value, n)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compared_says_of_which_vignette_it_is() {
        let pair = PairOutcome { pairing: PUBLISHED[0].to_owned(), sts: Some(0.9), ..PairOutcome::default() };
        let of = |family: &str, item: &str| FamilyOutcome {
            family: family.to_owned(),
            item: item.to_owned(),
            pairs: vec![pair.clone()],
            ..FamilyOutcome::default()
        };
        let measured = measure(&SuiteContext::new(Seed(7)), [of("x~0", "x"), of("x~1", "x"), of("y", "y")].into_iter());
        let shares: Vec<Share> = measured.shares.of(&format!("sts_mean.{}", PUBLISHED[0])).iter().collect();
        let within: Vec<Option<&str>> = shares.iter().map(|it| it.within.as_ref().map(FamilyId::as_str)).collect();
        assert_eq!(within, [Some("x"), Some("x"), None]);
    }

    /// Ten vignettes, each asked so often, with the same answers every time.
    fn repeated(repeats: usize, flips: fn(usize) -> bool) -> Measured {
        let family = |at: usize| {
            let pair = PairOutcome {
                pairing: PUBLISHED[0].to_owned(),
                sts: Some(if flips(at) { 0.5 } else { 0.875 }),
                flipped: Some(flips(at)),
                ..PairOutcome::default()
            };
            let (family, item) = (format!("v{at}"), format!("v{at}"));
            FamilyOutcome { family, item, pairs: vec![pair], ..FamilyOutcome::default() }
        };
        measure(&SuiteContext::new(Seed(7)), (0..10 * repeats).map(|at| family(at % 10)))
    }

    #[test]
    fn the_same_answer_said_again_tells_nothing_more() {
        let all: [fn(usize) -> bool; 3] = [|_| false, |_| true, |at| at.is_multiple_of(3)];
        for flips in all {
            let (once, thrice) = (repeated(1, flips), repeated(3, flips));
            for stem in ["answer_flip_rate", "sts_above_75", "unread_rate"] {
                let name = format!("{stem}.{}", PUBLISHED[0]);
                let (one, three) = (&once.metrics[&name], &thrice.metrics[&name]);
                assert_eq!((one.n, three.n), (10, 30), "{name}");
                assert_eq!((one.value, one.low, one.high), (three.value, three.low, three.high), "{name}");
                assert!(three.half_width() > Some(0.1), "ten vignettes are few: {name} {three:?}");
            }
        }
    }
}
