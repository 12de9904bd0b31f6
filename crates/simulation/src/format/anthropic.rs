//! Anthropic Messages.

use super::content::Content;
use super::{AnswerForm, ApiError, Asked, ErrorKind, Format, Said, ToolChoice, prompt_schema};
use hyper::HeaderMap;
use serde::Deserialize;
use serde_json::{Value, json};
use waterjar_core::{AnswerSchema, ChatReply, ChatRequest, Finish, Message, Reasoning, Role, Sampling, Tool, ToolCall};

#[derive(Deserialize)]
struct Wire {
    model: String,
    max_tokens: Option<u32>,
    system: Option<Content<Block>>,
    messages: Vec<WireMessage>,
    temperature: Option<f64>,
    #[serde(default)]
    stop_sequences: Vec<String>,
    #[serde(default)]
    tools: Vec<WireTool>,
    tool_choice: Option<WireChoice>,
    thinking: Option<Thinking>,
    output_config: Option<OutputConfig>,
    /// What `output_config.format` was called in its beta.
    output_format: Option<OutputFormat>,
    stream: Option<bool>,
}

#[derive(Deserialize)]
struct WireMessage {
    role: String,
    content: Content<Block>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text { text: String },
    ToolUse { id: String, name: String, input: Value },
    ToolResult { tool_use_id: String, content: Option<Content<Inner>> },
    Thinking {},
    RedactedThinking {},
}

#[derive(Deserialize)]
struct Inner {
    text: Option<String>,
}

