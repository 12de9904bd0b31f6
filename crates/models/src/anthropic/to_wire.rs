//! ChatRequest → Messages request

use crate::dialect::{budget, effort};
use crate::schema::{plain, strict};
use crate::wire::{in_words, system_text, titled};
use crate::{Api, Dialect, Form, ReasoningStyle, WireRequest};
use serde_json::{Map, Value, json};
use waterjar_core::{AnswerSchema, ChatRequest, Message, Reasoning, Role, Sampling};

/// The format demands a limit; this one is sent where the request has none.
const MAX_TOKENS: u32 = 4096;
/// The same for models that think by themselves: what they think counts, too.
const MAX_TOKENS_THINKING: u32 = 16384;

pub fn to_wire(model: &str, request: &ChatRequest, dialect: &Dialect) -> WireRequest {
    let form = dialect.form(request);
    let told = match (&request.schema, form) {
        (Some(schema), Some(Form::Prompt | Form::Object)) => &in_words(request, schema),
        _ => request,
    };
    let mut body = Map::new();
    body.insert("model".into(), model.into());
    let (sampling, _) = dialect.admit(&request.sampling);
    body.insert("max_tokens".into(), max_tokens(&sampling, dialect).into());
    if let Some(system) = system_text(told) {
        body.insert("system".into(), system.into());
    }
    body.insert("messages".into(), messages(told));
    let mut tools: Vec<Value> = request.tools.iter().map(tool).collect();
    let mut output = Map::new();
    match (&request.schema, form) {
        (Some(schema), Some(Form::Schema)) => _ = output.insert("format".into(), format(schema)),
        (Some(schema), Some(Form::Tool)) => {
            tools.push(answer_tool(schema));
            body.insert("tool_choice".into(), json!({ "type": "tool", "name": schema.name }));
        }
        _ => {}
    }
    if !tools.is_empty() {
        body.insert("tools".into(), tools.into());
    }
    sample(&sampling, dialect, &mut body, &mut output);
    if !output.is_empty() {
        body.insert("output_config".into(), Value::Object(output));
    }
    WireRequest { path: "messages".into(), headers: Api::Anthropic.headers(), body: Value::Object(body) }
}

fn format(schema: &AnswerSchema) -> Value {
    json!({ "type": "json_schema", "schema": titled(strict(&schema.schema).schema, &schema.name) })
}

fn answer_tool(schema: &AnswerSchema) -> Value {
    json!({ "name": schema.name, "description": "Gives the answer.", "input_schema": plain(&schema.schema) })
}

fn tool(tool: &waterjar_core::Tool) -> Value {
    json!({ "name": tool.name, "description": tool.description, "input_schema": plain(&tool.parameters) })
}

/// Turns in blocks. Turns of one side that follow each other are one, as all results of a turn's calls must be.
fn messages(request: &ChatRequest) -> Value {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in request.messages.iter().filter(|message| message.role != Role::System) {
        let side = if message.role == Role::Assistant { "assistant" } else { "user" };
        let blocks = blocks(message);
        match turns.last_mut() {
            Some((last, before)) if *last == side => before.extend(blocks),
            _ if blocks.is_empty() => {}
            _ => turns.push((side, blocks)),
        }
    }
    turns.into_iter().map(|(side, blocks)| json!({ "role": side, "content": blocks })).collect()
}

fn blocks(message: &Message) -> Vec<Value> {
    if message.role == Role::Tool {
        let result = json!({ "type": "tool_result", "tool_use_id": message.answers_call, "content": message.content });
        return vec![result];
    }
    // Signed thinking must come back unchanged and in its place, so the whole turn does.
    if let Some(Value::Array(said)) = message.vendor_state.as_ref().and_then(|state| state.get("anthropic")) {
        return said.clone();
    }
    // Empty text blocks are refused.
    let text = (!message.content.is_empty()).then(|| json!({ "type": "text", "text": message.content }));
    let calls = message
        .tool_calls
        .iter()
        .map(|call| json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments }));
    text.into_iter().chain(calls).collect()
}

/// The limit that is sent: the format demands one.
pub(crate) fn max_tokens(sampling: &Sampling, dialect: &Dialect) -> u32 {
    let unstated = match dialect.reasoning {
        ReasoningStyle::Adaptive => MAX_TOKENS_THINKING,
        _ => MAX_TOKENS,
    };
    let answer = sampling.max_tokens.or(Some(unstated));
    dialect.limit(&Sampling { max_tokens: answer, ..sampling.clone() }).unwrap_or(unstated)
}

fn sample(sampling: &Sampling, dialect: &Dialect, body: &mut Map<String, Value>, output: &mut Map<String, Value>) {
    if let Some(temperature) = sampling.temperature {
        body.insert("temperature".into(), temperature.into());
    }
    if !sampling.stop.is_empty() {
        body.insert("stop_sequences".into(), sampling.stop.clone().into());
    }
    match (sampling.reasoning, dialect.reasoning) {
        (None, _) | (Some(Reasoning::Off), ReasoningStyle::Budget) => {}
        (Some(Reasoning::Off), _) => _ = body.insert("thinking".into(), json!({ "type": "disabled" })),
        (Some(reasoning), ReasoningStyle::Adaptive) => {
            // Newer models leave the thoughts out unless asked.
            body.insert("thinking".into(), json!({ "type": "adaptive", "display": "summarized" }));
            if let Some(word) = effort(reasoning) {
                output.insert("effort".into(), word.into());
            }
        }
        (Some(reasoning), _) => {
            if let Some(tokens) = budget(reasoning) {
                body.insert("thinking".into(), json!({ "type": "enabled", "budget_tokens": tokens }));
            }
        }
    }
}
