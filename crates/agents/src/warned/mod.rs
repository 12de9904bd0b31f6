//! `warned`: as plain, told beforehand that a typical picture may mislead.

use crate::{once, plain::step_by_step};
use async_trait::async_trait;
use waterjar_core::{Agent, AgentError, AgentId, ChatModel, Conclusion, Prompt};

pub struct Warned {
    id: AgentId,
}

impl Default for Warned {
    fn default() -> Self {
        Self { id: "warned".into() }
    }
}

#[async_trait]
impl Agent for Warned {
    fn id(&self) -> &AgentId {
        &self.id
    }

    async fn answer(&self, model: &dyn ChatModel, prompt: &Prompt, repeat: u32) -> Result<Conclusion, AgentError> {
        let how = [include_str!("prompts/warning.md"), step_by_step(prompt.form)];
        once::ask(model, prompt, &how, repeat).await
    }
}
