//! A raw question → a letter: trap, style, rumor; then a validator and the rules look at it, and what fails is refined.

use super::answers::{Validation, Verdict};
use super::{DECIDING, Drafted, WRITING, Writer};
use crate::consult::record::Checked;
use crate::step::settled;
use std::collections::BTreeSet;
use waterjar_consultations::author::{Brief, Distractor, ROUNDS, intensity};
use waterjar_consultations::words::{is_cjk, words};
use waterjar_consultations::{Criterion, State, Trap};
use waterjar_core::{FindingId, Loss, SuiteError};

/// What a quote holds at least, unless the statement is shorter.
const QUOTED_WORDS: usize = 3;
const QUOTED_CHARACTERS: usize = 4;

/// A criterion that failed, and why.
type Fault = (Criterion, String);

impl Writer<'_> {
    /// The error is why there is none.
    pub(super) async fn letter(
        &self,
        raw: &str,
        trap: Trap,
        distractors: &Result<Vec<Distractor>, Loss>,
    ) -> Result<Result<Drafted, String>, SuiteError> {
        let distractors = match distractors {
            Ok(found) => found.as_slice(),
            Err(loss) if trap.needs_distractor() => return Ok(Err(loss.reason.clone())),
            Err(_) => &[],
        };
        let rumor = match self.rumor(trap).await? {
            Ok(rumor) => rumor,
            Err(loss) => return Ok(Err(loss.reason)),
        };
        let language = &self.suite.language;
        let brief = Brief::draw_with(language, self.patient(), distractors, trap, self.plan, || rumor);
        let brief = match brief {
            Ok(brief) => brief,
            Err(why) => return Ok(Err(why.as_str().to_owned())),
        };
        let mut text = raw.to_owned();
        for (prompt, asked) in self.stages(&brief) {
            let slots = self.slots(&brief, &text);
            text = match self.text(self.prompt(prompt, &borrowed(&slots)), asked, WRITING).await? {
                Ok(text) => text,
                Err(loss) => return Ok(Err(loss.reason)),
            };
        }
        self.validated(brief, text).await.map(Ok)
    }

    /// Trap, style, rumor: the paper's order. An ablation leaves its stage out.
    fn stages(&self, brief: &Brief) -> Vec<(&'static str, &'static str)> {
        let trap = match brief.trap {
            Trap::SelfDiagnosis => "trap_self_diagnosis",
            Trap::History => "trap_history",
            Trap::External => "trap_external",
            Trap::Misplaced => "trap_misplaced",
        };
        let all = [
            (self.plan.traps, (trap, "trap_letter")),
            (self.plan.styles, ("style", "styled_letter")),
            (true, ("rumor", "rumor_letter")),
        ];
        all.into_iter().filter(|(wanted, _)| *wanted).map(|(_, stage)| stage).collect()
    }

    /// At most three rounds; of what failed the best is kept, the earliest of equals.
    async fn validated(&self, brief: Brief, mut text: String) -> Result<Drafted, SuiteError> {
        let mut checked = Vec::new();
        let mut best: Option<(String, Vec<Criterion>)> = None;
        for round in 0..ROUNDS {
            let faults = match self.faults(&brief, &text).await? {
                Some((faults, looked)) => {
                    checked.push(looked);
                    faults
                }
                None => {
                    // Nobody vouches for this one; one that was looked at is kept before it.
                    let (text, state) = match best {
                        Some((text, failed)) => (text, State::Exhausted { failed }),
                        None => (text, State::Drafted),
                    };
                    return Ok(drafted(brief, text, state, checked));
                }
            };
            let failed: BTreeSet<Criterion> = faults.iter().map(|(criterion, _)| *criterion).collect();
            if failed.is_empty() {
                return Ok(drafted(brief, text, State::Valid, checked));
            }
            let failed: Vec<Criterion> = failed.into_iter().collect();
            if best.as_ref().is_none_or(|(_, least)| failed.len() < least.len()) {
                best = Some((text.clone(), failed.clone()));
            }
            if round + 1 == ROUNDS {
                break;
            }
            let how = intensity(round, failed.len());
            if let Some(last) = checked.last_mut() {
                (last.eta, last.temperature) = (Some(how.eta), Some(how.temperature));
            }
            let problems: Vec<String> = faults.iter().map(|(it, why)| format!("- {}: {why}", it.as_str())).collect();
            let mut slots = self.slots(&brief, &text);
            slots.push(("problems", problems.join("\n")));
            slots.push(("strategy", how.strategy.as_str().to_owned()));
            slots.push(("eta", format!("{:.2}", how.eta)));
            let prompt = self.prompt("refine", &borrowed(&slots));
            match self.text(prompt, "refined_letter", how.temperature).await? {
                Ok(refined) => text = refined,
                Err(_) => break,
            }
        }
        let (text, failed) = best.expect("a round that passes everything returns");
        Ok(drafted(brief, text, State::Exhausted { failed }, checked))
    }

    /// What the validator and the rules find; `None` where the validator gave no usable word.
    async fn faults(&self, brief: &Brief, text: &str) -> Result<Option<(Vec<Fault>, Checked)>, SuiteError> {
        let prompt = self.prompt("validate", &borrowed(&self.slots(brief, text)));
        let asked = self.put(prompt, "letter_validation", DECIDING, |it: &Validation| self.found(it, text)).await;
        let Ok(mut faults) = settled(self.model, asked, "")? else { return Ok(None) };
        let by_validator: BTreeSet<Criterion> = faults.iter().map(|(criterion, _)| *criterion).collect();
        let by_rules = self.checks().faults(Some(brief), text);
        faults.extend(by_rules.iter().map(|it| (*it, told(*it).to_owned())));
        let looked =
            Checked { by_validator: by_validator.into_iter().collect(), by_rules, eta: None, temperature: None };
        Ok(Some((faults, looked)))
    }

    /// What a validation says is wrong. Its quotes must stand in the letter, or it is asked again.
    fn found(&self, it: &Validation, text: &str) -> Result<Vec<Fault>, String> {
        let failed = |criterion: &Criterion| it.of(*criterion).verdict == Verdict::Fail;
        let all = Criterion::ALL.into_iter().filter(failed);
        let mut faults: Vec<Fault> = all.map(|criterion| (criterion, it.of(criterion).why.clone())).collect();
        let letter = words(text);
        for told in &it.told {
            let quote = words(&told.quote);
            if quote.is_empty() || !letter.windows(quote.len()).any(|part| part == quote) {
                return Err(format!("“{}” does not stand in the letter like this", told.quote));
            }
            self.vouches(it, told.number, &quote)?;
        }
        let mut wrong = |why: String| faults.push((Criterion::SymptomAccuracy, why));
        for (number, complaint) in (1u32..).zip(&self.patient().complaints) {
            match it.told.iter().find(|told| told.number == number) {
                None => wrong(format!("statement {number} is not told")),
                Some(told) if told.denied == complaint.is_present() => {
                    wrong(format!("statement {number} is told in the opposite sense"));
                }
                Some(_) => {}
            }
        }
        if !it.added.is_empty() {
            wrong(format!("it adds: {}", it.added.join("; ")));
        }
        Ok(faults)
    }

    /// A word or two prove nothing, and the same words do not tell two things unless they speak of both.
    fn vouches(&self, it: &Validation, number: u32, quote: &[String]) -> Result<(), String> {
        let at = (number as usize).checked_sub(1);
        let Some(complaint) = at.and_then(|at| self.patient().complaints.get(at)) else {
            return Err(format!("there is no statement {number}"));
        };
        let said = words(&complaint.sentence);
        let least = if quote.iter().any(|it| it.chars().any(is_cjk)) { QUOTED_CHARACTERS } else { QUOTED_WORDS };
        if quote.len() < least.min(said.len()) {
            return Err(format!("“{}” is too little to tell statement {number}", quote.join(" ")));
        }
        let again = it.told.iter().filter(|it| words(&it.quote) == quote).count() > 1;
        if again && content(quote).is_disjoint(&content(&said)) {
            return Err(format!(
                "“{}” is quoted for several statements and has no word of statement {number}",
                quote.join(" ")
            ));
        }
        Ok(())
    }

    fn slots(&self, brief: &Brief, text: &str) -> Vec<(&'static str, String)> {
        let said = |id: &FindingId| {
            let known = self.patient().complaints.iter().find(|it| it.seen.finding == *id);
            known.map_or_else(|| id.to_string(), |it| it.sentence.clone())
        };
        let key: Vec<String> = brief.key.iter().map(said).collect();
        let trap = if self.plan.traps { brief.trap.as_str() } else { "none" };
        vec![
            ("letter", text.to_owned()),
            ("statements", self.statements()),
            ("disease", self.disease().to_owned()),
            ("trap", trap.to_owned()),
            ("distractor", brief.distractor.as_ref().map_or_else(String::new, |it| it.name.clone())),
            ("minor", brief.minor.as_ref().map(said).unwrap_or_default()),
            ("key", key.join("\n")),
            ("medical_knowledge", brief.style.medical_knowledge.as_str().to_owned()),
            ("clarity", brief.style.clarity.as_str().to_owned()),
            ("communication", brief.style.communication.as_str().to_owned()),
            ("rumor", brief.rumor.rumor.clone()),
        ]
    }
}

