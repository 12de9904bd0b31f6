//! What the author and the committee are asked for, as types. Their schemas are sent; their names tell a simulated
//! endpoint what is wanted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Narration {
    /// The patient's story.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    pub statements: Vec<Covered>,
    /// What the story mentions and no statement contains.
    pub added: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Covered {
    pub number: u32,
    /// The words of the story that say it, copied exactly.
    pub quote: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TellingFeature {
    /// An id from the list.
    pub finding: String,
    /// The words of the story that say it, copied exactly.
    pub phrase: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StandIn {
    /// An id from the list.
    pub finding: String,
    /// What the patient says instead.
    pub information: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rewrite {
    /// The whole story with one sentence changed.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommitteeVote {
    pub correct: YesNo,
    #[schemars(range(min = 1, max = 10))]
    pub plausibility: u8,
    #[schemars(range(min = 1, max = 10))]
    pub fluency: u8,
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum YesNo {
    Yes,
    No,
}
