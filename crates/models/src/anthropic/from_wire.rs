//! Messages reply → ChatReply

use crate::WireReply;
use crate::wire::{count_at, settle, text_at, told, unknown_shape};
use serde_json::{Value, json};
use waterjar_core::{ChatReply, ChatRequest, Finish, ModelError, ToolCall, Usage};

pub fn from_wire(request: &ChatRequest, reply: &WireReply) -> Result<ChatReply, ModelError> {
    let body = reply.good_body(request)?;
    read(request, reply, &body).map_err(|error| error.charged(told(usage(&body))))
}

fn read(request: &ChatRequest, reply: &WireReply, body: &Value) -> Result<ChatReply, ModelError> {
    let blocks = body.get("content").and_then(Value::as_array).ok_or_else(|| unknown_shape("content"))?;
    let finish = finish(body)?;
    let of_kind = |kind: &'static str| blocks.iter().filter(move |block| text_at(block, "/type") == Some(kind));
    let (answers, called): (Vec<&Value>, Vec<&Value>) = of_kind("tool_use").partition(|call| is_answer(request, call));
    let text = match answers.first() {
        // The forced tool's arguments are the answer.
        Some(answer) => answer.get("input").map(Value::to_string).unwrap_or_default(),
        None => of_kind("text").filter_map(|block| text_at(block, "/text")).collect(),
    };
    let thoughts: Vec<&str> = of_kind("thinking").filter_map(|block| text_at(block, "/thinking")).collect();
    let thought = of_kind("thinking").chain(of_kind("redacted_thinking")).next().is_some();
    settle(ChatReply {
        text,
        reasoning: Some(thoughts.join("\n\n")),
        tool_calls: called.into_iter().map(read_call).collect::<Result<_, _>>()?,
        finish: if answers.is_empty() || finish == Finish::Length { finish } else { Finish::Stop },
        usage: usage(body),
        logprobs: None,
        served_by: text_at(body, "/model").map(str::to_owned),
        vendor_state: thought.then(|| json!({ "anthropic": blocks })),
        rest: reply.rest(),
    })
}

fn is_answer(request: &ChatRequest, call: &Value) -> bool {
    let name = text_at(call, "/name");
    let is_tool = request.tools.iter().any(|tool| Some(tool.name.as_str()) == name);
    !is_tool && request.schema.as_ref().is_some_and(|schema| Some(schema.name.as_str()) == name)
}

fn finish(body: &Value) -> Result<Finish, ModelError> {
    match text_at(body, "/stop_reason").unwrap_or("end_turn") {
        "max_tokens" | "model_context_window_exceeded" => Ok(Finish::Length),
        "tool_use" => Ok(Finish::ToolCalls),
        "refusal" => {
            let said = text_at(body, "/stop_details/explanation").or_else(|| text_at(body, "/content/0/text"));
            Err(ModelError::Refused(said.filter(|text| !text.is_empty()).unwrap_or("without a word").into()))
        }
        _ => Ok(Finish::Stop),
    }
}

fn read_call(call: &Value) -> Result<ToolCall, ModelError> {
    let invalid = |what: &str| ModelError::InvalidOutput(format!("it calls a tool without {what}"));
    Ok(ToolCall {
        id: text_at(call, "/id").ok_or_else(|| invalid("an id"))?.into(),
        name: text_at(call, "/name").ok_or_else(|| invalid("a name"))?.into(),
        arguments: call.get("input").cloned().unwrap_or_else(|| json!({})),
    })
}

/// `input_tokens` counts neither what was read from the cache nor what was written to it.
fn usage(body: &Value) -> Usage {
    let read = count_at(body, "/usage/cache_read_input_tokens");
    let written = count_at(body, "/usage/cache_creation_input_tokens");
    Usage {
        input: count_at(body, "/usage/input_tokens") + read + written,
        output: count_at(body, "/usage/output_tokens"),
        cached_input: read,
        // Thinking is part of the output and not told apart.
        reasoning: 0,
    }
}
