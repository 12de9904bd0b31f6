//! A vignette, as it is asked.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vignette {
    pub id: String,
    /// The patient's story, without marks.
    pub text: String,
    /// What is asked at its end; empty where the source has no question of its own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub question: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Choice>,
    /// The label of the right option, or the right answer in words where there are no options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The critical findings, in the order of the text and apart from each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<Span>,
}

impl Vignette {
    /// With the longest of its spans only, where there are more than so many.
    #[must_use]
    pub fn with_at_most(mut self, spans: Option<usize>) -> Self {
        self.spans = crate::import::at_most(self.spans, spans);
        self
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    pub label: String,
    pub text: String,
}

/// Bytes of a text, `start` up to but without `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    pub fn of(self, text: &str) -> &str {
        &text[self.start..self.end]
    }
}
