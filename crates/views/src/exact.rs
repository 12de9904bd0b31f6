//! The exact paired test of two subjects: in how many families the one is higher, and in how many the other. One rule for `compare`, which prints
//! its p, and for the report, which marks the best by it.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use waterjar_core::{FamilyId, metric::Share};
use waterjar_scoring::stats::{mcnemar_exact, sign_test};

/// What the families of one subject add to a metric. Names are needed only to find the same family again, so that a number stands for each: a
/// benchmark of tens of thousands takes half the room, and of a million names two have the same number in one run of tens of millions.
#[derive(Default)]
pub(crate) struct Rows(Vec<Row>);

struct Row {
    family: u64,
    cluster: u64,
    part: f64,
    whole: f64,
}

impl Rows {
    /// Clusters with something in their denominator.
    pub fn counted(&self) -> u64 {
        let counting = self.0.iter().filter(|row| row.whole > 0.0);
        counting.map(|row| row.cluster).collect::<HashSet<u64>>().len() as u64
    }
}

/// Of a cluster.
struct Sum {
    cluster: u64,
    part: f64,
    whole: f64,
}

/// What the test counts, first against second.
pub(crate) struct Exact {
    pub higher: u64,
    pub same: u64,
    pub lower: u64,
    /// How far the two are apart where one is higher, on average: 1 where every family says yes or no.
    pub apart: f64,
    /// Every family says yes or no, so that this is McNemar's test; where scores are graded it is the sign test.
    pub is_yes_or_no: bool,
    /// Each has something in its denominator, over the families both have: else there is nothing to compare.
    pub is_paired: bool,
}

impl Exact {
    /// On families that both have. Those that are not independent of each other, the ablations of a vignette or the changes of a chart, count as
    /// one, by their sum.
    pub fn of(first: &Rows, second: &Rows) -> Self {
        let (first, second) = (first.by_cluster(second), second.by_cluster(first));
        let counts = |sums: &[Sum]| sums.iter().any(|it| it.whole > 0.0);
        let mut found = Self {
            higher: 0,
            same: 0,
            lower: 0,
            apart: 0.0,
            is_yes_or_no: first.iter().chain(&second).all(Sum::is_yes_or_no),
            is_paired: counts(&first) && counts(&second),
        };
        for mine in first.iter().filter(|it| it.whole > 0.0) {
            let theirs = second.binary_search_by_key(&mine.cluster, |it| it.cluster).ok().map(|at| &second[at]);
            let Some(theirs) = theirs.filter(|it| it.whole > 0.0) else { continue };
            let (mine, theirs) = (mine.part / mine.whole, theirs.part / theirs.whole);
            found.apart += (mine - theirs).abs();
            match mine.total_cmp(&theirs) {
                Ordering::Greater => found.higher += 1,
                Ordering::Equal => found.same += 1,
                Ordering::Less => found.lower += 1,
            }
        }
        found.apart /= (found.higher + found.lower).max(1) as f64;
        found
    }

    pub fn p(&self) -> f64 {
        if self.is_yes_or_no { mcnemar_exact(self.higher, self.lower) } else { sign_test(self.higher, self.lower) }
    }
}

impl<'a> Extend<&'a Share> for Rows {
    fn extend<I: IntoIterator<Item = &'a Share>>(&mut self, shares: I) {
        self.0.extend(shares.into_iter().map(|share| Row {
            family: number(&share.family),
            cluster: number(share.cluster()),
            part: share.part,
            whole: share.whole,
        }));
    }
}

impl Rows {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is in families that the other has too.
    fn by_cluster(&self, other: &Self) -> Vec<Sum> {
        let mut theirs: Vec<u64> = other.0.iter().map(|row| row.family).collect();
        theirs.sort_unstable();
        let common = self.0.iter().filter(|row| theirs.binary_search(&row.family).is_ok());
        let mut sums: Vec<Sum> = common.map(|&Row { cluster, part, whole, .. }| Sum { cluster, part, whole }).collect();
        // Those of a cluster stay in the order they came: the last digit of a sum depends on it, and two that are equal must stay so.
        sums.sort_by_key(|sum| sum.cluster);
        sums.dedup_by(|next, sum| {
            let is_same = next.cluster == sum.cluster;
            if is_same {
                sum.part += next.part;
                sum.whole += next.whole;
            }
            is_same
        });
        sums
    }
}

