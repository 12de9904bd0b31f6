//! One thing to rate: what is shown of it, and, kept apart, where it comes from.

use serde::{Deserialize, Serialize};
use waterjar_core::{FailureMode, FamilyId, Outcome, Ruling, SubjectId, VariantId};

/// All a rater is told. There is no place in it for who answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// One, or a control and what became of it.
    pub texts: Vec<String>,
    /// In the order of the texts, or of the subjects where two answer the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expectation: Option<String>,
    /// The right diagnosis of each of two texts, where raters are told what should follow: a form may ask about either.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnoses: Vec<String>,
    /// Of texts and answers, as pages mark it: `zh`. Projects of earlier versions do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// For the owner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Source {
    pub family: FamilyId,
    /// Of the family in the run.
    pub position: i64,
    pub variant: VariantId,
    pub role: String,
    /// Nobody, one, or the two that are compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subjects: Vec<SubjectId>,
    #[serde(default)]
    pub repeat: u32,
    /// What it was drawn from, and how many of the run it stands for.
    pub stratum: String,
    pub weight: f64,
    /// What the run's judge had said when the project was made: of the control, and of the variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<Judged>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<Judged>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    pub outcome: Outcome,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<FailureMode>,
}

impl From<&Ruling> for Judged {
    fn from(ruling: &Ruling) -> Self {
        Self { outcome: ruling.outcome, score: ruling.score, mode: ruling.audit.as_ref().map(|audit| audit.mode) }
    }
}
