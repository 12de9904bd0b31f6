//! Cluster bootstrap of ratio metrics: families are drawn with replacement, and every ratio is computed anew.

use super::{Interval, Ratio, Tally, columns::Columns, draw::Drawn, quantile::percentile_95, wilson, wilson_of_share};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;
use waterjar_core::Seed;

/// Fewer families than this, in all that they count for, on one side of a share are few: the textbooks' bound for leaving the normal
/// approximation, and the bootstrap's percentiles are no better there.
const FEW: f64 = 5.0;

/// Ratios that are packed at the same time.
const AT_ONCE: usize = 16;

/// Same seed, same tally, same numbers, on any number of threads: each replicate has a stream of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    pub seed: Seed,
    pub replicates: usize,
}

/// The replicates of every ratio of a tally, all from the same resamples, so that they may be compared with one another.
#[derive(Clone, Debug)]
pub struct Resampled {
    families: usize,
    /// What the families say of each ratio.
    counted: Vec<Said>,
    /// Where the numerator and the denominator of each ratio stand among the sums.
    places: Vec<(usize, usize)>,
    width: usize,
    point: Vec<f64>,
    /// `width` sums for each replicate in turn.
    sums: Vec<f64>,
}

/// What families say of a share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// Families that add to the denominator.
    pub counted: usize,
    /// Those of them that add to the numerator, and those that do not add all they could.
    pub some: usize,
    pub short: usize,
}

/// A ratio with its 95 % percentile interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatioEstimate {
    pub value: f64,
    /// `None` only if no replicate had a denominator.
    pub interval: Option<Interval>,
    /// The denominator: what the ratio is a share of.
    pub whole: f64,
    /// Families resampled, also those that add nothing to the denominator.
    pub families: usize,
    /// Families that add to the denominator.
    pub counted: usize,
    /// Replicates without a denominator. They have no ratio and are left out of the interval.
    pub left_out: usize,
    #[serde(skip)]
    said: Said,
}

impl RatioEstimate {
    /// The interval of a share.
    pub fn interval_of_share(&self) -> Option<Interval> {
        interval_of_share(self.value, self.said, self.interval)
    }
}

/// The interval of a share of so many families. Where all of them say the same, or all but a few, drawing among them tells little of others: near
/// none and all it reaches as far as Wilson's interval over families does, so that one who failed once is not known better than one who never did.
/// In between families that all say the same have no interval. A share above none was seen, and is not none: where the percentiles reach none, because
/// enough resamples left out all that were seen, it reaches as far as Wilson's does; and so of all. There it counts in how many families it was seen:
/// one large family that says it always, among nine small ones that never do, is one of ten however large its share of all.
pub(super) fn interval_of_share(share: f64, said: Said, drawn: Option<Interval>) -> Option<Interval> {
    let n = said.counted as u64;
    let drawn = drawn.filter(|it| it.high > it.low);
    let denies = |it: Interval| (share > 0.0 && it.low <= 0.0, share < 1.0 && it.high >= 1.0);
    let (denies_low, denies_high) = drawn.map_or((false, false), denies);
    if share.min(1.0 - share) * n as f64 >= FEW && !denies_low && !denies_high {
        return drawn;
    }
    let of_share = wilson_of_share(share, n)?;
    let lowest = || of_share.low.min(wilson(said.some as u64, n).map_or(0.0, |it| it.low));
    let highest = || of_share.high.max(wilson((said.counted - said.short) as u64, n).map_or(1.0, |it| it.high));
    match drawn {
        Some(drawn) => Some(Interval {
            low: if denies_low { lowest() } else { drawn.low.min(of_share.low) },
            high: if denies_high { highest() } else { drawn.high.max(of_share.high) },
        }),
        None => (share == 0.0 || share == 1.0).then_some(of_share),
    }
}

impl Said {
    /// Rows of the same family in both.
    fn of(parts: &[f64], wholes: &[f64]) -> Self {
        let counted = || parts.iter().zip(wholes).filter(|(_, whole)| **whole > 0.0);
        Self {
            counted: counted().count(),
            some: counted().filter(|(part, _)| **part > 0.0).count(),
            short: counted().filter(|(part, whole)| part < whole).count(),
        }
    }
}

impl Bootstrap {
    /// 1,000 replicates, enough for an interval; take 10,000 for a small p.
    pub fn new(seed: Seed) -> Self {
        Self { seed, replicates: 1_000 }
    }

    pub fn resample(&self, tally: &Tally) -> Resampled {
        let ratios: Vec<Ratio> = tally.ratios().map(|(ratio, _)| ratio).collect();
        let rows =
            |ratio: &Ratio| -> (Vec<f64>, Vec<f64>) { tally.by_family(*ratio).map(Option::unwrap_or_default).unzip() };
        let (mut counted, mut places) = (Vec::new(), Vec::new());
        let mut columns = Columns::default();
        // A few at a time: packed they take less room than as they are pushed.
        for some in ratios.chunks(AT_ONCE) {
            let rows: Vec<_> = some.par_iter().map(rows).collect();
            for (parts, wholes) in rows {
                counted.push(Said::of(&parts, &wholes));
                places.push((columns.place(parts), columns.place(wholes)));
            }
        }
        Resampled { counted, ..self.run(&columns, places, tally.families()) }
    }

