//! What is sent and what comes back. The description at `/v1/openapi.json` is made from these types.

use super::error::{ScoreError, Told};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An answer to be scored. It answers a variant of the run (`variant`), or one that the suite makes of a case (`case` and `role`).
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// The run, by its name in the addresses of pages. May be left out where one run is served.
    #[serde(default)]
    pub run: Option<String>,
    /// The suite, as the study calls it. May be left out where the run has one.
    #[serde(default)]
    pub suite: Option<String>,
    /// The id of a variant of the run, as in `variants.jsonl`.
    #[serde(default)]
    pub variant: Option<String>,
    /// A case of your own, as `waterjar import` writes them: `id`, `source`, `text` and, where the suite needs them, `facts`.
    #[serde(default)]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub case: Option<serde_json::Value>,
    /// Which variant of the case is answered: `control`, `trap`, `sham`, `swapped` …
    #[serde(default)]
    pub role: Option<String>,
    pub answer: String,
    /// What was thought before the answer, where it is apart.
    #[serde(default)]
    pub reasoning: Option<String>,
    /// Answers to other variants of the same family, by role. Suites that compare answers need the control's.
    #[serde(default)]
    pub others: BTreeMap<String, String>,
    /// What was thought before the answers in `others`, by role, where it is apart as `reasoning` is. `parity` compares reasonings, and without it
    /// compares one that is told with none.
    #[serde(default)]
    pub others_reasoning: BTreeMap<String, String>,
}

/// What the judge says of the answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Scored {
    pub run: String,
    pub suite: String,
    pub family: String,
    pub variant: String,
    /// `control`, `trap`, `sham`
    pub role: String,
    /// `rules`
    pub judge: String,
    pub outcome: Outcome,
    /// From 0 to 1. The judge's where it grades; else 1 for right, 0.5 for partly, 0 for trapped and missed. None where there is nothing to rule on, or
    /// nothing to hold the answer against.
    pub score: Option<f64>,
    pub reason: String,
    /// The condition the answer puts first, where one was recognised.
    pub named: Option<String>,
    /// What the score is made of, and what else was measured, by name.
    pub parts: BTreeMap<String, f64>,
}

#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Right,
    Partly,
    Trapped,
    Missed,
    Missing,
}

impl From<waterjar_core::Outcome> for Outcome {
    fn from(outcome: waterjar_core::Outcome) -> Self {
        match outcome {
            waterjar_core::Outcome::Right => Self::Right,
            waterjar_core::Outcome::Partly => Self::Partly,
            waterjar_core::Outcome::Trapped => Self::Trapped,
            waterjar_core::Outcome::Missed => Self::Missed,
            waterjar_core::Outcome::Missing => Self::Missing,
        }
    }
}

/// Several answers at once.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// Each is read by itself, so that one that is wrong leaves the others alone.
    #[schemars(with = "Vec<Wanted>", length(max = super::MOST))]
    pub rows: Vec<serde_json::Value>,
}

/// In the order of the rows that were sent.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Scores {
    pub rows: Vec<Row>,
}

/// A verdict, or why there is none.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Row {
    Verdict(Box<Scored>),
    Error(Told),
}

impl From<Result<Scored, ScoreError>> for Row {
    fn from(scored: Result<Scored, ScoreError>) -> Self {
        match scored {
            Ok(scored) => Self::Verdict(Box::new(scored)),
            Err(error) => Self::Error(error.into_told()),
        }
    }
}
