//! Asking a model for a Rust type. What it says is read tolerantly and accepted strictly; what cannot be used is asked again once.
//!
//! ```ignore
//! #[derive(Deserialize, JsonSchema)]
//! struct Opinion { diagnosis: String, #[schemars(range(min = 1, max = 10))] plausibility: u8 }
//!
//! let opinion: Asked<Opinion> = ask(model, request, "opinion").await?;
//! ```
//!
//! Tolerantly: reasoning before the answer, fences, prose around it, trailing commas, single quotes, full-width punctuation, and choices
//! written in another case, width or with a full stop (`正确。` for `正确`). Strictly: every type, range, length and choice that the schema
//! states. A choice that could be two is no choice.

mod fit;
mod read;
mod relaxed;

pub use read::{Read, Unusable, read, values, without_thinking};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use waterjar_core::{AnswerSchema, ChatModel, ChatReply, ChatRequest, Finish, Message, ModelError, Role};

/// What a model answered, as the type that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked<T> {
    pub value: T,
    /// The JSON, or a choice in it, had to be put right.
    pub repaired: bool,
    /// The first answer could not be used.
    pub asked_again: bool,
    /// The reply that `value` was read from.
    pub reply: ChatReply,
}

/// `name` is a word in snake case that says what is asked for.
pub async fn ask<T: DeserializeOwned + JsonSchema>(
    model: &dyn ChatModel,
    request: ChatRequest,
    name: &str,
) -> Result<Asked<T>, ModelError> {
    ask_fitting(model, request, name, |_| Ok(())).await
}

/// As `ask`, where the value must also pass a check no schema can state. A fault of either kind uses up the one re-ask.
pub async fn ask_fitting<T: DeserializeOwned + JsonSchema>(
    model: &dyn ChatModel,
    request: ChatRequest,
    name: &str,
    check: impl Fn(&T) -> Result<(), String>,
) -> Result<Asked<T>, ModelError> {
    ask_twice(model, request, name, check).await.map(|(asked, ())| asked)
}

/// As `ask_fitting`, where the check makes something of the value.
pub async fn ask_checked<T: DeserializeOwned + JsonSchema, R>(
    model: &dyn ChatModel,
    prompt: &str,
    name: &str,
    check: impl Fn(&T) -> Result<R, String>,
) -> Result<R, ModelError> {
    let request = ChatRequest { messages: vec![Message::new(Role::User, prompt)], ..ChatRequest::default() };
    ask_twice(model, request, name, check).await.map(|(_, checked)| checked)
}

async fn ask_twice<T: DeserializeOwned + JsonSchema, R>(
    model: &dyn ChatModel,
    request: ChatRequest,
    name: &str,
    check: impl Fn(&T) -> Result<R, String>,
) -> Result<(Asked<T>, R), ModelError> {
    let schema = schema_of::<T>();
    let fitting = |reply: &ChatReply| {
        let read: Read<T> = usable(reply, &schema)?;
        check(&read.value).map(|checked| (read, checked))
    };
    let mut request = request;
    request.schema = Some(AnswerSchema { name: name.to_owned(), schema: Value::clone(&schema) });
    let reply = chat(model, &mut request, &schema).await?;
    let problem = match fitting(&reply) {
        Ok((Read { value, repaired }, checked)) => {
            return Ok((Asked { value, repaired, asked_again: false, reply }, checked));
        }
        Err(problem) => problem,
    };
    // Some vendors refuse a turn without words.
    if !reply.text.trim().is_empty() {
        let said = Message::new(Role::Assistant, reply.text);
        request.messages.push(Message { vendor_state: reply.vendor_state, ..said });
    }
    request.messages.push(Message::new(Role::User, again(&problem, &schema)));
    let reply = chat(model, &mut request, &schema).await?;
    match fitting(&reply) {
        Ok((Read { value, repaired }, checked)) => Ok((Asked { value, repaired, asked_again: true, reply }, checked)),
        Err(problem) => Err(ModelError::InvalidOutput(format!(
            "`{name}`: {problem} (asked twice; it said: {})",
            begin_of(&reply.text)
        ))),
    }
}

