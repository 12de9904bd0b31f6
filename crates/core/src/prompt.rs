//! What a subject is asked.

use serde::{Deserialize, Serialize};

/// The task and the text stay apart: an agent words the task its own way, and no agent can mistake one for the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// What to do with the text and in which form to answer.
    pub task: String,
    /// The patient, as the variant tells it.
    pub text: String,
}
