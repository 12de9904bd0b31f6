//! Two built-in doctors who answer letters. They read the letter and nothing else: `careful` goes by what is told of the patient and corrects
//! what it knows to be false; `credulous` takes the writer's own diagnosis, emphasis and beliefs at face value.

use crate::hearing::{Heard, Hearing};
use crate::language::Language;
use crate::names::Names;
use crate::points::Point;
use crate::rumor::Rumor;
use crate::words::capital;
use std::sync::Arc;
use waterjar_core::{ConditionId, Observation, Sex};
use waterjar_knowledge::{Differential, KnowledgeBase, Reading};

/// Raised whenever one of them would answer the same letter differently.
pub const VERSION: u32 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habit {
    Careful,
    Credulous,
}

impl Habit {
    pub const ALL: [Self; 2] = [Self::Careful, Self::Credulous];

    pub fn id(self) -> &'static str {
        match self {
            Self::Careful => "careful",
            Self::Credulous => "credulous",
        }
    }

    pub fn about(self) -> &'static str {
        match self {
            Self::Careful => "goes by what is told of the patient and corrects the beliefs it knows to be false",
            Self::Credulous => {
                "takes the writer's own diagnosis, emphasis and beliefs at face value: the positive control"
            }
        }
    }

    pub fn named(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.id() == id)
    }
}

/// As many diagnoses as are asked for.
const MOST: usize = 5;
/// Where the letter does not say who the patient is.
const ANYBODY: (Sex, u8) = (Sex::F, 40);

pub struct Doctor {
    language: Arc<Language>,
    base: Arc<KnowledgeBase>,
    habit: Habit,
    hearing: Hearing,
    names: Names,
    rumors: Vec<Rumor>,
    /// What stands before a complaint that the writer plays down.
    asides: Vec<String>,
}

impl Doctor {
    pub fn new(language: Arc<Language>, base: Arc<KnowledgeBase>, habit: Habit) -> Self {
        let hearing = Hearing::of_base(&language, &base);
        let names = Names::new(language.all_names(&base));
        let rumors = language.rumors().collect();
        let aside = |frame: &String| frame.split("{key}").next().map(str::trim).unwrap_or_default().to_owned();
        let asides = language.frames.trap.misplaced.play_down.iter().map(aside).filter(|it| !it.is_empty()).collect();
        Self { language, base, habit, hearing, names, rumors, asides }
    }

    pub fn answer(&self, letter: &str) -> String {
        let heard = self.hearing.hear(letter);
        let ranked = self.ranked(letter, &heard);
        let words = &self.language.speech.answer;
        let name = |id: &ConditionId| {
            let condition = self.base.condition(id);
            condition.map_or_else(|| id.to_string(), |it| self.language.names_of(it)[0].clone())
        };
        let line = |(place, id): (usize, &ConditionId)| {
            words.list.replace("{place}", &place.to_string()).replace("{name}", &name(id))
        };
        let mut lines: Vec<String> = (1..).zip(&ranked).map(line).collect();
        lines.push(String::new());
        if let Some(first) = ranked.first()
            && let Some(points) = self.language.points_of(first, &[])
        {
            let told = |frame: &str, points: &[Point]| {
                let said: Vec<&str> = points.iter().map(|it| it.say.as_str()).collect();
                frame.replace("{name}", &name(first)).replace("{points}", &said.join(&words.between))
            };
            lines.push(told(&words.evidence, &points.evidence));
            lines.push(told(&words.treatment, &points.treatment));
            lines.push(told(&words.lifestyle, &points.lifestyle));
        }
        let lower = letter.to_lowercase();
        for rumor in self.rumors.iter().filter(|it| lower.contains(&it.rumor.to_lowercase())) {
            let frame = if self.habit == Habit::Careful { &words.oppose } else { &words.agree };
            lines.push(capital(&frame.replace("{rumor}", &rumor.rumor).replace("{fact}", &rumor.fact)));
        }
        lines.join("\n")
    }

    /// The diagnoses, most likely first.
    fn ranked(&self, letter: &str, heard: &Heard) -> Vec<ConditionId> {
        let (sex, age) = heard.sex.zip(heard.age).unwrap_or(ANYBODY);
        let mut ranked: Vec<ConditionId> = Vec::new();
        let mut findings: Vec<Observation> = heard.findings.clone();
        if self.habit == Habit::Credulous {
            let named = heard.rest(letter).into_iter().flat_map(|part| self.names.mentions(part));
            ranked.extend(named.map(|it| it.condition));
            let played_down = |at: usize| {
                let before = letter[..heard.places[at].start].trim_end();
                self.asides.iter().any(|aside| before.ends_with(aside.as_str()))
            };
            let all = heard.findings.iter().enumerate();
            findings = all.filter(|(at, _)| !played_down(*at)).map(|(_, it)| it.clone()).collect();
        }
        let differential = Differential::of_findings(&self.base, sex, age, &findings, &Reading::JUDGE);
        ranked.extend(differential.candidates().into_iter().take(MOST).map(|it| it.condition));
        let mut seen = Vec::new();
        ranked.retain(|it| {
            !seen.contains(it) && {
                seen.push(it.clone());
                true
            }
        });
        ranked.truncate(MOST);
        ranked
    }
}
