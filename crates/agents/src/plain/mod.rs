//! `plain`: asks the model once, step by step, for a ranked list or for one diagnosis; about a chart, for a summary and then a list.

use crate::{once, treatments};
use async_trait::async_trait;
use waterjar_core::{Agent, AgentError, AgentId, ChatModel, Conclusion, Form, Prompt};

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
        match prompt.form {
            Form::Treatments => treatments::recommend(model, prompt, repeat).await,
            form => once::ask(model, prompt, &[step_by_step(form)], repeat).await,
        }
    }
}

/// What a model is told that answers at once, and elsewhere: what `plain` tells it, and about a chart the form of the list as well.
pub fn instructions(prompt: &Prompt) -> String {
    let how = match prompt.form {
        Form::Treatments => include_str!("prompts/treatments.md"),
        form => step_by_step(form),
    };
    once::instructions(prompt, &[how])
}

pub(crate) fn step_by_step(form: Form) -> &'static str {
    match form {
        Form::Ranked | Form::Treatments => include_str!("prompts/answer.md"),
        Form::One => include_str!("prompts/one.md"),
        Form::Reasoned => include_str!("prompts/reasoned.md"),
        // The task says all there is to say.
        Form::Advice => "",
    }
}
