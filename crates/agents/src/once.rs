//! Asking a model one question: what the agents that ask once have in common.

use waterjar_core::{AgentError, ChatModel, ChatRequest, Conclusion, Prompt};

/// `how` says how to answer, in parts that follow the task.
pub(crate) async fn ask(
    model: &dyn ChatModel,
    prompt: &Prompt,
    how: &[&str],
    repeat: u32,
) -> Result<Conclusion, AgentError> {
    let reply = model.chat(&question(prompt, how, repeat)).await?;
    if reply.text.trim().is_empty() {
        // An empty string is not an answer, and must not be judged as a wrong one.
        return Err(AgentError::InvalidOutput("the reply is empty".to_owned()));
    }
    Ok(Conclusion { text: reply.text, reasoning: reply.reasoning, record: None })
}

/// The patient's text is the user message alone: built-in readers take all of it for the narrative.
fn question(prompt: &Prompt, how: &[&str], repeat: u32) -> ChatRequest {
    let parts: Vec<&str> = [prompt.task.as_str()].into_iter().chain(how.iter().copied()).map(str::trim_end).collect();
    ChatRequest::new(parts.join("\n\n"), prompt.text.as_str(), repeat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_trait::async_trait;
    use waterjar_core::{ChatReply, ModelError, ModelId, Role};

    /// Says the same to everything.
    struct Parrot {
        id: ModelId,
        says: Result<ChatReply, &'static str>,
    }

    #[async_trait]
    impl ChatModel for Parrot {
        fn id(&self) -> &ModelId {
            &self.id
        }

        async fn chat(&self, _: &ChatRequest) -> Result<ChatReply, ModelError> {
            self.says.clone().map_err(|why| ModelError::Refused(why.to_owned()))
        }
    }

    const HOW: [&str; 1] = ["Think step by step.\n"];

    fn prompt() -> Prompt {
        Prompt { task: "Name the condition.\n".to_owned(), text: "I cough.".to_owned() }
    }

    async fn answer(says: Result<(&str, Option<&str>), &'static str>) -> Result<Conclusion, AgentError> {
        let says = says
            .map(|(text, reasoning)| ChatReply { reasoning: reasoning.map(str::to_owned), ..ChatReply::text(text) });
        let parrot = Parrot { id: "parrot".into(), says };
        ask(&parrot, &prompt(), &HOW, 0).await
    }

    #[test]
    fn the_task_and_the_way_to_answer_are_the_system_message() {
        let request = question(&prompt(), &HOW, 3);
        let system = &request.messages[0];
        assert_eq!(system.role, Role::System);
        assert_eq!(system.content, "Name the condition.\n\nThink step by step.");
        assert_eq!(request.repeat, 3);
    }

    #[test]
    fn the_patient_is_the_user_message_and_nothing_else() {
        let request = question(&prompt(), &HOW, 0);
        assert_eq!(request.last_user_text(), "I cough.");
        assert_eq!(request.messages.len(), 2);
    }

    #[tokio::test]
    async fn the_conclusion_is_what_the_model_said() {
        let conclusion = answer(Ok(("1. Bronchitis (0.7)", Some("Cough.")))).await.unwrap();
        assert_eq!(conclusion.text, "1. Bronchitis (0.7)");
        assert_eq!(conclusion.reasoning.as_deref(), Some("Cough."));
    }

    #[tokio::test]
    async fn an_empty_reply_is_a_failure_rather_than_an_answer() {
        let error = answer(Ok((" \n", None))).await.unwrap_err();
        assert!(matches!(error, AgentError::InvalidOutput(_)));
    }

    #[tokio::test]
    async fn a_refusal_stays_a_refusal() {
        let error = answer(Err("no medical advice")).await.unwrap_err();
        assert!(matches!(error, AgentError::Model(ModelError::Refused(_))));
    }
}