/// The JSON Schema of a type, made once.
pub fn schema_of<T: JsonSchema>() -> Arc<Value> {
    static MADE: OnceLock<Mutex<HashMap<String, Arc<Value>>>> = OnceLock::new();
    let mut made = MADE.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    let new = || Arc::new(schemars::schema_for!(T).to_value());
    Arc::clone(made.entry(T::schema_id().into_owned()).or_insert_with(new))
}

/// Where the endpoint takes no schema at all, it is put into words.
async fn chat(model: &dyn ChatModel, request: &mut ChatRequest, schema: &Value) -> Result<ChatReply, ModelError> {
    match model.chat(request).await {
        Err(ModelError::SchemaUnsupported(_)) if request.schema.is_some() => {
            request.schema = None;
            let wanted = include_str!("../prompts/plain.md").replace("{schema}", &schema.to_string());
            request.messages.push(Message::new(Role::User, wanted.trim_end()));
            model.chat(request).await
        }
        outcome => outcome,
    }
}

fn usable<T: DeserializeOwned>(reply: &ChatReply, schema: &Value) -> Result<Read<T>, String> {
    read(&reply.text, schema).map_err(|Unusable(problem)| match reply.finish {
        Finish::Length => format!("it was cut off at the token limit, and {problem}"),
        Finish::Stop | Finish::ToolCalls => problem,
    })
}

fn again(problem: &str, schema: &Value) -> String {
    let text = include_str!("../prompts/again.md").replace("{schema}", &schema.to_string());
    // Last, because it quotes what the model said.
    text.replace("{problem}", problem).trim_end().to_owned()
}

