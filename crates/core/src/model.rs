//! The one door to anything that answers in text. Authors, subjects and judges are all reached through it.

use crate::ModelId;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

#[async_trait]
pub trait ChatModel: Send + Sync {
    fn id(&self) -> &ModelId;
    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError>;

    /// The most tokens it will write in reply, thinking included; `None` where nothing limits it.
    fn most_output(&self, request: &ChatRequest) -> Option<u32> {
        request.sampling.max_tokens
    }
}

/// All that decides a reply. It is hashed for the cache, so it holds nothing that does not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    pub messages: Vec<Message>,
    #[serde(default)]
    pub sampling: Sampling,
    /// What the model may call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Tool>,
    /// The shape the answer must have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<AnswerSchema>,
    /// Distinguishes repeats of the same question; part of every cache key, never sent.
    pub repeat: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    pub role: Role,
    pub content: String,
    /// Calls the model made in this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// The call this message answers, in a turn of role `tool`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers_call: Option<String>,
    /// What a vendor wants back unchanged with the model's turn: signed thinking, thought signatures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vendor_state: Option<serde_json::Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    System,
    User,
    Assistant,
    Tool,
}

impl Role {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }
}

/// What is left out is left to the vendor's default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sampling {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<Reasoning>,
    /// How many alternatives to report for each token, where the vendor offers it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_logprobs: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reasoning {
    Off,
    Low,
    Medium,
    High,
    /// A budget of thinking tokens.
    Tokens(u32),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    pub name: String,
    pub description: String,
    /// JSON Schema of the arguments.
    pub parameters: serde_json::Value,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Made up by us where the vendor gives none.
    pub id: String,
    pub name: String,
    pub arguments: serde_json::Value,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerSchema {
    /// A word in snake case, sent where the vendor wants a name.
    pub name: String,
    pub schema: serde_json::Value,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChatReply {
    pub text: String,
    /// Reasoning the model gives apart from its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    #[serde(default)]
    pub finish: Finish,
    #[serde(default)]
    pub usage: Usage,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<Vec<TokenLogprob>>,
    /// The model that answered, as the vendor names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vendor_state: Option<serde_json::Value>,
    /// How long the endpoint wants rest before the next request: about now, so never kept.
    #[serde(skip)]
    pub rest: Option<Duration>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    #[default]
    Stop,
    /// The reply was cut at the token limit.
    Length,
    ToolCalls,
}

/// Cached and reasoning tokens are parts of input and output, not beside them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub input: u64,
    pub output: u64,
    #[serde(default)]
    pub cached_input: u64,
    #[serde(default)]
    pub reasoning: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TokenLogprob {
    pub token: String,
    pub logprob: f64,
    /// The alternatives asked for, the likeliest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub top: Vec<(String, f64)>,
}

/// Why there is no reply. Nothing here holds a key.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    #[error("the model's output cannot be used: {0}")]
    InvalidOutput(String),
    /// Refusals and content filters.
    #[error("the model refused: {0}")]
    Refused(String),
    #[error("no reply in time: {0}")]
    Timeout(String),
    /// The connection failed or broke, or the reply was cut off.
    #[error("the model could not be reached: {0}")]
    Transport(String),
    #[error("the endpoint asks to slow down: {message}")]
    RateLimited { message: String, retry_after: Option<Duration> },
    /// 408, 409 and 5xx: worth another try.
    #[error("the endpoint failed (status {status}): {message}")]
    Endpoint { status: u16, message: String, retry_after: Option<Duration> },
    /// Any other 4xx: the same request would fail the same way.
    #[error("the endpoint rejected the request (status {status}): {message}")]
    Rejected { status: u16, message: String },
    /// The endpoint does not know this form of structured output; a plainer one may do.
    #[error("the endpoint does not take this form of structured output: {0}")]
    SchemaUnsupported(String),
    #[error("the budget is used up: {0}")]
    Budget(String),
    #[error("not allowed: {0}")]
    Forbidden(String),
    /// Whoever carries out the run knows why.
    #[error("nothing more is asked in this run")]
    Stopped,
    /// The endpoint wants a rest longer than anybody waits. Later the same request may succeed.
    #[error("the endpoint is closed: {0}")]
    Closed(String),
    /// The vendor had the question and may charge for it, by `usage` if it told. Between the vendor and the budget only: what was used is
    /// booked there, and the error itself goes on.
    #[error("{error}")]
    Charged { error: Box<ModelError>, usage: Option<Usage> },
}

impl ModelError {
    /// Whether the same request may succeed later.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Timeout(_) | Self::Transport(_) | Self::RateLimited { .. } | Self::Endpoint { .. } => true,
            Self::Charged { error, .. } => error.may_pass(),
            _ => false,
        }
    }

    /// Whether every other request would end the same way, so that the work ends rather than this piece of it.
    pub fn ends_the_run(&self) -> bool {
        matches!(self, Self::Budget(_) | Self::Forbidden(_) | Self::Closed(_) | Self::Stopped)
    }

    #[must_use]
    pub fn charged(self, usage: Option<Usage>) -> Self {
        match self {
            // Another form is tried at once, and endpoints say no to a form before they read the question.
            Self::SchemaUnsupported(_) | Self::Charged { .. } => self,
            error => Self::Charged { error: Box::new(error), usage },
        }
    }

    /// The error itself, whatever was charged for it.
    #[must_use]
    pub fn uncharged(self) -> Self {
        match self {
            Self::Charged { error, .. } => *error,
            error => error,
        }
    }

    /// Whether the model itself had no say: it was not reached, did not answer, or its endpoint turned the request away.
    pub fn is_outage(&self) -> bool {
        match self {
            Self::Charged { error, .. } => error.is_outage(),
            Self::Refused(_) | Self::InvalidOutput(_) => false,
            _ => !self.ends_the_run(),
        }
    }

    /// Whether another question might well have been answered: this one may be too long, or take too long.
    pub fn may_lie_in_the_question(&self) -> bool {
        match self {
            Self::Rejected { status, .. } => !matches!(status, 401 | 402 | 403 | 404 | 407 | 429),
            Self::Endpoint { status, .. } => *status == 500,
            Self::Timeout(_) | Self::SchemaUnsupported(_) => true,
            Self::Charged { error, .. } => error.may_lie_in_the_question(),
            _ => false,
        }
    }

    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after, .. } | Self::Endpoint { retry_after, .. } => *retry_after,
            Self::Charged { error, .. } => error.retry_after(),
            _ => None,
        }
    }
}

impl Message {
    pub fn new(role: Role, content: impl Into<String>) -> Self {
        Self { role, content: content.into(), tool_calls: Vec::new(), answers_call: None, vendor_state: None }
    }
}

impl ChatRequest {
    pub fn new(system: impl Into<String>, user: impl Into<String>, repeat: u32) -> Self {
        let messages = vec![Message::new(Role::System, system), Message::new(Role::User, user)];
        Self { messages, repeat, ..Self::default() }
    }

    /// The last thing the user said: for built-in readers, the narrative.
    pub fn last_user_text(&self) -> &str {
        let said = self.messages.iter().rev().find(|message| message.role == Role::User);
        said.map_or("", |message| message.content.as_str())
    }
}

impl Usage {
    /// Whether the endpoint told nothing.
    pub fn is_none(&self) -> bool {
        self.input == 0 && self.output == 0
    }

    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cached_input: self.cached_input.saturating_add(other.cached_input),
            reasoning: self.reasoning.saturating_add(other.reasoning),
        }
    }
}

impl ChatReply {
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}
