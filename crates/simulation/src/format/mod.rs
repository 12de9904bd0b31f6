//! Three wire formats: a vendor's request to what is asked, and what is said to the vendor's reply.

mod anthropic;
mod asked;
mod content;
pub mod embeddings;
mod error;
mod gemini;
mod openai;
mod prompt_schema;

pub use asked::{AnswerForm, Asked, Said, ToolChoice};
pub use error::{ApiError, ErrorKind};

use hyper::HeaderMap;
use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    OpenAi,
    Anthropic,
    Gemini,
}

impl Format {
    /// By the end of the path, so that vendors with a prefix of their own (`/openai/deployments/x`) work too.
    pub fn of_path(path: &str) -> Option<Self> {
        if path.ends_with("/chat/completions") {
            Some(Self::OpenAi)
        } else if path.ends_with("/messages") {
            Some(Self::Anthropic)
        } else if path.ends_with(":generateContent") {
            Some(Self::Gemini)
        } else {
            None
        }
    }

    /// Checks what the vendor would check, and no more.
    pub fn read(self, path: &str, headers: &HeaderMap, body: &[u8]) -> Result<Asked, ApiError> {
        let mut asked = match self {
            Self::OpenAi => openai::read(body),
            Self::Anthropic => anthropic::read(headers, body),
            Self::Gemini => gemini::read(path, body),
        }?;
        if asked.request.schema.is_none() {
            asked.request.schema = prompt_schema::find(&asked.request);
        }
        Ok(asked)
    }

    /// Status and body of what is said. `id` makes the vendor's own ids.
    pub fn reply(self, asked: &Asked, said: &Said, id: &str) -> (u16, Value) {
        match self {
            Self::OpenAi => openai::reply(asked, said, id),
            Self::Anthropic => anthropic::reply(asked, said, id),
            Self::Gemini => gemini::reply(asked, said, id),
        }
    }

    pub fn error(self, error: &ApiError) -> Value {
        match self {
            Self::OpenAi => openai::error(error),
            Self::Anthropic => anthropic::error(error),
            Self::Gemini => gemini::error(error),
        }
    }

    pub fn models(self, names: &[String]) -> Value {
        match self {
            Self::OpenAi => openai::models(names),
            Self::Anthropic => anthropic::models(names),
            Self::Gemini => gemini::models(names),
        }
    }
}
