//! a reply → ChatReply

use crate::WireReply;
use crate::wire::{settle, told};
use serde::Deserialize;
use serde_json::{Value, json};
use waterjar_core::{ChatReply, ChatRequest, Finish, ModelError, ToolCall, Usage};

pub fn from_wire(request: &ChatRequest, reply: &WireReply) -> Result<ChatReply, ModelError> {
    let good = (200..300).contains(&reply.status);
    match serde_json::from_slice(&reply.body) {
        Ok(body) if good => read(body),
        // It is not good, or no JSON: both are said there.
        _ => reply.good_body(request).and_then(read),
    }
}

/// As others write it. What is left out has a plain meaning; what we do not know is left alone.
#[derive(Deserialize)]
struct Written {
    /// A text, or the structured answer itself.
    #[serde(default)]
    text: Value,
    #[serde(default)]
    reasoning: Option<String>,
    #[serde(default)]
    tool_calls: Vec<WrittenCall>,
    #[serde(default)]
    finish: Finish,
    #[serde(default)]
    usage: WrittenUsage,
    #[serde(default)]
    served_by: Option<String>,
    /// Why it does not want to answer.
    #[serde(default)]
    refused: Option<String>,
    /// Why it cannot answer.
    #[serde(default)]
    error: Option<Value>,
    /// Whether asking again may help.
    #[serde(default)]
    retry: bool,
}

#[derive(Deserialize)]
struct WrittenCall {
    #[serde(default)]
    id: Option<String>,
    name: String,
    #[serde(default)]
    arguments: Option<Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WrittenUsage {
    input: u64,
    output: u64,
    cached_input: u64,
    reasoning: u64,
}

pub(crate) fn read(body: Value) -> Result<ChatReply, ModelError> {
    let unlike = |why: String| ModelError::InvalidOutput(format!("the reply has another shape than ours: {why}"));
    if !body.is_object() {
        return Err(unlike("it is no object".into()));
    }
    let written = Written::deserialize(body).map_err(|error| unlike(error.to_string()))?;
    let usage = written.usage.counted();
    conclude(written, usage).map_err(|error| error.charged(told(usage)))
}

fn conclude(written: Written, usage: Usage) -> Result<ChatReply, ModelError> {
    if let Some(error) = written.error.filter(|error| !error.is_null()) {
        let message = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
        return Err(match written.retry {
            true => ModelError::Endpoint { status: 500, message, retry_after: None },
            false => ModelError::Rejected { status: 400, message },
        });
    }
    if let Some(why) = written.refused {
        return Err(ModelError::Refused(why));
    }
    let text = match written.text {
        Value::Null if written.tool_calls.is_empty() => {
            return Err(ModelError::InvalidOutput("the reply has no `text`".into()));
        }
        Value::Null => String::new(),
        Value::String(text) => text,
        structured => structured.to_string(),
    };
    let call = |(index, call): (usize, WrittenCall)| ToolCall {
        id: call.id.unwrap_or_else(|| format!("call_{index}")),
        name: call.name,
        arguments: call.arguments.unwrap_or_else(|| json!({})),
    };
    settle(ChatReply {
        text,
        reasoning: written.reasoning,
        tool_calls: written.tool_calls.into_iter().enumerate().map(call).collect(),
        finish: written.finish,
        usage,
        served_by: written.served_by,
        ..ChatReply::default()
    })
}

impl WrittenUsage {
    /// No reply has four billion tokens; a broken count must not overflow a sum.
    fn counted(&self) -> Usage {
        let most = |tokens: u64| tokens.min(u32::MAX.into());
        Usage {
            input: most(self.input),
            output: most(self.output),
            cached_input: most(self.cached_input),
            reasoning: most(self.reasoning),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: Value, expected: Result<&str, ModelError>) {
        let read = read(body.clone()).map(|reply| reply.text).map_err(ModelError::uncharged);
        assert_eq!(read, expected.map(str::to_owned), "{body}");
    }

    fn rejected(message: &str) -> ModelError {
        ModelError::Rejected { status: 400, message: message.into() }
    }

    #[test]
    fn a_text_is_enough() {
        check(json!({ "text": "Gout." }), Ok("Gout."));
        check(json!({ "id": "7", "text": "Gout.", "reasoning": "The toe.", "later": 1 }), Ok("Gout."));
        check(json!({ "text": { "diagnosis": "Gout" } }), Ok("{\"diagnosis\":\"Gout\"}"));
        check(json!({ "tool_calls": [{ "name": "look_up" }] }), Ok(""));
    }

    #[test]
    fn what_is_no_answer_is_told_as_what_it_is() {
        check(json!({ "error": "out of memory" }), Err(rejected("out of memory")));
        check(json!({ "error": { "code": 3 } }), Err(rejected("{\"code\":3}")));
        let passing = ModelError::Endpoint { status: 500, message: "busy".into(), retry_after: None };
        check(json!({ "error": "busy", "retry": true }), Err(passing));
        check(json!({ "refused": "no" }), Err(ModelError::Refused("no".into())));
        check(json!({ "txt": "Gout." }), Err(ModelError::InvalidOutput("the reply has no `text`".into())));
        check(json!({ "text": "" }), Err(ModelError::InvalidOutput("it is empty".into())));
        assert!(read(json!(["Gout."])).is_err() && read(json!({ "text": "a", "usage": 3 })).is_err());
    }

    #[test]
    fn what_was_used_is_counted_also_where_nothing_came_of_it() {
        let body = json!({ "refused": "no", "usage": { "input": 9, "output": u64::MAX } });
        let Err(ModelError::Charged { usage: Some(usage), .. }) = read(body) else { panic!("it is charged") };
        assert_eq!((usage.input, usage.output), (9, u32::MAX.into()));
    }

    #[test]
    fn a_status_goes_before_the_body() {
        let request = ChatRequest::default();
        let asked =
            |status, body: &str| from_wire(&request, &WireReply::new(status, body)).map_err(ModelError::uncharged);
        assert_eq!(asked(200, "{\"text\": \"Gout.\"}").map(|reply| reply.text), Ok("Gout.".to_owned()));
        assert!(matches!(asked(503, "{\"error\": \"busy\"}"), Err(ModelError::Endpoint { status: 503, .. })));
        assert!(matches!(asked(400, "{\"text\": \"Gout.\"}"), Err(ModelError::Rejected { status: 400, .. })));
        assert!(matches!(asked(200, "Gout."), Err(ModelError::Transport(_))));
    }
}
