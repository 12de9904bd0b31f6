//! The wire formats, chosen by name.

use crate::{Dialect, Form, WireReply, WireRequest, anthropic, gemini, openai, waterjar};
use serde::{Deserialize, Serialize};
use waterjar_core::{ChatReply, ChatRequest, ModelError, Sampling};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Api {
    /// Chat completions, as OpenAI and many others speak it.
    Openai,
    /// Messages.
    Anthropic,
    /// generateContent.
    Gemini,
    /// Our own small shape, for servers that speak none of these.
    Waterjar,
}

impl Api {
    pub fn to_wire(self, model: &str, request: &ChatRequest, dialect: &Dialect) -> WireRequest {
        match self {
            Self::Openai => openai::to_wire(model, request, dialect),
            Self::Anthropic => anthropic::to_wire(model, request, dialect),
            Self::Gemini => gemini::to_wire(model, request, dialect),
            Self::Waterjar => waterjar::to_wire(model, request, dialect),
        }
    }

    pub fn from_wire(self, request: &ChatRequest, reply: &WireReply) -> Result<ChatReply, ModelError> {
        match self {
            Self::Openai => openai::from_wire(request, reply),
            Self::Anthropic => anthropic::from_wire(request, reply),
            Self::Gemini => gemini::from_wire(request, reply),
            Self::Waterjar => waterjar::from_wire(request, reply),
        }
    }

    /// The limit of output that goes over the wire with sampling so admitted.
    pub(crate) fn limit(self, sent: &Sampling, dialect: &Dialect) -> Option<u32> {
        match self {
            Self::Anthropic => Some(anthropic::max_tokens(sent, dialect)),
            Self::Openai | Self::Gemini | Self::Waterjar => dialect.limit(sent),
        }
    }

    /// Sent with every request, whatever it is about.
    pub(crate) fn headers(self) -> Vec<(&'static str, &'static str)> {
        match self {
            Self::Anthropic => vec![("anthropic-version", "2023-06-01")],
            Self::Openai | Self::Gemini | Self::Waterjar => Vec::new(),
        }
    }

    /// What stands between host and method when an address names only the host.
    pub(crate) fn version_path(self) -> &'static str {
        match self {
            Self::Openai | Self::Anthropic => "v1",
            Self::Gemini => "v1beta",
            Self::Waterjar => "",
        }
    }

    /// The next plainer way to ask for structured output.
    pub(crate) fn plainer(self, form: Form) -> Option<Form> {
        match (self, form) {
            (Self::Anthropic, Form::Schema) => Some(Form::Tool),
            (Self::Openai | Self::Gemini, Form::Schema) => Some(Form::Object),
            // The schema is always sent as it is, and what comes of it is the program's business.
            (Self::Waterjar, Form::Schema) => None,
            (_, Form::Object | Form::Tool) => Some(Form::Prompt),
            (_, Form::Prompt) => None,
        }
    }
}
