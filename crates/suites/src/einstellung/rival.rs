//! case → the condition it could be mistaken for, and how near the two are.

use super::settings::Ranking;
use waterjar_core::{Candidate, ConditionId, Facts};
use waterjar_knowledge::{Differential, KnowledgeBase, Reading};

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
    let close = base.condition(&facts.condition).map_or(&[][..], |truth| &truth.rivals);
    let (condition, gap) = nearest(&facts.condition, &candidates, close)?;
    Some(Rival { condition, gap, ranking: name })
}

/// The most probable other condition and its distance from the true one, which counts as 0 where it is not listed.
/// Where the base says which conditions a clinician would weigh, the others are not weighed either.
fn nearest(truth: &ConditionId, candidates: &[Candidate], close: &[ConditionId]) -> Option<(ConditionId, f64)> {
    let of_truth = candidates.iter().find(|it| it.condition == *truth).map_or(0.0, |it| it.probability);
    let mut others: Vec<&Candidate> = candidates.iter().filter(|it| it.condition != *truth).collect();
    others.retain(|it| close.is_empty() || close.contains(&it.condition));
    others.sort_by(|a, b| b.probability.total_cmp(&a.probability).then(a.condition.cmp(&b.condition)));
    let strongest = others.first()?;
    Some((strongest.condition.clone(), (of_truth - strongest.probability).abs()))
}
