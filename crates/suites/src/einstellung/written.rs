//! case → control, trap and sham, written by a model and voted on by a committee. The rule judge's word is kept beside.

use super::author::{Author, Ballot, Committee, Rewritten, accepted};
use super::swap::apply;
use super::trap::{Contest, Trap};
use super::{Einstellung, Judge};
use std::sync::Arc;
use waterjar_core::{Case, ChatModel, Edit, Facts, Intervention, Loss, SuiteError, Variant};
use waterjar_knowledge::Differential;

/// The value of a step, or the loss that ends the case.
macro_rules! or_lose {
    ($step:expr) => {
        match $step {
            Ok(value) => value,
            Err(loss) => return Ok(Err(loss)),
        }
    };
}

impl Einstellung {
    pub(super) async fn written_family(
        &self,
        model: &dyn ChatModel,
        judges: &[Arc<dyn ChatModel>],
        case: &Case,
    ) -> Result<Result<Vec<Variant>, Loss>, SuiteError> {
        let (contest, rival) = or_lose!(self.contest(case)?);
        let author = Author { model, contest: &contest };
        or_lose!(author.prospect(self.settings.shams));
        let story = or_lose!(author.narrate().await?);
        let telling = or_lose!(author.telling(&story).await?);
        or_lose!(author.exchangeable(telling.finding, self.settings.shams));
        let trap = or_lose!(author.exchange(&story, &telling, contest.rival).await?);
        let names = |at: usize| self.base.conditions()[at].name.as_str();
        let committee = Committee { judges };
        let ballots = committee.vote(&trap.text, names(contest.rival), names(contest.truth)).await?;
        if !judges.is_empty() && !accepted(&ballots) {
            return Ok(Err(Loss::new("committee_rejected")));
        }
        let by_rule = rule_trap(&contest, &trap);
        // Without a committee the rules alone decide, and they must follow.
        let follows = self.judge.says(&self.base, &by_rule.facts, contest.rival, contest.truth);
        if judges.is_empty() && !follows {
            return Ok(Err(Loss::new("does_not_flip")));
        }
        let mut control = self.control(case, contest.facts);
        control.text.clone_from(&story);
        let mut variants = vec![control, told(self.trap_variant(case, &contest, &rival, &by_rule), &trap)];
        note(&mut variants[1], follows, &ballots);
        if self.settings.shams {
            let sham = author.exchange(&story, &telling, contest.truth).await?;
            let sham = or_lose!(sham.map_err(|loss| match loss.reason.as_str() {
                "no_isomorph" => Loss::new("no_sham"),
                _ => loss,
            }));
            let facts = apply(contest.facts, std::slice::from_ref(&sham.swap));
            let holds = self.judge.says(&self.base, &facts, contest.truth, contest.rival);
            if judges.is_empty() && !holds {
                return Ok(Err(Loss::new("sham_does_not_hold")));
            }
            let swaps = [sham.swap.clone()];
            let mut variant = told(self.sham_variant(case, &contest, &rival, &facts, &swaps), &sham);
            note(&mut variant, holds, &[]);
            variants.push(variant);
        }
        Ok(Ok(variants))
    }
}

/// What the exchange means to the knowledge base.
fn rule_trap(contest: &Contest<'_>, trap: &Rewritten) -> Trap {
    let Contest { base, truth, rival, judge: Judge { reading, .. }, .. } = *contest;
    let swaps = vec![trap.swap.clone()];
    let facts: Facts = apply(contest.facts, &swaps);
    let odds = Differential::of(base, &facts, &reading).odds(rival, truth);
    Trap { residual: contest.residual(&facts), facts, swaps, odds }
}

/// The variant in the author's words.
fn told(mut variant: Variant, rewritten: &Rewritten) -> Variant {
    variant.text.clone_from(&rewritten.text);
    let edit = Edit { removed: rewritten.old_sentence.clone(), inserted: rewritten.new_sentence.clone() };
    variant.intervention = variant.intervention.map(|it| Intervention { edits: vec![edit], ..it });
    variant
}

/// The rule judge's own word and the committee's, in the record.
fn note(variant: &mut Variant, rules_accept: bool, ballots: &[Ballot]) {
    if let Some(vote) = variant.record.pointer_mut("/votes/0/accepts") {
        *vote = rules_accept.into();
    }
    if !ballots.is_empty() {
        variant.record["ballots"] = serde_json::to_value(ballots).expect("ballots hold nothing JSON cannot");
    }
}
