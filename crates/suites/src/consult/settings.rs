//! What a study may say about this suite.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use waterjar_consultations::{Design, Trap};

/// Every key of `[[suite]] kind = "consult"`, with its default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    pub kind: String,
    /// What results call it; needed when a study has two suites of a kind.
    pub name: Option<String>,
    /// `starter`, `base:FOLDER`, `ddxplus:FILE_OR_FOLDER`, `jsonl:FILE`, or `dx:FILE` for a file of DxBench or Dxy.
    pub source: String,
    /// The folder with the knowledge files of `ddxplus:FILE`, or the base of `jsonl:FILE`.
    pub knowledge: Option<PathBuf>,
    /// The folder of `crates/consultations/languages` that letters are written in: `en`, `zh`.
    pub language: String,
    /// How many patients are simulated to choose from.
    pub patients: u64,
    /// How many patients are asked about, drawn by chance, the conditions in turn; all when left out.
    pub items: Option<u64>,
    pub traps: Vec<Trap>,
    /// `controlled`: the letters of a patient share distractor, persona and rumor. `published`: each draws its own.
    pub design: Design,
    /// `valid`: only letters that passed every check are asked. `all`: also those that exhausted their author.
    pub keep: Keep,
    /// Ablation: without distractors a letter has no trap, only style and rumor.
    pub distractors: bool,
    /// Ablation: without styles everybody writes alike.
    pub styles: bool,
    /// Who writes: `rules`.
    pub author: String,
    /// How questions are made: `dygen`.
    pub method: String,
    /// Who rules on answers: `["rules"]`. May change on a finished run.
    pub judge: Vec<String>,
    /// Another edition draws everything anew.
    pub edition: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    #[default]
    Valid,
    All,
}

pub const DYGEN: &str = "dygen";

impl Default for Settings {
    fn default() -> Self {
        Self {
            kind: super::KIND.to_owned(),
            name: None,
            source: "starter".to_owned(),
            knowledge: None,
            language: "en".to_owned(),
            patients: 404,
            items: None,
            traps: Trap::ALL.into(),
            design: Design::Controlled,
            keep: Keep::Valid,
            distractors: true,
            styles: true,
            author: super::RULES.to_owned(),
            method: DYGEN.to_owned(),
            judge: vec![super::RULES.to_owned()],
            edition: 1,
        }
    }
}

impl Settings {
    /// Values that parse but make no sense, as `key: problem`.
    pub fn problem(&self) -> Option<String> {
        let twice = |at: usize| self.traps[..at].contains(&self.traps[at]);
        if self.items == Some(0) {
            Some("items: 0 is too few".to_owned())
        } else if self.patients == 0 {
            Some("patients: 0 is too few".to_owned())
        } else if self.traps.is_empty() {
            Some("traps: name at least one of self_diagnosis, history, external, misplaced".to_owned())
        } else if let Some(at) = (0..self.traps.len()).find(|at| twice(*at)) {
            Some(format!("traps: `{}` is there twice", self.traps[at].as_str()))
        } else if self.author != super::RULES {
            Some(format!("author: `{}` cannot write letters; write \"rules\"", self.author))
        } else if self.method != DYGEN {
            Some(format!("method: `{}` is no method; write \"{DYGEN}\"", self.method))
        } else if self.judge != [super::RULES] {
            Some("judge: write [\"rules\"]".to_owned())
        } else if self.edition == 0 {
            Some("edition: editions count from 1".to_owned())
        } else {
            None
        }
    }
}
