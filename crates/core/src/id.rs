//! Names of things. Each is a string with its own type, so that a case can never be looked up as a condition. Most are short, and a run reads
//! them by the million: up to 24 bytes they need no memory of their own.

use compact_str::{CompactString, format_compact};
use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(CompactString);

        impl $name {
            pub fn new(name: impl Into<CompactString>) -> Self {
                Self(name.into())
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(name: &str) -> Self {
                Self(name.into())
            }
        }
    )*};
}

ids! {
    /// `plain`, `ecr`
    AgentId
    /// `starter-000042`, `ddxplus-17`
    CaseId
    /// `pulmonary_embolism`
    ConditionId
    /// One case as one suite varies it; the variants of a family belong to one case.
    FamilyId
    /// `pleuritic_pain`, `E_91`
    FindingId
    /// `rules`, or the model that judged
    JudgeId
    /// `gestalt`, `openai/gpt-5`
    ModelId
    /// `agent@model`
    SubjectId
    /// What the study calls a suite; its kind unless the study says otherwise.
    SuiteId
    /// `starter-000042/trap`
    VariantId
}

impl SubjectId {
    pub fn of(agent: &AgentId, model: &ModelId) -> Self {
        Self(format_compact!("{agent}@{model}"))
    }
}
