//! ChatRequest → generateContent request

use crate::dialect::{budget, effort, portable};
use crate::schema::{for_gemini, plain};
use crate::wire::{in_words, system_text, titled};
use crate::{Dialect, Form, ReasoningStyle, WireRequest};
use serde_json::{Map, Value, json};
use waterjar_core::{ChatRequest, Message, Reasoning, Role, Sampling};

/// Begins the ids we make up for calls that come without one; they are never sent.
pub(super) const MADE_UP: &str = "waterjar-";

pub fn to_wire(model: &str, request: &ChatRequest, dialect: &Dialect) -> WireRequest {
    let form = dialect.form(request);
    let told = match (&request.schema, form) {
        (Some(schema), Some(Form::Object | Form::Prompt | Form::Tool)) => &in_words(request, schema),
        _ => request,
    };
    let mut body = Map::new();
    if let Some(system) = system_text(told) {
        body.insert("systemInstruction".into(), json!({ "parts": [{ "text": system }] }));
    }
    body.insert("contents".into(), contents(told));
    if !request.tools.is_empty() {
        let declared: Vec<Value> = request.tools.iter().map(declaration).collect();
        body.insert("tools".into(), json!([{ "functionDeclarations": declared }]));
    }
    let mut config = Map::new();
    sample(&dialect.admit(&request.sampling).0, dialect, &mut config);
    if let (Some(schema), Some(form @ (Form::Schema | Form::Object))) = (&request.schema, form) {
        config.insert("responseMimeType".into(), "application/json".into());
        if form == Form::Schema {
            config.insert("responseSchema".into(), titled(for_gemini(&schema.schema), &schema.name));
        }
    }
    if !config.is_empty() {
        body.insert("generationConfig".into(), Value::Object(config));
    }
    WireRequest { path: format!("models/{model}:generateContent"), headers: Vec::new(), body: Value::Object(body) }
}

fn declaration(tool: &waterjar_core::Tool) -> Value {
    json!({ "name": tool.name, "description": tool.description, "parametersJsonSchema": plain(&tool.parameters) })
}

/// Turns in parts. Turns of one side that follow each other are one, as all results of a turn's calls must be.
fn contents(request: &ChatRequest) -> Value {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for (index, message) in request.messages.iter().enumerate() {
        let (side, parts) = match message.role {
            Role::System => continue,
            Role::User => ("user", vec![json!({ "text": message.content })]),
            Role::Tool => ("user", vec![result(message, &request.messages[..index])]),
            Role::Assistant => ("model", said(message)),
        };
        match turns.last_mut() {
            Some((last, before)) if *last == side => before.extend(parts),
            _ if parts.is_empty() => {}
            _ => turns.push((side, parts)),
        }
    }
    turns.into_iter().map(|(side, parts)| json!({ "role": side, "parts": parts })).collect()
}

fn said(message: &Message) -> Vec<Value> {
    // Thought signatures must come back in the part they came in, so the whole turn does.
    if let Some(Value::Array(parts)) = message.vendor_state.as_ref().and_then(|state| state.get("gemini")) {
        return parts.clone();
    }
    let text = (!message.content.is_empty()).then(|| json!({ "text": message.content }));
    let calls = message.tool_calls.iter().map(|call| {
        let mut part = json!({ "name": call.name, "args": call.arguments });
        set_id(&mut part, &call.id);
        json!({ "functionCall": part })
    });
    text.into_iter().chain(calls).collect()
}

/// A result names its function, which only the call knows.
fn result(message: &Message, before: &[Message]) -> Value {
    let id = message.answers_call.as_deref().unwrap_or_default();
    let calls = before.iter().rev().flat_map(|turn| &turn.tool_calls);
    let name = calls.into_iter().find(|call| call.id == id).map_or(id, |call| call.name.as_str());
    let content = match serde_json::from_str(&message.content) {
        Ok(Value::Object(object)) => Value::Object(object),
        _ => json!({ "result": message.content }),
    };
    let mut part = json!({ "name": name, "response": content });
    set_id(&mut part, id);
    json!({ "functionResponse": part })
}

fn set_id(part: &mut Value, id: &str) {
    if !id.is_empty() && !id.starts_with(MADE_UP) {
        part["id"] = id.into();
    }
}

fn sample(sampling: &Sampling, dialect: &Dialect, config: &mut Map<String, Value>) {
    let mut set = |key: &str, value: Value| _ = config.insert(key.into(), value);
    if let Some(temperature) = sampling.temperature {
        set("temperature", temperature.into());
    }
    if let Some(seed) = sampling.seed {
        set("seed", portable(seed).into());
    }
    if let Some(limit) = dialect.limit(sampling) {
        set("maxOutputTokens", limit.into());
    }
    if !sampling.stop.is_empty() {
        set("stopSequences", sampling.stop.clone().into());
    }
    if let Some(top) = sampling.top_logprobs {
        set("responseLogprobs", true.into());
        if top > 0 {
            set("logprobs", top.into());
        }
    }
    if let Some(reasoning) = sampling.reasoning {
        set("thinkingConfig", thinking(reasoning, dialect.reasoning));
    }
}

fn thinking(reasoning: Reasoning, style: ReasoningStyle) -> Value {
    match (reasoning, style) {
        (Reasoning::Off, ReasoningStyle::Level) => json!({ "thinkingLevel": "minimal" }),
        (_, ReasoningStyle::Level) => {
            json!({ "thinkingLevel": effort(reasoning).unwrap_or("high"), "includeThoughts": true })
        }
        (Reasoning::Off, _) => json!({ "thinkingBudget": 0 }),
        _ => json!({ "thinkingBudget": budget(reasoning), "includeThoughts": true }),
    }
}
