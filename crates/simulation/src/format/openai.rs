//! OpenAI chat completions, as OpenAI documents them and the compatible vendors follow them.

use super::content::{Content, OneOrMany};
use super::{AnswerForm, ApiError, Asked, ErrorKind, Format, Said, ToolChoice};
use serde::Deserialize;
use serde_json::{Value, json};
use waterjar_core::{
    AnswerSchema, ChatReply, ChatRequest, Finish, Message, Reasoning, Role, Sampling, TokenLogprob, Tool, ToolCall,
};

#[derive(Deserialize)]
struct Wire {
    model: String,
    messages: Vec<WireMessage>,
    temperature: Option<f64>,
    seed: Option<u64>,
    max_tokens: Option<u32>,
    max_completion_tokens: Option<u32>,
    stop: Option<OneOrMany>,
    #[serde(default)]
    tools: Vec<WireTool>,
    tool_choice: Option<Value>,
    response_format: Option<ResponseFormat>,
    reasoning_effort: Option<String>,
    logprobs: Option<bool>,
    top_logprobs: Option<u8>,
    stream: Option<bool>,
}

#[derive(Deserialize)]
struct WireMessage {
    role: String,
    content: Option<Content<Part>>,
    #[serde(default)]
    tool_calls: Vec<WireCall>,
    tool_call_id: Option<String>,
}

#[derive(Deserialize)]
struct Part {
    text: Option<String>,
}

#[derive(Deserialize)]
struct WireCall {
    id: String,
    function: CalledFunction,
}

#[derive(Deserialize)]
struct CalledFunction {
    name: String,
    arguments: String,
}

