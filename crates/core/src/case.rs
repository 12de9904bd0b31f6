//! One patient situation: the text, and the structured facts where the source has them.

use crate::{CaseId, ConditionId, FindingId, Variant};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    pub id: CaseId,
    /// Where the case came from, as the study names it.
    pub source: String,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<Facts>,
    /// Its variants, where the source brings finished families; nothing is varied then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub made: Vec<Variant>,
}

/// What is known of a patient beside the text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    pub sex: Sex,
    pub age: u8,
    /// In the order the patient tells them. What is not listed was not mentioned, which is not the same as denied.
    pub findings: Vec<Observation>,
    /// The condition the source says the patient has.
    pub condition: ConditionId,
    /// The source's own differential, most likely first; empty where it has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differential: Vec<Candidate>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Sex {
    F,
    M,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Observation {
    pub finding: FindingId,
    pub state: FindingState,
    /// The detail of a present finding: sites, characters, a number of a scale.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
}

/// The third state, unmentioned, is a finding that is not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingState {
    Present,
    Denied,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    pub condition: ConditionId,
    pub probability: f64,
}

impl Facts {
    /// Who the patient is, whatever the words and whatever the diagnosis: sex, age and findings, in an order of their own.
    pub fn patient(&self) -> String {
        let mut findings: Vec<&Observation> = self.findings.iter().collect();
        findings.sort();
        let finding = |it: &&Observation| {
            let sign = if it.state == FindingState::Present { '+' } else { '-' };
            format!("{}{sign}{}", it.finding, it.values.join("/"))
        };
        let findings: Vec<String> = findings.iter().map(finding).collect();
        format!("{:?} {} {}", self.sex, self.age, findings.join(" "))
    }

    pub fn present(&self) -> impl Iterator<Item = &Observation> {
        self.findings.iter().filter(|seen| seen.state == FindingState::Present)
    }
}
