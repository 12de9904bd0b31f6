//! Which stories are read, and in which order.

use super::stories;
use crate::Allocation;
use crate::sample::quotas;
use std::collections::{BTreeMap, HashSet};
use waterjar_core::{Variant, VariantId};
use waterjar_engine::Plan;
use waterjar_store::{Store, StoreError};

/// Where a story is, without its text: there may be a million.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Among those of the plan.
    pub suite: usize,
    /// Of its family.
    pub position: i64,
    pub variant: VariantId,
    order: (u32, i64),
}

impl Place {
    fn family(&self) -> (usize, i64) {
        (self.suite, self.position)
    }
}

/// Which stories are read, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawn {
    pub places: Vec<Place>,
    /// How many of each kind are of families that give another story, where there were too few of others: `trap, purity mixed`.
    pub again: Vec<(String, u64)>,
}

/// Families read at a time.
const PAGE: u32 = 256;

/// All stories of a run, or so many of them: of each role, and of the traps of each purity, as many as are their share. No family gives two
/// as long as others are left that have one of the kind: who reads two versions of a patient sees what was changed.
pub async fn draw(store: &Store, plan: &Plan, wanted: Option<usize>) -> Result<Drawn, StoreError> {
    let mut kinds: BTreeMap<String, Stories> = BTreeMap::new();
    for (suite, planned) in plan.suites.iter().enumerate() {
        let mut after = Some(0);
        while let Some(position) = after {
            let page = store.told_page(planned.id(), position, PAGE).await?;
            for family in &page.items {
                for story in stories(plan.seed, planned.id(), &family.variants) {
                    let variant = story.variant.id.clone();
                    let place = Place { suite, position: family.position, variant, order: story.order() };
                    let rank = plan.seed.rank("sample of stories", &story.item);
                    let of_kind = kinds.entry(kind(story.variant)).or_default();
                    let lot = if story.is_first() { &mut of_kind.first } else { &mut of_kind.other };
                    lot.add(rank, place, wanted);
                }
            }
            after = page.next;
        }
    }
    Ok(sample(kinds, wanted))
}

/// `sham`; `trap, purity mixed`
fn kind(variant: &Variant) -> String {
    match variant.strata.get("purity").filter(|it| !it.is_empty()) {
        Some(purity) => format!("{}, purity {purity}", variant.role()),
        None => variant.role().to_owned(),
    }
}

/// Of every kind its share. Each takes stories that are the first of their family by lot, then others of families that give none yet, and only
/// then of those that do. Kinds that have too few firsts choose before the others, and the rarest before all.
fn sample(kinds: BTreeMap<String, Stories>, wanted: Option<usize>) -> Drawn {
    let sizes: Vec<usize> = kinds.values().map(Stories::size).collect();
    let all: usize = sizes.iter().sum();
    let quotas = match wanted {
        Some(wanted) => quotas(&sizes, wanted, Allocation::Proportional),
        None => sizes,
    };
    let mut choosing: Vec<(String, Stories, usize)> =
        kinds.into_iter().zip(quotas).map(|((kind, stories), quota)| (kind, stories, quota)).collect();
    choosing.sort_by_key(|(_, stories, quota)| (stories.first.size >= *quota, stories.size()));
    let mut families = HashSet::new();
    let mut drawn = Drawn::default();
    for (kind, stories, quota) in choosing {
        let before = drawn.places.len();
        let mut left = Vec::new();
        for place in stories.by_preference(wanted) {
            if drawn.places.len() - before == quota {
                break;
            }
            if families.insert(place.family()) { drawn.places.push(place) } else { left.push(place) }
        }
        let lacking = quota - (drawn.places.len() - before);
        if lacking > 0 {
            drawn.places.extend(left.into_iter().take(lacking));
            drawn.again.push((kind, lacking as u64));
        }
    }
    // Who wants all of them wants all versions.
    if drawn.places.len() == all {
        drawn.again.clear();
    }
    drawn.places.sort_by_key(|place| place.order);
    drawn
}

/// The stories of one kind.
#[derive(Default)]
struct Stories {
    /// Those that are the first of their family by lot.
    first: Lot,
    other: Lot,
}

impl Stories {
    fn size(&self) -> usize {
        self.first.size + self.other.size
    }

    fn by_preference(self, wanted: Option<usize>) -> impl Iterator<Item = Place> {
        let most = wanted.unwrap_or(usize::MAX);
        self.first.drawn(most).chain(self.other.drawn(most))
    }
}

