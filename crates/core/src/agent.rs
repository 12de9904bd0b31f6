//! A way of using a model to answer a prompt. No signature here contains the expected answer.

use crate::{AgentId, CaseId, ChatModel, Conclusion, ModelError, Prompt};
use async_trait::async_trait;

#[async_trait]
pub trait Agent: Send + Sync {
    fn id(&self) -> &AgentId;

    /// Changes whenever the agent would answer differently under the same name: settings, memory, prompts.
    fn fingerprint(&self) -> String {
        String::new()
    }

    /// Whether it has learnt from cases, so that a run must look whether they are its own.
    fn remembers(&self) -> bool {
        false
    }

    /// Why an answer to a case would prove nothing: the agent has learnt from this text, or from the patient behind it
    /// ([`Facts::patient`](crate::Facts::patient)). A run refuses to ask then.
    fn has_seen(&self, _case: &CaseId, _text: &str, _patient: Option<&str>) -> Option<String> {
        None
    }

    /// Whether its records may have `notes` of what it had to do without: looking for them means reading every answer.
    fn may_note(&self) -> bool {
        false
    }

    /// prompt → conclusion, asking `model` as often as it likes.
    async fn answer(&self, model: &dyn ChatModel, prompt: &Prompt, repeat: u32) -> Result<Conclusion, AgentError>;
}

#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error("the agent could not use what the model said: {0}")]
    InvalidOutput(String),
}
