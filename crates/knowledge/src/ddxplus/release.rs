//! The release's two JSON files, as they are written.

use crate::{AgeRange, Kind};
use indexmap::IndexMap;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::Path;
use waterjar_core::{Sex, SourceError};

/// One code system: conditions by name, evidences by code, both in the file's order.
#[derive(Clone, Debug)]
pub(super) struct Release {
    pub conditions: IndexMap<String, WrittenCondition>,
    pub evidences: IndexMap<String, WrittenEvidence>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct WrittenCondition {
    #[serde(rename = "cond-name-eng")]
    pub english: String,
    #[serde(rename = "cond-name-fr", default)]
    pub french: String,
    #[serde(rename = "icd10-id", default)]
    pub icd10: String,
    pub severity: u8,
    /// Keyed by evidence code; the values are empty.
    pub symptoms: IndexMap<String, Empty>,
    pub antecedents: IndexMap<String, Empty>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waterjar: Option<ConditionExtra>,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Empty {}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct WrittenEvidence {
    /// The evidence whose presence switches this one on; itself when there is none. May name a code that does not exist.
    #[serde(default)]
    pub code_question: String,
    #[serde(default)]
    pub question_fr: String,
    pub question_en: String,
    pub is_antecedent: bool,
    #[serde(default)]
    pub default_value: serde_json::Value,
    #[serde(default)]
    pub value_meaning: IndexMap<String, Meaning>,
    /// Numbers and strings, mixed.
    #[serde(rename = "possible-values", default)]
    pub possible_values: Vec<serde_json::Value>,
    pub data_type: DataType,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waterjar: Option<EvidenceExtra>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Meaning {
    #[serde(default)]
    pub fr: String,
    pub en: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum DataType {
    /// Present or not.
    B,
    /// One value.
    C,
    /// Several values.
    M,
}

/// What our own export adds, because DDXPlus has no place for it. Other readers pass over it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ConditionExtra {
    pub id: String,
    pub synonyms: Vec<String>,
    pub specialty: String,
    pub sex: Option<Sex>,
    pub age: AgeRange,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct EvidenceExtra {
    pub kind: Kind,
    pub family: String,
    pub gravity: u8,
    pub background: f64,
    pub present: String,
    pub denied: Option<String>,
    pub sex: Option<Sex>,
    pub age: AgeRange,
}

impl Release {
    pub fn read(conditions: &Path, evidences: &Path) -> Result<Self, SourceError> {
        let release = Self { conditions: read_json(conditions)?, evidences: read_json(evidences)? };
        if release.conditions.is_empty() {
            return Err(empty(conditions, "conditions"));
        }
        if release.evidences.is_empty() {
            return Err(empty(evidences, "evidences"));
        }
        release.check_sizes(evidences)?;
        release.check_listed(conditions)?;
        Ok(release)
    }

    /// Rows count conditions, evidences and values in 16 bits.
    fn check_sizes(&self, place: &Path) -> Result<(), SourceError> {
        let values = self.evidences.values().map(|it| it.value_meaning.len() + it.possible_values.len());
        let largest = values.max().unwrap_or(0).max(self.evidences.len()).max(self.conditions.len());
        if largest >= usize::from(u16::MAX) {
            return Err(SourceError::at(place, format!("{largest} entries are too many")));
        }
        Ok(())
    }

    fn check_listed(&self, place: &Path) -> Result<(), SourceError> {
        for (name, condition) in &self.conditions {
            for code in condition.listed() {
                if !self.evidences.contains_key(code) {
                    return Err(SourceError::at(
                        place,
                        format!("`{name}` lists evidence `{code}`, which the evidences file does not have"),
                    )
                    .with_hint("conditions and evidences must be of the same release"));
                }
            }
        }
        Ok(())
    }
}

impl WrittenCondition {
    pub fn listed(&self) -> impl Iterator<Item = &String> {
        self.symptoms.keys().chain(self.antecedents.keys())
    }
}

/// Errors carry the line and column that `serde_json` gives.
pub(super) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, SourceError> {
    let text = std::fs::read(path).map_err(|error| SourceError::unreadable(path, &error))?;
    serde_json::from_slice(&text).map_err(|error| {
        SourceError::at(path, error.to_string())
            .with_hint("the file is cut off or is not the DDXPlus release file of this name")
    })
}

fn empty(path: &Path, what: &str) -> SourceError {
    SourceError::at(path, format!("holds no {what}")).with_hint("download the DDXPlus release again")
}
