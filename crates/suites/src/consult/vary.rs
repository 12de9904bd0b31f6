//! patient → the raw question, and a letter for every trap.

use super::settings::Keep;
use super::{Consult, RULES};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use waterjar_consultations::author::{self, Brief, Checks, Dice, Distractor};
use waterjar_consultations::dx::DxCase;
use waterjar_consultations::words::sentences;
use waterjar_consultations::{Author, Hearing, Patient, Plan, Points, Question, State, Trap};
use waterjar_core::{Case, Edit, Expectation, FamilyId, Intervention, Loss, Seed, Variant, VariantId};

/// What a variant records: how it was made, and all that judging it needs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    /// What the letter had to be; the control's has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brief: Option<Brief>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// How often it was written.
    pub rounds: u32,
    /// Who wrote it.
    pub author: String,
    pub edition: u32,
    /// What the right diagnosis is called.
    pub names: Vec<String>,
    /// What a helpful answer says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<Points>,
    /// The control's: traps that were not made, and why.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub not_made: BTreeMap<String, String>,
}

impl Record {
    pub fn of(variant: &Variant) -> Self {
        serde_json::from_value(variant.record.clone()).unwrap_or_default()
    }
}

/// A seed with what it can be mistaken for, and an ear for what is told of it.
struct Seeded<'a> {
    patient: Patient,
    distractors: Vec<Distractor>,
    hearing: Heard<'a>,
}

/// The base's, or one made for the patient.
enum Heard<'a> {
    Base(&'a Hearing),
    Own(Hearing),
}

impl Heard<'_> {
    fn get(&self) -> &Hearing {
        match self {
            Self::Base(hearing) => hearing,
            Self::Own(hearing) => hearing,
        }
    }
}

impl Consult {
    pub(super) fn plan(&self, seed: Seed) -> Plan {
        Plan {
            seed,
            edition: self.settings.edition,
            design: self.settings.design,
            traps: self.settings.distractors,
            styles: self.settings.styles,
        }
    }