#[derive(Deserialize)]
struct WireTool {
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    parameters: Value,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ResponseFormat {
    Text,
    JsonObject,
    JsonSchema { json_schema: NamedSchema },
}

#[derive(Deserialize)]
struct NamedSchema {
    name: String,
    schema: Value,
    #[serde(default)]
    strict: Option<bool>,
}

pub(super) fn read(body: &[u8]) -> Result<Asked, ApiError> {
    let wire: Wire = serde_json::from_slice(body)
        .map_err(|error| ApiError::invalid(format!("We could not parse the JSON body of your request: {error}")))?;
    if wire.stream == Some(true) {
        return Err(ApiError::invalid("Streaming is not simulated."));
    }
    let messages: Vec<Message> = wire.messages.into_iter().map(message).collect::<Result<_, _>>()?;
    if messages.is_empty() {
        return Err(ApiError::invalid("Invalid 'messages': empty array. Expected an array with minimum length 1."));
    }
    let (form, schema) = answer_form(wire.response_format, &messages)?;
    let tools: Vec<Tool> = wire.tools.into_iter().map(tool).collect();
    let top_logprobs = (wire.logprobs == Some(true)).then(|| wire.top_logprobs.unwrap_or(0));
    let sampling = Sampling {
        temperature: wire.temperature,
        seed: wire.seed,
        max_tokens: wire.max_completion_tokens.or(wire.max_tokens),
        stop: wire.stop.map(OneOrMany::into_vec).unwrap_or_default(),
        reasoning: wire.reasoning_effort.as_deref().and_then(effort),
        top_logprobs,
    };
    let choice = choice(wire.tool_choice.as_ref(), &tools)?;
    let request = ChatRequest { messages, sampling, tools, schema, repeat: 0 };
    Ok(Asked { format: Format::OpenAi, model: wire.model, request, form, choice })
}

fn message(wire: WireMessage) -> Result<Message, ApiError> {
    let role = match wire.role.as_str() {
        "system" | "developer" => Role::System,
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "tool" => Role::Tool,
        other => return Err(ApiError::invalid(format!("Invalid value: '{other}' for 'messages[].role'."))),
    };
    let text = match wire.content {
        Some(Content::Text(text)) => text,
        Some(Content::Parts(parts)) => parts.into_iter().filter_map(|part| part.text).collect(),
        None if role == Role::Assistant => String::new(),
        None => return Err(ApiError::invalid("Invalid value for 'content': expected a string, got null.")),
    };
    if role == Role::Tool && wire.tool_call_id.is_none() {
        return Err(ApiError::invalid("Missing parameter 'tool_call_id': messages with role 'tool' need it."));
    }
    let mut message = Message::new(role, text);
    message.answers_call = wire.tool_call_id;
    message.tool_calls = wire.tool_calls.into_iter().map(call).collect::<Result<_, _>>()?;
    Ok(message)
}

fn call(wire: WireCall) -> Result<ToolCall, ApiError> {
    let arguments = serde_json::from_str(&wire.function.arguments)
        .map_err(|_| ApiError::invalid("Invalid 'tool_calls[].function.arguments': not JSON."))?;
    Ok(ToolCall { id: wire.id, name: wire.function.name, arguments })
}

fn tool(wire: WireTool) -> Tool {
    let Function { name, description, parameters } = wire.function;
    Tool { name, description, parameters }
}

fn effort(effort: &str) -> Option<Reasoning> {
    match effort {
        "low" => Some(Reasoning::Low),
        "medium" => Some(Reasoning::Medium),
        "high" | "xhigh" => Some(Reasoning::High),
        // none, minimal
        _ => None,
    }
}

fn answer_form(
    format: Option<ResponseFormat>,
    messages: &[Message],
) -> Result<(AnswerForm, Option<AnswerSchema>), ApiError> {
    match format {
        None | Some(ResponseFormat::Text) => Ok((AnswerForm::Text, None)),
        Some(ResponseFormat::JsonObject) => {
            let says_json = messages.iter().any(|message| message.content.to_ascii_lowercase().contains("json"));
            if !says_json {
                return Err(ApiError::invalid(
                    "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
                ));
            }
            Ok((AnswerForm::JsonObject, None))
        }
        Some(ResponseFormat::JsonSchema { json_schema }) => {
            let NamedSchema { name, schema, strict } = json_schema;
            let good = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            if name.is_empty() || name.len() > 64 || !name.chars().all(good) {
                let message =
                    format!("Invalid 'response_format.json_schema.name': '{name}' does not match ^[a-zA-Z0-9_-]+$.");
                return Err(ApiError::invalid(message));
            }
            if strict == Some(true)
                && let Some(problem) = not_strict(&schema)
            {
                return Err(ApiError::invalid(format!("Invalid schema for response_format '{name}': {problem}")));
            }
            Ok((AnswerForm::JsonSchema, Some(AnswerSchema { name, schema })))
        }
    }
}

/// Strict mode wants every object closed and every property required.
fn not_strict(schema: &Value) -> Option<String> {
    let object = match schema {
        Value::Array(items) => return items.iter().find_map(not_strict),
        Value::Object(object) => object,
        _ => return None,
    };
    if let Some(properties) = object.get("properties").and_then(Value::as_object) {
        if object.get("additionalProperties") != Some(&Value::Bool(false)) {
            return Some("'additionalProperties' is required to be supplied and to be false.".to_owned());
        }
        let required: Vec<&str> =
            object.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        if let Some(missing) = properties.keys().find(|key| !required.contains(&key.as_str())) {
            return Some(format!(
                "'required' is required to be supplied and to be an array including every key in properties. Missing '{missing}'."
            ));
        }
    }
    object.values().find_map(not_strict)
}

fn choice(wire: Option<&Value>, tools: &[Tool]) -> Result<ToolChoice, ApiError> {
    let choice = match wire {
        None => ToolChoice::Auto,
        Some(Value::String(word)) => match word.as_str() {
            "auto" => ToolChoice::Auto,
            "none" => ToolChoice::Never,
            "required" => ToolChoice::Any,
            other => return Err(ApiError::invalid(format!("Invalid value: '{other}' for 'tool_choice'."))),
        },
        Some(named) => {
            let name = named.pointer("/function/name").and_then(Value::as_str).unwrap_or_default();
            if !tools.iter().any(|tool| tool.name == name) {
                let message = format!("Tool choice '{name}' not found in 'tools' parameter.");
                return Err(ApiError::invalid(message));
            }
            ToolChoice::Named(name.to_owned())
        }
    };
    Ok(choice)
}

pub(super) fn reply(asked: &Asked, said: &Said, id: &str) -> (u16, Value) {
    let empty = ChatReply::default();
    let (reply, message, finish) = match said {
        Said::Reply(reply) => (reply, spoken(reply), finish(reply.finish)),
        Said::Refused(why) => (&empty, json!({"role": "assistant", "content": null, "refusal": why}), "stop"),
        Said::Filtered => (&empty, json!({"role": "assistant", "content": "", "refusal": null}), "content_filter"),
    };
    let usage = &reply.usage;
    let (input, output) = (usage.input.max(asked.tokens()), usage.output);
    let body = json!({
        "id": format!("chatcmpl-{id}"),
        "object": "chat.completion",
        // Fixed, so that the same request always gets the same bytes.
        "created": 1_763_164_800,
        "model": asked.model,
        "choices": [{
            "index": 0,
            "message": message,
            "logprobs": reply.logprobs.as_ref().map(|tokens| logprobs(tokens)),
            "finish_reason": finish,
        }],
        "usage": {
            "prompt_tokens": input,
            "completion_tokens": output,
            "total_tokens": input + output,
            "prompt_tokens_details": {"cached_tokens": usage.cached_input, "audio_tokens": 0},
            "completion_tokens_details": {
                "reasoning_tokens": usage.reasoning,
                "audio_tokens": 0,
                "accepted_prediction_tokens": 0,
                "rejected_prediction_tokens": 0,
            },
        },
        "service_tier": "default",
        "system_fingerprint": "fp_waterjar",
    });
    (200, body)
}

fn spoken(reply: &ChatReply) -> Value {
    let content = if reply.tool_calls.is_empty() { Value::from(reply.text.as_str()) } else { Value::Null };
    let mut message = json!({"role": "assistant", "content": content, "refusal": null, "annotations": []});
    if !reply.tool_calls.is_empty() {
        let calls = reply.tool_calls.iter().map(|call| {
            let function = json!({"name": call.name, "arguments": call.arguments.to_string()});
            json!({"id": call.id, "type": "function", "function": function})
        });
        message["tool_calls"] = calls.collect();
    }
    if let Some(reasoning) = &reply.reasoning {
        // OpenAI keeps it to itself; DeepSeek, vLLM and others give it under this name.
        message["reasoning_content"] = Value::from(reasoning.as_str());
    }
    message
}

fn finish(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop => "stop",
        Finish::Length => "length",
        Finish::ToolCalls => "tool_calls",
    }
}

