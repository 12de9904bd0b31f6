//! case → the fewest swaps that make the rival the right answer.

use super::{
    Judge,
    plausible::{details_fit, is_plausible, may_be_left},
    swap::{Exchange, Swap, apply, parents_are_told},
};
use waterjar_core::{Facts, FindingId, Loss};
use waterjar_knowledge::{Condition, Detail, Finding, KnowledgeBase, ValueChance};

/// The judge would follow, and no physician should.
const IMPLAUSIBLE: &str = "implausible_trap";

/// The patient, the condition they have (by place in the base) and the one they could be mistaken for.
pub(super) struct Contest<'a> {
    pub base: &'a KnowledgeBase,
    pub facts: &'a Facts,
    pub truth: usize,
    pub rival: usize,
    pub judge: Judge,
}

pub(super) struct Trap {
    pub facts: Facts,
    pub swaps: Vec<Swap>,
    /// Evidence of the old condition that is still told.
    pub residual: Vec<FindingId>,
    /// rival : truth, by the judge.
    pub odds: f64,
}

impl Contest<'_> {
    /// Swaps all the evidence that speaks for the truth and not for the rival. Nothing is left that gives the trap
    /// away as inconsistent.
    pub fn pure(&self, most: usize) -> Result<Trap, Loss> {
        let telling = self.telling();
        if telling.len() > most {
            return Err(Loss::new("too_many_edits"));
        }
        let swaps = self.exchange(&telling).ok_or_else(|| Loss::new("no_isomorph"))?;
        let trap = self.finish(swaps)?;
        if trap.residual.is_empty() { Ok(trap) } else { Err(Loss::new("detail_speaks_against_rival")) }
    }

    /// The least change that flips the judge and that a physician would let pass: the fewest swaps, and of the sets of that size the one
    /// that clears the margin by least. All smaller sets were tried, so it is minimal for the stand-ins it uses.
    pub fn minimal(&self, most: usize) -> Result<Trap, Loss> {
        let telling = self.telling();
        let swappable: Vec<&Finding> =
            telling.iter().copied().filter(|finding| self.exchange(&[*finding]).is_some()).collect();
        if swappable.is_empty() {
            let reason = if telling.is_empty() { "nothing_telling" } else { "no_isomorph" };
            return Err(Loss::new(reason));
        }
        let mut implausible = None;
        for size in 1..=most.min(swappable.len()) {
            let mut least: Option<Trap> = None;
            let mut chosen: Vec<usize> = (0..size).collect();
            loop {
                let findings: Vec<&Finding> = chosen.iter().map(|&at| swappable[at]).collect();
                match self.exchange(&findings).map(|swaps| self.finish(swaps)) {
                    Some(Ok(trap)) if least.as_ref().is_none_or(|least| trap.odds < least.odds) => least = Some(trap),
                    Some(Err(loss)) if loss.reason == IMPLAUSIBLE => implausible = Some(loss),
                    _ => {}
                }
                if !next_choice(&mut chosen, swappable.len()) {
                    break;
                }
            }
            if let Some(trap) = least {
                return Ok(trap);
            }
        }
        Err(implausible.unwrap_or_else(|| Loss::new("too_many_edits")))
    }

    /// Present findings of the truth that the rival does not list, the most specific first.
    pub fn telling(&self) -> Vec<&Finding> {
        let (truth, rival) = (self.condition(self.truth), self.condition(self.rival));
        let exchange = self.exchange_of();
        let mut telling: Vec<&Finding> = exchange
            .removable()
            .filter(|finding| truth.lists(&finding.id) && !rival.lists(&finding.id))
            .filter_map(|finding| self.base.finding(&finding.id))
            .collect();
        telling.sort_by(|a, b| self.specificity(b).total_cmp(&self.specificity(a)).then(a.id.cmp(&b.id)));
        telling
    }

    /// A stand-in for each, none used twice: what the rival is hardly thinkable without first. `None` where one has none.
    fn exchange(&self, findings: &[&Finding]) -> Option<Vec<Swap>> {
        let (truth, rival) = (self.condition(self.truth), self.condition(self.rival));
        let exchange = self.exchange_of();
        let mut swaps: Vec<Swap> = Vec::new();
        for old in findings {
            let specificity_removed = self.specificity(old);
            let of_rival_only = |id: &FindingId| rival.lists(id) && !truth.lists(id);
            let is_essential = |id: &FindingId| rival.findings.get(id).is_some_and(|it| it.essential);
            let mut stand_ins = exchange.stand_ins(old, self.rival, specificity_removed, of_rival_only);
            // In an order that keeps the nearest in specificity first among equals.
            stand_ins.sort_by_key(|(at, _)| !is_essential(&self.base.findings()[*at].id));
            let (new, specificity_inserted) = stand_ins
                .into_iter()
                .find(|(at, _)| swaps.iter().all(|swap| swap.inserted != self.base.findings()[*at].id))?;
            swaps.push(Swap {
                removed: old.id.clone(),
                inserted: self.base.findings()[new].id.clone(),
                kind: old.kind,
                family: old.family.clone(),
                specificity_removed,
                specificity_inserted,
            });
        }
        Some(swaps)
    }

    /// The trap, if the judge follows it to the rival with the stated margin and a physician could.
    fn finish(&self, swaps: Vec<Swap>) -> Result<Trap, Loss> {
        let does_not_flip = || Loss::new("does_not_flip");
        let facts = apply(self.facts, &swaps);
        if !parents_are_told(self.base, &facts, &swaps) {
            return Err(does_not_flip());
        }
        let odds = self.judge.odds_if_first(self.base, &facts, self.rival, self.truth).ok_or_else(does_not_flip)?;
        let residual = self.residual(&facts);
        let may_flip = is_plausible(self.base, self.judge, &facts, self.rival, self.truth)
            && details_fit(self.base, &facts, self.rival, self.truth)
            && may_be_left(self.base, self.truth, &swaps, &residual);
        if may_flip { Ok(Trap { facts, swaps, residual, odds }) } else { Err(Loss::new(IMPLAUSIBLE)) }
    }

    pub fn residual(&self, facts: &Facts) -> Vec<FindingId> {
        let (truth, rival) = (self.condition(self.truth), self.condition(self.rival));
        facts
            .present()
            .filter(|seen| match self.base.finding(&seen.finding) {
                Some(finding) if finding.carries_detail() => {
                    detail_fits(truth, finding, &seen.values) && !detail_fits(rival, finding, &seen.values)
                }
                Some(finding) => truth.lists(&finding.id) && !rival.lists(&finding.id),
                None => false,
            })
            .map(|seen| seen.finding.clone())
            .collect()
    }

    fn exchange_of(&self) -> Exchange<'_> {
        Exchange { base: self.base, facts: self.facts, judge: self.judge }
    }

    fn condition(&self, at: usize) -> &Condition {
        &self.base.conditions()[at]
    }

    pub fn specificity(&self, finding: &Finding) -> f64 {
        let at = self.base.finding_index(&finding.id).expect("the finding is of this base");
        self.base.specificity(self.truth, at, self.judge.reading.floor)
    }
}

/// Whether the condition knows all the values told.
fn detail_fits(condition: &Condition, finding: &Finding, values: &[String]) -> bool {
    match (&finding.detail, condition.values.get(&finding.id)) {
        (Detail::Scale, known) => known.is_some(),
        (_, Some(ValueChance::Shares(shares))) => values.iter().all(|value| shares.contains_key(value)),
        _ => false,
    }
}

/// The next set of places in lexicographic order; false when there is none.
fn next_choice(chosen: &mut [usize], of: usize) -> bool {
    let size = chosen.len();
    for place in (0..size).rev() {
        if chosen[place] < of - size + place {
            chosen[place] += 1;
            for later in place + 1..size {
                chosen[later] = chosen[later - 1] + 1;
            }
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_come_in_order_and_end() {
        let mut chosen = vec![0, 1];
        let mut seen = vec![chosen.clone()];
        while next_choice(&mut chosen, 4) {
            seen.push(chosen.clone());
        }
        assert_eq!(seen, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    }
}
