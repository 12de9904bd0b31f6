//! Asking a model one question: what the agents that ask once have in common.

use waterjar_core::{AgentError, ChatModel, ChatRequest, Conclusion, Finish, Prompt};

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
    if reply.finish == Finish::Length {
        // What stands before the cut may name conditions that were only being considered.
        let told = "the reply was cut at the token limit; raise the model's `max_tokens`";
        return Err(AgentError::InvalidOutput(told.to_owned()));
    }
    Ok(Conclusion { text: reply.text, reasoning: reply.reasoning, record: None })
}

/// The patient's text is the user message alone: built-in readers take all of it for the narrative.
fn question(prompt: &Prompt, how: &[&str], repeat: u32) -> ChatRequest {
    ChatRequest::new(instructions(prompt, how), prompt.text.as_str(), repeat)
}

/// The system message.
pub(crate) fn instructions(prompt: &Prompt, how: &[&str]) -> String {
    let parts = [prompt.task.as_str()].into_iter().chain(how.iter().copied()).map(str::trim_end);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Direct, Plain, Warned};
    use async_trait::async_trait;
    use waterjar_core::{Agent, ChatReply, Form, ModelError, ModelId, Role};

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
        Prompt::new("Name the condition.\n", "I cough.")
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

    /// Remembers what it is told to do.
    #[derive(Default)]
    struct Listener(std::sync::Mutex<Vec<String>>);

    #[async_trait]
    impl ChatModel for Listener {
        fn id(&self) -> &ModelId {
            static ID: std::sync::LazyLock<ModelId> = std::sync::LazyLock::new(|| "listener".into());
            &ID
        }

        async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
            self.0.lock().unwrap().push(request.messages[0].content.clone());
            Ok(ChatReply::text("Gout"))
        }
    }

    #[tokio::test]
    async fn one_diagnosis_or_a_ranked_list_is_asked_for_as_the_prompt_says() {
        let agents: [Box<dyn Agent>; 3] =
            [Box::new(Plain::default()), Box::new(Direct::default()), Box::new(Warned::default())];
        for agent in agents {
            let listener = Listener::default();
            for form in [Form::Ranked, Form::One] {
                agent.answer(&listener, &Prompt { form, ..prompt() }, 0).await.unwrap();
            }
            let told = listener.0.into_inner().unwrap();
            let asks_for_list = |told: &str| (told.contains("at most five"), told.contains("confidence"));
            assert_eq!(asks_for_list(&told[0]), (true, true), "{}", agent.id());
            assert_eq!(asks_for_list(&told[1]), (false, false), "{}", agent.id());
            assert!(told[1].contains("the one condition you decide for"), "{}", told[1]);
        }
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
    async fn an_answer_that_was_cut_is_a_failure() {
        let says = Ok(ChatReply { finish: Finish::Length, ..ChatReply::text("It may be bronchitis, but") });
        let error = ask(&Parrot { id: "parrot".into(), says }, &prompt(), &HOW, 0).await.unwrap_err();
        assert!(matches!(error, AgentError::InvalidOutput(why) if why.contains("max_tokens")));
    }

    #[tokio::test]
    async fn a_refusal_stays_a_refusal() {
        let error = answer(Err("no medical advice")).await.unwrap_err();
        assert!(matches!(error, AgentError::Model(ModelError::Refused(_))));
    }
}