#[derive(Deserialize)]
struct WireTool {
    name: String,
    #[serde(default)]
    description: String,
    input_schema: Value,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum WireChoice {
    Auto,
    Any,
    None,
    Tool { name: String },
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Thinking {
    Enabled { budget_tokens: u32 },
    Adaptive,
    Disabled,
}

#[derive(Deserialize)]
struct OutputConfig {
    format: Option<OutputFormat>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum OutputFormat {
    JsonSchema { schema: Value },
}

pub(super) fn read(headers: &HeaderMap, body: &[u8]) -> Result<Asked, ApiError> {
    if !headers.contains_key("anthropic-version") {
        return Err(ApiError::invalid("anthropic-version: header is required"));
    }
    let wire: Wire = serde_json::from_slice(body).map_err(|error| ApiError::invalid(error.to_string()))?;
    let max_tokens = wire.max_tokens.ok_or_else(|| ApiError::invalid("max_tokens: Field required"))?;
    if wire.stream == Some(true) {
        return Err(ApiError::invalid("Streaming is not simulated."));
    }
    let reasoning = thinking(wire.thinking.as_ref(), max_tokens, wire.temperature)?;
    let tools: Vec<Tool> = wire.tools.into_iter().map(tool).collect();
    let choice = choice(wire.tool_choice, &tools)?;
    if reasoning.is_some() && matches!(choice, ToolChoice::Any | ToolChoice::Named(_)) {
        return Err(ApiError::invalid("Thinking may not be enabled when tool_choice forces tool use."));
    }
    let format = wire.output_config.and_then(|config| config.format).or(wire.output_format);
    let schema = format.map(|OutputFormat::JsonSchema { schema }| {
        let name = prompt_schema::named(&schema).unwrap_or_else(|| "answer".to_owned());
        AnswerSchema { name, schema }
    });
    let form = if schema.is_some() { AnswerForm::JsonSchema } else { AnswerForm::Text };
    let sampling = Sampling {
        temperature: wire.temperature,
        max_tokens: Some(max_tokens),
        stop: wire.stop_sequences,
        reasoning,
        ..Sampling::default()
    };
    let request = ChatRequest { messages: messages(wire.system, wire.messages)?, sampling, tools, schema, repeat: 0 };
    Ok(Asked { format: Format::Anthropic, model: wire.model, request, form, choice })
}

fn thinking(
    thinking: Option<&Thinking>,
    max_tokens: u32,
    temperature: Option<f64>,
) -> Result<Option<Reasoning>, ApiError> {
    if temperature.is_some_and(|temperature| !(0.0..=1.0).contains(&temperature)) {
        return Err(ApiError::invalid("temperature: range: 0..1"));
    }
    let reasoning = match thinking {
        None | Some(Thinking::Disabled) => return Ok(None),
        Some(Thinking::Adaptive) => Reasoning::Medium,
        Some(&Thinking::Enabled { budget_tokens }) if budget_tokens < 1024 => {
            return Err(ApiError::invalid(
                "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
            ));
        }
        Some(&Thinking::Enabled { budget_tokens }) if budget_tokens >= max_tokens => {
            return Err(ApiError::invalid("`max_tokens` must be greater than `thinking.budget_tokens`."));
        }
        Some(&Thinking::Enabled { budget_tokens }) => Reasoning::Tokens(budget_tokens),
    };
    if temperature.is_some_and(|temperature| temperature != 1.0) {
        return Err(ApiError::invalid("`temperature` may only be set to 1 when thinking is enabled."));
    }
    Ok(Some(reasoning))
}

fn tool(wire: WireTool) -> Tool {
    Tool { name: wire.name, description: wire.description, parameters: wire.input_schema }
}

fn choice(wire: Option<WireChoice>, tools: &[Tool]) -> Result<ToolChoice, ApiError> {
    Ok(match wire {
        None | Some(WireChoice::Auto) => ToolChoice::Auto,
        Some(WireChoice::None) => ToolChoice::Never,
        Some(WireChoice::Any) => ToolChoice::Any,
        Some(WireChoice::Tool { name }) if tools.iter().any(|tool| tool.name == name) => ToolChoice::Named(name),
        Some(WireChoice::Tool { name }) => {
            return Err(ApiError::invalid(format!("Tool '{name}' not found in provided tools")));
        }
    })
}

fn messages(system: Option<Content<Block>>, wire: Vec<WireMessage>) -> Result<Vec<Message>, ApiError> {
    let mut messages = Vec::new();
    if let Some(system) = system {
        push(&mut messages, Role::System, system)?;
    }
    if wire.is_empty() {
        return Err(ApiError::invalid("messages: at least one message is required"));
    }
    for message in wire {
        let role = match message.role.as_str() {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            other => {
                let message =
                    format!("messages: Unexpected role \"{other}\". Allowed roles are \"user\" or \"assistant\".");
                return Err(ApiError::invalid(message));
            }
        };
        push(&mut messages, role, message.content)?;
    }
    Ok(messages)
}

/// One turn of the vendor's may be several of ours: results of tools are turns of their own.
fn push(messages: &mut Vec<Message>, role: Role, content: Content<Block>) -> Result<(), ApiError> {
    let blocks = match content {
        Content::Text(text) => vec![Block::Text { text }],
        Content::Parts(blocks) => blocks,
    };
    let mut turn = Message::new(role, "");
    let mut spoke = false;
    for block in blocks {
        match block {
            Block::Text { text } if text.is_empty() => {
                return Err(ApiError::invalid("messages: text content blocks must be non-empty"));
            }
            Block::Text { text } => {
                turn.content.push_str(&text);
                spoke = true;
            }
            Block::ToolUse { id, name, input } => {
                turn.tool_calls.push(ToolCall { id, name, arguments: input });
                spoke = true;
            }
            Block::ToolResult { tool_use_id, content } => {
                let text = match content {
                    Some(Content::Text(text)) => text,
                    Some(Content::Parts(parts)) => parts.into_iter().filter_map(|part| part.text).collect(),
                    None => String::new(),
                };
                let mut result = Message::new(Role::Tool, text);
                result.answers_call = Some(tool_use_id);
                messages.push(result);
            }
            Block::Thinking {} | Block::RedactedThinking {} => {}
        }
    }
    if spoke {
        messages.push(turn);
    }
    Ok(())
}

pub(super) fn reply(asked: &Asked, said: &Said, id: &str) -> (u16, Value) {
    let empty = ChatReply::default();
    let (reply, content, stop) = match said {
        Said::Reply(reply) => (reply, blocks(reply, id), stop_reason(reply.finish)),
        Said::Refused(_) => (&empty, json!([]), "refusal"),
        Said::Filtered => {
            let blocked = "Output blocked by content filtering policy";
            let blocked = ApiError::new(400, ErrorKind::ContentFilter, blocked);
            return (400, error(&blocked));
        }
    };
    let usage = &reply.usage;
    let body = json!({
        "id": format!("msg_{id}"),
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": null,
        "usage": {
            // Beside what was read from the cache, not with it.
            "input_tokens": usage.input.max(asked.tokens()).saturating_sub(usage.cached_input),
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": usage.cached_input,
            "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
            "output_tokens": usage.output,
            "service_tier": "standard",
        },
    });
    (200, body)
}

fn blocks(reply: &ChatReply, id: &str) -> Value {
    let mut blocks = Vec::new();
    if let Some(thinking) = &reply.reasoning {
        blocks.push(json!({"type": "thinking", "thinking": thinking, "signature": format!("sig-{id}")}));
    }
    if !reply.text.is_empty() {
        blocks.push(json!({"type": "text", "text": reply.text}));
    }
    for call in &reply.tool_calls {
        blocks.push(json!({"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments}));
    }
    Value::Array(blocks)
}

fn stop_reason(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop => "end_turn",
        Finish::Length => "max_tokens",
        Finish::ToolCalls => "tool_use",
    }
}

pub(super) fn error(error: &ApiError) -> Value {
    let kind = match error.kind {
        ErrorKind::Invalid | ErrorKind::SchemaUnsupported | ErrorKind::ContextLength | ErrorKind::ContentFilter => {
            "invalid_request_error"
        }
        ErrorKind::QuotaExhausted => "billing_error",
        ErrorKind::Unauthorized => "authentication_error",
        ErrorKind::Forbidden => "permission_error",
        ErrorKind::ModelNotFound | ErrorKind::PathNotFound => "not_found_error",
        ErrorKind::RateLimited => "rate_limit_error",
        ErrorKind::Server => "api_error",
        ErrorKind::Overloaded => "overloaded_error",
    };
    let message = match error.kind {
        ErrorKind::ContextLength => "prompt is too long: more tokens than the maximum of this model",
        _ => error.message.as_str(),
    };
    json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_waterjar"})
}

pub(super) fn models(names: &[String]) -> Value {
    let data = names
        .iter()
        .map(|name| json!({"type": "model", "id": name, "display_name": name, "created_at": "2025-11-15T00:00:00Z"}));
    json!({"data": data.collect::<Value>(), "has_more": false, "first_id": names.first(), "last_id": names.last()})
}
