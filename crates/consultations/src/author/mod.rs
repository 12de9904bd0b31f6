//! A patient → questions, by rules: drawn, written, checked, and written anew where a check fails.

mod brief;
mod check;
mod dice;
mod schedule;
mod write;

pub use brief::{Brief, Distractor, Undrawn, known_rumor, selected};
pub use check::{Checks, Criterion};
pub use dice::Dice;
pub use schedule::{Intensity, Strategy, intensity};
pub use write::{introduced, raw};

use crate::gate::{Candidate, MOST, QUALIFIERS, Refused, differentials, gate, is_of_others};
use crate::hearing::Hearing;
use crate::language::Language;
use crate::names::Names;
use crate::patient::Patient;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use waterjar_core::{Facts, Seed};
use waterjar_knowledge::{Differential, KnowledgeBase, Reading};

/// How a question misleads, by framing alone: what is told of the patient stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trap {
    /// The writer believes it is the distractor.
    SelfDiagnosis,
    /// The distractor is in the writer's or the family's history.
    History,
    /// Weather, work, food and stress are blamed.
    External,
    /// A minor complaint is dwelt on and the telling ones are played down.
    Misplaced,
}

impl Trap {
    pub const ALL: [Self; 4] = [Self::SelfDiagnosis, Self::History, Self::External, Self::Misplaced];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::SelfDiagnosis => "self_diagnosis",
            Self::History => "history",
            Self::External => "external",
            Self::Misplaced => "misplaced",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == name)
    }

    pub fn needs_distractor(self) -> bool {
        matches!(self, Self::SelfDiagnosis | Self::History)
    }
}

/// What the questions of one patient share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Design {
    /// Distractor, persona and rumor are the same: the questions differ in the trap.
    #[default]
    Controlled,
    /// Each is drawn for each question, as published.
    Published,
}

/// How a benchmark is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub seed: Seed,
    /// Another edition draws everything anew.
    pub edition: u32,
    pub design: Design,
    /// Without them only style and rumor are left: an ablation.
    pub traps: bool,
    /// Without them everybody writes alike: an ablation.
    pub styles: bool,
}

impl Plan {
    fn dice(&self, question: &str) -> Dice {
        Dice::new(self.seed, format!("edition {}, {question}", self.edition))
    }

    /// Chance for what the questions of a patient may share.
    pub fn shared_for(&self, patient: &Patient, trap: Trap) -> Dice {
        self.shared_dice(&patient.id, &format!("{}/{}", patient.id, trap.as_str()))
    }

    fn shared_dice(&self, patient: &str, question: &str) -> Dice {
        self.dice(if self.design == Design::Controlled { patient } else { question })
    }
}

/// Where a question stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum State {
    /// Written, and nobody could say whether it is what it has to be.
    Drafted,
    Valid,
    /// Nothing that was written passed every check; the best is kept.
    Exhausted {
        failed: Vec<Criterion>,
    },
}

/// A written question.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub brief: Brief,
    pub text: String,
    pub state: State,
    /// How often it was written.
    pub rounds: u32,
}

/// As published.
pub const ROUNDS: u32 = 3;

/// Writes questions by rules.
pub struct Author<'a> {
    pub language: &'a Language,
    /// Every disease that could be named.
    pub names: &'a Names,
    pub plan: &'a Plan,
}

impl Author<'_> {
    /// Of several failed attempts the one that fails least is kept, the earliest of equals.
    pub fn question(&self, patient: &Patient, brief: Brief, hearing: &Hearing) -> Question {
        let checks = Checks { language: self.language, patient, names: self.names, hearing };
        let mut best: Option<(String, Vec<Criterion>)> = None;
        for round in 0..ROUNDS {
            let dice = self.plan.dice(&format!("{}, round {round}", brief.question));
            let text = write::write(self.language, patient, &brief, self.plan, &dice);
            let failed = checks.failed(&brief, &text, self.plan);
            if failed.is_empty() {
                return Question { brief, text, state: State::Valid, rounds: round + 1 };
            }
            if best.as_ref().is_none_or(|(_, least)| failed.len() < least.len()) {
                best = Some((text, failed));
            }
        }
        let (text, failed) = best.expect("there is at least one round");
        Question { brief, text, state: State::Exhausted { failed }, rounds: ROUNDS }
    }
}

