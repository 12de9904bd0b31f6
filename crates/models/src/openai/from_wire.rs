//! chat completion → ChatReply

use crate::WireReply;
use crate::wire::{count_at, failure_in, settle, text_at, told, unknown_shape};
use serde_json::{Map, Value, json};
use waterjar_core::{ChatReply, ChatRequest, Finish, ModelError, TokenLogprob, ToolCall, Usage};

pub fn from_wire(request: &ChatRequest, reply: &WireReply) -> Result<ChatReply, ModelError> {
    let body = reply.good_body(request)?;
    read(request, reply, &body).map_err(|error| error.charged(told(usage(&body))))
}

fn read(request: &ChatRequest, reply: &WireReply, body: &Value) -> Result<ChatReply, ModelError> {
    let choice = body.pointer("/choices/0").ok_or_else(|| unknown_shape("choices"))?;
    if choice.get("error").is_some_and(|error| !error.is_null()) {
        // OpenRouter reports a provider that failed half way inside the choice.
        return Err(failure_in(request, reply, choice));
    }
    let message = choice.get("message").ok_or_else(|| unknown_shape("message"))?;
    if let Some(refusal) = text_at(message, "/refusal").filter(|text| !text.is_empty()) {
        return Err(ModelError::Refused(refusal.into()));
    }
    let finish = finish(choice)?;
    let (text, thought) = content(message);
    let tool_calls = calls(message)?;
    settle(ChatReply {
        text,
        reasoning: reasoning(message).or(thought),
        vendor_state: state(message, !tool_calls.is_empty()),
        tool_calls,
        finish,
        usage: usage(body),
        logprobs: logprobs(choice),
        served_by: text_at(body, "/model").map(str::to_owned),
        rest: reply.rest(),
    })
}

fn finish(choice: &Value) -> Result<Finish, ModelError> {
    match text_at(choice, "/finish_reason").unwrap_or("stop") {
        "length" | "max_tokens" => Ok(Finish::Length),
        "tool_calls" | "function_call" => Ok(Finish::ToolCalls),
        reason @ ("content_filter" | "sensitive") => {
            Err(ModelError::Refused(format!("the answer was filtered ({reason})")))
        }
        // DeepSeek under load.
        "insufficient_system_resource" => Err(ModelError::Endpoint {
            status: 503,
            message: "the endpoint stopped for lack of resources".into(),
            retry_after: None,
        }),
        _ => Ok(Finish::Stop),
    }
}

/// Text and thought. Mistral writes content as a list of parts, some of which are thoughts.
fn content(message: &Value) -> (String, Option<String>) {
    match message.get("content") {
        Some(Value::String(text)) => (text.clone(), None),
        Some(Value::Array(parts)) => {
            let text = parts.iter().filter_map(|part| text_at(part, "/text")).collect();
            let thought: String = parts
                .iter()
                .filter_map(|part| part.get("thinking"))
                .flat_map(|thinking| match thinking {
                    Value::Array(pieces) => pieces.iter().filter_map(|piece| text_at(piece, "/text")).collect(),
                    other => Vec::from_iter(other.as_str()),
                })
                .collect();
            (text, Some(thought))
        }
        _ => (String::new(), None),
    }
}

/// `reasoning_content` of DeepSeek, Moonshot, Qwen and llama.cpp; `reasoning` of vLLM, Ollama, Groq and OpenRouter.
fn reasoning(message: &Value) -> Option<String> {
    ["/reasoning_content", "/reasoning"]
        .iter()
        .find_map(|pointer| text_at(message, pointer))
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}

/// What has to come back with the next turn if a tool was called.
fn state(message: &Value, calls: bool) -> Option<Value> {
    let kept: Map<String, Value> = ["reasoning_content", "reasoning_details"]
        .iter()
        .filter_map(|key| Some((key.to_string(), message.get(key).filter(|value| !value.is_null())?.clone())))
        .collect();
    (calls && !kept.is_empty()).then(|| json!({ "openai": kept }))
}

fn calls(message: &Value) -> Result<Vec<ToolCall>, ModelError> {
    let calls = message.get("tool_calls").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    calls.iter().enumerate().map(|(index, call)| read_call(index, call)).collect()
}

fn read_call(index: usize, call: &Value) -> Result<ToolCall, ModelError> {
    let invalid = |what: &str| ModelError::InvalidOutput(format!("it calls a tool {what}"));
    let name = text_at(call, "/function/name").ok_or_else(|| invalid("without a name"))?;
    let arguments = match call.pointer("/function/arguments") {
        None | Some(Value::Null) => json!({}),
        Some(Value::String(text)) if text.trim().is_empty() => json!({}),
        Some(Value::String(text)) => {
            serde_json::from_str(text).map_err(|_| invalid("with arguments that are not JSON"))?
        }
        Some(other) => other.clone(),
    };
    let id = text_at(call, "/id").filter(|id| !id.is_empty()).map_or_else(|| format!("call_{index}"), str::to_owned);
    Ok(ToolCall { id, name: name.into(), arguments })
}

fn usage(body: &Value) -> Usage {
    let input = count_at(body, "/usage/prompt_tokens");
    let answered = count_at(body, "/usage/completion_tokens");
    let reasoning = count_at(body, "/usage/completion_tokens_details/reasoning_tokens");
    // xAI counts reasoning beside the completion; its total gives it away.
    let beside = reasoning > 0 && count_at(body, "/usage/total_tokens") == input + answered + reasoning;
    let cached = [
        "/usage/prompt_tokens_details/cached_tokens",
        // DeepSeek, then Moonshot.
        "/usage/prompt_cache_hit_tokens",
        "/usage/cached_tokens",
    ];
    Usage {
        input,
        output: if beside { answered + reasoning } else { answered },
        cached_input: cached.iter().map(|pointer| count_at(body, pointer)).max().unwrap_or(0).min(input),
        reasoning,
    }
}

fn logprobs(choice: &Value) -> Option<Vec<TokenLogprob>> {
    let tokens = choice.pointer("/logprobs/content")?.as_array()?;
    let read = |token: &Value| Some((text_at(token, "/token")?.to_owned(), token.get("logprob")?.as_f64()?));
    let read_token = |token: &Value| {
        let (text, logprob) = read(token)?;
        let top = token.get("top_logprobs").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        Some(TokenLogprob { token: text, logprob, top: top.iter().filter_map(read).collect() })
    };
    Some(tokens.iter().filter_map(read_token).collect())
}
