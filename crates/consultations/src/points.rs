//! What a helpful answer says of a condition.

use serde::{Deserialize, Serialize};

/// Three of each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// What in the story argues for the diagnosis.
    pub evidence: Vec<Point>,
    /// The examinations that confirm it and the treatment that follows.
    pub treatment: Vec<Point>,
    /// What the patient can do, avoid and watch for.
    pub lifestyle: Vec<Point>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    pub say: String,
    /// Any one of them in an answer shows that the point was made.
    pub terms: Vec<String>,
}

impl Point {
    /// `answer` in lower case.
    pub fn is_made(&self, answer: &str) -> bool {
        self.terms.iter().any(|term| crate::words::holds(answer, &term.to_lowercase()))
    }
}