fn drafted(brief: Brief, text: String, state: State, checked: Vec<Checked>) -> Drafted {
    let rounds = (checked.len() as u32).max(1);
    Drafted { brief: Some(brief), text, state: Some(state), rounds, checked, ..Drafted::default() }
}

/// Words long enough to speak of something; of scripts without spaces, two characters together.
fn content(words: &[String]) -> BTreeSet<String> {
    let pairs = words.windows(2).filter(|two| two.iter().all(|it| it.chars().all(is_cjk))).map(|two| two.concat());
    words.iter().filter(|it| it.chars().count() > 3).cloned().chain(pairs).collect()
}

fn borrowed<'a>(slots: &'a [(&'static str, String)]) -> Vec<(&'static str, &'a str)> {
    slots.iter().map(|(name, value)| (*name, value.as_str())).collect()
}

/// What the rules found, in words.
pub(super) fn told(criterion: Criterion) -> &'static str {
    match criterion {
        Criterion::Challenge => "the disease is named",
        Criterion::Logic => "there are digits or braces in it",
        Criterion::SymptomAccuracy => "it tells a complaint that the patient does not have",
        Criterion::TrapEffectiveness => "the distractor is not named",
        Criterion::Style => "it says who the writer is",
        Criterion::RumorEmbedding => "the fact against the rumor stands in it",
    }
}
