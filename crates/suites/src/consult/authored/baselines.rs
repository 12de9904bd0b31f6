//! Two published ways to vary a question, reduced to free-text diagnosis (specs 4): DyVal2 and Self-Evolving. What they make is held to the
//! same rules as a letter, and every variant says how it came about.

use super::answers::{Opinion, Written, WrongAnswer, YesNo};
use super::{DECIDING, Drafted, Made, WRITING, Writer, letter, whole};
use crate::consult::record::Rewriting;
use crate::step::{Step, settled};
use std::collections::BTreeMap;
use waterjar_consultations::State;
use waterjar_consultations::author::distractors_proposed;
use waterjar_core::{ChatRequest, Loss, Message, Role, Sampling, SuiteError};
use waterjar_structured::ask_fitting;

/// As published.
const ATTEMPTS: u32 = 5;

pub(in crate::consult) const DYVAL2_ROLES: [&str; 1] = ["dyval2"];
pub(in crate::consult) const SELF_EVOLVING_ROLES: [&str; 2] = ["paraphrase", "noise"];

impl Writer<'_> {
    /// The static question, by rules: both baselines start from it.
    fn static_question(&self) -> Result<String, Loss> {
        self.suite.raw(self.plan, self.seeded)
    }

    /// Paraphrase, then context beside the point; each is tried until an evaluator agrees, five times at most, else the text before is kept.
    pub async fn dyval2(&self) -> Step<Made> {
        let raw = match self.static_question() {
            Ok(raw) => raw,
            Err(loss) => return Ok(Err(loss)),
        };
        let mut text = raw.clone();
        let mut rewritten = BTreeMap::new();
        for (stage, name) in [("paraphrase", "paraphrased_letter"), ("context", "letter_with_context")] {
            let (new, how) = self.accepted(stage, name, &raw, &text).await?;
            text = new;
            rewritten.insert(stage.to_owned(), how);
        }
        // The same question twice would tell nothing.
        let letter = match rewritten.values().any(|it: &Rewriting| it.accepted) {
            true => Ok(Drafted { text, state: Some(State::Valid), rewritten, ..Drafted::default() }),
            false => Err("nothing_accepted".to_owned()),
        };
        let points = self.points().await?;
        Ok(Ok(Made { raw, letters: vec![(DYVAL2_ROLES[0].to_owned(), letter)], points }))
    }

    /// Held against the original in both stages: published, drift of the first goes unseen in the second.
    async fn accepted(
        &self,
        stage: &str,
        name: &str,
        raw: &str,
        text: &str,
    ) -> Result<(String, Rewriting), SuiteError> {
        let mut how = Rewriting::default();
        while how.attempts < ATTEMPTS {
            // The same words again: the number of the attempt keeps one answer from standing for all.
            let request = ChatRequest {
                messages: vec![Message::new(Role::User, self.prompt(stage, &[("letter", text)]))],
                sampling: Sampling { temperature: Some(WRITING), ..Sampling::default() },
                repeat: how.attempts,
                ..ChatRequest::default()
            };
            how.attempts += 1;
            let written = ask_fitting(self.model, request, name, |it: &Written| whole(&it.text).map(|_| ())).await;
            let new = match settled(self.model, written, "it could not be used")? {
                Ok(asked) => asked.value.text.trim().to_owned(),
                Err(loss) => {
                    how.refused.push(loss.reason);
                    continue;
                }
            };
            if let Some(fault) = self.checks().faults(None, &new).first() {
                how.refused.push(format!("by rules: {}", letter::told(*fault)));
                continue;
            }
            let slots = [("disease", self.disease()), ("original", raw), ("letter", new.as_str())];
            match self.opinion("evaluate", "same_question", &slots).await? {
                Ok(Opinion { verdict: YesNo::Yes, .. }) => {
                    how.accepted = true;
                    return Ok((new, how));
                }
                Ok(opinion) => how.refused.push(opinion.why),
                Err(loss) => how.refused.push(loss.reason),
            }
        }
        Ok((text.to_owned(), how))
    }

    async fn opinion(&self, prompt: &str, name: &str, slots: &[(&str, &str)]) -> Step<Opinion> {
        let prompt = self.prompt(prompt, slots);
        let asked =
            self.put(prompt, name, DECIDING, |it: &Opinion| Ok(Opinion { verdict: it.verdict, why: it.why.clone() }));
        settled(self.model, asked.await, "no_usable_opinion")
    }

    /// Each rewriting must be verified twice: the disease is right, and a wrong one is not. One attempt, as published; what fails says where.
    pub async fn self_evolving(&self) -> Step<Made> {
        let raw = match self.static_question() {
            Ok(raw) => raw,
            Err(loss) => return Ok(Err(loss)),
        };
        let mut letters = Vec::new();
        for (role, name) in SELF_EVOLVING_ROLES.into_iter().zip(["paraphrased_letter", "noisy_letter"]) {
            letters.push((role.to_owned(), self.evolved(role, name, &raw).await?));
        }
        let points = self.points().await?;
        Ok(Ok(Made { raw, letters, points }))
    }

    async fn evolved(&self, stage: &str, name: &str, raw: &str) -> Result<Result<Drafted, String>, SuiteError> {
        let text = match self.text(self.prompt(stage, &[("letter", raw)]), name, DECIDING).await? {
            Ok(text) => text,
            Err(loss) => return Ok(Err(loss.reason)),
        };
        if let Some(fault) = self.checks().faults(None, &text).first() {
            return Ok(Err(format!("fails_{}", fault.as_str())));
        }
        let verified = async |disease: &str| {
            let slots = [("letter", text.as_str()), ("disease", disease)];
            self.opinion("verify", "verified_answer", &slots).await
        };
        match verified(self.disease()).await? {
            Ok(Opinion { verdict: YesNo::Yes, .. }) => {}
            Ok(_) => return Ok(Err("verify_error_1".to_owned())),
            Err(loss) => return Ok(Err(loss.reason)),
        }
        let slots = [("letter", text.as_str()), ("disease", self.disease())];
        let names = &self.patient().names;
        let wrong = self.put(self.prompt("option", &slots), "wrong_answer", DECIDING, |it: &WrongAnswer| {
            let option = whole(&it.disease)?;
            let other = distractors_proposed(&self.suite.language, names, std::slice::from_ref(&option));
            if other.is_empty() {
                Err(format!("“{option}” is the right disease, a form or a group of it"))
            } else {
                Ok(option)
            }
        });
        let wrong = match settled(self.model, wrong.await, "no_usable_option")? {
            Ok(wrong) => wrong,
            Err(loss) => return Ok(Err(loss.reason)),
        };
        match verified(&wrong).await? {
            Ok(Opinion { verdict: YesNo::No, .. }) => {}
            Ok(_) => return Ok(Err("verify_error_2".to_owned())),
            Err(loss) => return Ok(Err(loss.reason)),
        }
        let how = Rewriting { accepted: true, attempts: 1, refused: Vec::new() };
        let rewritten = BTreeMap::from([(stage.to_owned(), how)]);
        Ok(Ok(Drafted { text, state: Some(State::Valid), rewritten, ..Drafted::default() }))
    }
}
