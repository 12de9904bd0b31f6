//! What a variant asks, as other tools are told it.

use waterjar_core::{Prompt, SuiteId, Variant};

#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub prompt: Prompt,
    /// What a model is told to do: the task, and in which form to answer. The patient's text is the question.
    pub instructions: String,
    /// Tells a question from any other: an answer made elsewhere says by it what it answers.
    pub hash: String,
    /// What a sound reader says, in people's words.
    pub expected: Option<String>,
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
            "expectation": variant.expectation,
            "strata": variant.strata,
            "question": self.hash,
        })
    }

    /// `target` of other tools: empty where no line says it.
    pub fn target(&self) -> &str {
        self.expected.as_deref().unwrap_or_default()
    }
}
