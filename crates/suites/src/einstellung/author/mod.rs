//! A pair written by a language model: the story, the telling feature in it, a stand-in, one sentence rewritten.
//! Every step is checked by rule and asked again once with what was wrong; then the case is lost, with the reason.

pub mod answers;
mod checks;
mod committee;
mod sentences;
mod templates;

pub(super) use committee::{Ballot, Committee, accepted};
pub(super) use sentences::sentences;

use super::swap::{Exchange, Swap};
use super::trap::Contest;
use crate::prompts::rendered;
use crate::step::{Step, settled};
use answers::{Coverage, Narration, Rewrite, StandIn, TellingFeature};
use templates::{ChooseStandIn, CoverageOf, FindTelling, Narrate, RewriteOne};
use waterjar_core::{ChatModel, Facts, FindingId, Loss, Sex};
use waterjar_knowledge::{Condition, Finding, KnowledgeBase, narrative};
use waterjar_structured::ask_checked;

/// Who writes, about whom.
pub(super) struct Author<'a> {
    pub model: &'a dyn ChatModel,
    pub contest: &'a Contest<'a>,
}

/// A story with one sentence exchanged.
pub(super) struct Rewritten {
    pub text: String,
    pub swap: Swap,
    pub old_sentence: String,
    pub new_sentence: String,
}

/// The finding that tells the two conditions apart, and the words of the story that say it.
pub(super) struct Telling<'a> {
    pub finding: &'a Finding,
    pub phrase: String,
}

impl<'a> Author<'a> {
    /// The structured patient as first-person prose, with nothing lost and nothing added.
    pub async fn narrate(&self) -> Step<String> {
        let told = narrative::tell(self.contest.base, self.contest.facts);
        let (header, statements) = statements(&told);
        let prompt = rendered(&Narrate { header: &header, statements: &statements });
        let written = ask_checked(self.model, &prompt, "narration", |it: &Narration| {
            if it.text.trim().is_empty() { Err("the story is empty".to_owned()) } else { Ok(it.text.trim().to_owned()) }
        });
        let story = match settled(self.model, written.await, "narration_failed")? {
            Ok(story) => story,
            Err(loss) => return Ok(Err(loss)),
        };
        let prompt = rendered(&CoverageOf { statements: &statements, story: &story });
        let covered =
            ask_checked(self.model, &prompt, "coverage", |it: &Coverage| checks::coverage(it, &statements, &story));
        Ok(settled(self.model, covered.await, "narration_changed_findings")?.map(|()| story))
    }

