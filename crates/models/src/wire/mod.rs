//! What goes over the wire, whichever vendor: a request without its key, and a reply as it came.

mod failure;
mod rest;
mod retry_after;
mod think;

pub(crate) use failure::failure_in;

use crate::schema::plain;
use failure::failure;
use serde_json::Value;
use std::time::{Duration, SystemTime};
use waterjar_core::{AnswerSchema, ChatReply, ChatRequest, Finish, Message, ModelError, Role, Usage};

/// A request to an endpoint. Address and key are added by the one place that sends.
#[derive(Clone, Debug, PartialEq)]
pub struct WireRequest {
    /// Below the endpoint's address: `chat/completions`.
    pub path: String,
    pub headers: Vec<(&'static str, &'static str)>,
    pub body: Value,
}

/// A reply as it came.
#[derive(Clone, Debug, PartialEq)]
pub struct WireReply {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// When it came: a date in `Retry-After` is relative to it.
    pub received: SystemTime,
}

impl WireReply {
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: Vec::new(), body: body.into(), received: SystemTime::now() }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn is_web_page(&self) -> bool {
        self.body.trim_ascii_start().starts_with(b"<")
    }

    /// How long the endpoint wants rest, where this reply used up what it allows.
    pub(crate) fn rest(&self) -> Option<Duration> {
        rest::rest(self)
    }

    /// The body of a good reply, or why it is none.
    pub(crate) fn good_body(&self, request: &ChatRequest) -> Result<Value, ModelError> {
        if !(200..300).contains(&self.status) {
            return Err(failure(request, self));
        }
        let body: Value = serde_json::from_slice(&self.body).map_err(|error| match self.is_web_page() {
            true => ModelError::Transport("it answered with a web page (to sign in?) and not with JSON".to_owned()),
            false => ModelError::Transport(format!("the reply is cut off or not JSON: {error}")).charged(None),
        })?;
        // Some endpoints and most gateways report an error with status 200.
        let reports_error = body.get("error").is_some_and(|error| !error.is_null())
            || ["type", "object"].iter().any(|key| body.get(key).and_then(Value::as_str) == Some("error"));
        if reports_error { Err(failure_in(request, self, &body)) } else { Ok(body) }
    }
}

pub(crate) fn unknown_shape(what: &str) -> ModelError {
    ModelError::Transport(format!("the reply is JSON of an unknown shape: it has no {what}"))
}

/// The end of every reading: reasoning written into the text is set apart, and nothing said is not an answer.
pub(crate) fn settle(mut reply: ChatReply) -> Result<ChatReply, ModelError> {
    if let Some((thought, answer)) = think::split(&reply.text) {
        let before = reply.reasoning.take();
        reply.reasoning = Some(before.map_or(thought.clone(), |before| format!("{before}\n\n{thought}")));
        reply.text = answer;
    }
    reply.reasoning = reply.reasoning.filter(|thought| !thought.trim().is_empty());
    if !reply.tool_calls.is_empty() {
        reply.finish = Finish::ToolCalls;
    } else if reply.text.trim().is_empty() {
        let why = match (reply.finish, reply.reasoning.is_some() || reply.usage.reasoning > 0) {
            (Finish::Length, true) => "the token limit was used up by reasoning",
            (Finish::Length, false) => "it was cut at the token limit before the first word",
            (_, true) => "it holds reasoning and no answer",
            _ => "it is empty",
        };
        return Err(ModelError::InvalidOutput(why.into()));
    } else if reply.finish == Finish::ToolCalls {
        // Announced and not made: what it says is the answer.
        reply.finish = Finish::Stop;
    }
    Ok(reply)
}

/// The request with its schema told in words, for endpoints that promise nothing.
pub(crate) fn in_words(request: &ChatRequest, schema: &AnswerSchema) -> ChatRequest {
    let words = format!(
        "Answer with one JSON object and nothing else: no prose, no code fence. It must satisfy this JSON Schema, named `{}`:\n{}",
        schema.name,
        titled(plain(&schema.schema), &schema.name)
    );
    let mut request = request.clone();
    match request.messages.iter_mut().rev().find(|message| message.role == Role::System) {
        Some(system) if system.content.is_empty() => system.content = words,
        Some(system) => system.content = format!("{}\n\n{words}", system.content),
        None => request.messages.insert(0, Message::new(Role::System, words)),
    }
    request
}

/// Where nothing else can carry a schema's name, its title does.
pub(crate) fn titled(mut schema: Value, name: &str) -> Value {
    if let Some(root) = schema.as_object_mut() {
        root.insert("title".into(), name.into());
    }
    schema
}

/// Every system turn, for formats in which the system is not a turn.
pub(crate) fn system_text(request: &ChatRequest) -> Option<String> {
    let turns: Vec<&str> = request
        .messages
        .iter()
        .filter(|message| message.role == Role::System && !message.content.is_empty())
        .map(|message| message.content.as_str())
        .collect();
    (!turns.is_empty()).then(|| turns.join("\n\n"))
}

pub(crate) fn text_at<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    at(value, pointer)?.as_str()
}

/// No reply has four billion tokens; a broken count must not overflow a sum.
pub(crate) fn count_at(value: &Value, pointer: &str) -> u64 {
    at(value, pointer).and_then(Value::as_u64).unwrap_or(0).min(u32::MAX.into())
}

/// What was used, if the endpoint said so.
pub(crate) fn told(usage: Usage) -> Option<Usage> {
    (!usage.is_none()).then_some(usage)
}

/// `Value::pointer` for keys without escapes. That one copies every key twice, and a reply is asked for some forty of them.
fn at<'a>(value: &'a Value, pointer: &str) -> Option<&'a Value> {
    pointer.split('/').skip(1).try_fold(value, |value, key| match value {
        Value::Array(items) => items.get(key.parse::<usize>().ok()?),
        value => value.get(key),
    })
}
