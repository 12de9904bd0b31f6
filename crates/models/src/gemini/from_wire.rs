//! generateContent reply → ChatReply

use super::to_wire::MADE_UP;
use crate::WireReply;
use crate::wire::{count_at, settle, text_at, told, unknown_shape};
use serde_json::{Value, json};
use waterjar_core::{ChatReply, ChatRequest, Finish, ModelError, TokenLogprob, ToolCall, Usage};

pub fn from_wire(request: &ChatRequest, reply: &WireReply) -> Result<ChatReply, ModelError> {
    let body = reply.good_body(request)?;
    read(reply, &body).map_err(|error| error.charged(told(usage(&body))))
}

fn read(reply: &WireReply, body: &Value) -> Result<ChatReply, ModelError> {
    if let Some(reason) = text_at(body, "/promptFeedback/blockReason") {
        return Err(ModelError::Refused(format!("the question was blocked ({reason})")));
    }
    let candidate = body.pointer("/candidates/0").ok_or_else(|| unknown_shape("candidates"))?;
    let finish = finish(candidate)?;
    let parts = candidate.pointer("/content/parts").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let said = |thought| parts.iter().filter(move |part| is_thought(part) == thought);
    let thoughts: Vec<&str> = said(true).filter_map(|part| text_at(part, "/text")).collect();
    settle(ChatReply {
        text: said(false).filter_map(|part| text_at(part, "/text")).collect(),
        reasoning: Some(thoughts.join("\n\n")),
        tool_calls: calls(body, parts)?,
        finish,
        usage: usage(body),
        logprobs: logprobs(candidate),
        served_by: text_at(body, "/modelVersion").map(str::to_owned),
        vendor_state: state(parts),
        rest: reply.rest(),
    })
}

fn is_thought(part: &Value) -> bool {
    part.get("thought").and_then(Value::as_bool) == Some(true)
}

fn finish(candidate: &Value) -> Result<Finish, ModelError> {
    match text_at(candidate, "/finishReason").unwrap_or("STOP") {
        "MAX_TOKENS" => Ok(Finish::Length),
        reason @ ("SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII") => {
            let said = text_at(candidate, "/finishMessage").map(|said| format!(": {said}")).unwrap_or_default();
            Err(ModelError::Refused(format!("the answer was filtered ({reason}){said}")))
        }
        reason @ ("MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" | "LANGUAGE") => {
            Err(ModelError::InvalidOutput(format!("the endpoint gave it up ({reason})")))
        }
        _ => Ok(Finish::Stop),
    }
}

fn calls(body: &Value, parts: &[Value]) -> Result<Vec<ToolCall>, ModelError> {
    let reply = text_at(body, "/responseId").unwrap_or("call");
    let calls = parts.iter().filter_map(|part| part.get("functionCall"));
    let read = |(index, call): (usize, &Value)| {
        let unnamed = || ModelError::InvalidOutput("it calls a tool without a name".into());
        Ok(ToolCall {
            id: text_at(call, "/id").map_or_else(|| format!("{MADE_UP}{reply}-{index}"), str::to_owned),
            name: text_at(call, "/name").ok_or_else(unnamed)?.into(),
            arguments: call.get("args").cloned().unwrap_or_else(|| json!({})),
        })
    };
    calls.enumerate().map(read).collect()
}

/// The turn as it came, if any of it is signed. Summaries of thoughts are not wanted back.
fn state(parts: &[Value]) -> Option<Value> {
    let signed = |part: &&Value| part.get("thoughtSignature").is_some();
    let kept: Vec<&Value> = parts.iter().filter(|part| !is_thought(part) || signed(part)).collect();
    parts.iter().any(|part| signed(&part)).then(|| json!({ "gemini": kept }))
}

/// Thinking is counted beside the answer, and billed with it.
fn usage(body: &Value) -> Usage {
    let count = |name: &str| count_at(body, &format!("/usageMetadata/{name}"));
    let reasoning = count("thoughtsTokenCount");
    Usage {
        input: count("promptTokenCount") + count("toolUsePromptTokenCount"),
        output: count("candidatesTokenCount") + reasoning,
        cached_input: count("cachedContentTokenCount"),
        reasoning,
    }
}

fn logprobs(candidate: &Value) -> Option<Vec<TokenLogprob>> {
    let result = candidate.get("logprobsResult")?;
    let chosen = result.get("chosenCandidates")?.as_array()?;
    let read = |token: &Value| Some((text_at(token, "/token")?.to_owned(), token.get("logProbability")?.as_f64()?));
    let top = |index: usize| {
        let step = result.pointer(&format!("/topCandidates/{index}/candidates")).and_then(Value::as_array);
        step.map(|tokens| tokens.iter().filter_map(read).collect()).unwrap_or_default()
    };
    let read_token = |(index, token): (usize, &Value)| {
        let (text, logprob) = read(token)?;
        Some(TokenLogprob { token: text, logprob, top: top(index) })
    };
    Some(chosen.iter().enumerate().filter_map(read_token).collect())
}
