//! What a study may say about this suite.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Every key of `[[suite]] kind = "sensitivity"`, with its default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    pub kind: String,
    /// What results call it; needed when a study has two suites of a kind.
    pub name: Option<String>,
    /// `boards`, our synthetic tumor boards, or `charts:PATH`, whatever the importers read.
    pub source: String,
    /// `ours`, or a YAML file.
    pub catalog: String,
    /// What boards agreed on for charts of one's own: a JSON Lines or CSV file with case, treatment, class, synonyms.
    pub consensus: Option<PathBuf>,
    /// How many cases to take; all when left out.
    pub cases: Option<u64>,
    /// At most so many of one cancer.
    pub per_cancer: Option<u64>,
    /// Whether identifiers are taken out of charts that are no synthetic ones.
    pub scrub: bool,
    /// Who looks for what still states the old fact: `rules`, or a model that reads every changed chart beside them.
    pub residue: String,
    /// Who grades: `["rules"]`, or models, of which the middle grade counts. May change on a finished run.
    pub judge: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            kind: super::KIND.to_owned(),
            name: None,
            source: super::BOARDS.to_owned(),
            catalog: super::catalog::OURS.to_owned(),
            consensus: None,
            cases: None,
            per_cancer: None,
            scrub: true,
            residue: super::RULES.to_owned(),
            judge: vec![super::RULES.to_owned()],
        }
    }
}

impl Settings {
    /// Values that parse but make no sense, as `key: problem`.
    pub fn problem(&self) -> Option<String> {
        if self.cases == Some(0) {
            Some("cases: 0 is too few".to_owned())
        } else if self.per_cancer == Some(0) {
            Some("per_cancer: 0 is too few".to_owned())
        } else if self.judge.is_empty() {
            Some("judge: name at least one, or \"rules\"".to_owned())
        } else if self.judge.len() > 1 && self.judge.iter().any(|name| name == super::RULES) {
            Some("judge: the rule's grade is always kept beside the models'; leave \"rules\" out".to_owned())
        } else if self.consensus.is_some() && self.source == super::BOARDS {
            Some("consensus: the boards bring their own; leave it out".to_owned())
        } else {
            None
        }
    }
}
