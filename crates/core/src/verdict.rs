//! What a judge says of a family. Verdicts are about families, never about single answers: a counterfactual score is a contrast.

use crate::{ConditionId, Failure, FamilyId, JudgeId, SubjectId, VariantId};
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
    /// What went wrong, where the answer stayed with the old one and somebody looked into it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<Audit>,
    /// Who was to judge the answer and gave no usable word; one for each thing that was asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub silent: Vec<SilentJudge>,
    /// Between 0 and 1, where answers are graded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// What the score is made of, and other judges' scores, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parts: BTreeMap<String, f64>,
    /// The strata of this variant, where the variants of a family differ in them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub strata: BTreeMap<String, String>,
}

impl Ruling {
    /// A ruling that says nothing beyond its outcome.
    pub fn new(variant: VariantId, role: impl Into<String>, outcome: Outcome, reason: impl Into<String>) -> Self {
        Self {
            variant,
            role: role.into(),
            outcome,
            named: None,
            ranking: Vec::new(),
            listed: 0,
            reason: reason.into(),
            audit: None,
            silent: Vec::new(),
            score: None,
            parts: BTreeMap::new(),
            strata: BTreeMap::new(),
        }
    }
}

/// A judge without a usable word, and why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SilentJudge {
    pub judge: JudgeId,
    pub failure: Failure,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The answer does what the expectation says.
    Right,
    /// It does some of it.
    Partly,
    /// The fact changed and the answer stayed with the old one.
    Trapped,
    /// The answer is neither.
    Missed,
    /// There is no answer to rule on.
    Missing,
}

impl Outcome {
    /// As a reward, where the judge gives no grade. Where there is nothing to rule on there is none, which is not a reward of 0.
    pub fn worth(self) -> Option<f64> {
        match self {
            Self::Right => Some(1.0),
            Self::Partly => Some(0.5),
            Self::Trapped | Self::Missed => Some(0.0),
            Self::Missing => None,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Partly => "partly",
            Self::Trapped => "trapped",
            Self::Missed => "missed",
            Self::Missing => "missing",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankedLabel {
    /// The place in the answer's list, from 1.
    pub rank: u32,
    pub condition: ConditionId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

/// How an answer came to stay with the old one, as far as its reasoning tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Audit {
    pub mode: FailureMode,
    /// Who decided: `rules`, or a model.
    pub auditor: JudgeId,
    /// What should have changed the answer.
    pub evidence: Vec<KeyEvidence>,
    /// The words of the reasoning that a model rests its decision on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// Why nobody could decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

/// One thing that was put into the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyEvidence {
    /// As the text has it.
    pub said: String,
    /// The sentence of the reasoning that speaks of it, by rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mentioned: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureMode {
    /// The evidence is nowhere in the reasoning.
    Blindness,
    /// It is mentioned and not carried through.
    Underthinking,
    /// It is mentioned, weighed and argued away.
    Overthinking,
    /// It is mentioned; what was made of it nobody has looked into.
    Mentioned,
    /// There is no reasoning to look at, which is not blindness.
    NoReasoning,
    /// Somebody was to decide and could not.
    Unaudited,
}

impl FailureMode {
    pub const ALL: [Self; 6] =
        [Self::Blindness, Self::Underthinking, Self::Overthinking, Self::Mentioned, Self::NoReasoning, Self::Unaudited];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Blindness => "blindness",
            Self::Underthinking => "underthinking",
            Self::Overthinking => "overthinking",
            Self::Mentioned => "mentioned",
            Self::NoReasoning => "no_reasoning",
            Self::Unaudited => "unaudited",
        }
    }
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
