//! A language is a folder of files: how patients, parents and doctors speak, what they believe, and what is so.

mod frames;
mod prompts;
mod speech;

pub use frames::{ByCommunication, ByLevel, Frames};
pub use prompts::{PROMPTS, Prompts};
use speech::Heading;
pub use speech::{AnswerWords, Cues, ParentWords, Speech};

use crate::kinship::Kinship;
use crate::persona::Persona;
use crate::points::{Point, Points};
use crate::rumor::{Rumor, Symptom};
use crate::words::is_cjk;
use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use waterjar_core::{ConditionId, FindingId};
use waterjar_knowledge::{Condition, KnowledgeBase};

include!(concat!(env!("OUT_DIR"), "/languages.rs"));

#[derive(Clone, Debug)]
pub struct Language {
    pub id: String,
    pub personas: Vec<Persona>,
    pub symptoms: Vec<Symptom>,
    /// Of each symptom.
    headings: Vec<Heading>,
    pub frames: Frames,
    pub speech: Speech,
    /// What a subject is told to do with a question.
    pub task: String,
    /// What models that write and judge are told.
    pub prompts: Prompts,
    points: HashMap<ConditionId, Points>,
    findings: HashMap<FindingId, Wording>,
    conditions: HashMap<ConditionId, Vec<String>>,
    /// Of diseases that come as bare names.
    pub kinship: Kinship,
    /// A hash of all files.
    pub fingerprint: String,
}

/// How a finding is told where the base's own words will not do.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wording {
    id: FindingId,
    pub present: Option<String>,
    pub denied: Option<String>,
    #[serde(default)]
    pub values: IndexMap<String, String>,
}

#[derive(Debug, thiserror::Error)]
pub enum LanguageError {
    #[error("no language is called `{asked}`; there are: {}", Language::ids().join(", "))]
    Unknown { asked: String },
    #[error("{language}/{file}: {problem}")]
    Invalid { language: String, file: String, problem: String },
}

