//! case → swaps that must not change the answer: evidence of the condition for other evidence of the same condition.
//! A subject that flips on any edit fails here.

use super::{
    Judge,
    plausible::is_plausible,
    swap::{Exchange, Swap, apply, parents_are_told},
};
use waterjar_core::{Facts, FindingId};
use waterjar_knowledge::{Finding, KnowledgeBase};

pub(super) struct Sham {
    pub facts: Facts,
    pub swaps: Vec<Swap>,
}

/// For each swap of the trap one like it: of the same sentence where the condition has another finding to put there, else
/// in the same section, else elsewhere. A condition has few findings to exchange for one another, so a sham may have
/// fewer swaps than its trap, and often has them among the symptoms; its record says which.
pub(super) fn sham(
    base: &KnowledgeBase,
    facts: &Facts,
    (truth, rival): (usize, usize),
    judge: Judge,
    trap: &[Swap],
) -> Option<Sham> {
    let matcher = Matcher { exchange: Exchange { base, facts, judge }, truth, rival };
    let mut swaps: Vec<Swap> = Vec::new();
    for model in trap {
        swaps.extend(matcher.like(model, &swaps));
    }
    (!swaps.is_empty()).then(|| Sham { facts: apply(facts, &swaps), swaps })
}

struct Matcher<'a> {
    exchange: Exchange<'a>,
    truth: usize,
    rival: usize,
}

impl Matcher<'_> {
    /// A swap as like the model as can be that leaves the judge where it is, after those already chosen.
    fn like(&self, model: &Swap, chosen: &[Swap]) -> Option<Swap> {
        let Exchange { base, facts, judge } = self.exchange;
        let condition = &base.conditions()[self.truth];
        let mut olds: Vec<&Finding> = self
            .exchange
            .removable()
            .filter(|old| condition.lists(&old.id))
            .filter(|old| chosen.iter().all(|swap| swap.removed != old.id))
            .collect();
        // The trap's own sentence first, then its section, then by name.
        let likeness = |old: &Finding| (old.id != model.removed, old.kind.place() != model.kind.place());
        olds.sort_by(|a, b| (likeness(a), &a.id).cmp(&(likeness(b), &b.id)));
        for old in olds {
            let at = base.finding_index(&old.id)?;
            let specificity_removed = base.specificity(self.truth, at, judge.reading.floor);
            let of_truth = |id: &FindingId| condition.lists(id);
            for (new, specificity_inserted) in self.exchange.stand_ins(old, self.truth, specificity_removed, of_truth) {
                let inserted = &base.findings()[new].id;
                if chosen.iter().any(|swap| swap.inserted == *inserted) {
                    continue;
                }
                let swap = Swap {
                    removed: old.id.clone(),
                    inserted: inserted.clone(),
                    kind: old.kind,
                    family: old.family.clone(),
                    specificity_removed,
                    specificity_inserted,
                };
                let all: Vec<Swap> = chosen.iter().cloned().chain([swap.clone()]).collect();
                let changed = apply(facts, &all);
                if parents_are_told(base, &changed, &all)
                    && judge.says(base, &changed, self.truth, self.rival)
                    && is_plausible(base, judge, &changed, self.truth, self.rival)
                {
                    return Some(swap);
                }
            }
        }
        None
    }
}
