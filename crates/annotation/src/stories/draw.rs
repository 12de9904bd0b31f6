//! Which stories are read, and in which order.

use super::stories;
use crate::Allocation;
use crate::sample::quotas;
use std::collections::BTreeMap;
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

/// Families read at a time.
const PAGE: u32 = 256;

/// All stories of a run, or so many of them: of each role, and of the traps of each purity, as many as are their share. Where there are
/// families enough, none gives two: who reads two versions of a patient sees what was changed.
pub async fn draw(store: &Store, plan: &Plan, wanted: Option<usize>) -> Result<Vec<Place>, StoreError> {
    let mut strata: BTreeMap<String, Stratum> = BTreeMap::new();
    // One of each family, by lot.
    let mut single: BTreeMap<String, Stratum> = BTreeMap::new();
    for (suite, planned) in plan.suites.iter().enumerate() {
        let mut after = Some(0);
        while let Some(position) = after {
            let page = store.told_page(planned.id(), position, PAGE).await?;
            for family in &page.items {
                for story in stories(plan.seed, planned.id(), &family.variants) {
                    let variant = story.variant.id.clone();
                    let place = Place { suite, position: family.position, variant, order: story.order() };
                    let rank = plan.seed.rank("sample of stories", &story.item);
                    if story.is_first() {
                        single.entry(stratum(story.variant)).or_default().add(rank, place.clone(), wanted);
                    }
                    strata.entry(stratum(story.variant)).or_default().add(rank, place, wanted);
                }
            }
            after = page.next;
        }
    }
    let sizes: Vec<usize> = strata.values().map(|it| it.size).collect();
    let quotas = match wanted {
        Some(wanted) => quotas(&sizes, wanted, Allocation::Proportional),
        None => sizes,
    };
    let is_enough = |(name, quota): (&String, &usize)| single.get(name).map_or(0, |it| it.size) >= *quota;
    if strata.keys().zip(&quotas).all(is_enough) {
        for (name, stratum) in &mut strata {
            *stratum = single.remove(name).unwrap_or_default();
        }
    }
    let mut drawn: Vec<Place> =
        strata.into_values().zip(quotas).flat_map(|(stratum, quota)| stratum.drawn(quota)).collect();
    drawn.sort_by_key(|place| place.order);
    Ok(drawn)
}

fn stratum(variant: &Variant) -> String {
    let purity = variant.strata.get("purity").map_or("", String::as_str);
    format!("{}/{purity}", variant.role())
}

/// The stories of one kind that may be drawn, with the chance rank that decides.
#[derive(Default)]
struct Stratum {
    size: usize,
    first: Vec<(i64, Place)>,
}

impl Stratum {
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

    fn drawn(mut self, quota: usize) -> impl Iterator<Item = Place> {
        self.cut(quota);
        self.first.into_iter().map(|(_, place)| place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_keeps_the_first_by_rank_and_little_more() {
        let mut stratum = Stratum::default();
        let place = |at: i64| Place { suite: 0, position: at, variant: VariantId::from("v"), order: (0, at) };
        // Ranks in no order: 7 and 101 have no factor in common.
        for at in 0..101 {
            stratum.add(at * 7 % 101, place(at * 7 % 101), Some(4));
            assert!(stratum.first.len() <= 8);
        }
        assert_eq!(stratum.size, 101);
        assert_eq!(stratum.drawn(3).map(|it| it.position).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
