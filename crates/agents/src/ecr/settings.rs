//! What a study may say of this agent.

use super::graph::Weights;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};
use std::path::PathBuf;

pub const LEXICAL: &str = "lexical";

/// The switches are the ablations; everything is on unless the study says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The folder `waterjar evolve` made; without one nothing was learnt.
    pub memory: Option<PathBuf>,
    /// Where things are looked up: names of sources, or folders of texts. One of them may stand without a list.
    #[serde(deserialize_with = "one_or_many")]
    #[schemars(schema_with = "name_or_names")]
    pub evidence: Vec<String>,
    /// Candidates that come to mind.
    pub candidates: usize,
    pub weights: Weights,
    /// Contents nearer than this say the same.
    pub likeness: f32,
    /// Cases like this one that are recalled.
    pub recalled: usize,
    /// Look back for what should be there, and cast shadows.
    pub backward: bool,
    pub pivots: bool,
    pub exemplars: bool,
    /// Without it the best score wins.
    pub audit: bool,
    /// How much to distrust little knowledge: a challenger must lead the first impression in S by this over the number of cases
    /// the less known of the two was learnt from. An article counts as two.
    pub doubt: f64,
    /// Says which contents are alike: `lexical`, or `minilm` where its files are found. A memory can only be used with the one it grew with.
    pub embedder: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            memory: None,
            evidence: Vec::new(),
            candidates: 5,
            weights: Weights::default(),
            likeness: 0.9,
            recalled: 5,
            backward: true,
            pivots: true,
            exemplars: true,
            audit: true,
            doubt: 4.0,
            embedder: LEXICAL.to_owned(),
        }
    }
}

impl Settings {
    /// What no type can state, as `key: problem`.
    pub fn problem(&self) -> Option<String> {
        let Weights { matching, conflict, shadow, pivot, experience } = self.weights;
        if [matching, conflict, shadow, pivot, experience].iter().any(|it| !(0.0..=1e6).contains(it)) {
            return Some("weights: every weight is a number from 0 to 1,000,000".to_owned());
        }
        if self.evidence.iter().any(|name| name.trim().is_empty()) {
            return Some("evidence: a source has no name".to_owned());
        }
        if !(self.doubt.is_finite() && self.doubt >= 0.0) {
            return Some(format!("doubt: a number of 0 or more, not {}", self.doubt));
        }
        if !(1..=20).contains(&self.candidates) {
            return Some(format!("candidates: between 1 and 20, not {}", self.candidates));
        }
        if !(0.0..1.0).contains(&self.likeness) {
            return Some(format!("likeness: a cosine from 0 to below 1, not {}", self.likeness));
        }
        None
    }

    /// All that decides an answer beside the content of the folders.
    pub fn fingerprint(&self) -> String {
        let plain = Self { memory: None, evidence: Vec::new(), ..self.clone() };
        // The embedder is told by its own id, which says more than its name.
        format!("{plain:?}").replace(&format!(", embedder: {:?}", self.embedder), "")
    }
}

fn name_or_names(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] })
}

fn one_or_many<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "evidence: a name, or a list of names")]
    enum Written {
        One(String),
        Many(Vec<String>),
    }
    Ok(match Written::deserialize(from)? {
        Written::One(name) => vec![name],
        Written::Many(names) => names,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<&[&str], &str>) {
        let read = toml::from_str::<Settings>(text).map(|it| it.evidence);
        match expected {
            Ok(names) => assert_eq!(read.unwrap(), names),
            Err(problem) => assert!(read.unwrap_err().message().contains(problem)),
        }
    }

    #[test]
    fn evidence_is_one_name_or_several() {
        check("", Ok(&[]));
        check("evidence = \"starter\"", Ok(&["starter"]));
        check("evidence = [\"starter\", \"notes\"]", Ok(&["starter", "notes"]));
        check("evidence = 3", Err("a name, or a list of names"));
    }
}
