//! What people believe of a symptom, and what is so.

use serde::{Deserialize, Serialize};
use waterjar_core::FindingId;

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Symptom {
    pub id: String,
    /// Words by which a symptom is recognised where it comes without an id.
    pub names: Vec<String>,
    /// Words that mean it only where nothing else is said.
    #[serde(default)]
    pub whole: Vec<String>,
    /// The findings of the starter base it speaks for.
    #[serde(default)]
    pub findings: Vec<FindingId>,
    #[serde(rename = "pair")]
    pub pairs: Vec<Pair>,
}

/// Clauses, so that they can follow "I read that …".
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    pub category: Category,
    pub rumor: String,
    pub fact: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    Cause,
    Treatment,
    Danger,
    Diet,
    Contagion,
    Test,
}

/// A pair with the symptom it is about: what a question carries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rumor {
    pub symptom: String,
    pub category: Category,
    pub rumor: String,
    pub fact: String,
}

impl Symptom {
    pub fn rumor(&self, at: usize) -> Rumor {
        let pair = &self.pairs[at];
        Rumor { symptom: self.id.clone(), category: pair.category, rumor: pair.rumor.clone(), fact: pair.fact.clone() }
    }
}
