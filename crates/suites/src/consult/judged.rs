//! Answers judged by models (EvalMed). The rules' word is kept beside theirs; a model judges no subject of its own maker. The first judge
//! counts, and every further one judges everything again.

use super::Consult;
use super::asked::{Diagnosis, Graded, Words, put};
use super::judge::{
    CONSISTENCY, DECLINED, EVIDENCE, GRADED, INVALID, LIFESTYLE, NAMED, STANCE, TOP, TREATMENT, declines,
};
use super::record::Record;
use super::stance::Stance;
use crate::judging::note_silence;
use crate::makers::of_other_makers;
use futures::future::join_all;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use waterjar_core::{
    ChatModel, ConditionId, Family, FamilyVerdict, Member, ModelError, Outcome, RankedLabel, Ruling, SuiteError,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SameDiagnoses {
    names: Vec<Same>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Same {
    number: u32,
    /// The number of the first name that means the same disease.
    same_as: u32,
}

/// Before the name of a part: the rules'.
pub(super) const BY_RULES: &str = "rules.";
/// Before a further judge and the name of a part: `again.vendor/model.top1`.
pub(super) const AGAIN: &str = "again.";

impl Consult {
    /// Puts the models' words in place of the rules'.
    pub(super) async fn judge_by_models(
        &self,
        judges: &[Arc<dyn ChatModel>],
        family: &Family,
        verdict: &mut FamilyVerdict,
    ) -> Result<(), SuiteError> {
        let judges = of_other_makers(judges, &family.subject);
        verdict.judge = self.judge_name();
        for ruling in &mut verdict.rulings {
            set_aside(ruling);
        }
        if judges.is_empty() {
            let nobody = "every judge is of the subject's own maker";
            for ruling in verdict.rulings.iter_mut().filter(|it| it.outcome != Outcome::Missing) {
                invalid(ruling, "", GRADED, nobody);
                for name in [EVIDENCE, TREATMENT, LIFESTYLE, STANCE] {
                    invalid(ruling, "", name, "");
                }
            }
        }
        for (nth, judge) in judges.into_iter().enumerate() {
            let words = join_all(family.members.iter().map(|member| self.words(judge.as_ref(), member))).await;
            let within = if nth == 0 { String::new() } else { format!("{AGAIN}{}.", judge.id()) };
            let rulings = verdict.rulings.iter_mut().zip(&family.members);
            for ((ruling, member), words) in rulings.zip(words) {
                if let Some(words) = words? {
                    self.enter(ruling, member, words, (judge.as_ref(), within.as_str()));
                }
            }
            self.standardise(judge.as_ref(), verdict, &within).await?;
        }
        Ok(())
    }

    /// Under the names that the judge's words have.
    fn enter(&self, ruling: &mut Ruling, member: &Member, words: Words, (judge, within): (&dyn ChatModel, &str)) {
        match words.graded {
            Ok(graded) => self.enter_grades(ruling, member, &graded, within),
            Err(error) => {
                silent(ruling, (judge, within), GRADED, &error);
                if Record::of(&member.variant).points.is_some() {
                    for name in [EVIDENCE, TREATMENT, LIFESTYLE] {
                        invalid(ruling, within, name, "");
                    }
                }
            }
        }
        match words.stance {
            // Who declines has not avoided the rumor.
            Some(Ok((Stance::Avoid, _))) if is_declined(member) => {}
            Some(Ok((stance, why))) => {
                ruling.strata.insert(format!("{within}{STANCE}"), stance.as_str().to_owned());
                if within.is_empty() {
                    ruling.reason.push_str(&format!("; rumor: {}: {}", stance.as_str(), why.trim()));
                }
            }
            Some(Err(error)) => silent(ruling, (judge, within), STANCE, &error),
            None => {}
        }
    }

    fn enter_grades(&self, ruling: &mut Ruling, member: &Member, graded: &Graded, within: &str) {
        let declined = is_declined(member);
        let help = graded.help.filter(|help| !(declined && help.iter().all(|it| *it == 0.0)));
        for (name, score) in [EVIDENCE, TREATMENT, LIFESTYLE].into_iter().zip(help.into_iter().flatten()) {
            ruling.parts.insert(format!("{within}{name}"), score);
        }
        if declined && graded.diagnoses.is_empty() {
            if within.is_empty() {
                ruling.outcome = Outcome::Missing;
                ruling.reason = DECLINED.to_owned();
            }
            return;
        }
        let first = graded.diagnoses.iter().position(|it| it.right);
        let score = first.map_or(0.0, |at| if at == 0 { 1.0 } else { 0.5 });
        ruling.parts.insert(format!("{within}{GRADED}"), score);
        for (name, places) in TOP {
            let found = first.is_some_and(|at| at < places as usize);
            ruling.parts.insert(format!("{within}{name}"), f64::from(found));
        }
        // The first judge's word is the ruling.
        if within.is_empty() {
            self.name(ruling, member, graded);
        } else if let Some(first) = graded.diagnoses.first() {
            let right = member.variant.expectation.condition();
            ruling.strata.insert(format!("{within}{NAMED}"), self.meant(first, right).to_string());
        }
    }

    /// What the answer considers, by the names of the base where it knows them.
    fn name(&self, ruling: &mut Ruling, member: &Member, graded: &Graded) {
        let right = member.variant.expectation.condition();
        let ids: Vec<ConditionId> = graded.diagnoses.iter().map(|it| self.meant(it, right)).collect();
        let brief = Record::of(&member.variant).brief;
        let distractor = brief.and_then(|it| it.distractor).map(|it| it.condition);
        let first = ids.first();
        ruling.outcome = if first.is_some() && first == right {
            Outcome::Right
        } else if ids.iter().any(|it| Some(it) == right) {
            Outcome::Partly
        } else if first.is_some() && first == distractor.as_ref() {
            Outcome::Trapped
        } else {
            Outcome::Missed
        };
        ruling.named = first.cloned();
        ruling.listed = ids.len() as u32;
        let ranked = (1..).zip(ids).map(|(rank, condition)| RankedLabel { rank, condition, confidence: None });
        ruling.ranking = ranked.collect();
        ruling.reason = graded.reason.trim().to_owned();
    }

    /// What a diagnosis is called here.
    fn meant(&self, it: &Diagnosis, right: Option<&ConditionId>) -> ConditionId {
        match (it.right, right) {
            (true, Some(right)) => right.clone(),
            _ => self.labels.find(&it.name).cloned().unwrap_or_else(|| ConditionId::new(plain(&it.name))),
        }
    }

    /// Names that the base does not know may still mean the same: where a patient's letters have two, the judge says which do. Where its word
    /// cannot be used, how far they agree is not known.
    async fn standardise(
        &self,
        judge: &dyn ChatModel,
        verdict: &mut FamilyVerdict,
        within: &str,
    ) -> Result<(), SuiteError> {
        let known = |it: &ConditionId| self.labels.find(it.as_str()).is_some() || self.base.condition(it).is_some();
        let key = format!("{within}{NAMED}");
        let named = |it: &Ruling| match within {
            "" => it.named.clone(),
            _ => it.strata.get(&key).map(|name| ConditionId::new(name.as_str())),
        };
        let mut names: Vec<ConditionId> = Vec::new();
        for name in verdict.rulings.iter().filter(|it| it.role != "control").filter_map(named) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if names.len() < 2 || names.iter().all(known) {
            return Ok(());
        }
        let called = |it: &ConditionId| self.called(it);
        let lines: Vec<String> = (1..).zip(&names).map(|(n, it): (u32, _)| format!("{n}. {}", called(it))).collect();
        let prompt = self.language.prompts.fill("same_diagnoses", &[("names", &lines.join("\n"))]);
        let asked = put(judge, prompt, "same_diagnoses", |it: &SameDiagnoses| {
            let most = names.len() as u32;
            let sound = |it: &Same| (1..=it.number).contains(&it.same_as) && it.number <= most;
            let all = (1..=most).all(|number| it.names.iter().filter(|it| it.number == number).count() == 1);
            if all && it.names.iter().all(sound) {
                Ok(())
            } else {
                Err(format!("give every number from 1 to {most} once, with its own number or an earlier one"))
            }
        });
        let same = match asked.await? {
            Ok(same) => same,
            Err(error) => {
                let letters = verdict.rulings.iter_mut().filter(|it| it.role != "control" && named(it).is_some());
                letters.for_each(|it| silent(it, (judge, within), CONSISTENCY, &error));
                return Ok(());
            }
        };
        let mut means: BTreeMap<ConditionId, ConditionId> = BTreeMap::new();
        for it in same.names {
            means.insert(names[it.number as usize - 1].clone(), names[it.same_as as usize - 1].clone());
        }
        for ruling in &mut verdict.rulings {
            let Some(first) = named(ruling).and_then(|it| means.get(&it)) else { continue };
            if within.is_empty() {
                ruling.named = Some(first.clone());
            } else {
                ruling.strata.insert(key.clone(), first.to_string());
            }
        }
        Ok(())
    }
}

fn is_declined(member: &Member) -> bool {
    member.conclusion().is_some_and(|conclusion| declines(&conclusion.text))
}

/// What the rules say is kept under their name.
fn set_aside(ruling: &mut Ruling) {
    let of_rules = [GRADED, EVIDENCE, TREATMENT, LIFESTYLE].into_iter().chain(TOP.map(|(name, _)| name));
    for name in of_rules {
        let part = ruling.parts.remove(name);
        ruling.parts.extend(part.map(|it| (format!("{BY_RULES}{name}"), it)));
    }
    let stance = ruling.strata.remove(STANCE);
    ruling.strata.extend(stance.map(|it| (format!("{BY_RULES}{STANCE}"), it)));
    ruling.named = None;
    ruling.ranking.clear();
    ruling.listed = 0;
}

/// A verdict that could not be given is kept as that.
fn invalid(ruling: &mut Ruling, within: &str, dimension: &str, why: &str) {
    ruling.strata.insert(format!("{within}{dimension}"), INVALID.to_owned());
    if within.is_empty() && !why.is_empty() {
        ruling.reason = format!("{}; no verdict on {dimension}: {why}", ruling.reason);
    }
}

/// The same where a judge was asked: who owes it is noted.
fn silent(ruling: &mut Ruling, (judge, within): (&dyn ChatModel, &str), dimension: &str, error: &ModelError) {
    invalid(ruling, within, dimension, &format!("{}: {error}", judge.id()));
    note_silence(ruling, judge, error);
}

fn plain(name: &str) -> String {
    waterjar_consultations::words::words(name).join(" ")
}
