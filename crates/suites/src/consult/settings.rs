//! What a study may say about this suite.

use super::authored::{DYVAL2_ROLES, SELF_EVOLVING_ROLES};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use waterjar_consultations::{Design, Trap};

/// Every key of `[[suite]] kind = "consult"`, with its default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// Who writes: `rules`, or a language model.
    pub author: String,
    /// How questions are made: `dygen`, or for comparison `dyval2` and `self_evolving`, which need a language model.
    pub method: Method,
    /// Where a language model writes: what our files know of differentials, rumors and score points is taken from them, and only the rest
    /// is asked for. `false` asks for everything, as published.
    pub files: bool,
    /// Who rules on answers: `["rules"]`, or language models. The first counts, every further one judges everything again. May change on a
    /// finished run.
    pub judge: Vec<String>,
    /// Another edition draws everything anew.
    pub edition: u32,
    /// `variants.jsonl` of earlier editions, none of whose questions is asked again. `waterjar vary RUN --fresh` writes it.
    pub apart_from: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    #[default]
    Valid,
    All,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    #[default]
    Dygen,
    Dyval2,
    SelfEvolving,
}

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
            method: Method::Dygen,
            files: true,
            judge: vec![super::RULES.to_owned()],
            edition: 1,
            apart_from: Vec::new(),
        }
    }
}

impl Settings {
    /// Whether cases are the marked findings of vignettes, in their words.
    pub fn is_of_vignettes(&self) -> bool {
        self.source.starts_with("vignettes:")
    }

    /// The roles of what is asked beside the raw question.
    pub fn roles(&self) -> Vec<&'static str> {
        match self.method {
            Method::Dygen => self.traps.iter().map(|it| it.as_str()).collect(),
            Method::Dyval2 => DYVAL2_ROLES.into(),
            Method::SelfEvolving => SELF_EVOLVING_ROLES.into(),
        }
    }

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
        } else if self.author == super::RULES && self.method != Method::Dygen {
            Some("method: needs a language model; name one as `author`".to_owned())
        } else if self.author == super::RULES && !self.files {
            Some("files: rules know nothing but what our files do; name a language model as `author`".to_owned())
        } else if self.author == super::RULES && self.is_of_vignettes() {
            Some(
                "source: vignettes speak of patients in the third person; name a language model as `author`".to_owned(),
            )
        } else if self.judge.is_empty() {
            Some("judge: name at least one, or \"rules\"".to_owned())
        } else if self.judge.len() > 1 && self.judge.iter().any(|name| name == super::RULES) {
            Some("judge: the rules' word is always kept beside the models'; leave \"rules\" out".to_owned())
        } else if self.edition == 0 {
            Some("edition: editions count from 1".to_owned())
        } else {
            None
        }
    }
}
