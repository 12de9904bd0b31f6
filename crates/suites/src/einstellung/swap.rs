//! Exchanging one finding for another like it.

use super::{Alike, Judge};
use serde::{Deserialize, Serialize};
use waterjar_core::{Edit, Facts, FindingId, FindingState, Observation};
use waterjar_knowledge::{Finding, Kind, KnowledgeBase, narrative};

/// One exchange, as the pair's record keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Swap {
    pub removed: FindingId,
    pub inserted: FindingId,
    pub kind: Kind,
    pub family: String,
    /// How much the removed finding tells of its condition, and the inserted one of its own, against all others.
    pub specificity_removed: f64,
    pub specificity_inserted: f64,
}

/// What may replace a finding and whose it must be.
pub(super) struct Exchange<'a> {
    pub base: &'a KnowledgeBase,
    pub facts: &'a Facts,
    pub judge: Judge,
}

impl Exchange<'_> {
    /// Present findings that can be taken out: they carry no detail and nothing told hangs on them.
    pub fn removable(&self) -> impl Iterator<Item = &Finding> {
        self.facts.present().filter_map(|seen| self.base.finding(&seen.finding)).filter(|finding| {
            let has_children = self.facts.findings.iter().any(|other| {
                let child = self.base.finding(&other.finding);
                child.is_some_and(|child| child.id != finding.id && child.parent.as_ref() == Some(&finding.id))
            });
            !finding.carries_detail() && !has_children
        })
    }

    /// Findings that may stand in for `old`: alike, not mentioned yet, possible in this person, and
    /// listed as `wanted` says. The nearest in specificity comes first.
    pub fn stand_ins(
        &self,
        old: &Finding,
        owner: usize,
        spec_old: f64,
        wanted: impl Fn(&FindingId) -> bool,
    ) -> Vec<(usize, f64)> {
        let mut found: Vec<(usize, f64)> = self
            .base
            .findings()
            .iter()
            .enumerate()
            .filter(|(_, new)| self.is_alike(old, new) && !new.carries_detail())
            .filter(|(_, new)| new.fits(self.facts.sex, self.facts.age) && wanted(&new.id))
            .filter(|(_, new)| self.facts.findings.iter().all(|seen| seen.finding != new.id))
            .filter(|(_, new)| self.parent_is_present(new))
            .map(|(at, _)| (at, self.base.specificity(owner, at, self.judge.reading.floor)))
            .collect();
        let distance = |specificity: f64| (specificity.ln() - spec_old.ln()).abs();
        found.sort_by(|a, b| distance(a.1).total_cmp(&distance(b.1)).then(a.0.cmp(&b.0)));
        found
    }

    fn is_alike(&self, old: &Finding, new: &Finding) -> bool {
        new.kind == old.kind && (self.judge.alike == Alike::Kind || new.family == old.family)
    }

    fn parent_is_present(&self, finding: &Finding) -> bool {
        finding
            .parent
            .as_ref()
            .is_none_or(|parent| *parent == finding.id || self.facts.present().any(|seen| seen.finding == *parent))
    }
}

/// The facts after the swaps; each new finding is told where the old one was.
pub(super) fn apply(facts: &Facts, swaps: &[Swap]) -> Facts {
    let mut changed = facts.clone();
    for swap in swaps {
        for seen in &mut changed.findings {
            if seen.finding == swap.removed {
                *seen = present(&swap.inserted);
            }
        }
    }
    changed
}

/// Whether what was put in is told with the finding it hangs on: another swap may have taken that one out.
pub(super) fn parents_are_told(base: &KnowledgeBase, changed: &Facts, swaps: &[Swap]) -> bool {
    swaps.iter().filter_map(|swap| base.finding(&swap.inserted)).all(|new| {
        let is_told = |parent: &FindingId| changed.present().any(|seen| seen.finding == *parent);
        new.parent.as_ref().is_none_or(|parent| *parent == new.id || is_told(parent))
    })
}

/// The swaps in the words of the text.
pub(super) fn edits(base: &KnowledgeBase, swaps: &[Swap]) -> Vec<Edit> {
    let words = |id: &FindingId| {
        base.finding(id).map_or_else(|| id.to_string(), |finding| narrative::sentence(finding, &present(id)))
    };
    swaps.iter().map(|swap| Edit { removed: words(&swap.removed), inserted: words(&swap.inserted) }).collect()
}

fn present(id: &FindingId) -> Observation {
    Observation { finding: id.clone(), state: FindingState::Present, values: Vec::new() }
}
