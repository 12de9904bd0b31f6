//! Why an answer kept the old diagnosis: was the evidence overlooked, mentioned and dropped, or argued away?
//!
//! A rule says whether the reasoning speaks of the evidence at all. What was made of it takes a reader: a model where the
//! study names one, else nobody, and then nothing is guessed.

mod ask;
mod mention;
mod reasoning;
pub(super) mod words;

pub(super) use mention::Wording;

use super::{Einstellung, RULES, author::sentences, record::Record};
use ask::Question;
use waterjar_core::{
    Audit, ChatModel, Conclusion, ConditionId, Edit, Expectation, Failure, FailureMode, FailureState, Family,
    FamilyVerdict, JudgeId, KeyEvidence, ModelError, Outcome, Ruling, Variant,
};

impl Einstellung {
    /// Looks into the answers that the bias trap rate counts: the old diagnosis, kept after a right control.
    pub(super) async fn audit_failures(
        &self,
        model: Option<&dyn ChatModel>,
        family: &Family,
        verdict: &mut FamilyVerdict,
    ) -> Result<(), ModelError> {
        if verdict.ruling("control").is_none_or(|control| control.outcome != Outcome::Right) {
            return Ok(());
        }
        for ruling in verdict.rulings.iter_mut().filter(|ruling| ruling.outcome == Outcome::Trapped) {
            let member = family.members.iter().find(|member| member.variant.id == ruling.variant);
            if let Some((variant, answer)) = member.and_then(|it| Some((&it.variant, it.conclusion()?))) {
                ruling.audit = Some(self.audit_answer(model, variant, ruling, answer).await?);
            }
        }
        Ok(())
    }

    async fn audit_answer(
        &self,
        model: Option<&dyn ChatModel>,
        variant: &Variant,
        ruling: &Ruling,
        answer: &Conclusion,
    ) -> Result<Audit, ModelError> {
        let reasoning = reasoning::of(&self.labels, answer);
        let evidence = self.key_evidence(variant, ruling, reasoning.as_deref().unwrap_or_default());
        let is_mentioned = evidence.iter().any(|it| it.mentioned.is_some());
        let by_rule =
            |mode, evidence| Audit { mode, auditor: JudgeId::from(RULES), evidence, quote: None, failure: None };
        let Some(reasoning) = reasoning else {
            return Ok(by_rule(FailureMode::NoReasoning, evidence));
        };
        if evidence.is_empty() {
            let detail = "the variant does not say what was put in";
            let failure = Some(Failure::new(FailureState::NotApplicable, detail));
            return Ok(Audit { failure, ..by_rule(FailureMode::Unaudited, evidence) });
        }
        let Some(model) = model.filter(|_| is_mentioned) else {
            let mode = if is_mentioned { FailureMode::Mentioned } else { FailureMode::Blindness };
            return Ok(by_rule(mode, evidence));
        };
        let opinion = self.opinion(model, variant, &evidence, &reasoning).await?;
        let (mode, quote, failure) = match opinion {
            Ok((mode, quote)) => (mode, quote, None),
            Err(failure) => (FailureMode::Unaudited, None, Some(failure)),
        };
        Ok(Audit { mode, auditor: JudgeId::new(model.id().as_str()), evidence, quote, failure })
    }

    async fn opinion(
        &self,
        model: &dyn ChatModel,
        variant: &Variant,
        evidence: &[KeyEvidence],
        reasoning: &str,
    ) -> Result<ask::Opinion, ModelError> {
        let kept = match &variant.expectation {
            Expectation::Flips { from, .. } => self.name_of(from),
            _ => String::new(),
        };
        let right = self.name_of(variant.expectation.condition().expect("this suite is about conditions"));
        let said: Vec<&str> = evidence.iter().map(|it| it.said.as_str()).collect();
        let question = Question { right: &right, kept: &kept, evidence: &said, story: &variant.text, reasoning };
        question.put_to(model).await
    }

    /// All names of the conditions the answer lists, and of the right one: the reasoning is about them.
    fn debated(&self, ruling: &Ruling, right: &ConditionId) -> Vec<String> {
        let listed = ruling.ranking.iter().map(|label| &label.condition).chain([right]);
        let names = |id: &ConditionId| {
            let synonyms = self.base.condition(id).map(|it| it.synonyms.clone()).unwrap_or_default();
            std::iter::once(self.name_of(id)).chain(synonyms)
        };
        listed.flat_map(names).collect()
    }

    /// What the edits put in, and where the reasoning speaks of it.
    fn key_evidence(&self, variant: &Variant, ruling: &Ruling, reasoning: &str) -> Vec<KeyEvidence> {
        let edits = variant.intervention.as_ref().map_or(&[][..], |change| &change.edits);
        let swaps = serde_json::from_value::<Record>(variant.record.clone()).map(|it| it.swaps).unwrap_or_default();
        let put_in: Vec<_> = edits.iter().enumerate().filter(|(_, edit)| !edit.inserted.trim().is_empty()).collect();
        let rest = rest_of(&variant.text, put_in.iter().map(|(_, edit)| *edit));
        let debated = self.debated(ruling, variant.expectation.condition().expect("this suite is about conditions"));
        let wording = self.wording.get_or_init(|| Wording::new(&self.base));
        put_in
            .into_iter()
            .map(|(at, edit)| {
                let said = edit.inserted.clone();
                if reasoning.is_empty() {
                    return KeyEvidence { said, mentioned: None };
                }
                let finding = swaps.get(at).and_then(|swap| self.base.finding(&swap.inserted));
                let sought = wording.sought(&said, finding, &rest).in_debate_of(&debated);
                KeyEvidence { mentioned: sought.in_text(reasoning).map(str::to_owned), said }
            })
            .collect()
    }
}

/// The story without what was put in. What was taken out is told instead: a rewritten sentence keeps words of the old one,
/// which tell nothing new.
fn rest_of<'a>(text: &str, edits: impl Iterator<Item = &'a Edit>) -> String {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (mut rest, mut put_in) = (String::new(), Vec::new());
    for edit in edits {
        rest.push_str(&edit.removed);
        rest.push('\n');
        put_in.push(plain(&edit.inserted));
    }
    for sentence in sentences(text) {
        let told = plain(sentence);
        if put_in.iter().all(|it| !it.contains(&told) && !told.contains(it.as_str())) {
            rest.push_str(&told);
            rest.push('\n');
        }
    }
    rest
}
