//! What a subject answered, or why it did not.

use crate::{AgentError, FamilyId, ModelError, SubjectId, SuiteId, Variant, VariantId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What an agent concludes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conclusion {
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// What the agent worked out on the way, in the agent's own shape: for a reader, never for a judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<serde_json::Value>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    pub variant: VariantId,
    pub subject: SubjectId,
    /// The same question may be asked several times; the first is 0.
    pub repeat: u32,
    pub ending: Ending,
}

/// A failure is not an answer: it is kept as what it is and shown beside `n`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    Ok(Conclusion),
    Failed(Failure),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub state: FailureState,
    pub detail: String,
    /// Whether another question might well have been answered ([`ModelError::may_lie_in_the_question`]).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_question: bool,
}

impl Failure {
    pub fn new(state: FailureState, detail: impl Into<String>) -> Self {
        Self { state, detail: detail.into(), of_question: false }
    }
}

/// The terminal states of a unit of work beside `ok`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureState {
    InvalidOutput,
    Refused,
    Timeout,
    TransportError,
    NotApplicable,
    DependencyFailed,
}

impl FailureState {
    /// As it is promised to users.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidOutput => "invalid_output",
            Self::Refused => "refused",
            Self::Timeout => "timeout",
            Self::TransportError => "transport_error",
            Self::NotApplicable => "not_applicable",
            Self::DependencyFailed => "dependency_failed",
        }
    }
}

impl From<&AgentError> for Failure {
    fn from(error: &AgentError) -> Self {
        match error {
            AgentError::InvalidOutput(_) => Self::new(FailureState::InvalidOutput, error.to_string()),
            AgentError::Model(model) => Self { detail: error.to_string(), ..Self::from(model) },
        }
    }
}

impl From<&ModelError> for Failure {
    fn from(error: &ModelError) -> Self {
        let of_question = error.may_lie_in_the_question();
        Self { state: FailureState::from(error), detail: error.to_string(), of_question }
    }
}

impl From<&ModelError> for FailureState {
    fn from(error: &ModelError) -> Self {
        match error {
            ModelError::InvalidOutput(_) | ModelError::SchemaUnsupported(_) => Self::InvalidOutput,
            ModelError::Refused(_) => Self::Refused,
            ModelError::Timeout(_) => Self::Timeout,
            ModelError::Transport(_)
            | ModelError::RateLimited { .. }
            | ModelError::Endpoint { .. }
            | ModelError::Rejected { .. }
            | ModelError::Budget(_)
            | ModelError::Forbidden(_)
            | ModelError::Closed(_)
            | ModelError::Stopped => Self::TransportError,
            ModelError::Charged { error, .. } => Self::from(error.as_ref()),
        }
    }
}

impl Response {
    pub fn conclusion(&self) -> Option<&Conclusion> {
        match &self.ending {
            Ending::Ok(conclusion) => Some(conclusion),
            Ending::Failed(_) => None,
        }
    }
}

/// One subject's answers to all variants of one case, the missing ones included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Family {
    pub suite: SuiteId,
    pub id: FamilyId,
    pub subject: SubjectId,
    pub repeat: u32,
    pub members: Vec<Member>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    pub variant: Variant,
    /// `None` when the subject was not asked or has not answered yet.
    pub response: Option<Response>,
}

impl Family {
    /// Answers given elsewhere to some variants of a family, by variant; `None` where it has no variants.
    pub fn answered(
        suite: &SuiteId,
        subject: &SubjectId,
        variants: Vec<Variant>,
        mut answers: BTreeMap<VariantId, Conclusion>,
    ) -> Option<Self> {
        let id = variants.first()?.family.clone();
        let members = variants.into_iter().map(|variant| {
            let response = answers.remove(&variant.id).map(|said| Response {
                variant: variant.id.clone(),
                subject: subject.clone(),
                repeat: 0,
                ending: Ending::Ok(said),
            });
            Member { variant, response }
        });
        let members = members.collect();
        Some(Self { suite: suite.clone(), id, subject: subject.clone(), repeat: 0, members })
    }
}

impl Member {
    pub fn conclusion(&self) -> Option<&Conclusion> {
        self.response.as_ref().and_then(Response::conclusion)
    }
}