fn logprobs(tokens: &[TokenLogprob]) -> Value {
    let one = |token: &str, logprob: f64| json!({"token": token, "logprob": logprob, "bytes": token.as_bytes()});
    let content = tokens.iter().map(|seen| {
        let mut token = one(&seen.token, seen.logprob);
        token["top_logprobs"] = seen.top.iter().map(|(token, logprob)| one(token, *logprob)).collect();
        token
    });
    json!({"content": content.collect::<Value>(), "refusal": null})
}

pub(super) fn error(error: &ApiError) -> Value {
    let (kind, param, code) = match error.kind {
        ErrorKind::Invalid => ("invalid_request_error", None, None),
        ErrorKind::SchemaUnsupported => ("invalid_request_error", Some("response_format"), None),
        ErrorKind::ContextLength => ("invalid_request_error", Some("messages"), Some("context_length_exceeded")),
        ErrorKind::ContentFilter => ("invalid_request_error", Some("prompt"), Some("content_filter")),
        ErrorKind::Unauthorized => ("invalid_request_error", None, Some("invalid_api_key")),
        ErrorKind::Forbidden => ("invalid_request_error", None, Some("permission_denied")),
        ErrorKind::ModelNotFound => ("invalid_request_error", None, Some("model_not_found")),
        ErrorKind::PathNotFound => ("invalid_request_error", None, Some("unknown_url")),
        ErrorKind::RateLimited => ("requests", None, Some("rate_limit_exceeded")),
        ErrorKind::QuotaExhausted => ("insufficient_quota", None, Some("insufficient_quota")),
        ErrorKind::Server | ErrorKind::Overloaded => ("server_error", None, None),
    };
    json!({"error": {"message": error.message, "type": kind, "param": param, "code": code}})
}

pub(super) fn models(names: &[String]) -> Value {
    let data = names
        .iter()
        .map(|name| json!({"id": name, "object": "model", "created": 1_763_164_800, "owned_by": "waterjar"}));
    json!({"object": "list", "data": data.collect::<Value>()})
}
