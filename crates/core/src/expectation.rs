//! What a sound reader does with a variant, declared before any model is asked.

use crate::ConditionId;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Expectation {
    /// The control: the answer names this condition.
    Names { condition: ConditionId },
    /// The diagnosis flips. `from` was right for the control and is wrong now.
    Flips { from: ConditionId, to: ConditionId },
    /// The change is immaterial: the answer holds.
    Holds { condition: ConditionId },
}

impl Expectation {
    /// The condition a sound reader names.
    pub fn condition(&self) -> &ConditionId {
        match self {
            Self::Names { condition } | Self::Holds { condition } => condition,
            Self::Flips { to, .. } => to,
        }
    }
}
