//! How many candidates it takes to fill a quota, judged by those that were tried.

use std::collections::HashMap;
use waterjar_core::Quota;
use waterjar_scoring::stats::wilson;

/// How many of the candidates that were tried became a family, in all and in each group.
#[derive(Default)]
pub struct Success {
    all: Tried,
    groups: HashMap<String, Tried>,
}

#[derive(Clone, Copy, Default)]
struct Tried {
    tried: u64,
    made: u64,
}

/// A group with few candidates is judged by the others, too: they count as so many of its own.
const OTHERS: f64 = 2.0;

impl Success {
    pub fn count(&mut self, group: &str, made: bool) {
        for tried in [&mut self.all, self.groups.entry(group.to_owned()).or_default()] {
            tried.tried += 1;
            tried.made += u64::from(made);
        }
    }

    /// By which the success seen is multiplied where so many more are tried: the most and the least it may be. What was
    /// seen is a sample, and what comes is another.
    pub fn degrees(&self, more: u64) -> Option<(f64, f64)> {
        let (seen, tried) = (self.share(), self.all.tried as f64);
        let both = (tried * more as f64 / (tried + more as f64)).round();
        let interval = wilson((seen * both).round() as u64, both as u64)?;
        (seen > 0.0).then_some((interval.high / seen, interval.low / seen))
    }

    pub fn tried(&self) -> u64 {
        self.all.tried
    }

    fn share(&self) -> f64 {
        if self.all.tried == 0 { 0.0 } else { self.all.made as f64 / self.all.tried as f64 }
    }

    fn of(&self, group: &str) -> f64 {
        let Tried { tried, made } = self.groups.get(group).copied().unwrap_or_default();
        (made as f64 + OTHERS * self.share()) / (tried as f64 + OTHERS)
    }
}

/// A quota being filled. What was tried counts as it ended, what was not by its chance.
pub struct Filling<'a> {
    quota: Quota,
    success: &'a Success,
    degree: f64,
    tried: u64,
    made: f64,
    groups: HashMap<String, f64>,
}

impl<'a> Filling<'a> {
    pub fn new(quota: Quota, success: &'a Success, degree: f64) -> Self {
        Self { quota, success, degree, tried: 0, made: 0.0, groups: HashMap::new() }
    }

    pub fn is_full(&self) -> bool {
        self.quota.families.is_some_and(|wanted| self.made + 0.5 >= wanted as f64)
    }

    /// Groups of candidates, and what became of those that were tried. Whether a group is full is only looked at when
    /// a page begins, as `vary` does.
    pub fn page(&mut self, candidates: &[(String, Option<bool>)]) {
        if self.is_full() {
            return;
        }
        let cap = self.quota.per_group.map_or(f64::INFINITY, |cap| cap as f64);
        let held = |group: &str| self.groups.get(group).copied().unwrap_or(0.0);
        let wanted = candidates.iter().filter(|(group, made)| made.is_some() || held(group) + 0.5 < cap);
        for (group, made) in wanted.collect::<Vec<_>>() {
            let chance = match made {
                Some(made) => f64::from(*made),
                None => (self.success.of(group) * self.degree).min(1.0),
            };
            let held = self.groups.entry(group.clone()).or_default();
            let more = chance.min(cap - *held).max(0.0);
            *held += more;
            self.made += more;
            self.tried += 1;
        }
    }

    pub fn tried(&self) -> u64 {
        self.tried
    }

    pub fn families(&self) -> u64 {
        let made = self.made.round() as u64;
        self.quota.families.map_or(made, |wanted| made.min(wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quota(families: Option<u64>, per_group: Option<u64>) -> Quota {
        Quota { families, per_group }
    }

    /// Candidates of ten groups in turn, of which nothing is known but that `made` of a hundred succeed.
    fn filled(quota: Quota, made: u64, candidates: usize) -> (u64, u64) {
        let mut success = Success::default();
        (0..100).for_each(|n| success.count("another group", n < made));
        let mut filling = Filling::new(quota, &success, 1.0);
        let candidates: Vec<_> = (0..candidates).map(|n| (format!("group {}", n % 10), None)).collect();
        candidates.chunks(128).for_each(|page| filling.page(page));
        (filling.tried(), filling.families())
    }

    #[test]
    fn half_the_success_needs_twice_the_pages() {
        assert_eq!(filled(quota(Some(128), None), 100, 5_000), (128, 128));
        assert_eq!(filled(quota(Some(128), None), 50, 5_000), (256, 128));
        assert_eq!(filled(quota(Some(128), None), 40, 5_000), (384, 128));
    }

    #[test]
    fn a_source_that_runs_dry_and_groups_that_are_full_end_it() {
        assert_eq!(filled(quota(Some(1_000), None), 50, 300), (300, 150));
        assert_eq!(filled(quota(None, Some(5)), 100, 5_000), (128, 50));
    }

    #[test]
    fn what_was_tried_counts_as_it_ended() {
        let success = Success::default();
        let mut filling = Filling::new(quota(Some(10), None), &success, 1.0);
        let page: Vec<_> = (0..20).map(|n| ("group".to_owned(), Some(n % 4 == 0))).collect();
        filling.page(&page);
        assert_eq!((filling.tried(), filling.families()), (20, 5));
    }

    #[test]
    fn the_less_was_tried_the_wider_it_may_be_off() {
        let width = |n: u64, more: u64| {
            let mut success = Success::default();
            (0..n).for_each(|at| success.count("group", at % 10 == 0));
            let (most, least) = success.degrees(more).unwrap();
            assert!(most > 1.0 && least < 1.0);
            most - least
        };
        assert!(width(100, 10_000) > 2.0 * width(1_000, 10_000));
        assert!(width(1_000, 100) > 2.0 * width(1_000, 10_000), "what comes is left to chance, too");
        assert!(Success::default().degrees(100).is_none());
    }
}
