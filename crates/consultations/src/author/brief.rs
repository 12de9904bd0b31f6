//! What a question has to be: drawn before anybody writes a word of it.

use super::dice::Dice;
use super::{Plan, Trap};
use crate::language::Language;
use crate::patient::{Complaint, Patient};
use crate::persona::Style;
use crate::rumor::Rumor;
use serde::{Deserialize, Serialize};
use waterjar_core::{ConditionId, FindingId};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Brief {
    /// `starter-000042/history`
    pub question: String,
    pub trap: Trap,
    /// Who writes; only the style may be seen in the letter.
    pub persona: String,
    pub style: Style,
    /// What the trap leads to, where it leads to a disease.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distractor: Option<Distractor>,
    /// The complaint the rumor is about.
    pub selected: FindingId,
    pub rumor: Rumor,
    /// What is dwelt on, and what is played down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minor: Option<FindingId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub key: Vec<FindingId>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distractor {
    pub condition: ConditionId,
    pub name: String,
}

/// Why there is no question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undrawn {
    NoDifferential,
    NoRumor,
    TooFewSymptoms,
    NoPersona,
}

impl Undrawn {
    /// As losses and accounts name it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoDifferential => "no_differential",
            Self::NoRumor => "no_rumor",
            Self::TooFewSymptoms => "too_few_symptoms",
            Self::NoPersona => "no_persona",
        }
    }
}

impl Brief {
    /// `distractors` are what the condition can be mistaken for, in any order that does not change.
    pub fn draw(
        language: &Language,
        patient: &Patient,
        distractors: &[Distractor],
        trap: Trap,
        plan: &Plan,
    ) -> Result<Self, Undrawn> {
        let rumor = || known_rumor(language, patient, &plan.shared_for(patient, trap));
        Self::draw_with(language, patient, distractors, trap, plan, rumor)
    }

    /// The same with a rumor from elsewhere.
    pub fn draw_with(
        language: &Language,
        patient: &Patient,
        distractors: &[Distractor],
        trap: Trap,
        plan: &Plan,
        rumor: impl FnOnce() -> Option<(FindingId, Rumor)>,
    ) -> Result<Self, Undrawn> {
        let question = format!("{}/{}", patient.id, trap.as_str());
        let own = plan.dice(&question);
        let shared = plan.shared_dice(&patient.id, &question);
        let distractor = shared.pick("distractor", distractors).cloned();
        if plan.traps && trap.needs_distractor() && distractor.is_none() {
            return Err(Undrawn::NoDifferential);
        }
        let persona = shared.pick("persona", &language.personas).ok_or(Undrawn::NoPersona)?;
        let (selected, rumor) = rumor().ok_or(Undrawn::NoRumor)?;
        let (minor, key) = match trap {
            Trap::Misplaced if plan.traps => {
                let (minor, key) = emphasis(patient, &own).ok_or(Undrawn::TooFewSymptoms)?;
                (Some(minor), key)
            }
            _ => (None, Vec::new()),
        };
        Ok(Self {
            question,
            trap,
            persona: persona.id.clone(),
            style: if plan.styles { persona.style() } else { Style::PLAIN },
            distractor: distractor.filter(|_| plan.traps && trap.needs_distractor()),
            selected,
            rumor,
            minor,
            key,
        })
    }
}

/// A complaint that a rumor may be asked for: one that stands for itself, where there is one.
pub fn selected<'a>(patient: &'a Patient, trap: Trap, plan: &Plan) -> Option<&'a Complaint> {
    let told: Vec<&Complaint> = patient.complaints.iter().filter(|it| it.is_symptom()).collect();
    let plain: Vec<&Complaint> = told.iter().copied().filter(|it| it.plain).collect();
    plan.shared_for(patient, trap).pick("selected symptom", if plain.is_empty() { &told } else { &plain }).copied()
}

/// One of the complaints that has rumors, and one of its rumors.
pub fn known_rumor(language: &Language, patient: &Patient, dice: &Dice) -> Option<(FindingId, Rumor)> {
    let told = patient.complaints.iter().filter(|it| it.is_symptom());
    let known = told.map(|it| (it, language.symptoms_of(Some(&it.seen.finding), &it.sentence)));
    let known: Vec<_> = known.filter(|(_, symptoms)| symptoms.iter().any(|it| !it.pairs.is_empty())).collect();
    let (complaint, symptoms) = dice.pick("selected symptom", &known)?;
    let rumors: Vec<Rumor> = symptoms.iter().flat_map(|it| (0..it.pairs.len()).map(|at| it.rumor(at))).collect();
    Some((complaint.seen.finding.clone(), dice.pick("rumor", &rumors)?.clone()))
}

/// How many telling complaints are played down.
const KEYS: usize = 2;

/// One of the least telling complaints to dwell on, and the most telling ones to play down.
fn emphasis(patient: &Patient, dice: &Dice) -> Option<(FindingId, Vec<FindingId>)> {
    let is_parent = |id: &FindingId| patient.complaints.iter().any(|it| it.parent.as_ref() == Some(id));
    let mut told: Vec<_> = patient
        .complaints
        .iter()
        .filter(|it| it.is_symptom() && it.plain && !is_parent(&it.seen.finding))
        .zip(dice.order("emphasis", patient.complaints.len()))
        .collect();
    told.sort_by(|(a, first), (b, second)| a.telling.total_cmp(&b.telling).then(first.cmp(second)));
    let told: Vec<FindingId> = told.into_iter().map(|(it, _)| it.seen.finding.clone()).collect();
    let (minor, rest) = told.split_first()?;
    let key: Vec<FindingId> = rest.iter().rev().take(KEYS.min(rest.len().div_ceil(2))).cloned().collect();
    (!key.is_empty()).then(|| (minor.clone(), key))
}
