//! What a study may say about this suite.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Every key of `[[suite]] kind = "parity"`, with its default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    pub kind: String,
    /// What results call it; needed when a study has two suites of a kind.
    pub name: Option<String>,
    /// `starter`, our own vignettes, or a file: `medqa:FILE`, `equityguard:FILE`, `diversity-medqa:FILE`, `mediq:FILE`,
    /// `craft-md:FILE`, `agentclinic:FILE`, `csv:FILE`.
    pub source: String,
    /// What the columns of a `csv:` source are: a TOML file.
    pub mapping: Option<PathBuf>,
    /// The longest findings only, so many of each vignette: sources that mark phrases mark many.
    pub spans: Option<usize>,
    /// How many vignettes to take, drawn by chance; all when left out.
    pub items: Option<usize>,
    /// Whether each vignette is also asked about with one critical finding removed, once for every finding.
    pub ablations: bool,
    /// Other things that must not matter: `age`, `race`, `language`, `insurance`, `housing`, `weight`, or one of them with a value, `age=34`.
    pub attributes: Vec<String>,
    /// Whose words change: the `patient`'s, or `everyone`'s.
    pub who: Who,
    /// Who words the vignettes and mends what is left of a sentence: `rules`, or a model whose every word the rules check.
    pub author: String,
    /// What becomes of a swap that does not swap back to the original, because it can be read in two ways: `ask`, counted as ambiguous, or
    /// `lose`.
    pub ambiguous: Ambiguous,
    /// Whether the control is asked a second time, so that effects can be read against chance.
    pub floor: bool,
    /// Says how alike two traces are: `auto` (MiniLM where its files are found, else `lexical`), `minilm`, `minilm-windows`, `lexical`,
    /// or a model. May change on a finished run.
    pub embedder: String,
    /// Who says in what two traces differ: `["rules"]`, or models. May change on a finished run.
    pub judge: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    #[default]
    Patient,
    Everyone,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ambiguous {
    #[default]
    Ask,
    Lose,
}

pub const AUTO: &str = "auto";

impl Default for Settings {
    fn default() -> Self {
        Self {
            kind: super::KIND.to_owned(),
            name: None,
            source: super::STARTER.to_owned(),
            mapping: None,
            spans: None,
            items: None,
            ablations: false,
            attributes: Vec::new(),
            who: Who::Patient,
            author: super::RULES.to_owned(),
            ambiguous: Ambiguous::Ask,
            floor: true,
            embedder: AUTO.to_owned(),
            judge: vec![super::RULES.to_owned()],
        }
    }
}

impl Settings {
    /// Values that parse but make no sense, as `key: problem`.
    pub fn problem(&self) -> Option<String> {
        let twice = |at: usize| self.attributes[..at].contains(&self.attributes[at]);
        if self.items == Some(0) {
            Some("items: 0 is too few".to_owned())
        } else if self.spans == Some(0) && self.ablations {
            Some("spans: with 0 of them nothing can be removed; leave `ablations` out, or take at least 1".to_owned())
        } else if self.author.trim().is_empty() {
            Some("author: write \"rules\" or a model".to_owned())
        } else if self.judge.is_empty() {
            Some("judge: name at least one, or \"rules\"".to_owned())
        } else if self.judge.len() > 1 && self.judge.iter().any(|name| name == super::RULES) {
            Some("judge: the rule's labels are always kept beside the models'; leave \"rules\" out".to_owned())
        } else if self.mapping.is_some() && !self.source.starts_with("csv:") {
            let table = format!("write source = \"csv:{}\", or leave the mapping out", self.source);
            Some(format!("mapping: only a `csv:` source has one; {table}"))
        } else if let Some(at) = (0..self.attributes.len()).find(|at| twice(*at)) {
            Some(format!("attributes: `{}` is there twice", self.attributes[at]))
        } else if self.embedder.trim().is_empty() {
            Some("embedder: write \"auto\", \"minilm\", \"lexical\" or a model".to_owned())
        } else {
            None
        }
    }
}