impl Language {
    pub fn ids() -> Vec<&'static str> {
        LANGUAGES.iter().map(|(id, _)| *id).collect()
    }

    pub fn named(id: &str) -> Result<Self, LanguageError> {
        let found = LANGUAGES.iter().find(|(known, _)| *known == id);
        let (id, files) = found.ok_or_else(|| LanguageError::Unknown { asked: id.to_owned() })?;
        Self::read(id, files)
    }

    /// The files of one folder with their texts. `findings.toml`, `conditions.toml` and `diseases.toml` may be left out where the base's
    /// words will do.
    pub fn read(id: &str, files: &[(&str, &str)]) -> Result<Self, LanguageError> {
        let folder = Folder { id, files };
        let personas: PersonasFile = folder.table("personas.toml")?;
        let rumors: RumorsFile = folder.table("rumors.toml")?;
        let points: PointsFile = folder.table("points.toml")?;
        let findings: FindingsFile = folder.table_or_default("findings.toml")?;
        let conditions: ConditionsFile = folder.table_or_default("conditions.toml")?;
        let mut hasher = blake3::Hasher::new();
        for (name, text) in files {
            hasher.update(name.as_bytes()).update(text.as_bytes());
        }
        let names = |it: NamedCondition| (it.id, [vec![it.name], it.synonyms].concat());
        let speech: Speech = folder.table("speech.toml")?;
        Ok(Self {
            id: id.to_owned(),
            personas: personas.persona,
            headings: rumors.symptom.iter().map(|it| speech.complaint.heading(it)).collect(),
            symptoms: rumors.symptom,
            frames: folder.table("frames.toml")?,
            speech,
            task: folder.text("ask.md")?.to_owned(),
            prompts: Prompts::read(|file| folder.text(file).map(str::to_owned))?,
            points: points.condition.into_iter().map(PointsOf::resolve).collect(),
            findings: findings.finding.into_iter().map(|it| (it.id.clone(), it)).collect(),
            conditions: conditions.condition.into_iter().map(names).collect(),
            kinship: folder.table_or_default("diseases.toml")?,
            fingerprint: hasher.finalize().to_hex().to_string(),
        })
    }

    /// What a condition is called here, the proper name first; the base's own names where this language has none.
    pub fn names_of(&self, condition: &Condition) -> Vec<String> {
        let known = self.conditions.get(&condition.id);
        let own = || std::iter::once(&condition.name).chain(&condition.synonyms).cloned().collect();
        known.cloned().unwrap_or_else(own)
    }

    /// Every condition of the base with its names.
    pub fn all_names(&self, base: &KnowledgeBase) -> Vec<(ConditionId, Vec<String>)> {
        base.conditions().iter().map(|it| (it.id.clone(), self.names_of(it))).collect()
    }

    /// By id, else by one of its names: another base may call the same condition by another id.
    pub fn points_of(&self, condition: &ConditionId, names: &[String]) -> Option<&Points> {
        self.points.get(condition).or_else(|| {
            let same = |a: &str, b: &str| crate::words::words(a) == crate::words::words(b);
            let as_id = |name: &String| ConditionId::new(name.to_lowercase().replace([' ', '-'], "_"));
            let by_id = names.iter().find_map(|name| self.points.get(&as_id(name)));
            by_id.or_else(|| {
                let known = self
                    .conditions
                    .iter()
                    .find(|(_, known)| known.iter().any(|it| names.iter().any(|name| same(it, name))));
                known.and_then(|(id, _)| self.points.get(id))
            })
        })
    }

    pub(crate) fn wording(&self, finding: &FindingId) -> Option<&Wording> {
        self.findings.get(finding)
    }

    /// The symptoms with rumors that a complaint is about: by the finding, else by the words.
    pub fn symptoms_of(&self, finding: Option<&FindingId>, said: &str) -> Vec<&Symptom> {
        let by_id: Vec<&Symptom> =
            self.symptoms.iter().filter(|it| finding.is_some_and(|id| it.findings.contains(id))).collect();
        if !by_id.is_empty() {
            return by_id;
        }
        let said = said.to_lowercase();
        let bare = said.trim_end_matches(['.', '。']);
        let named = |it: &Symptom, heading: &Heading| match bare.chars().any(is_cjk) {
            true => self.speech.complaint.is_about(bare, heading),
            false => it.names.iter().any(|name| crate::words::holds(&said, name)),
        };
        self.symptoms.iter().zip(&self.headings).filter(|(it, heading)| named(it, heading)).map(|(it, _)| it).collect()
    }

    /// Every rumor there is.
    pub fn rumors(&self) -> impl Iterator<Item = Rumor> + '_ {
        self.symptoms.iter().flat_map(|it| (0..it.pairs.len()).map(|at| it.rumor(at)))
    }

    pub(crate) fn conditions_with_points(&self) -> impl Iterator<Item = (&ConditionId, &Points)> {
        self.points.iter()
    }
}

struct Folder<'a> {
    id: &'a str,
    files: &'a [(&'a str, &'a str)],
}

impl<'a> Folder<'a> {
    fn text(&self, file: &str) -> Result<&'a str, LanguageError> {
        let found = self.files.iter().find(|(name, _)| *name == file).map(|(_, text)| *text);
        found.ok_or_else(|| {
            self.invalid(file, "is missing; crates/consultations/README.md says what it holds".to_owned())
        })
    }

    fn table<T: DeserializeOwned>(&self, file: &str) -> Result<T, LanguageError> {
        toml::from_str(self.text(file)?).map_err(|error| self.invalid(file, error.to_string()))
    }

    fn table_or_default<T: DeserializeOwned + Default>(&self, file: &str) -> Result<T, LanguageError> {
        if self.files.iter().any(|(name, _)| *name == file) { self.table(file) } else { Ok(T::default()) }
    }

    fn invalid(&self, file: &str, problem: String) -> LanguageError {
        LanguageError::Invalid { language: self.id.to_owned(), file: file.to_owned(), problem }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PersonasFile {
    persona: Vec<Persona>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RumorsFile {
    symptom: Vec<Symptom>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PointsFile {
    condition: Vec<PointsOf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PointsOf {
    id: ConditionId,
    evidence: Vec<Point>,
    treatment: Vec<Point>,
    lifestyle: Vec<Point>,
}

impl PointsOf {
    fn resolve(self) -> (ConditionId, Points) {
        (self.id, Points { evidence: self.evidence, treatment: self.treatment, lifestyle: self.lifestyle })
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FindingsFile {
    finding: Vec<Wording>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConditionsFile {
    condition: Vec<NamedCondition>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedCondition {
    id: ConditionId,
    name: String,
    #[serde(default)]
    synonyms: Vec<String>,
}