impl Sum {
    fn is_yes_or_no(&self) -> bool {
        self.whole == 0.0 || (self.whole == 1.0 && (self.part == 0.0 || self.part == 1.0))
    }
}

fn number(name: &FamilyId) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (family, what it is drawn with, part, whole)
    type Given = (&'static str, &'static str, f64, f64);

    fn rows(given: &[Given]) -> Rows {
        let share = |&(family, within, part, whole): &Given| Share {
            within: (!within.is_empty()).then(|| FamilyId::from(within)),
            ..Share::new(FamilyId::from(family), part, whole)
        };
        let mut rows = Rows::default();
        rows.extend(&given.iter().map(share).collect::<Vec<_>>());
        rows
    }

    fn check(first: &[Given], second: &[Given], higher_same_lower: (u64, u64, u64), yes_or_no: bool) {
        for (first, second, back) in [(first, second, false), (second, first, true)] {
            let found = Exact::of(&rows(first), &rows(second));
            let counted = (found.higher, found.same, found.lower);
            let counted = if back { (counted.2, counted.1, counted.0) } else { counted };
            assert_eq!((counted, found.is_yes_or_no), (higher_same_lower, yes_or_no));
        }
    }

    #[test]
    fn families_that_one_lacks_or_that_count_for_one_alone_are_not_counted() {
        let first = [("a", "", 1.0, 1.0), ("b", "", 1.0, 1.0), ("c", "", 0.0, 1.0), ("d", "", 1.0, 1.0)];
        let second = [("d", "", 1.0, 1.0), ("b", "", 0.0, 0.0), ("a", "", 0.0, 1.0)];
        check(&first, &second, (1, 1, 0), true);
    }

    #[test]
    fn graded_scores_are_counted_by_their_sign() {
        let (first, second) = ([("a", "", 0.5, 1.0), ("b", "", 2.0, 4.0)], [("a", "", 1.0, 1.0), ("b", "", 1.0, 2.0)]);
        check(&first, &second, (0, 1, 1), false);
    }

    #[test]
    fn families_of_one_story_count_once_and_answers_of_one_family_too() {
        let first = [("x~0", "x", 1.0, 1.0), ("x~1", "x", 1.0, 1.0), ("y", "", 1.0, 1.0), ("y", "", 0.0, 1.0)];
        let second = [("x~1", "x", 0.0, 1.0), ("x~0", "x", 1.0, 1.0), ("y", "", 0.0, 1.0), ("y", "", 1.0, 1.0)];
        check(&first, &second, (1, 1, 0), false);
    }

    #[test]
    fn how_far_two_are_apart_is_of_those_that_differ() {
        let apart = |first: &[Given], second: &[Given]| Exact::of(&rows(first), &rows(second)).apart;
        let ours = [("a", "", 1.0, 1.0), ("b", "", 1.0, 1.0)];
        assert_eq!(apart(&ours, &[("a", "", 0.0, 1.0), ("b", "", 1.0, 1.0)]), 1.0);
        assert_eq!(apart(&ours, &[("a", "", 1.0, 2.0), ("b", "", 3.0, 4.0)]), 0.375);
        assert_eq!(apart(&ours, &ours), 0.0);
    }

    #[test]
    fn without_a_denominator_on_both_sides_nothing_is_paired() {
        let paired = |first: &[Given], second: &[Given]| Exact::of(&rows(first), &rows(second)).is_paired;
        assert!(paired(&[("a", "", 0.0, 1.0)], &[("a", "", 1.0, 1.0)]));
        assert!(!paired(&[("a", "", 0.0, 1.0)], &[("a", "", 0.0, 0.0)]));
        assert!(!paired(&[("a", "", 0.0, 1.0)], &[("b", "", 1.0, 1.0)]));
    }
}
