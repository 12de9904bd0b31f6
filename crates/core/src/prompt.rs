//! What a subject is asked.

use serde::{Deserialize, Serialize};

/// The task and the text stay apart: an agent words the task its own way, and no agent can mistake one for the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// What to do with the text.
    pub task: String,
    /// The patient, as the variant tells it.
    pub text: String,
    #[serde(default, skip_serializing_if = "Form::is_ranked")]
    pub form: Form,
    /// How often a family asked the very same before: the answer is wanted anew, not remembered.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub again: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_zero(again: &u32) -> bool {
    *again == 0
}

/// In which form to answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// The five likeliest at most, the most likely first, each with a confidence.
    #[default]
    Ranked,
    /// One answer and no other.
    One,
    /// Treatments for the patient of a chart: [`crate::Recommendations`] as JSON.
    Treatments,
    /// A reasoning in prose, a differential, and at the end one answer: an option where the text has some, a diagnosis otherwise.
    Reasoned,
    /// A letter to the patient; the task says how, in the language of the letter.
    Advice,
}

impl Form {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
    fn is_ranked(&self) -> bool {
        *self == Self::Ranked
    }
}

impl Prompt {
    /// Asks for a ranked list.
    pub fn new(task: impl Into<String>, text: impl Into<String>) -> Self {
        Self { task: task.into(), text: text.into(), form: Form::Ranked, again: 0 }
    }
}
