//! What is asked and what is said, whatever the wire format.

use super::Format;
use waterjar_core::{AnswerSchema, ChatReply, ChatRequest, Role, Tool};

#[derive(Clone, Debug)]
pub struct Asked {
    pub format: Format,
    pub model: String,
    /// The schema is the one sent, or the one found in the prompt where none was.
    pub request: ChatRequest,
    pub form: AnswerForm,
    pub choice: ToolChoice,
}

/// How the request says what the answer must look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerForm {
    /// It does not, or only in the prompt.
    Text,
    /// Any JSON object.
    JsonObject,
    /// JSON of a schema, as text.
    JsonSchema,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolChoice {
    Auto,
    Never,
    Any,
    Named(String),
}

/// What the endpoint says, before a vendor's shape is put around it.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum Said {
    Reply(ChatReply),
    /// The model declines.
    Refused(String),
    /// The vendor's filter withholds the answer.
    Filtered,
}

impl Asked {
    /// The last thing the user said.
    pub fn text(&self) -> &str {
        self.request.last_user_text()
    }

    pub fn system(&self) -> &str {
        let said = self.request.messages.iter().find(|message| message.role == Role::System);
        said.map_or("", |message| message.content.as_str())
    }

    /// The tool that must be called, with its arguments as the schema of the answer.
    pub fn forced_tool(&self) -> Option<&Tool> {
        match &self.choice {
            ToolChoice::Named(name) => self.request.tools.iter().find(|tool| tool.name == *name),
            ToolChoice::Any => self.request.tools.first(),
            ToolChoice::Auto | ToolChoice::Never => None,
        }
    }

    /// The schema of an answer given as text.
    pub fn text_schema(&self) -> Option<&AnswerSchema> {
        if self.forced_tool().is_some() { None } else { self.request.schema.as_ref() }
    }

    /// A quarter of the letters, as vendors' tokenizers come out for English; at least one.
    pub fn tokens(&self) -> u64 {
        let letters: usize = self.request.messages.iter().map(|message| message.content.len()).sum();
        (letters as u64).div_ceil(4).max(1)
    }
}
