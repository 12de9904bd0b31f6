//! What a variant records: how it was made, and all that judging it needs.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use waterjar_consultations::author::Brief;
use waterjar_consultations::{Criterion, Points, State};
use waterjar_core::Variant;

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
    /// The control's: letters that were not made, and why.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub not_made: BTreeMap<String, String>,
    /// The control's: the best text of those that exhausted their author or were not vouched for.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub not_kept: BTreeMap<String, NotKept>,
    /// The control's: what is known of the patient and not told, because it names the disease.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// What the validator and the rules found wrong, round by round.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checked: Vec<Checked>,
    /// Where a model wrote: how many of the complaints the rules hear in its words, of how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heard: Option<[usize; 2]>,
    /// Of a baseline: what became of each rewriting.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rewritten: BTreeMap<String, Rewriting>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NotKept {
    pub text: String,
    pub failed: Vec<Criterion>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    pub by_validator: Vec<Criterion>,
    pub by_rules: Vec<Criterion>,
    /// How hard it was refined then, and at which temperature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eta: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rewriting {
    /// `false` where the text before was kept.
    pub accepted: bool,
    pub attempts: u32,
    /// Why attempts were refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
}

impl Record {
    pub fn of(variant: &Variant) -> Self {
        serde_json::from_value(variant.record.clone()).unwrap_or_default()
    }
}