/// Stories that may be drawn, with the chance rank that decides.
#[derive(Default)]
struct Lot {
    size: usize,
    first: Vec<(i64, Place)>,
}

impl Lot {
    /// None gives more than are wanted of all, so no more need to be kept, whatever the benchmark's size.
    fn add(&mut self, rank: i64, place: Place, wanted: Option<usize>) {
        self.size += 1;
        self.first.push((rank, place));
        if let Some(wanted) = wanted
            && self.first.len() > wanted.saturating_mul(2)
        {
            self.cut(wanted);
        }
    }

    fn cut(&mut self, most: usize) {
        self.first.sort_by_key(|(rank, _)| *rank);
        self.first.truncate(most);
    }

    fn drawn(mut self, most: usize) -> impl Iterator<Item = Place> {
        self.cut(most);
        self.first.into_iter().map(|(_, place)| place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(family: i64) -> Place {
        Place { suite: 0, position: family, variant: VariantId::from("v"), order: (0, family) }
    }

    #[test]
    fn a_sample_keeps_the_first_by_rank_and_little_more() {
        let mut lot = Lot::default();
        // Ranks in no order: 7 and 101 have no factor in common.
        for at in 0..101 {
            lot.add(at * 7 % 101, place(at * 7 % 101), Some(4));
            assert!(lot.first.len() <= 8);
        }
        assert_eq!(lot.size, 101);
        assert_eq!(lot.drawn(3).map(|it| it.position).collect::<Vec<_>>(), [0, 1, 2]);
    }

    /// So many families with a control, a sham and a trap each, of which the first few are mixed. The story that comes first by lot is the trap
    /// where `is_trap` says so, else the control.
    fn drawn(families: i64, mixed: i64, wanted: usize, is_trap: impl Fn(i64) -> bool) -> (Vec<(String, i64)>, Drawn) {
        let mut kinds: BTreeMap<String, Stories> = BTreeMap::new();
        let mut kind_of = BTreeMap::new();
        for family in 0..families {
            let trap = if family < mixed { "trap, purity mixed" } else { "trap, purity pure" };
            for (at, kind) in ["control", "sham", trap].into_iter().enumerate() {
                let is_first = at == if is_trap(family) { 2 } else { 0 };
                let stories = kinds.entry(kind.to_owned()).or_default();
                let lot = if is_first { &mut stories.first } else { &mut stories.other };
                let variant = VariantId::new(format!("{family}/{at}"));
                kind_of.insert(variant.to_string(), kind.to_owned());
                lot.add(family * 37 % 101, Place { variant, ..place(family) }, Some(wanted));
            }
        }
        let drawn = sample(kinds, Some(wanted));
        let told = drawn.places.iter().map(|it| (kind_of[&it.variant.to_string()].clone(), it.position)).collect();
        (told, drawn)
    }

    fn count(told: &[(String, i64)], kind: &str) -> usize {
        told.iter().filter(|it| it.0 == kind).count()
    }

    fn families(told: &[(String, i64)]) -> usize {
        told.iter().map(|it| it.1).collect::<HashSet<_>>().len()
    }

    #[test]
    fn a_kind_without_firsts_takes_others_of_families_that_give_nothing() {
        // Nobody's first is a sham, and no first of a family with a mixed trap is the trap.
        let (told, drawn) = drawn(60, 3, 30, |family| family >= 3 && family % 2 == 0);
        assert_eq!((told.len(), families(&told)), (30, 30), "nobody is read twice");
        assert!(drawn.again.is_empty(), "{:?}", drawn.again);
        assert_eq!((count(&told, "sham"), count(&told, "trap, purity mixed")), (10, 1));
    }

    #[test]
    fn only_the_kind_that_must_takes_a_family_twice_and_says_so() {
        let (told, drawn) = drawn(20, 2, 21, |family| family % 2 == 0);
        assert_eq!((told.len(), families(&told)), (21, 20));
        assert_eq!(drawn.again.iter().map(|it| it.1).sum::<u64>(), 1);
        let kinds = ["control", "sham", "trap, purity mixed", "trap, purity pure"].map(|kind| count(&told, kind));
        assert_eq!(kinds, [7, 7, 1, 6], "each kind has its share");
    }

    #[test]
    fn who_wants_all_is_not_told_that_versions_come_again() {
        let (told, drawn) = drawn(5, 1, 100, |_| true);
        assert_eq!((told.len(), families(&told)), (15, 5));
        assert!(drawn.again.is_empty(), "{:?}", drawn.again);
    }
}