    fn seed(&self, case: &Case) -> Result<Seeded<'_>, Loss> {
        let language = &self.language;
        let seeded = match &case.facts {
            Some(facts) => {
                let patient = Patient::of_facts(language, &self.base, case.id.as_str(), facts);
                let patient = patient.map_err(|_| Loss::new("finding_without_words"))?;
                let distractors = author::distractors(language, &self.base, facts);
                Seeded { patient, distractors, hearing: Heard::Base(&self.hearing) }
            }
            None => {
                let dx = DxCase::parse(case.id.as_str(), &case.text).ok_or_else(|| Loss::new("no_findings"))?;
                if dx.contradiction().is_some() {
                    return Err(Loss::new("contradictory_symptoms"));
                }
                let patient = Patient::of_dx(language, &dx);
                let distractors = author::distractors_of_names(language, &dx.disease, &dx.candidates);
                let hearing = Heard::Own(Hearing::of_patient(language, &patient));
                Seeded { patient, distractors, hearing }
            }
        };
        if !seeded.patient.complaints.iter().any(|it| it.is_symptom()) {
            return Err(Loss::new("no_symptoms"));
        }
        Ok(seeded)
    }

    /// The condition, in which patients are balanced.
    pub(super) fn group(&self, case: &Case) -> Result<String, Loss> {
        match &case.facts {
            Some(facts) => Ok(facts.condition.to_string()),
            None => {
                let dx = DxCase::parse(case.id.as_str(), &case.text).ok_or_else(|| Loss::new("no_findings"))?;
                if dx.symptoms.iter().any(|(_, present)| *present) {
                    Ok(dx.disease)
                } else {
                    Err(Loss::new("no_symptoms"))
                }
            }
        }
    }

    pub(super) fn family(&self, seed: Seed, case: &Case) -> Result<Vec<Variant>, Loss> {
        let seeded = self.seed(case)?;
        let plan = self.plan(seed);
        let patient = &seeded.patient;
        let dice = Dice::new(seed, format!("edition {}, {}/control", plan.edition, patient.id));
        let raw = author::raw(&self.language, patient, &dice);
        let checks = Checks { language: &self.language, patient, names: &self.names, hearing: seeded.hearing.get() };
        if !checks.tells_the_patient(&raw) {
            return Err(Loss::new("raw_question_reads_back_otherwise"));
        }
        let mut letters = Vec::new();
        let mut not_made = BTreeMap::new();
        for &trap in &self.settings.traps {
            match self.letter(&plan, &seeded, trap) {
                Ok(question) => letters.push(question),
                Err(why) => _ = not_made.insert(trap.as_str().to_owned(), why),
            }
        }
        if letters.is_empty() {
            let why = not_made.into_values().next().unwrap_or_else(|| "no_trap".to_owned());
            return Err(Loss::new(&why));
        }
        let record = Record {
            author: RULES.to_owned(),
            edition: self.settings.edition,
            names: patient.names.clone(),
            points: self.language.points_of(&patient.condition, &patient.names).cloned(),
            ..Record::default()
        };
        let control = Record { not_made, rounds: 1, ..record.clone() };
        let mut family = vec![self.variant(case, patient, raw, control)];
        for Question { brief, text, state, rounds } in letters {
            let record = Record { brief: Some(brief), state: Some(state), rounds, ..record.clone() };
            family.push(self.variant(case, patient, text, record));
        }
        Ok(family)
    }

    /// The error is why there is none.
    fn letter(&self, plan: &Plan, seeded: &Seeded<'_>, trap: Trap) -> Result<Question, String> {
        let brief = Brief::draw(&self.language, &seeded.patient, &seeded.distractors, trap, plan);
        let brief = brief.map_err(|why| why.as_str().to_owned())?;
        let author = Author { language: &self.language, names: &self.names, plan };
        let question = author.question(&seeded.patient, brief, seeded.hearing.get());
        match &question.state {
            State::Exhausted { failed } if self.settings.keep == Keep::Valid => {
                Err(format!("exhausted_{}", failed.first().map_or("checks", |it| it.as_str())))
            }
            _ => Ok(question),
        }
    }

    fn variant(&self, case: &Case, patient: &Patient, text: String, record: Record) -> Variant {
        let condition = patient.condition.clone();
        let role = record.brief.as_ref().map(|it| it.trap.as_str());
        let intervention = record.brief.as_ref().map(|brief| Intervention {
            name: brief.trap.as_str().to_owned(),
            edits: self.edits(patient, brief, &text),
        });
        let mut strata = BTreeMap::from([("condition".to_owned(), condition.to_string())]);
        if let Some(brief) = &record.brief {
            strata.insert("medical_knowledge".to_owned(), brief.style.medical_knowledge.as_str().to_owned());
            strata.insert("clarity".to_owned(), brief.style.clarity.as_str().to_owned());
            strata.insert("communication".to_owned(), brief.style.communication.as_str().to_owned());
        }
        Variant {
            id: VariantId::new(format!("{}/{}", case.id, role.unwrap_or("control"))),
            family: FamilyId::new(case.id.as_str()),
            case: case.id.clone(),
            text,
            facts: case.facts.clone(),
            expectation: match role {
                None => Expectation::Names { condition },
                Some(_) => Expectation::Holds { condition },
            },
            intervention,
            strata,
            record: serde_json::to_value(record).expect("texts, numbers and lists of them"),
        }
    }

    /// The sentences that mislead.
    fn edits(&self, patient: &Patient, brief: &Brief, text: &str) -> Vec<Edit> {
        let told =
            |id: &_| patient.complaints.iter().find(|it| it.seen.finding == *id).map(|it| it.sentence.to_lowercase());
        let mut marks: Vec<String> = brief.distractor.iter().map(|it| it.name.to_lowercase()).collect();
        marks.extend(brief.minor.iter().chain(&brief.key).filter_map(told));
        if brief.trap == Trap::External {
            marks.extend(self.language.frames.trap.external.any.iter().map(|it| it.to_lowercase()));
        }
        marks.push(brief.rumor.rumor.to_lowercase());
        let misleads = |sentence: &&str| {
            let lower = sentence.to_lowercase();
            marks.iter().any(|mark| lower.contains(mark.trim_end_matches(['.', '。'])))
        };
        let edit = |sentence: &str| Edit { removed: String::new(), inserted: sentence.to_owned() };
        sentences(text).into_iter().filter(misleads).map(edit).collect()
    }
}
