//! Something a patient can report, in the patient's own voice.

use crate::AgeRange;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use waterjar_core::{FindingId, Sex};

#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub id: FindingId,
    pub kind: Kind,
    /// What it can be exchanged for within its kind: `pain`, `disease`, `drug`.
    pub family: String,
    /// 1 trivial … 5 alarming.
    pub gravity: u8,
    /// How often somebody with a condition that does not list it has it.
    pub background: f64,
    /// What the patient says when it is there. A scale or a choice writes `{value}` where the value goes.
    pub present: String,
    /// What the patient says when it is not. Findings with detail are never denied; their parent is.
    pub denied: Option<String>,
    /// Only spoken of when the parent is present.
    pub parent: Option<FindingId>,
    pub sex: Option<Sex>,
    pub age: AgeRange,
    pub detail: Detail,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Symptom,
    Sign,
    History,
    FamilyHistory,
    Exposure,
    Medication,
}

/// The section of the narrative a finding is told in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    Symptoms,
    Antecedents,
}

/// Detail that a finding carries beside being there. Values map their id to the words for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    None,
    Choice(IndexMap<String, String>),
    Multi(IndexMap<String, String>),
    /// A number from 0 to 10.
    Scale,
}

impl Kind {
    pub fn place(self) -> Place {
        match self {
            Self::Symptom | Self::Sign => Place::Symptoms,
            Self::History | Self::FamilyHistory | Self::Exposure | Self::Medication => Place::Antecedents,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Symptom => "symptom",
            Self::Sign => "sign",
            Self::History => "history",
            Self::FamilyHistory => "family_history",
            Self::Exposure => "exposure",
            Self::Medication => "medication",
        }
    }
}

impl Finding {
    /// Whether a person of this sex and age can have it at all.
    pub fn fits(&self, sex: Sex, age: u8) -> bool {
        self.sex.is_none_or(|only| only == sex) && self.age.contains(age)
    }

    pub fn carries_detail(&self) -> bool {
        !matches!(self.detail, Detail::None)
    }
}
