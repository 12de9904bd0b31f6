//! `direct`: asks once for the ranked list or the one diagnosis alone, without reasoning.

use crate::{once, plain::step_by_step};
use async_trait::async_trait;
use waterjar_core::{Agent, AgentError, AgentId, ChatModel, Conclusion, Form, Prompt};

pub struct Direct {
    id: AgentId,
}

impl Default for Direct {
    fn default() -> Self {
        Self { id: "direct".into() }
    }
}

#[async_trait]
impl Agent for Direct {
    fn id(&self) -> &AgentId {
        &self.id
    }

    async fn answer(&self, model: &dyn ChatModel, prompt: &Prompt, repeat: u32) -> Result<Conclusion, AgentError> {
        let how = match prompt.form {
            // What is asked for is the reasoning.
            Form::Reasoned | Form::Advice => step_by_step(prompt.form),
            Form::Ranked | Form::Treatments => include_str!("prompts/answer.md"),
            Form::One => include_str!("prompts/one.md"),
        };
        once::ask(model, prompt, &[how], repeat).await
    }
}
