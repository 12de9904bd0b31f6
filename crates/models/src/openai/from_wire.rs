//! chat completion → ChatReply

use super::counts::Counts;
use super::plain;
use crate::WireReply;
use crate::wire::{failure_in, settle, text_at, told, unknown_shape};
use serde_json::{Map, Value, json};
use waterjar_core::{ChatReply, ChatRequest, Finish, ModelError, TokenLogprob, ToolCall};

pub fn from_wire(request: &ChatRequest, reply: &WireReply) -> Result<ChatReply, ModelError> {
    if let Some(answer) = plain::read(reply) {
        return Ok(answer);
    }
    let body = reply.good_body(request)?;
    read(request, reply, &body).map_err(|error| error.charged(told(Counts::of(&body).usage())))
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
        usage: Counts::of(body).usage(),
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

/// However it is read, it says the same.
#[cfg(test)]
mod tests {
    use super::*;

    fn check(change: fn(&mut Value), is_plain: bool) {
        let mut body = json!({
            "id": "1", "object": "chat.completion", "model": "m-1", "created": 7, "service_tier": "default",
            "choices": [{ "index": 0, "finish_reason": "stop", "logprobs": null,
                "message": { "role": "assistant", "content": "<think>hm</think>Gout \u{1F9B6}\n", "refusal": null, "tool_calls": [] } }],
            "usage": { "prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 14, "prompt_cache_hit_tokens": 4,
                "prompt_tokens_details": { "cached_tokens": 5 }, "completion_tokens_details": { "reasoning_tokens": 2 } },
        });
        change(&mut body);
        let reply = WireReply::new(200, body.to_string());
        let request = ChatRequest::default();
        let plain = plain::read(&reply);
        assert_eq!(plain.is_some(), is_plain, "{body}");
        let whole = reply.good_body(&request).and_then(|body| read(&request, &reply, &body));
        if let Some(plain) = plain {
            assert_eq!(Ok(plain), whole);
        }
    }

    #[test]
    fn a_plain_reply_says_the_same_however_it_is_read() {
        check(|_| {}, true);
        check(|body| body["usage"] = Value::Null, true);
        check(|body| body["usage"]["total_tokens"] = json!(12), true);
        check(|body| body["usage"]["prompt_tokens"] = json!(u64::MAX), true);
        check(|body| body["model"] = Value::Null, true);
        check(|body| body["choices"][0]["message"]["content"] = json!("line\u{2028}\"quoted\""), true);
    }

    #[test]
    fn what_is_not_plain_is_read_whole() {
        check(|body| body["choices"][0]["message"]["content"] = json!(""), false);
        check(|body| body["choices"][0]["message"]["content"] = json!([{ "text": "a" }]), false);
        check(|body| body["choices"][0]["message"]["refusal"] = json!("no"), false);
        check(|body| body["choices"][0]["message"]["reasoning"] = json!("hm"), false);
        check(|body| body["choices"][0]["message"]["tool_calls"] = json!([{}]), false);
        check(|body| body["choices"][0]["finish_reason"] = json!("length"), false);
        check(|body| body["choices"][0]["error"] = json!({}), false);
        check(|body| body["choices"][0]["logprobs"] = json!({ "content": [] }), false);
        check(|body| body["error"] = json!({ "message": "busy" }), false);
        check(|body| body["object"] = json!("error"), false);
        check(|body| body["usage"]["prompt_tokens"] = json!("9"), false);
        check(|body| body["choices"] = json!([]), false);
    }
}