    pub async fn telling(&self, story: &str) -> Step<Telling<'a>> {
        let (truth, rival) = (self.condition(self.contest.truth), self.condition(self.contest.rival));
        let prompt = rendered(&FindTelling {
            truth: &truth.name,
            rival: &rival.name,
            truth_findings: &listed(self.contest.base, truth),
            rival_findings: &listed(self.contest.base, rival),
            story,
        });
        let found = ask_checked(self.model, &prompt, "telling_feature", |it: &TellingFeature| {
            let id = FindingId::new(it.finding.trim());
            let finding = self.contest.telling().into_iter().find(|finding| finding.id == id).ok_or_else(|| {
                format!("`{id}` is not a finding of the patient that {} lists and {} does not", truth.name, rival.name)
            })?;
            let phrase = it.phrase.trim();
            if phrase.is_empty() || !story.contains(phrase) {
                return Err(format!("“{phrase}” does not stand in the story like this"));
            }
            Ok(Telling { finding, phrase: phrase.to_owned() })
        });
        settled(self.model, found.await, "no_telling_phrase")
    }

    /// What no writing can mend, told before anybody is paid for writing: no telling finding that something of the rival, and with `shams`
    /// something else of the truth, could stand in for.
    pub fn prospect(&self, shams: bool) -> Result<(), Loss> {
        let telling = self.contest.telling();
        telling.iter().map(|finding| self.exchangeable(finding, shams)).find(Result::is_ok).unwrap_or_else(|| {
            let trapped = telling.iter().any(|finding| !self.choices(finding, self.contest.rival).is_empty());
            Err(Loss::new(if trapped { "no_sham" } else { "no_isomorph" }))
        })
    }

    pub fn exchangeable(&self, telling: &Finding, shams: bool) -> Result<(), Loss> {
        if self.choices(telling, self.contest.rival).is_empty() {
            return Err(Loss::new("no_isomorph"));
        }
        if shams && self.choices(telling, self.contest.truth).is_empty() {
            return Err(Loss::new("no_sham"));
        }
        Ok(())
    }

    /// Exchanges the telling feature for one of the rival (a trap) or for another of the truth (a sham).
    pub async fn exchange(&self, story: &str, telling: &Telling<'_>, owner: usize) -> Step<Rewritten> {
        let choices = self.choices(telling.finding, owner);
        if choices.is_empty() {
            return Ok(Err(Loss::new("no_isomorph")));
        }
        let words: Vec<(String, String)> =
            choices.iter().map(|(new, _)| (new.id.to_string(), new.present.clone())).collect();
        let prompt = rendered(&ChooseStandIn {
            phrase: &telling.phrase,
            kind: &telling.finding.kind.as_str().replace('_', " "),
            owner: &self.condition(owner).name,
            person: &person(self.contest.facts),
            findings: &words,
            story,
        });
        let chosen = ask_checked(self.model, &prompt, "stand_in", |it: &StandIn| {
            let choice = choices.iter().find(|(new, _)| new.id.as_str() == it.finding.trim());
            let (new, specificity) = choice.ok_or_else(|| format!("`{}` is not on the list", it.finding))?;
            checks::information(&it.information, &new.present)?;
            Ok((*new, *specificity, it.information.trim().to_owned()))
        });
        let (new, specificity_inserted, information) = match settled(self.model, chosen.await, "no_isomorph")? {
            Ok(chosen) => chosen,
            Err(loss) => return Ok(Err(loss)),
        };
        let prompt = rendered(&RewriteOne { phrase: &telling.phrase, information: &information, story });
        let rewritten = ask_checked(self.model, &prompt, "rewrite", |it: &Rewrite| {
            let text = it.text.trim();
            let (old, new) = checks::rewrite(story, text, &telling.phrase, &information)?;
            Ok((text.to_owned(), old.to_owned(), new.to_owned()))
        });
        Ok(settled(self.model, rewritten.await, "rewrite_changed_more")?.map(|(text, old_sentence, new_sentence)| {
            Rewritten {
                text,
                swap: Swap {
                    removed: telling.finding.id.clone(),
                    inserted: new.id.clone(),
                    kind: new.kind,
                    family: new.family.clone(),
                    specificity_removed: self.contest.specificity(telling.finding),
                    specificity_inserted,
                },
                old_sentence,
                new_sentence,
            }
        }))
    }

    /// What may stand in, with how specific it is, the nearest first.
    fn choices(&self, old: &Finding, owner: usize) -> Vec<(&'a Finding, f64)> {
        let Contest { base, facts, truth, rival, judge } = *self.contest;
        let other = if owner == rival { truth } else { rival };
        let (owner_lists, other_lists) = (self.condition(owner), self.condition(other));
        let wanted = |id: &FindingId| owner_lists.lists(id) && (owner == truth || !other_lists.lists(id));
        Exchange { base, facts, judge }
            .stand_ins(old, owner, self.contest.specificity(old), wanted)
            .into_iter()
            .map(|(at, specificity)| (&base.findings()[at], specificity))
            .collect()
    }

    fn condition(&self, at: usize) -> &'a Condition {
        &self.contest.base.conditions()[at]
    }
}

/// What the narrative layout says, as a header and plain statements; the values of a detail join its sentence.
fn statements(told: &str) -> (String, Vec<String>) {
    let mut header = String::new();
    let mut statements: Vec<String> = Vec::new();
    for line in told.lines().map(str::trim) {
        if let Some(statement) = line.strip_prefix("- ") {
            statements.push(statement.to_owned());
        } else if let (Some(value), Some(last)) = (line.strip_prefix("* "), statements.last_mut()) {
            last.push_str(if last.ends_with(':') { " " } else { ", " });
            last.push_str(value);
        } else if line.starts_with("Sex:") {
            header = line.to_owned();
        }
    }
    (header, statements)
}

fn listed(base: &KnowledgeBase, condition: &Condition) -> Vec<(String, String)> {
    let told = condition.findings.keys().filter_map(|id| base.finding(id)).filter(|finding| !finding.carries_detail());
    told.map(|finding| (finding.id.to_string(), finding.present.clone())).collect()
}

fn person(facts: &Facts) -> String {
    let sex = match facts.sex {
        Sex::F => "female",
        Sex::M => "male",
    };
    format!("{sex} and {} years old", facts.age)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_join_the_sentence_they_belong_to() {
        let told = "Sex: F, Age: 30\nSymptoms:\n- I have pain.\n  - The pain is:\n    * sharp\n    * burning\n";
        let (header, statements) = statements(told);
        assert_eq!(header, "Sex: F, Age: 30");
        assert_eq!(statements, ["I have pain.", "The pain is: sharp, burning"]);
    }
}
