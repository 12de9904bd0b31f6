//! One question in three formats.

use serde_json::{Value, json};
use waterjar_simulation::raw::{RawClient, RawReply};
use waterjar_simulation::{Endpoint, EndpointSettings, Format};

pub const FORMATS: [Format; 3] = [Format::OpenAi, Format::Anthropic, Format::Gemini];
pub const KEY: &str = "test-key";

/// What all three formats can ask.
#[derive(Clone, Debug, Default)]
pub struct Question {
    pub system: String,
    pub user: String,
    pub schema: Option<(&'static str, Value)>,
    pub tool: Option<(&'static str, Value)>,
    pub max_tokens: Option<u32>,
    pub thinking: bool,
    pub logprobs: bool,
}

impl Question {
    pub fn new(user: &str) -> Self {
        Self { system: "Name the condition.".to_owned(), user: user.to_owned(), ..Self::default() }
    }

    pub fn with_schema(user: &str, name: &'static str, schema: Value) -> Self {
        Self { schema: Some((name, schema)), ..Self::new(user) }
    }

    pub fn body(&self, format: Format) -> Value {
        match format {
            Format::OpenAi => self.openai(),
            Format::Anthropic => self.anthropic(),
            Format::Gemini => self.gemini(),
        }
    }

    fn openai(&self) -> Value {
        let mut body = json!({"model": "clinician-1", "messages": [
            {"role": "system", "content": self.system}, {"role": "user", "content": self.user}]});
        if let Some((name, schema)) = &self.schema {
            body["response_format"] = json!({"type": "json_schema", "json_schema": {"name": name, "schema": schema}});
        }
        if let Some((name, parameters)) = &self.tool {
            body["tools"] = json!([{"type": "function", "function": {"name": name, "parameters": parameters}}]);
        }
        if let Some(most) = self.max_tokens {
            body["max_completion_tokens"] = most.into();
        }
        if self.thinking {
            body["reasoning_effort"] = "high".into();
        }
        if self.logprobs {
            body["logprobs"] = true.into();
            body["top_logprobs"] = 2.into();
        }
        body
    }

    fn anthropic(&self) -> Value {
        let mut body = json!({"model": "clinician-1", "max_tokens": self.max_tokens.unwrap_or(4096),
            "system": self.system, "messages": [{"role": "user", "content": self.user}]});
        if let Some((name, schema)) = &self.schema {
            body["tools"] = json!([{"name": name, "input_schema": schema}]);
            body["tool_choice"] = json!({"type": "tool", "name": name});
        }
        if let Some((name, parameters)) = &self.tool {
            body["tools"] = json!([{"name": name, "description": "", "input_schema": parameters}]);
        }
        if self.thinking {
            body["thinking"] = json!({"type": "enabled", "budget_tokens": 1024});
        }
        body
    }

    fn gemini(&self) -> Value {
        let mut body = json!({"systemInstruction": {"parts": [{"text": self.system}]},
            "contents": [{"role": "user", "parts": [{"text": self.user}]}], "generationConfig": {}});
        let config = &mut body["generationConfig"];
        if let Some((name, schema)) = &self.schema {
            config["responseMimeType"] = "application/json".into();
            config["responseSchema"] = schema.clone();
            config["responseSchema"]["title"] = (*name).into();
        }
        if let Some(most) = self.max_tokens {
            config["maxOutputTokens"] = most.into();
        }
        if self.thinking {
            config["thinkingConfig"] = json!({"includeThoughts": true});
        }
        if self.logprobs {
            config["responseLogprobs"] = true.into();
            config["logprobs"] = 2.into();
        }
        if let Some((name, parameters)) = &self.tool {
            body["tools"] = json!([{"functionDeclarations": [{"name": name, "parameters": parameters}]}]);
        }
        body
    }
}

pub fn path(format: Format) -> &'static str {
    match format {
        Format::OpenAi => "/v1/chat/completions",
        Format::Anthropic => "/v1/messages",
        Format::Gemini => "/v1beta/models/clinician-1:generateContent",
    }
}

pub fn headers(format: Format) -> Vec<(&'static str, &'static str)> {
    match format {
        Format::OpenAi => vec![("authorization", "Bearer test-key")],
        Format::Anthropic => vec![("x-api-key", KEY), ("anthropic-version", "2023-06-01")],
        Format::Gemini => vec![("x-goog-api-key", KEY)],
    }
}

pub async fn start(settings: EndpointSettings) -> Endpoint {
    Endpoint::start(settings).await.unwrap()
}

/// Over a connection of its own.
pub async fn ask(endpoint: &Endpoint, format: Format, question: &Question) -> std::io::Result<RawReply> {
    let mut client = RawClient::connect(endpoint.addr()).await?;
    ask_over(&mut client, format, question).await
}

pub async fn ask_over(client: &mut RawClient, format: Format, question: &Question) -> std::io::Result<RawReply> {
    let body = question.body(format).to_string();
    client.post(path(format), &headers(format), body.as_bytes()).await
}

/// The answer's text, or the arguments of the forced tool.
pub fn said(format: Format, reply: &Value) -> String {
    let text = match format {
        Format::OpenAi => reply.pointer("/choices/0/message/content"),
        Format::Anthropic => {
            let blocks = reply["content"].as_array();
            let block = blocks.and_then(|blocks| blocks.iter().find(|block| block["type"] != "thinking"));
            block.and_then(|block| block.get("text").or_else(|| block.get("input")))
        }
        Format::Gemini => {
            let parts = reply.pointer("/candidates/0/content/parts").and_then(Value::as_array);
            parts.and_then(|parts| parts.iter().find(|part| part["thought"] != true)).and_then(|part| part.get("text"))
        }
    };
    match text {
        Some(Value::String(text)) => text.clone(),
        Some(other) if other.is_object() => other.to_string(),
        _ => String::new(),
    }
}

pub async fn answer(endpoint: &Endpoint, format: Format, question: &Question) -> String {
    let reply = ask(endpoint, format, question).await.unwrap();
    assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.body));
    said(format, &reply.json().unwrap())
}
