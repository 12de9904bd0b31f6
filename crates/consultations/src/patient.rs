//! A seed: who the patient is, what is told of them, and what they have.

use crate::dx::DxCase;
use crate::language::Language;
use crate::telling::{Teller, Untold};
use waterjar_core::{ConditionId, Facts, FindingId, FindingState, Observation, Sex};
use waterjar_knowledge::{Finding, KnowledgeBase, Place};

#[derive(Clone, Debug, PartialEq)]
pub struct Patient {
    pub id: String,
    pub condition: ConditionId,
    /// What it is called, the proper name first.
    pub names: Vec<String>,
    pub sex: Option<Sex>,
    pub age: Option<u8>,
    /// A parent writes.
    pub child: bool,
    pub complaints: Vec<Complaint>,
}

/// One thing that is told.
#[derive(Clone, Debug, PartialEq)]
pub struct Complaint {
    pub seen: Observation,
    /// As the writer says it.
    pub sentence: String,
    /// As anybody would say it of themselves: the same for every patient who has it.
    pub topic: String,
    pub place: Place,
    /// Spoken of beside another complaint.
    pub parent: Option<FindingId>,
    /// How much it tells of the condition against all others; 1 where nobody knows.
    pub telling: f64,
    /// Whether it stands for itself, without sites and degrees.
    pub plain: bool,
}

impl Complaint {
    pub fn is_present(&self) -> bool {
        self.seen.state == FindingState::Present
    }

    /// A symptom or sign that is there.
    pub fn is_symptom(&self) -> bool {
        self.is_present() && self.place == Place::Symptoms
    }
}

/// The oldest for whom a parent writes.
pub(crate) const CHILD: u8 = 13;
/// What no condition lists counts as this, so that nothing is infinitely telling.
const FLOOR: f64 = 0.01;

impl Patient {
    pub fn of_facts(language: &Language, base: &KnowledgeBase, id: &str, facts: &Facts) -> Result<Self, Untold> {
        let teller = Teller { language, base };
        let child = facts.age <= CHILD;
        let mut complaints = Vec::new();
        let row = base.condition_index(&facts.condition);
        for seen in &facts.findings {
            let topic = teller.sentence(seen)?;
            let sentence = if child { teller.of_child(&topic, facts.sex) } else { topic.clone() };
            let column = base.finding_index(&seen.finding);
            let finding = base.finding(&seen.finding);
            let telling = row.zip(column).map_or(1.0, |(row, column)| base.specificity(row, column, FLOOR));
            complaints.push(Complaint {
                seen: crate::telling::as_told(base, seen),
                sentence,
                topic,
                place: finding.map_or(Place::Symptoms, |it| it.kind.place()),
                parent: finding.and_then(|it| it.parent.clone()),
                telling,
                plain: !finding.is_some_and(Finding::carries_detail),
            });
        }
        let names = base.condition(&facts.condition).map_or_else(Vec::new, |it| language.names_of(it));
        Ok(Self {
            id: id.to_owned(),
            condition: facts.condition.clone(),
            names,
            sex: Some(facts.sex),
            age: Some(facts.age),
            child,
            complaints,
        })
    }

    /// A case of bare words; nobody says who the patient is.
    pub fn of_dx(language: &Language, case: &DxCase) -> Self {
        let words = &language.speech.complaint;
        let complaint = |(text, present): &(String, bool)| {
            let (frame, state) = match present {
                true => (&words.present, FindingState::Present),
                false => (&words.denied, FindingState::Denied),
            };
            Complaint {
                seen: Observation { finding: FindingId::new(text.as_str()), state, values: Vec::new() },
                sentence: frame.replace("{}", text),
                topic: text.clone(),
                place: Place::Symptoms,
                parent: None,
                telling: 1.0,
                plain: true,
            }
        };
        Self {
            id: case.id.clone(),
            condition: ConditionId::new(language.kinship.proper(&case.disease)),
            names: language.kinship.names(&case.disease),
            sex: None,
            age: None,
            child: language.speech.parent.marks.iter().any(|mark| case.disease.contains(mark.as_str())),
            complaints: case.symptoms.iter().map(complaint).collect(),
        }
    }
}
