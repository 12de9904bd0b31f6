//! What a question must be, whoever wrote it.

use super::brief::{Brief, Distractor};
use super::{Plan, Trap};
use crate::hearing::Hearing;
use crate::language::Language;
use crate::names::Names;
use crate::patient::Patient;
use crate::words::has_figure;
use serde::{Deserialize, Serialize};
use waterjar_core::{FindingId, Observation};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Criterion {
    /// The answer is not given away.
    Challenge,
    /// It is a letter: no slot left open, no figure, and whoever writes for a child says so.
    Logic,
    /// Every told finding is told, every denied one denied, and nothing else.
    SymptomAccuracy,
    TrapEffectiveness,
    /// It is written in the style, and the person behind it is not to be seen.
    Style,
    /// The rumor is there, and the fact is not.
    RumorEmbedding,
}

impl Criterion {
    pub const ALL: [Self; 6] = [
        Self::Challenge,
        Self::Logic,
        Self::SymptomAccuracy,
        Self::TrapEffectiveness,
        Self::Style,
        Self::RumorEmbedding,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Challenge => "challenge",
            Self::Logic => "logic",
            Self::SymptomAccuracy => "symptom_accuracy",
            Self::TrapEffectiveness => "trap_effectiveness",
            Self::Style => "style",
            Self::RumorEmbedding => "rumor_embedding",
        }
    }
}

/// The rules' validator.
pub struct Checks<'a> {
    pub language: &'a Language,
    pub patient: &'a Patient,
    pub names: &'a Names,
    pub hearing: &'a Hearing,
}

impl Checks<'_> {
    pub fn failed(&self, brief: &Brief, text: &str, plan: &Plan) -> Vec<Criterion> {
        let passes = |criterion: &Criterion| match criterion {
            Criterion::Challenge => !self.gives_away(text),
            Criterion::Logic => self.is_a_letter(brief, text),
            Criterion::SymptomAccuracy => self.tells_the_patient(text),
            Criterion::TrapEffectiveness => !plan.traps || self.traps(brief, text),
            Criterion::Style => !plan.styles || self.has_style(brief, text),
            Criterion::RumorEmbedding => embeds(brief, text),
        };
        Criterion::ALL.into_iter().filter(|it| !passes(it)).collect()
    }

    /// What is surely wrong with a text in anybody's words. What the rules do not hear they say nothing of.
    pub fn faults(&self, brief: Option<&Brief>, text: &str) -> Vec<Criterion> {
        let named = |it: &Distractor| {
            let known = self.names.mentions(text).iter().any(|found| found.condition == it.condition);
            known || text.to_lowercase().contains(&it.name.to_lowercase())
        };
        let persona = brief.and_then(|brief| self.language.personas.iter().find(|it| it.id == brief.persona));
        let passes = |criterion: &Criterion| match criterion {
            Criterion::Challenge => !self.gives_away(text),
            Criterion::Logic => !text.contains(['{', '}']) && !self.has_figure(brief, text),
            Criterion::SymptomAccuracy => self.contradicts(text).is_empty(),
            Criterion::TrapEffectiveness => brief.and_then(|it| it.distractor.as_ref()).is_none_or(named),
            Criterion::Style => persona.is_none_or(|it| !text.contains(it.about.as_str())),
            Criterion::RumorEmbedding => {
                brief.is_none_or(|it| !text.to_lowercase().contains(&it.rumor.fact.to_lowercase()))
            }
        };
        Criterion::ALL.into_iter().filter(|it| !passes(it)).collect()
    }

    /// What the text tells of the patient and is not so: a finding of somebody else, or one that is denied.
    pub fn contradicts(&self, text: &str) -> Vec<Observation> {
        let own = |it: &Observation| {
            let same = |known: &&Observation| known.finding == it.finding && known.state == it.state;
            self.patient.complaints.iter().map(|it| &it.seen).any(|known| same(&known))
        };
        self.hearing.hear(text).findings.into_iter().filter(|it| !own(it)).collect()
    }

    /// How many of the complaints the rules hear in the text.
    pub fn heard(&self, text: &str) -> usize {
        let heard = self.hearing.hear(text).findings;
        let is_heard = |seen: &Observation| heard.iter().any(|it| it.finding == seen.finding && it.state == seen.state);
        self.patient.complaints.iter().filter(|it| is_heard(&it.seen)).count()
    }

    /// Every told finding is told, every denied one denied, and nothing else.
    pub fn tells_the_patient(&self, text: &str) -> bool {
        let sorted = |mut all: Vec<Observation>| {
            all.iter_mut().for_each(|it| it.values.sort());
            all.sort();
            all.dedup();
            all
        };
        let heard = sorted(self.hearing.hear(text).findings);
        heard == sorted(self.patient.complaints.iter().map(|it| it.seen.clone()).collect())
    }

    fn gives_away(&self, text: &str) -> bool {
        self.names.mentions(text).iter().any(|it| it.condition == self.patient.condition)
    }

    fn is_a_letter(&self, brief: &Brief, text: &str) -> bool {
        let child = self.language.speech.parent.child(self.patient.sex).to_lowercase();
        !text.contains(['{', '}'])
            && !self.has_figure(Some(brief), text)
            && (!self.patient.child || text.to_lowercase().contains(&child))
    }

    fn has_figure(&self, brief: Option<&Brief>, text: &str) -> bool {
        // Type 2 diabetes has its figure from elsewhere.
        let told = self.hearing.hear(text).rest(text).concat();
        let distractor = brief.and_then(|it| it.distractor.as_ref());
        has_figure(&distractor.map_or_else(|| told.clone(), |it| told.replace(it.name.as_str(), " ")))
    }

    fn traps(&self, brief: &Brief, text: &str) -> bool {
        let lower = text.to_lowercase();
        let named = || brief.distractor.as_ref().is_some_and(|it| lower.contains(&it.name.to_lowercase()));
        let place = |finding: &FindingId| {
            let told = self.patient.complaints.iter().find(|it| it.seen.finding == *finding)?;
            lower.find(&told.sentence.to_lowercase())
        };
        match brief.trap {
            Trap::SelfDiagnosis | Trap::History => named(),
            Trap::External => self.language.frames.trap.external.any.iter().any(|it| text.contains(it.as_str())),
            Trap::Misplaced => {
                let minor = brief.minor.as_ref().and_then(place);
                !brief.key.is_empty() && brief.key.iter().all(|key| minor.is_some() && minor < place(key))
            }
        }
    }

    fn has_style(&self, brief: &Brief, text: &str) -> bool {
        let frames = &self.language.frames;
        let closes = frames.closing.of(brief.style.communication).iter().any(|it| text.ends_with(it.as_str()));
        let knows = frames.knowledge.of(brief.style.medical_knowledge).iter().any(|it| text.contains(it.as_str()));
        let about = self.language.personas.iter().find(|it| it.id == brief.persona).map(|it| it.about.as_str());
        closes && knows && about.is_none_or(|about| !text.contains(about))
    }
}

fn embeds(brief: &Brief, text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.contains(&brief.rumor.rumor.to_lowercase()) && !lower.contains(&brief.rumor.fact.to_lowercase())
}
