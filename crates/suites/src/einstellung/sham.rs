//! case → swaps that must not change the answer: evidence of the condition for other evidence of the same condition.
//! A subject that flips on any edit fails here.

use super::{
    Judge,
    swap::{Exchange, Swap, apply, parents_are_told},
};
use waterjar_core::{Facts, FindingId};
use waterjar_knowledge::{Finding, KnowledgeBase};

pub(super) struct Sham {
    pub facts: Facts,
    pub swaps: Vec<Swap>,
}

/// As many swaps as the trap has where possible, of the same sentences where possible, so that trap and sham differ
/// in what the new sentences say and in nothing else.
pub(super) fn sham(
    base: &KnowledgeBase,
    facts: &Facts,
    (truth, rival): (usize, usize),
    judge: Judge,
    trap: &[Swap],
) -> Option<Sham> {
    let exchange = Exchange { base, facts, judge };
    let condition = &base.conditions()[truth];
    let mut olds: Vec<&Finding> = trap.iter().filter_map(|swap| base.finding(&swap.removed)).collect();
    let mut others: Vec<&Finding> = exchange
        .removable()
        .filter(|finding| condition.lists(&finding.id) && olds.iter().all(|old| old.id != finding.id))
        .collect();
    others.sort_by(|a, b| a.id.cmp(&b.id));
    olds.extend(others);

    let mut swaps: Vec<Swap> = Vec::new();
    for old in olds {
        if swaps.len() == trap.len() {
            break;
        }
        let at = base.finding_index(&old.id)?;
        let specificity_removed = base.specificity(truth, at, judge.reading.floor);
        let is_free = |id: &FindingId| swaps.iter().all(|swap| swap.inserted != *id);
        let of_truth = |id: &FindingId| condition.lists(id);
        let stand_in = exchange
            .stand_ins(old, truth, specificity_removed, of_truth)
            .into_iter()
            .find(|(new, _)| is_free(&base.findings()[*new].id));
        if let Some((new, specificity_inserted)) = stand_in {
            let swap = Swap {
                removed: old.id.clone(),
                inserted: base.findings()[new].id.clone(),
                kind: old.kind,
                family: old.family.clone(),
                specificity_removed,
                specificity_inserted,
            };
            let mut more = swaps.clone();
            more.push(swap);
            let changed = apply(facts, &more);
            if parents_are_told(base, &changed, &more) && judge.says(base, &changed, truth, rival) {
                swaps = more;
            }
        }
    }
    (!swaps.is_empty()).then(|| Sham { facts: apply(facts, &swaps), swaps })
}
