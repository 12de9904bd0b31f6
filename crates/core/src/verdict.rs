//! What a judge says of a family. Verdicts are about families, never about single answers: a counterfactual score is a contrast.

use crate::{ConditionId, FamilyId, JudgeId, SubjectId, VariantId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FamilyVerdict {
    pub family: FamilyId,
    pub subject: SubjectId,
    pub repeat: u32,
    pub judge: JudgeId,
    pub rulings: Vec<Ruling>,
    /// The strata of the family's variants, for breaking results down.
    pub strata: BTreeMap<String, String>,
}

/// The judge's reading of one answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ruling {
    pub variant: VariantId,
    /// `control`, `trap`, `sham`.
    pub role: String,
    pub outcome: Outcome,
    /// The condition the answer puts first, where one was recognised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named: Option<ConditionId>,
    /// The conditions recognised in the answer, first choice first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranking: Vec<RankedLabel>,
    /// How many diagnoses the answer lists, recognised or not.
    pub listed: u32,
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The answer does what the expectation says.
    Right,
    /// The fact changed and the answer stayed with the old one.
    Trapped,
    /// The answer is neither.
    Missed,
    /// There is no answer to rule on.
    Missing,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankedLabel {
    /// The place in the answer's list, from 1.
    pub rank: u32,
    pub condition: ConditionId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

impl FamilyVerdict {
    pub fn ruling(&self, role: &str) -> Option<&Ruling> {
        self.rulings.iter().find(|ruling| ruling.role == role)
    }

    /// Whether a needed answer is missing.
    pub fn is_incomplete(&self) -> bool {
        self.rulings.iter().any(|ruling| ruling.outcome == Outcome::Missing)
    }
}
