//! A case under no intervention (the control) or under one.

use crate::{CaseId, Expectation, Facts, FamilyId, Intervention, VariantId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    pub id: VariantId,
    pub family: FamilyId,
    pub case: CaseId,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<Facts>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intervention: Option<Intervention>,
    pub expectation: Expectation,
    /// What results are broken down by: `edits` = `2`, `place` = `history`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub strata: BTreeMap<String, String>,
    /// The suite's own account of how the variant was made and checked.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub record: serde_json::Value,
}

impl Variant {
    pub fn is_control(&self) -> bool {
        self.intervention.is_none()
    }

    /// `control`, or the name of the intervention.
    pub fn role(&self) -> &str {
        self.intervention.as_ref().map_or("control", |change| change.name.as_str())
    }
}
