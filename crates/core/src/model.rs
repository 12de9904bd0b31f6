//! The one door to anything that answers in text.

use crate::ModelId;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

#[async_trait]
pub trait ChatModel: Send + Sync {
    fn id(&self) -> &ModelId;
    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError>;
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    pub messages: Vec<Message>,
    /// Distinguishes repeats of the same question; part of every cache key.
    pub repeat: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    pub role: Role,
    pub content: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    System,
    User,
    Assistant,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChatReply {
    pub text: String,
    /// Reasoning the model gives apart from its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    #[error("the model's output cannot be used: {0}")]
    InvalidOutput(String),
    #[error("the model refused: {0}")]
    Refused(String),
    #[error("no reply in time: {0}")]
    Timeout(String),
    #[error("the model could not be reached: {0}")]
    Transport(String),
}

impl ChatRequest {
    pub fn new(system: impl Into<String>, user: impl Into<String>, repeat: u32) -> Self {
        let message = |role, content: String| Message { role, content };
        Self {
            messages: vec![
                message(Role::System, system.into()),
                message(Role::User, user.into()),
            ],
            repeat,
        }
    }

    /// The last thing the user said: for built-in readers, the narrative.
    pub fn last_user_text(&self) -> &str {
        self.messages
            .iter()
            .rev()
            .find(|message| message.role == Role::User)
            .map_or("", |message| message.content.as_str())
    }
}