    pub(super) fn run(&self, columns: &Columns, places: Vec<(usize, usize)>, families: usize) -> Resampled {
        let width = columns.len();
        let mut point = vec![0.0; width];
        let mut each_once = Drawn::new(families);
        columns.sums(&mut each_once, &mut point);

        let mut sums = vec![0.0; width * self.replicates];
        let rng = self.seed.rng("bootstrap", "families");
        sums.par_chunks_mut(width.max(1)).enumerate().for_each_init(
            || Drawn::new(families),
            |drawn, (replicate, sums)| {
                drawn.draw(&mut stream(&rng, replicate));
                columns.sums(drawn, sums);
            },
        );
        Resampled { families, counted: Vec::new(), places, width, point, sums }
    }
}

impl Resampled {
    /// The ratio over all families as they are. `None` if nothing counts towards its denominator.
    pub fn value(&self, ratio: Ratio) -> Option<f64> {
        self.of(ratio, &self.point)
    }

    /// One entry per replicate; `None` where the denominator is zero.
    pub fn replicates(&self, ratio: Ratio) -> impl Iterator<Item = Option<f64>> {
        self.sums.chunks(self.width.max(1)).map(move |sums| self.of(ratio, sums))
    }

    pub fn estimate(&self, ratio: Ratio) -> Option<RatioEstimate> {
        let value = self.value(ratio)?;
        let all = self.replicates(ratio);
        let defined: Vec<f64> = all.flatten().collect();
        Some(RatioEstimate {
            value,
            whole: self.point[self.places[ratio.0].1],
            families: self.families,
            counted: self.counted[ratio.0].counted,
            said: self.counted[ratio.0],
            left_out: self.sums.len() / self.width - defined.len(),
            interval: percentile_95(defined),
        })
    }

    fn of(&self, ratio: Ratio, sums: &[f64]) -> Option<f64> {
        let (part, whole) = self.places[ratio.0];
        (sums[whole] > 0.0).then(|| sums[part] / sums[whole])
    }
}

