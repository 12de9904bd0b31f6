//! Gemini generateContent.

use super::{AnswerForm, ApiError, Asked, ErrorKind, Format, Said, ToolChoice, prompt_schema};
use serde::Deserialize;
use serde_json::{Value, json};
use waterjar_core::{
    AnswerSchema, ChatReply, ChatRequest, Finish, Message, Reasoning, Role, Sampling, TokenLogprob, Tool, ToolCall,
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wire {
    contents: Vec<Turn>,
    #[serde(alias = "system_instruction")]
    system_instruction: Option<Turn>,
    #[serde(default)]
    generation_config: GenerationConfig,
    #[serde(default)]
    tools: Vec<WireTools>,
    tool_config: Option<ToolConfig>,
}

#[derive(Deserialize)]
struct Turn {
    role: Option<String>,
    #[serde(default)]
    parts: Vec<Part>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    text: Option<String>,
    thought: Option<bool>,
    function_call: Option<FunctionCall>,
    function_response: Option<FunctionResponse>,
}

#[derive(Deserialize)]
struct FunctionCall {
    id: Option<String>,
    name: String,
    #[serde(default)]
    args: Value,
}

#[derive(Deserialize)]
struct FunctionResponse {
    id: Option<String>,
    name: String,
    response: Value,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct GenerationConfig {
    temperature: Option<f64>,
    seed: Option<u64>,
    max_output_tokens: Option<u32>,
    stop_sequences: Vec<String>,
    response_mime_type: Option<String>,
    response_schema: Option<Value>,
    response_json_schema: Option<Value>,
    response_logprobs: Option<bool>,
    logprobs: Option<u8>,
    thinking_config: Option<ThinkingConfig>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ThinkingConfig {
    include_thoughts: Option<bool>,
    thinking_budget: Option<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireTools {
    #[serde(default)]
    function_declarations: Vec<Declaration>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Declaration {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default, alias = "parametersJsonSchema")]
    parameters: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToolConfig {
    function_calling_config: CallingConfig,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallingConfig {
    mode: String,
    #[serde(default)]
    allowed_function_names: Vec<String>,
}

pub(super) fn read(path: &str, body: &[u8]) -> Result<Asked, ApiError> {
    let wire: Wire = serde_json::from_slice(body)
        .map_err(|error| ApiError::invalid(format!("Invalid JSON payload received. {error}")))?;
    let config = wire.generation_config;
    let mut messages = Vec::new();
    if let Some(system) = wire.system_instruction {
        push(&mut messages, Role::System, system);
    }
    if wire.contents.is_empty() {
        return Err(ApiError::invalid("* GenerateContentRequest.contents: contents is not specified"));
    }
    for turn in wire.contents {
        let role = match turn.role.as_deref() {
            None | Some("user" | "function") => Role::User,
            Some("model") => Role::Assistant,
            Some(_) => return Err(ApiError::invalid("Please use a valid role: user, model.")),
        };
        push(&mut messages, role, turn);
    }
    let tools = wire.tools.into_iter().flat_map(|tools| tools.function_declarations);
    let tools: Vec<Tool> =
        tools.map(|Declaration { name, description, parameters }| Tool { name, description, parameters }).collect();
    let (form, schema) = answer_form(&config, &messages)?;
    let reasoning = config.thinking_config.and_then(|thinking| match thinking {
        ThinkingConfig { include_thoughts: Some(true), thinking_budget: Some(budget) } if budget > 0 => {
            Some(Reasoning::Tokens(u32::try_from(budget).unwrap_or(u32::MAX)))
        }
        ThinkingConfig { include_thoughts: Some(true), thinking_budget: None } => Some(Reasoning::Medium),
        _ => None,
    });
    let sampling = Sampling {
        temperature: config.temperature,
        seed: config.seed,
        max_tokens: config.max_output_tokens,
        stop: config.stop_sequences,
        reasoning,
        top_logprobs: (config.response_logprobs == Some(true)).then(|| config.logprobs.unwrap_or(0)),
    };
    let choice = wire.tool_config.map_or(ToolChoice::Auto, |config| choice(config.function_calling_config));
    let request = ChatRequest { messages, sampling, tools, schema, repeat: 0 };
    Ok(Asked { format: Format::Gemini, model: model_of(path).to_owned(), request, form, choice })
}

/// `/v1beta/models/NAME:generateContent`
fn model_of(path: &str) -> &str {
    let last = path.rsplit('/').next().unwrap_or_default();
    last.strip_suffix(":generateContent").unwrap_or(last)
}

fn push(messages: &mut Vec<Message>, role: Role, turn: Turn) {
    let mut spoken = Message::new(role, "");
    let mut spoke = false;
    for part in turn.parts {
        if let Some(FunctionResponse { id, name, response }) = part.function_response {
            let mut result = Message::new(Role::Tool, response.to_string());
            result.answers_call = id.or(Some(name));
            messages.push(result);
        } else if let Some(FunctionCall { id, name, args }) = part.function_call {
            spoken.tool_calls.push(ToolCall { id: id.unwrap_or_else(|| name.clone()), name, arguments: args });
            spoke = true;
        } else if let Some(text) = part.text.filter(|_| part.thought != Some(true)) {
            spoken.content.push_str(&text);
            spoke = true;
        }
    }
    if spoke {
        messages.push(spoken);
    }
}

fn answer_form(
    config: &GenerationConfig,
    messages: &[Message],
) -> Result<(AnswerForm, Option<AnswerSchema>), ApiError> {
    let json = config.response_mime_type.as_deref() == Some("application/json");
    if let Some(unknown) = config.response_schema.as_ref().and_then(unknown_field) {
        let message = format!(
            "Invalid JSON payload received. Unknown name \"{unknown}\" at 'generation_config.response_schema': Cannot find field."
        );
        return Err(ApiError::invalid(message));
    }
    match config.response_schema.as_ref().or(config.response_json_schema.as_ref()) {
        Some(_) if !json => Err(ApiError::invalid(
            "Unable to submit request because response schema needs response_mime_type application/json.",
        )),
        Some(schema) => {
            let line = || messages.iter().find_map(|message| prompt_schema::name_line(&message.content));
            let name = prompt_schema::named(schema).or_else(line).unwrap_or_else(|| "answer".to_owned());
            Ok((AnswerForm::JsonSchema, Some(AnswerSchema { name, schema: schema.clone() })))
        }
        None if json => Ok((AnswerForm::JsonObject, None)),
        None => Ok((AnswerForm::Text, None)),
    }
}

/// `responseSchema` is a message of fixed fields, not JSON Schema (ai.google.dev/api/caching#Schema).
const SCHEMA_FIELDS: [&str; 22] = [
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "maxItems",
    "minItems",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "pattern",
    "example",
    "anyOf",
    "propertyOrdering",
    "default",
    "items",
    "minimum",
    "maximum",
];

fn unknown_field(schema: &Value) -> Option<&str> {
    let object = schema.as_object()?;
    if let Some(unknown) = object.keys().find(|key| !SCHEMA_FIELDS.contains(&key.as_str())) {
        return Some(unknown);
    }
    let properties = object.get("properties").and_then(Value::as_object).into_iter().flat_map(|it| it.values());
    let options = object.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    properties.chain(options).chain(object.get("items")).find_map(unknown_field)
}

fn choice(config: CallingConfig) -> ToolChoice {
    match (config.mode.as_str(), config.allowed_function_names.into_iter().next()) {
        ("ANY", Some(name)) => ToolChoice::Named(name),
        ("ANY", None) => ToolChoice::Any,
        ("NONE", _) => ToolChoice::Never,
        _ => ToolChoice::Auto,
    }
}

pub(super) fn reply(asked: &Asked, said: &Said, id: &str) -> (u16, Value) {
    let empty = ChatReply::default();
    let reply = match said {
        Said::Reply(reply) => reply,
        Said::Refused(_) | Said::Filtered => &empty,
    };
    let candidates = match said {
        Said::Reply(reply) => Some(candidate(reply)),
        // Gemini has no words for a refusal, only a reason.
        Said::Refused(_) => Some(json!({"finishReason": "PROHIBITED_CONTENT", "index": 0})),
        Said::Filtered => None,
    };
    let usage = &reply.usage;
    let input = usage.input.max(asked.tokens());
    let mut counts = json!({
        "promptTokenCount": input,
        "candidatesTokenCount": usage.output.saturating_sub(usage.reasoning),
        "totalTokenCount": input + usage.output,
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": input}],
    });
    if usage.reasoning > 0 {
        counts["thoughtsTokenCount"] = usage.reasoning.into();
    }
    if usage.cached_input > 0 {
        counts["cachedContentTokenCount"] = usage.cached_input.into();
    }
    let mut body = json!({"usageMetadata": counts, "modelVersion": asked.model, "responseId": id});
    match candidates {
        Some(candidate) => body["candidates"] = json!([candidate]),
        None => {
            body["promptFeedback"] = json!({"blockReason": "SAFETY", "safetyRatings": [
                {"category": "HARM_CATEGORY_DANGEROUS_CONTENT", "probability": "HIGH", "blocked": true},
            ]})
        }
    }
    (200, body)
}

fn candidate(reply: &ChatReply) -> Value {
    let mut parts = Vec::new();
    if let Some(thought) = &reply.reasoning {
        parts.push(json!({"text": thought, "thought": true}));
    }
    if !reply.text.is_empty() {
        parts.push(json!({"text": reply.text}));
    }
    for call in &reply.tool_calls {
        let mut part = json!({"functionCall": {"name": call.name, "args": call.arguments}});
        if reply.reasoning.is_some() {
            // A thinking model wants this back with the result of the call.
            part["thoughtSignature"] = json!("d2F0ZXJqYXI=");
        }
        parts.push(part);
    }
    let mut content = json!({"role": "model"});
    if !parts.is_empty() {
        content["parts"] = Value::Array(parts);
    }
    let finish = match reply.finish {
        Finish::Stop | Finish::ToolCalls => "STOP",
        Finish::Length => "MAX_TOKENS",
    };
    let mut candidate = json!({"content": content, "finishReason": finish, "index": 0});
    if let Some(tokens) = &reply.logprobs {
        candidate["logprobsResult"] = logprobs(tokens);
    }
    candidate
}

fn logprobs(tokens: &[TokenLogprob]) -> Value {
    let one = |token: &str, logprob: f64| json!({"token": token, "logProbability": logprob});
    let chosen: Value = tokens.iter().map(|seen| one(&seen.token, seen.logprob)).collect();
    let top: Value = tokens
        .iter()
        .map(|seen| json!({"candidates": seen.top.iter().map(|(token, p)| one(token, *p)).collect::<Value>()}))
        .collect();
    json!({"chosenCandidates": chosen, "topCandidates": top})
}

pub(super) fn error(error: &ApiError) -> Value {
    let status = match error.kind {
        ErrorKind::Invalid | ErrorKind::SchemaUnsupported | ErrorKind::ContextLength | ErrorKind::ContentFilter => {
            "INVALID_ARGUMENT"
        }
        ErrorKind::Unauthorized => "UNAUTHENTICATED",
        ErrorKind::Forbidden => "PERMISSION_DENIED",
        ErrorKind::ModelNotFound | ErrorKind::PathNotFound => "NOT_FOUND",
        ErrorKind::RateLimited | ErrorKind::QuotaExhausted => "RESOURCE_EXHAUSTED",
        ErrorKind::Server => "INTERNAL",
        ErrorKind::Overloaded => "UNAVAILABLE",
    };
    let mut body = json!({"error": {"code": error.status, "message": error.message, "status": status}});
    if let Some(seconds) = error.retry_seconds {
        body["error"]["details"] = json!([
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": format!("{seconds}s")},
        ]);
    }
    body
}

pub(super) fn models(names: &[String]) -> Value {
    let models = names.iter().map(|name| {
        json!({
            "name": format!("models/{name}"),
            "displayName": name,
            "inputTokenLimit": 1_048_576,
            "outputTokenLimit": 65_536,
            "supportedGenerationMethods": ["generateContent"],
        })
    });
    json!({"models": models.collect::<Value>()})
}
