//! What a sound reader does with a variant, declared before any model is asked.

use crate::{ConditionId, Timing};
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
    /// The control of a chart: what is recommended is held against what a board agreed on.
    Recommends,
    /// What is recommended follows the change in the chart.
    Shifts(Shift),
}

/// What must be different in the recommendations once the chart has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Shift {
    /// Treatments, or classes of drugs, that must go; of `paclitaxel | docetaxel` none may be there.
    pub must_drop: Vec<String>,
    /// Treatments of which one must come; each entry may name alternatives, `FOLFOX | CAPOX`.
    pub must_add: Vec<String>,
    pub timing: Vec<TimingShift>,
    /// Words of which each must stand in a rationale.
    pub rationale: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimingShift {
    /// The treatment that moves; any of the list where it is left out.
    pub treatment: Option<String>,
    pub from: Option<Timing>,
    pub to: Timing,
}

impl Expectation {
    /// The condition a sound reader names, where it is about conditions.
    pub fn condition(&self) -> Option<&ConditionId> {
        match self {
            Self::Names { condition } | Self::Holds { condition } => Some(condition),
            Self::Flips { to, .. } => Some(to),
            Self::Recommends | Self::Shifts(_) => None,
        }
    }
}