pub(super) fn stream(rng: &ChaCha8Rng, replicate: usize) -> ChaCha8Rng {
    let mut rng = rng.clone();
    rng.set_stream(replicate as u64);
    rng
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BOOTSTRAP: Bootstrap = Bootstrap { seed: Seed(7), replicates: 400 };

    /// (family, part, whole)
    type Push = (u8, f64, f64);

    fn tally_of(pushes: &[Push]) -> (Tally, Ratio) {
        let mut tally = Tally::new();
        let ratio = tally.ratio("share");
        for (family, part, whole) in pushes {
            tally.push(&family.to_string(), ratio, *part, *whole).unwrap();
        }
        (tally, ratio)
    }

    fn estimate(pushes: &[Push]) -> Option<RatioEstimate> {
        let (tally, ratio) = tally_of(pushes);
        BOOTSTRAP.resample(&tally).estimate(ratio)
    }

    #[test]
    fn nothing_has_no_estimate() {
        assert_eq!(estimate(&[]), None);
    }

    #[test]
    fn a_denominator_of_zero_has_no_estimate() {
        assert_eq!(estimate(&[(1, 0.0, 0.0), (2, 0.0, 0.0)]), None);
    }

    #[test]
    fn families_that_all_say_the_same_leave_no_doubt() {
        let same = estimate(&[(1, 1.0, 2.0), (2, 1.0, 2.0), (3, 1.0, 2.0)]).unwrap();
        assert_eq!(same.interval, Some(Interval { low: 0.5, high: 0.5 }));
    }

    #[test]
    fn a_share_that_all_families_agree_on_has_the_doubt_of_their_number() {
        let interval = |pushes: &[Push]| estimate(pushes).unwrap().interval_of_share();
        // The family that adds nothing is not counted.
        assert_eq!(interval(&[(1, 0.0, 1.0), (2, 0.0, 3.0), (3, 0.0, 0.0)]), wilson(0, 2));
        assert_eq!(interval(&[(1, 1.0, 1.0), (2, 3.0, 3.0), (3, 0.0, 0.0)]), wilson(2, 2));
        assert_eq!(interval(&[(1, 1.0, 2.0), (2, 1.0, 2.0)]), None);
    }

    #[test]
    fn who_failed_once_is_not_known_better_than_who_never_did() {
        let interval = |failed: u8| {
            let pushes: Vec<Push> = (0..100).map(|at| (at, f64::from(at < failed), 1.0)).collect();
            (estimate(&pushes).unwrap().interval, estimate(&pushes).unwrap().interval_of_share().unwrap())
        };
        let highs: Vec<f64> = (0..5).map(|failed| interval(failed).1.high).collect();
        assert!(highs.is_sorted(), "{highs:?}");
        assert_eq!(interval(1).1.high, wilson(1, 100).unwrap().high);
        assert_eq!((interval(1).0.unwrap().low, interval(1).1.low), (0.0, wilson(1, 100).unwrap().low));
        let (drawn, of_share) = interval(20);
        assert_eq!(drawn, Some(of_share), "enough on both sides");
    }

    #[test]
    fn what_was_seen_is_not_said_to_be_never_and_what_was_not_always_is_not_always() {
        let interval = |failed: u8| {
            let pushes: Vec<Push> = (0..10).map(|at| (at, f64::from(at < failed), 1.0)).collect();
            estimate(&pushes).unwrap().interval_of_share().unwrap()
        };
        let (once, all_but_once) = (interval(1), interval(9));
        assert_eq!(once.low, wilson(1, 10).unwrap().low);
        assert_eq!(all_but_once.high, wilson(9, 10).unwrap().high);
        assert_eq!((interval(0).low, interval(10).high), (0.0, 1.0));
    }

    #[test]
    fn a_share_that_one_large_family_makes_is_as_doubtful_as_one_family() {
        // One chart of 100 questions says it always, nine of one question never do: a third of all resamples are without the one.
        let pushes = |part: fn(f64) -> f64| -> Vec<Push> {
            (0..10).map(|at| if at == 0 { (at, part(100.0), 100.0) } else { (at, 1.0 - part(1.0), 1.0) }).collect()
        };
        let (seen, unseen) = (estimate(&pushes(|it| it)).unwrap(), estimate(&pushes(|_| 0.0)).unwrap());
        assert_eq!((seen.interval.unwrap().low, unseen.interval.unwrap().high), (0.0, 1.0));
        assert_eq!(seen.interval_of_share().unwrap().low, wilson(1, 10).unwrap().low);
        assert_eq!(unseen.interval_of_share().unwrap().high, wilson(9, 10).unwrap().high);
        // Two that each say a little are no more known to say it than their share is.
        let little: Vec<Push> = (0..10).map(|at| (at, if at < 2 { 0.05 } else { 0.0 }, 1.0)).collect();
        let little = estimate(&little).unwrap();
        assert_eq!(little.interval_of_share().unwrap().low, wilson_of_share(little.value, 10).unwrap().low);
    }

    #[test]
    fn a_replicate_without_a_denominator_is_left_out_and_counted() {
        // The one family that counts is missed by (1/2)² of the resamples of two.
        let found = estimate(&[(1, 1.0, 1.0), (2, 0.0, 0.0)]).unwrap();
        assert_eq!(found.families, 2);
        assert!((70..130).contains(&found.left_out), "{}", found.left_out);
        assert_eq!(found.interval, Some(Interval { low: 1.0, high: 1.0 }));
    }

    #[test]
    fn every_replicate_has_every_ratio() {
        let (mut tally, half) = tally_of(&[(1, 1.0, 2.0), (2, 0.0, 2.0)]);
        let other = tally.ratio("other");
        tally.push("1", other, 3.0, 5.0).unwrap();
        tally.push("2", other, 1.0, 7.0).unwrap();
        let resampled = BOOTSTRAP.resample(&tally);
        assert_eq!((resampled.replicates(half).count(), resampled.replicates(other).count()), (400, 400));
        let found = resampled.estimate(half).unwrap();
        assert_eq!((found.value, found.whole, found.left_out), (0.25, 4.0, 0));
    }

    #[test]
    fn the_spread_is_that_of_families_not_of_answers() {
        // 100 families of ten equal answers: the sd of the share is √(.25/100), not √(.25/1000).
        let pushes: Vec<Push> = (0..100).map(|f| (f, f64::from(f % 2) * 10.0, 10.0)).collect();
        let interval = estimate(&pushes).unwrap().interval.unwrap();
        let sd = (interval.high - interval.low) / (2.0 * 1.96);
        assert!((sd - 0.05).abs() < 0.005, "{sd}");
    }

    fn pushes() -> impl Strategy<Value = Vec<Push>> {
        prop::collection::vec((0..20_u8, 0.0..3.0_f64, 0.0..3.0_f64), 1..60)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn the_number_of_threads_changes_no_bit(pushes in pushes(), threads in 1..9_usize) {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            prop_assert_eq!(pool.install(|| estimate(&pushes)), estimate(&pushes));
        }

        #[test]
        fn the_order_of_pushes_changes_no_bit(
            (pushes, shuffled) in pushes().prop_flat_map(|p| (Just(p.clone()), Just(p).prop_shuffle())),
        ) {
            prop_assert_eq!(estimate(&pushes), estimate(&shuffled));
        }
    }
}
