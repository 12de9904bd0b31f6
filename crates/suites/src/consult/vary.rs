//! patient → the raw question, and a letter for every trap.

use super::authored::{Drafted, Made, Writer};
use super::record::{NotKept, Record};
use super::settings::{Keep, Method};
use super::{Consult, RULES};
use std::collections::BTreeMap;
use waterjar_consultations::author::{self, Brief, Checks, Dice, Distractor};
use waterjar_consultations::dx::DxCase;
use waterjar_consultations::words::sentences;
use waterjar_consultations::{Author, Hearing, Patient, Plan, Question, State, Trap};
use waterjar_core::{
    Case, ChatModel, ConditionId, Edit, Expectation, FamilyId, Intervention, Loss, Seed, SuiteError, Variant,
    VariantId, Varied,
};

/// A seed with what it can be mistaken for, and an ear for what is told of it.
pub(super) struct Seeded<'a> {
    pub patient: Patient,
    pub distractors: Vec<Distractor>,
    pub hearing: Heard<'a>,
    /// What is known of the patient and not told, because it names the disease.
    pub left_out: Vec<String>,
}

/// The base's, or one made for the patient.
pub(super) enum Heard<'a> {
    Base(&'a Hearing),
    Own(Hearing),
}

impl Heard<'_> {
    pub fn get(&self) -> &Hearing {
        match self {
            Self::Base(hearing) => hearing,
            Self::Own(hearing) => hearing,
        }
    }
}

