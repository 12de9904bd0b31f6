//! Shares and means with intervals of a bootstrap over vignettes.

use super::measure::{METRICS, STS_MEAN, UNSEXED_MEAN, number};
use super::pairing::{FLOOR, PUBLISHED};
use std::collections::{BTreeMap, BTreeSet};
use waterjar_core::{Metric, Seed, metric::rounded};
use waterjar_scoring::stats::{Bootstrap, Tally};

/// Ratios over vignettes.
#[derive(Default)]
pub struct Ratios {
    tally: Tally,
    names: BTreeSet<String>,
    wholes: BTreeMap<String, f64>,
}

impl Ratios {
    pub fn push(&mut self, item: &str, name: String, part: f64, whole: f64) {
        let ratio = self.tally.ratio(&name);
        self.tally.push(item, ratio, part, whole).expect("shares are small finite numbers");
        *self.wholes.entry(name.clone()).or_default() += whole;
        self.names.insert(name);
    }

    pub fn metrics(mut self, seed: Seed) -> BTreeMap<String, Metric> {
        for (stem, _) in METRICS {
            self.names.extend(PUBLISHED.map(|pairing| format!("{stem}.{pairing}")));
        }
        let resampled = Bootstrap::new(seed).resample(&self.tally);
        let mut metrics = BTreeMap::new();
        for name in self.names {
            let n = self.wholes.get(&name).map_or(0, |it| *it as u64);
            let ratio = self.tally.ratio(&name);
            let found = if n > 0 && !is_of_fewer(&name, &self.wholes) { resampled.estimate(ratio) } else { None };
            let metric = match found {
                Some(found) => {
                    // A likeness of 1 is no share of anything.
                    let is_share = !name.starts_with(STS_MEAN) && !name.starts_with(UNSEXED_MEAN);
                    let interval = if is_share { found.interval_of_share() } else { found.interval };
                    Metric {
                        low: interval.map(|it| rounded(it.low)),
                        high: interval.map(|it| rounded(it.high)),
                        ..number(found.value, n)
                    }
                    .of_clusters(found.counted)
                }
                None => Metric::absent(why_absent(&name, &self.wholes)),
            };
            metrics.insert(name, metric);
        }
        metrics
    }
}

/// A mean that is to be held against STS must be of the same pairs; of those that were judged before it was measured there is none.
fn is_of_fewer(name: &str, wholes: &BTreeMap<String, f64>) -> bool {
    let whole = |stem: &str, pairing: &str| wholes.get(&format!("{stem}{pairing}")).copied().unwrap_or_default();
    let of = |pairing: &str| whole(UNSEXED_MEAN, pairing) < whole(STS_MEAN, pairing);
    name.strip_prefix(UNSEXED_MEAN).is_some_and(of)
}

fn why_absent(name: &str, wholes: &BTreeMap<String, f64>) -> &'static str {
    let has_sts = |pairing: &str| wholes.contains_key(&format!("{STS_MEAN}{pairing}"));
    match name {
        "texts_cut_share" => "there is no reasoning",
        name if name.starts_with("answer_flip") => "no pair has two answers",
        name if name.strip_prefix(UNSEXED_MEAN).is_some_and(has_sts) => "pairs were judged before this was measured",
        name if name.ends_with(FLOOR) => "the control was not asked twice",
        _ => "no pair has two reasonings",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two pairs one was judged before reasonings were compared without their pronouns.
    fn check(pairing: &str) {
        let mut ratios = Ratios::default();
        for item in ["a", "b"] {
            ratios.push(item, format!("{STS_MEAN}.{pairing}"), 0.9, 1.0);
        }
        ratios.push("a", format!("{UNSEXED_MEAN}.{pairing}"), 0.95, 1.0);
        let metrics = ratios.metrics(Seed(7));
        let of = |stem: &str| &metrics[&format!("{stem}.{pairing}")];
        assert_eq!((of(STS_MEAN).value, of(STS_MEAN).n), (Some(0.9), 2));
        let unsexed = of(UNSEXED_MEAN);
        assert_eq!((unsexed.value, unsexed.n), (None, 0));
        assert_eq!(unsexed.absent.as_deref(), Some("pairs were judged before this was measured"));
    }

    #[test]
    fn a_mean_of_fewer_pairs_is_absent_and_says_why_of_the_floor_too() {
        PUBLISHED.into_iter().chain([FLOOR]).for_each(check);
    }
}