/// What a patient of the base can be taken to have: what passes the gate and is not likelier than what they have.
pub fn distractors(language: &Language, base: &KnowledgeBase, facts: &Facts) -> Vec<Distractor> {
    let Some(own) = base.condition_index(&facts.condition) else { return Vec::new() };
    let root = &base.conditions()[own];
    let names =
        |at: usize| std::iter::once(&base.conditions()[at].name).chain(&base.conditions()[at].synonyms).cloned();
    let own_names: Vec<String> = names(own).collect();
    let differential = Differential::of(base, facts, &Reading::JUDGE);
    // The bases name conditions in English, whatever language the letters are in, so that every language has the same distractors.
    let qualifiers = QUALIFIERS.map(str::to_owned);
    let passes = |&at: &usize| {
        let condition = &base.conditions()[at];
        let other_names: Vec<String> = names(at).collect();
        let other = Candidate { names: &other_names, code: coded(&condition.icd10) };
        let root = Candidate { names: &own_names, code: coded(&root.icd10) };
        gate(root, other, &qualifiers, &language.kinship).is_ok() && differential.odds(own, at) > 1.0
    };
    let found = match listed(base, own, facts) {
        listed if listed.is_empty() => differentials(base, own, Some((facts.sex, facts.age))),
        listed => listed,
    };
    let found = found.into_iter().filter(passes);
    let distractor = |at: usize| {
        let condition = &base.conditions()[at];
        let name = language.names_of(condition).into_iter().next().unwrap_or_else(|| condition.name.clone());
        Distractor { condition: condition.id.clone(), name }
    };
    found.map(distractor).collect()
}

/// How likely a disease of the source's own differential must be to be thought of.
const THOUGHT_OF: f64 = 0.03;

/// What the source itself says the patient could have, the most likely first, where the base knows no rivals: a base without frequencies finds
/// conditions alike that share nothing but pain.
fn listed(base: &KnowledgeBase, own: usize, facts: &Facts) -> Vec<usize> {
    if !base.conditions()[own].rivals.is_empty() {
        return Vec::new();
    }
    let likely = facts.differential.iter().filter(|it| it.probability >= THOUGHT_OF);
    likely.filter_map(|it| base.condition_index(&it.condition)).filter(|at| *at != own).take(MOST).collect()
}

/// The same for a disease that comes as a bare name, of a patient with these complaints.
pub fn distractors_of_names(
    language: &Language,
    disease: &str,
    complaints: &[String],
    candidates: &[String],
) -> Vec<Distractor> {
    let root = [disease.to_owned()];
    let kin = &language.kinship;
    let refused = |name: &String| {
        let other = [name.clone()];
        let (root, other) = (Candidate { names: &root, code: None }, Candidate { names: &other, code: None });
        let befalls = is_of_others(kin, disease, complaints, name).then_some(Refused::OtherPerson);
        befalls.or(gate(root, other, &language.speech.names.qualifiers, kin).err())
    };
    let distractor = |name: &String| Distractor { condition: kin.proper(name).into(), name: name.clone() };
    candidates.iter().filter(|name| refused(name).is_none()).map(distractor).collect()
}

/// The same where somebody proposed names for a disease of several names.
pub fn distractors_proposed(language: &Language, disease: &[String], proposed: &[String]) -> Vec<Distractor> {
    let qualifiers: Vec<String> =
        language.speech.names.qualifiers.iter().cloned().chain(QUALIFIERS.map(str::to_owned)).collect();
    let passes = |name: &&String| {
        let other = [(*name).clone()];
        // Under any of its names, not the first alone.
        !name.trim().is_empty()
            && disease.iter().all(|own| {
                let root = Candidate { names: std::slice::from_ref(own), code: None };
                gate(root, Candidate { names: &other, code: None }, &qualifiers, &language.kinship).is_ok()
            })
    };
    let distractor = |name: &String| Distractor { condition: language.kinship.proper(name).into(), name: name.clone() };
    proposed.iter().filter(passes).map(distractor).collect()
}

fn coded(code: &str) -> Option<&str> {
    (!code.is_empty()).then_some(code)
}
