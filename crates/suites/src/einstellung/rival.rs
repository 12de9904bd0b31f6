//! case → the condition it could be mistaken for, and how near the two are.

use super::settings::Ranking;
use waterjar_core::{Candidate, ConditionId, Facts};
use waterjar_knowledge::{Differential, Gap, KnowledgeBase, Reading, gap};

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rival {
    pub condition: ConditionId,
    /// |P(gt) − max P(other)|. MedEinst leaves open what holds when the true condition is not ranked first; this does
    /// not ask (specs 10.1, MedEinst 11).
    pub gap: f64,
    /// Which ranking said so: `given` or `symptoms`.
    pub ranking: &'static str,
}

pub(super) fn strongest_rival(base: &KnowledgeBase, facts: &Facts, ranking: Ranking) -> Option<Rival> {
    let given = !facts.differential.is_empty();
    let (candidates, name) = match ranking {
        Ranking::Given => (facts.differential.clone(), "given"),
        Ranking::Auto | Ranking::Any if given => (facts.differential.clone(), "given"),
        _ => (Differential::of(base, facts, &Reading::SYMPTOMS).candidates(), "symptoms"),
    };
    // Where the base says which conditions a clinician would weigh, the others are not weighed either.
    let close = base.condition(&facts.condition).map_or(&[][..], |truth| &truth.rivals);
    let is_weighed =
        |it: &Candidate| close.is_empty() || it.condition == facts.condition || close.contains(&it.condition);
    let weighed: Vec<Candidate> = candidates.into_iter().filter(is_weighed).collect();
    let Gap { rival, gap } = gap(&facts.condition, &weighed)?;
    Some(Rival { condition: rival, gap, ranking: name })
}