/// The reason of a loss: the question was asked before.
const EARLIER: &str = "in_earlier_edition";
/// Openings and closings are many, but not without end.
const RAW_ATTEMPTS: u32 = 32;

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
                Seeded { patient, distractors, hearing: Heard::Base(&self.hearing), left_out: Vec::new() }
            }
            None => {
                let dx = DxCase::parse(case.id.as_str(), &case.text).ok_or_else(|| Loss::new("no_findings"))?;
                if dx.contradiction().is_some() {
                    return Err(Loss::new("contradictory_symptoms"));
                }
                let words = &language.speech.complaint;
                if dx.symptoms.iter().any(|(text, there)| !there && words.is_ambiguous_when_denied(text)) {
                    return Err(Loss::new("ambiguous_denial"));
                }
                let patient = Patient::of_dx(language, &dx);
                let told: Vec<String> =
                    dx.symptoms.iter().filter(|(_, there)| *there).map(|(it, _)| it.clone()).collect();
                let distractors = author::distractors_of_names(language, &dx.disease, &told, &dx.candidates);
                let hearing = Heard::Own(Hearing::of_patient(language, &patient));
                Seeded { patient, distractors, hearing, left_out: Vec::new() }
            }
        };
        if !seeded.patient.complaints.iter().any(|it| it.is_symptom()) {
            return Err(Loss::new("no_symptoms"));
        }
        self.without_its_name(seeded)
    }

    /// "I have been told I have anaemia" would give the answer away: what names the disease is left untold.
    fn without_its_name<'a>(&self, mut seeded: Seeded<'a>) -> Result<Seeded<'a>, Loss> {
        let patient = &mut seeded.patient;
        let names = |text: &str| self.names.mentions(text).iter().any(|it| it.condition == patient.condition);
        let (told, left): (Vec<_>, Vec<_>) =
            std::mem::take(&mut patient.complaints).into_iter().partition(|it| !names(&it.sentence));
        patient.complaints = told;
        seeded.left_out = left.into_iter().map(|it| it.topic).collect();
        let is_told = seeded.patient.complaints.iter().any(|it| it.is_symptom());
        if is_told { Ok(seeded) } else { Err(Loss::new("named_in_findings")) }
    }

    /// The condition, in which patients are balanced.
    pub(super) fn group(&self, case: &Case) -> Result<String, Loss> {
        match &case.facts {
            Some(facts) => Ok(facts.condition.to_string()),
            None => {
                let dx = DxCase::parse(case.id.as_str(), &case.text).ok_or_else(|| Loss::new("no_findings"))?;
                if dx.symptoms.iter().any(|(_, present)| *present) {
                    Ok(self.language.kinship.proper(&dx.disease).to_owned())
                } else {
                    Err(Loss::new("no_symptoms"))
                }
            }
        }
    }

    /// The raw question and its letters, by whoever the study names.
    pub(super) async fn family(
        &self,
        seed: Seed,
        author: Option<&dyn ChatModel>,
        case: &Case,
    ) -> Result<Varied, SuiteError> {
        let by = author.map_or_else(|| RULES.to_owned(), |model| model.id().to_string());
        let seeded = match self.seed(case) {
            Ok(seeded) => seeded,
            Err(loss) => return Ok(self.without_letters(case, loss, by)),
        };
        let plan = self.plan(seed);
        let made = match author {
            None => self.by_rules(&plan, &seeded),
            Some(model) => {
                let writer = Writer { suite: self, model, seeded: &seeded, plan: &plan };
                match self.settings.method {
                    Method::Dygen => writer.dygen().await?,
                    Method::Dyval2 => writer.dyval2().await?,
                    Method::SelfEvolving => writer.self_evolving().await?,
                }
            }
        };
        Ok(match made {
            Ok(made) => self.collect(case, &seeded, made, by),
            Err(loss) => self.without_letters(case, loss, by),
        })
    }

    /// No letter could so much as be begun; each is counted as lost.
    fn without_letters(&self, case: &Case, loss: Loss, by: String) -> Varied {
        let roles = self.settings.roles().into_iter();
        let not_made = roles.map(|role| (role.to_owned(), loss.reason.clone())).collect();
        let record = Record { author: by, edition: self.settings.edition, not_made, ..Record::default() };
        let condition = ConditionId::new(self.group(case).unwrap_or_default());
        Varied::Rejected(loss, vec![self.variant(case, &condition, None, String::new(), record)])
    }

    fn by_rules(&self, plan: &Plan, seeded: &Seeded<'_>) -> Result<Made, Loss> {
        let patient = &seeded.patient;
        let raw = self.raw(plan, seeded)?;
        let letter = |trap: Trap| {
            let brief = Brief::draw(&self.language, patient, &seeded.distractors, trap, plan);
            let brief = brief.map_err(|why| why.as_str().to_owned())?;
            let author = Author { language: &self.language, names: &self.names, plan };
            let Question { brief, text, state, rounds } = author.question(patient, brief, seeded.hearing.get());
            Ok(Drafted { brief: Some(brief), text, state: Some(state), rounds, ..Drafted::default() })
        };
        let letters = self.settings.traps.iter().map(|&trap| (trap.as_str().to_owned(), letter(trap))).collect();
        let points = self.language.points_of(&patient.condition, &patient.names).cloned();
        Ok(Made { raw, letters, points })
    }

    /// The static baseline, in words that no earlier edition has.
    pub(super) fn raw(&self, plan: &Plan, seeded: &Seeded<'_>) -> Result<String, Loss> {
        let patient = &seeded.patient;
        let written = |attempt: u32| {
            let again = if attempt == 0 { String::new() } else { format!(", again {attempt}") };
            let dice = Dice::new(plan.seed, format!("edition {}, {}/control{again}", plan.edition, patient.id));
            author::raw(&self.language, patient, &dice)
        };
        let new = (0..RAW_ATTEMPTS).map(written).find(|it| !self.earlier.holds(it));
        let raw = new.ok_or_else(|| Loss::new(EARLIER))?;
        let reads_back = self.checks(seeded).tells_the_patient(&raw);
        if reads_back { Ok(raw) } else { Err(Loss::new("raw_question_reads_back_otherwise")) }
    }

    pub(super) fn checks<'a>(&'a self, seeded: &'a Seeded<'_>) -> Checks<'a> {
        Checks { language: &self.language, patient: &seeded.patient, names: &self.names, hearing: seeded.hearing.get() }
    }

    /// Variants of what is kept; what is not is named in the control's record, also where nothing is.
    fn collect(&self, case: &Case, seeded: &Seeded<'_>, made: Made, by: String) -> Varied {
        let patient = &seeded.patient;
        let mut letters = Vec::new();
        let (mut not_made, mut not_kept) = (BTreeMap::new(), BTreeMap::new());
        for (role, letter) in made.letters {
            match letter {
                Ok(it) if self.earlier.holds(&it.text) => _ = not_made.insert(role, EARLIER.to_owned()),
                Ok(it) if it.state == Some(State::Valid) || self.settings.keep == Keep::All => letters.push((role, it)),
                Ok(it) => {
                    let failed = it.failed();
                    let why = match (&it.state, failed.first()) {
                        (Some(State::Drafted), _) => "drafted_not_validated".to_owned(),
                        (_, first) => format!("exhausted_{}", first.map_or("checks", |it| it.as_str())),
                    };
                    not_made.insert(role.clone(), why);
                    not_kept.insert(role, NotKept { text: it.text, failed });
                }
                Err(why) => _ = not_made.insert(role, why),
            }
        }
        let nothing = letters.is_empty().then(|| Loss::new(not_made.values().next().map_or("no_trap", String::as_str)));
        let checks = self.checks(seeded);
        // Of what rules wrote everything is heard, or it would not be there.
        let heard = |text: &str| (by != RULES).then(|| [checks.heard(text), patient.complaints.len()]);
        let record = Record {
            author: by.clone(),
            edition: self.settings.edition,
            names: patient.names.clone(),
            points: made.points,
            ..Record::default()
        };
        let left_out = seeded.left_out.clone();
        let control = Record { not_made, not_kept, left_out, rounds: 1, heard: heard(&made.raw), ..record.clone() };
        let mut family = vec![self.variant(case, &patient.condition, None, made.raw, control)];
        for (role, Drafted { brief, text, state, rounds, checked, rewritten }) in letters {
            let heard = heard(&text);
            let edits = brief.as_ref().map(|brief| self.edits(patient, brief, &text)).unwrap_or_default();
            let record = Record { brief, state, rounds, checked, heard, rewritten, ..record.clone() };
            let change = Intervention { name: role, edits };
            family.push(self.variant(case, &patient.condition, Some(change), text, record));
        }
        match nothing {
            Some(loss) => Varied::Rejected(loss, family),
            None => Varied::Family(family),
        }
    }

    fn variant(
        &self,
        case: &Case,
        condition: &ConditionId,
        intervention: Option<Intervention>,
        text: String,
        record: Record,
    ) -> Variant {
        let condition = condition.clone();
        let role = intervention.as_ref().map(|it| it.name.as_str());
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