fn begin_of(text: &str) -> String {
    let short: String = text.trim().chars().take(120).collect();
    if short.is_empty() { "nothing".to_owned() } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_trait::async_trait;
    use serde::Deserialize;
    use waterjar_core::ModelId;

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Opinion {
        diagnosis: String,
        #[schemars(range(min = 1, max = 10))]
        plausibility: u8,
    }

    #[tokio::test]
    async fn what_fails_the_check_is_asked_again_once_with_the_reason() {
        let script = |said: &[&'static str]| Script {
            id: "script".into(),
            said: said.iter().map(|it| Ok(*it)).collect(),
            asked: Mutex::default(),
        };
        let (bad, good) = (r#"{"diagnosis":"","plausibility":3}"#, r#"{"diagnosis":"gout","plausibility":3}"#);
        let named = |it: &Opinion| {
            if it.diagnosis.is_empty() { Err("it is empty".to_owned()) } else { Ok(it.diagnosis.clone()) }
        };
        let model = script(&[bad, good]);
        assert_eq!(ask_checked(&model, "Say.", "opinion", named).await, Ok("gout".to_owned()));
        let again = model.asked.lock().unwrap()[1].messages.last().unwrap().content.clone();
        assert!(again.contains("it is empty"), "{again}");
        // Whichever of the two is wrong, nobody is asked more than twice.
        for said in [[bad, bad], ["no", bad], [bad, "no"]] {
            let model = script(&said);
            let error = ask_checked(&model, "Say.", "opinion", named).await.unwrap_err();
            assert!(matches!(error, ModelError::InvalidOutput(_)), "{error}");
            assert_eq!(model.asked.lock().unwrap().len(), 2);
        }
    }

    /// Says one thing after the other, and remembers what it was asked.
    struct Script {
        id: ModelId,
        said: Vec<Result<&'static str, ModelError>>,
        asked: Mutex<Vec<ChatRequest>>,
    }

    #[async_trait]
    impl ChatModel for Script {
        fn id(&self) -> &ModelId {
            &self.id
        }

        async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
            let mut asked = self.asked.lock().unwrap();
            asked.push(request.clone());
            self.said[asked.len() - 1].clone().map(ChatReply::text)
        }
    }

    async fn run(
        said: Vec<Result<&'static str, ModelError>>,
    ) -> (Result<Asked<Opinion>, ModelError>, Vec<ChatRequest>) {
        let model = Script { id: "script".into(), said, asked: Mutex::default() };
        let outcome = ask(&model, ChatRequest::new("s", "u", 0), "opinion").await;
        (outcome, model.asked.into_inner().unwrap())
    }

    const GOOD: &str = r#"{"diagnosis": "pericarditis", "plausibility": 7}"#;

    #[tokio::test]
    async fn a_good_answer_is_taken_at_once() {
        let (outcome, asked) = run(vec![Ok(GOOD)]).await;
        let outcome = outcome.unwrap();
        assert_eq!(outcome.value, Opinion { diagnosis: "pericarditis".to_owned(), plausibility: 7 });
        assert!(!outcome.repaired && !outcome.asked_again);
        let schema = asked[0].schema.as_ref().unwrap();
        assert_eq!(schema.name, "opinion");
        assert_eq!(schema.schema["properties"]["plausibility"]["maximum"], 10);
    }

    #[tokio::test]
    async fn an_answer_that_breaks_the_schema_is_asked_again_with_the_reason() {
        let (outcome, asked) = run(vec![Ok(r#"{"diagnosis": "pericarditis", "plausibility": 70}"#), Ok(GOOD)]).await;
        assert!(outcome.unwrap().asked_again);
        assert_eq!(asked.len(), 2);
        assert_eq!(asked[1].messages[2].role, Role::Assistant);
        let again = &asked[1].messages[3];
        assert_eq!(again.role, Role::User);
        assert!(again.content.contains("plausibility: 70 is more than 10"), "{}", again.content);
        assert!(asked[1].schema.is_some());
    }

    #[tokio::test]
    async fn a_second_bad_answer_is_the_end() {
        let (outcome, asked) = run(vec![Ok("I cannot say."), Ok("")]).await;
        let Err(ModelError::InvalidOutput(told)) = outcome else { panic!("{outcome:?}") };
        assert!(told.starts_with("`opinion`: there is no JSON in it"), "{told}");
        assert_eq!(asked.len(), 2);
    }

    #[tokio::test]
    async fn the_schema_and_the_check_share_the_one_re_ask() {
        let low = r#"{"diagnosis": "pericarditis", "plausibility": 2}"#;
        let check = |it: &Opinion| if it.plausibility > 5 { Ok(()) } else { Err("that is too low".to_owned()) };
        let run = async |said: Vec<Result<&'static str, ModelError>>| {
            let model = Script { id: "script".into(), said, asked: Mutex::default() };
            let outcome = ask_fitting(&model, ChatRequest::new("s", "u", 3), "opinion", check).await;
            (outcome, model.asked.into_inner().unwrap())
        };
        let (outcome, asked) = run(vec![Ok(low), Ok(GOOD)]).await;
        assert!(outcome.unwrap().asked_again);
        assert!(asked[1].last_user_text().contains("that is too low") && asked[1].repeat == 3);
        for said in [[low, low], ["no", low], [low, "no"]] {
            let (outcome, asked) = run(said.map(Ok).to_vec()).await;
            assert!(matches!(outcome, Err(ModelError::InvalidOutput(_))), "{outcome:?}");
            assert_eq!(asked.len(), 2);
        }
    }

    #[tokio::test]
    async fn errors_of_the_model_are_passed_on() {
        let refused = ModelError::Refused("no".to_owned());
        let (outcome, asked) = run(vec![Err(refused.clone())]).await;
        assert_eq!((outcome, asked.len()), (Err(refused), 1));
    }

    #[tokio::test]
    async fn where_no_schema_is_taken_it_is_put_into_words() {
        let (outcome, asked) = run(vec![Err(ModelError::SchemaUnsupported(String::new())), Ok(GOOD)]).await;
        assert!(!outcome.unwrap().asked_again);
        assert!(asked[1].schema.is_none());
        assert!(asked[1].last_user_text().contains("\"plausibility\""));
    }
}
