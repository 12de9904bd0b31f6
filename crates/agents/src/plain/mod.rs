//! `plain`: asks the model once, step by step, for a ranked list.

use crate::once;
use async_trait::async_trait;
use waterjar_core::{Agent, AgentError, AgentId, ChatModel, Conclusion, Prompt};

pub struct Plain {
    id: AgentId,
}

impl Default for Plain {
    fn default() -> Self {
        Self { id: "plain".into() }
    }
}

#[async_trait]
impl Agent for Plain {
    fn id(&self) -> &AgentId {
        &self.id
    }

    async fn answer(&self, model: &dyn ChatModel, prompt: &Prompt, repeat: u32) -> Result<Conclusion, AgentError> {
        once::ask(model, prompt, &[include_str!("prompts/answer.md")], repeat).await
    }
}
