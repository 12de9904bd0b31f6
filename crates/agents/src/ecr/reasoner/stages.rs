//! What a reasoner says at each of the six stages. Candidates, patient nodes and knowledge nodes are named by their place in the
//! list they stand in, from 0.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Stage 1: what comes to mind at first sight, most likely first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Intuition {
    pub candidates: Vec<Suspect>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Suspect {
    /// The usual name of the condition and nothing else.
    pub condition: String,
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: f64,
    /// What makes one think of it, in one sentence.
    pub reason: String,
}

/// Stage 2: the patient in one sentence, and as separate facts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Representation {
    pub one_liner: String,
    pub nodes: Vec<PatientNode>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PatientNode {
    /// The fact, as if it were there: an absent fever reads "fever".
    pub content: String,
    /// The words of the narrative.
    pub original: String,
    pub status: Status,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Present,
    /// Only what the text denies.
    Absent,
    /// Not mentioned: neither there nor not there.
    Missing,
}

/// Stage 3: what would tell the candidates apart, and what is to be expected in them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Knowledge {
    pub features: Vec<KnowledgeNode>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnowledgeNode {
    /// The feature, as if it were there.
    pub content: String,
    pub kind: FeatureKind,
    #[schemars(range(min = 0.0, max = 1.0))]
    pub importance: f64,
    /// Candidates it speaks for.
    pub supports: Vec<u32>,
    /// Candidates it speaks against.
    pub rules_out: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FeatureKind {
    /// Tells candidates apart: it speaks for some and against others.
    Pivot,
    General,
}

/// Stage 4: what the patient's facts say about the features, and the features about the candidates.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Relations {
    pub links: Vec<Link>,
    pub bearings: Vec<Bearing>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// The fact's place in the list of facts.
    pub patient: u32,
    /// The feature's place in the list of features.
    pub feature: u32,
    pub kind: LinkKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkKind {
    /// The patient has it.
    Match,
    /// The patient denies it.
    Conflict,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bearing {
    pub feature: u32,
    pub candidate: u32,
    pub kind: BearingKind,
    /// How much the feature, when it is there, speaks for the candidate or against it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub strength: f64,
    /// Of a support: how much it speaks against the candidate when the patient denies the feature.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub if_denied: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BearingKind {
    Support,
    RuleOut,
}

/// Stage 5: a second look at the narrative for everything that was expected and not seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reexamination {
    pub features: Vec<Reexamined>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reexamined {
    /// Its place in the list of expected features that was asked about.
    pub feature: u32,
    pub status: Status,
    /// The words of the narrative; empty where it is missing.
    pub original: String,
}

/// Stage 6: the verdict on the first impression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Opinion {
    pub verdict: Verdict,
    /// The place of the candidate the patient has.
    pub diagnosis: u32,
    /// The place of a second condition the patient has as well; null where there is none.
    pub also: Option<u32>,
    /// One sentence each, in the order of the argument.
    pub reasons: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Keep,
    Overturn,
}

/// A critic's word on a wrong answer to a training case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Feedback {
    /// Features that should have decided.
    pub ignored: Vec<String>,
    /// Features that were given too much weight.
    pub misleading: Vec<String>,
    pub advice: String,
}

impl Knowledge {
    /// What no schema can state: every candidate named is one of those asked about.
    pub fn check(&self, candidates: usize) -> Result<(), String> {
        let named = self.features.iter().flat_map(|it| it.supports.iter().chain(&it.rules_out));
        in_range("candidate", named, candidates)
    }
}

impl Relations {
    pub fn check(&self, patients: usize, features: usize, candidates: usize) -> Result<(), String> {
        in_range("patient node", self.links.iter().map(|it| &it.patient), patients)?;
        let named = self.links.iter().map(|it| &it.feature).chain(self.bearings.iter().map(|it| &it.feature));
        in_range("feature", named, features)?;
        in_range("candidate", self.bearings.iter().map(|it| &it.candidate), candidates)
    }
}

impl Reexamination {
    pub fn check(&self, expected: usize) -> Result<(), String> {
        in_range("feature", self.features.iter().map(|it| &it.feature), expected)
    }
}

impl Opinion {
    pub fn check(&self, candidates: usize) -> Result<(), String> {
        in_range("candidate", std::iter::once(&self.diagnosis).chain(&self.also), candidates)
    }
}

fn in_range<'a>(noun: &str, mut numbers: impl Iterator<Item = &'a u32>, count: usize) -> Result<(), String> {
    match numbers.find(|number| **number as usize >= count) {
        Some(number) => Err(format!("there is no {noun} {number}; they are numbered from 0, and there are {count}")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_beyond_the_list_is_told() {
        let link = |patient, feature| Link { patient, feature, kind: LinkKind::Match };
        let relations = |links| Relations { links, bearings: Vec::new() };
        assert_eq!(relations(vec![link(1, 2)]).check(2, 3, 5), Ok(()));
        let told = relations(vec![link(1, 3)]).check(2, 3, 5).unwrap_err();
        assert_eq!(told, "there is no feature 3; they are numbered from 0, and there are 3");
    }

    #[test]
    fn a_second_diagnosis_must_be_a_candidate_too() {
        let opinion = |also| Opinion { verdict: Verdict::Keep, diagnosis: 0, also, reasons: Vec::new() };
        assert!(opinion(Some(1)).check(2).is_ok());
        assert!(opinion(Some(2)).check(2).is_err());
    }
}
