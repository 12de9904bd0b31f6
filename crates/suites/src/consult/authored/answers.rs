//! What an author is asked for, as types. Their schemas are sent; the names they are asked under tell a simulated endpoint what is wanted.

use schemars::JsonSchema;
use serde::Deserialize;
use waterjar_consultations::{Category, Criterion};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RawQuestion {
    pub description: String,
    pub question: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// The whole letter.
    pub text: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Proposed {
    /// Names of diseases.
    pub diseases: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sifted {
    pub candidates: Vec<Candidate>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    pub name: String,
    pub distinct: bool,
    pub confusable: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RumorPairs {
    pub pairs: Vec<RumorPair>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RumorPair {
    pub category: PairCategory,
    pub rumor: String,
    pub fact: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PairCategory {
    Cause,
    Treatment,
    Danger,
    Diet,
    Contagion,
    Test,
}

impl From<PairCategory> for Category {
    fn from(it: PairCategory) -> Self {
        match it {
            PairCategory::Cause => Self::Cause,
            PairCategory::Treatment => Self::Treatment,
            PairCategory::Danger => Self::Danger,
            PairCategory::Diet => Self::Diet,
            PairCategory::Contagion => Self::Contagion,
            PairCategory::Test => Self::Test,
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StatementCheck {
    pub verdict: Truth,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Truth {
    Correct,
    Incorrect,
    Unsure,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Validation {
    pub challenge: Judged,
    pub logic: Judged,
    pub symptom_accuracy: Judged,
    pub trap_effectiveness: Judged,
    pub style: Judged,
    pub rumor_embedding: Judged,
    /// For every statement that the letter tells, the words that tell it.
    pub told: Vec<Told>,
    /// Complaints of the letter that no statement contains.
    pub added: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Judged {
    pub verdict: Verdict,
    pub why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Pass,
    Fail,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Told {
    pub number: u32,
    /// The words of the letter, copied exactly.
    pub quote: String,
    /// They say that it is absent.
    pub denied: bool,
}

impl Validation {
    pub fn of(&self, criterion: Criterion) -> &Judged {
        match criterion {
            Criterion::Challenge => &self.challenge,
            Criterion::Logic => &self.logic,
            Criterion::SymptomAccuracy => &self.symptom_accuracy,
            Criterion::TrapEffectiveness => &self.trap_effectiveness,
            Criterion::Style => &self.style,
            Criterion::RumorEmbedding => &self.rumor_embedding,
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScorePoints {
    pub evidence: Vec<ScorePoint>,
    pub treatment: Vec<ScorePoint>,
    pub lifestyle: Vec<ScorePoint>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScorePoint {
    pub say: String,
    pub terms: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Opinion {
    pub verdict: YesNo,
    pub why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum YesNo {
    Yes,
    No,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WrongAnswer {
    pub disease: String,
}
