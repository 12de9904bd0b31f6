//! What a variant asks, as other tools are told it.

use std::borrow::Cow;
use waterjar_core::{Expectation, Prompt, SuiteId, Variant};

#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub prompt: Prompt,
    /// What a model is told to do: the task, and in which form to answer. The patient's text is the question.
    pub instructions: String,
    /// Tells a question from any other: an answer made elsewhere says by it what it answers.
    pub hash: String,
    /// What a sound reader says, in people's words. Nothing where no line says it, and where nobody knows which answer is right.
    pub expected: Option<String>,
    /// Where nobody knows which answer is right, what is expected of it beside the others of its family: `the same answer as the original's`.
    pub beside: Option<&'static str>,
}

impl Question {
    /// What other tools carry along with a question, so that its answer finds the way back.
    pub fn metadata(&self, suite: &SuiteId, variant: &Variant) -> serde_json::Value {
        serde_json::json!({
            "suite": suite,
            "family": variant.family,
            "case": variant.case,
            "variant": variant.id,
            "role": variant.role(),
            "expectation": self.expectation(variant),
            "expected": self.in_words(),
            "strata": variant.strata,
            "question": self.hash,
        })
    }

    /// `target` of other tools, which look for it in an answer: empty where there is no line to look for.
    pub fn target(&self) -> &str {
        self.expected.as_deref().unwrap_or_default()
    }

    /// What is expected, for people to read.
    pub fn in_words(&self) -> Option<&str> {
        self.beside.or(self.expected.as_deref())
    }

    /// As it was declared. An answer that holds is not named where nobody knows whether it is right: its family's record keeps it.
    pub fn expectation<'a>(&self, variant: &'a Variant) -> Cow<'a, Expectation> {
        match (self.beside, &variant.expectation) {
            (Some(words), Expectation::Holds { .. }) => Cow::Owned(Expectation::Holds { condition: words.into() }),
            (_, declared) => Cow::Borrowed(declared),
        }
    }
}
