//! One treatment somebody recommends: what it is, what for, when and why.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A subject's whole answer about a chart. Its JSON is the text of the conclusion.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recommendations {
    /// The most important first; empty where nothing is to be done.
    pub recommendations: Vec<Recommendation>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recommendation {
    /// One drug, regimen, operation, radiotherapy or measure, by its usual name and nothing else.
    pub treatment: String,
    pub class: TreatmentClass,
    pub intent: Intent,
    pub timing: Timing,
    /// The facts of the chart it rests on, in one sentence.
    pub rationale: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TreatmentClass {
    Drug,
    Surgery,
    Radiotherapy,
    /// Monitoring, support, tests, watching.
    Care,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    Curative,
    Palliative,
    Supportive,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Timing {
    Neoadjuvant,
    /// The main curative treatment.
    Definitive,
    Adjuvant,
    /// For disease that cannot be removed.
    Systemic,
    Maintenance,
    Supportive,
    Workup,
}

impl Timing {
    pub const ALL: [Self; 7] = [
        Self::Neoadjuvant,
        Self::Definitive,
        Self::Adjuvant,
        Self::Systemic,
        Self::Maintenance,
        Self::Supportive,
        Self::Workup,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Neoadjuvant => "neoadjuvant",
            Self::Definitive => "definitive",
            Self::Adjuvant => "adjuvant",
            Self::Systemic => "systemic",
            Self::Maintenance => "maintenance",
            Self::Supportive => "supportive",
            Self::Workup => "workup",
        }
    }
}

impl fmt::Display for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
