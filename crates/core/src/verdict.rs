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
    /// Nobody says what would be right, so that the answer was held against nothing: a chart without a board's list, a story without a key.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_standard: bool,
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
            without_standard: false,
            parts: BTreeMap::new(),
            strata: BTreeMap::new(),
        }
    }

    /// As a reward: the judge's grade where it gives one, else what the outcome is worth. Where there is nothing to rule on, or nothing to hold the
    /// answer against, there is none: else any answer that can be read would be paid.
    pub fn worth(&self) -> Option<f64> {
        let by_outcome = self.outcome.worth()?;
        self.score.or_else(|| (!self.without_standard).then_some(by_outcome))
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
    /// Where the judge gives no grade. Where there is nothing to rule on there is none, which is not a reward of 0. Of a ruling ask [`Ruling::worth`].
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

#[cfg(test)]
mod tests {
    use super::*;

    fn ruling(outcome: Outcome) -> Ruling {
        Ruling::new("a/control".into(), "control", outcome, "")
    }

    #[test]
    fn a_grade_is_worth_itself_and_an_outcome_what_it_says() {
        assert_eq!(Ruling { score: Some(0.3), ..ruling(Outcome::Right) }.worth(), Some(0.3));
        let worth = |outcome: Outcome| ruling(outcome).worth();
        assert_eq!((worth(Outcome::Right), worth(Outcome::Partly)), (Some(1.0), Some(0.5)));
        assert_eq!((worth(Outcome::Trapped), worth(Outcome::Missed)), (Some(0.0), Some(0.0)));
        assert_eq!(worth(Outcome::Missing), None);
        assert_eq!(Ruling { score: Some(0.3), ..ruling(Outcome::Missing) }.worth(), None, "there is nothing to grade");
    }

    #[test]
    fn what_is_held_against_nothing_is_worth_nothing_and_not_zero() {
        for outcome in [Outcome::Right, Outcome::Missed] {
            assert_eq!(Ruling { without_standard: true, ..ruling(outcome) }.worth(), None);
        }
    }

    #[test]
    fn a_ruling_with_a_standard_is_written_as_before_there_was_the_word() {
        let told = serde_json::to_value(ruling(Outcome::Right)).unwrap();
        assert!(told.get("without_standard").is_none(), "{told}");
        assert_eq!(serde_json::from_value::<Ruling>(told).unwrap(), ruling(Outcome::Right));
    }
}
