//! Replies and refusals are what the vendors document.

use crate::asking::{FORMATS, Question, ask, headers, path, start};
use crate::mirrors::{anthropic, gemini, openai};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use waterjar_simulation::raw::RawClient;
use waterjar_simulation::{EndpointSettings, Fault, Format, Script, Takes, sample_cases};

fn patient() -> String {
    sample_cases()[0].text.clone()
}

async fn reply<T: DeserializeOwned>(format: Format, question: &Question) -> T {
    faulted(format, question, None, 200).await
}

async fn faulted<T: DeserializeOwned>(format: Format, question: &Question, fault: Option<Fault>, status: u16) -> T {
    let script = fault.map(Script::always).unwrap_or_default();
    let endpoint = start(EndpointSettings::with_script(script)).await;
    let reply = ask(&endpoint, format, question).await.unwrap();
    assert_eq!(reply.status, status, "{}", String::from_utf8_lossy(&reply.body));
    serde_json::from_slice(&reply.body).unwrap()
}

#[tokio::test]
async fn openai_answers_in_its_shape() {
    let reply: openai::Completion = reply(Format::OpenAi, &Question::new(&patient())).await;
    assert!(reply.id.starts_with("chatcmpl-") && reply.object == "chat.completion" && reply.created > 0);
    assert_eq!((reply.model.as_str(), reply.system_fingerprint.is_empty()), ("clinician-1", false));
    assert_eq!(reply.service_tier, "default");
    let choice = &reply.choices[0];
    let text = choice.message.content.as_deref().unwrap();
    assert!(text.contains("\n1. ") || text.starts_with("1. "), "{text}");
    assert_eq!((choice.index, choice.finish_reason.as_str(), choice.message.role.as_str()), (0, "stop", "assistant"));
    assert!(
        choice.logprobs.is_none() && choice.message.refusal.is_none() && choice.message.reasoning_content.is_none()
    );
    let usage = &reply.usage;
    assert_eq!(usage.prompt_tokens, ((patient().len() + "Name the condition.".len()) as u64).div_ceil(4));
    assert_eq!(usage.completion_tokens, (text.len() as u64).div_ceil(4));
    assert_eq!(usage.total_tokens, usage.prompt_tokens + usage.completion_tokens);
    assert_eq!((usage.prompt_tokens_details.cached_tokens, usage.completion_tokens_details.reasoning_tokens), (0, 0));
}

#[tokio::test]
async fn anthropic_answers_in_its_shape() {
    let reply: anthropic::Message = reply(Format::Anthropic, &Question::new(&patient())).await;
    assert!(reply.id.starts_with("msg_"));
    assert_eq!(
        (reply.kind.as_str(), reply.role.as_str(), reply.model.as_str()),
        ("message", "assistant", "clinician-1")
    );
    assert_eq!((reply.stop_reason.as_str(), reply.stop_sequence), ("end_turn", None));
    assert!(matches!(&reply.content[..], [anthropic::Block::Text { text }] if text.contains("1. ")));
    assert!(reply.usage.input_tokens > 10 && reply.usage.output_tokens > 10);
    assert_eq!((reply.usage.cache_creation_input_tokens, reply.usage.cache_read_input_tokens), (0, 0));
}

#[tokio::test]
async fn gemini_answers_in_its_shape() {
    let reply: gemini::Generated = reply(Format::Gemini, &Question::new(&patient())).await;
    assert_eq!(reply.model_version, "clinician-1");
    assert!(!reply.response_id.is_empty() && reply.prompt_feedback.is_none());
    let candidate = &reply.candidates[0];
    assert_eq!((candidate.finish_reason.as_str(), candidate.index), ("STOP", 0));
    let content = candidate.content.as_ref().unwrap();
    assert!(content.role == "model" && content.parts[0].text.as_ref().unwrap().contains("1. "));
    let usage = &reply.usage_metadata;
    assert_eq!(usage.total_token_count, usage.prompt_token_count + usage.candidates_token_count);
    assert_eq!(usage.thoughts_token_count, 0);
}

#[tokio::test]
async fn thinking_comes_apart_where_it_is_asked_for() {
    let question = Question { thinking: true, ..Question::new(&patient()) };
    let openai: openai::Completion = reply(Format::OpenAi, &question).await;
    assert!(openai.choices[0].message.reasoning_content.as_ref().unwrap().contains("think of"));
    assert!(openai.usage.completion_tokens_details.reasoning_tokens > 0);
    let anthropic: anthropic::Message = reply(Format::Anthropic, &question).await;
    let [anthropic::Block::Thinking { thinking, signature }, anthropic::Block::Text { .. }] = &anthropic.content[..]
    else {
        panic!("thinking comes before the text")
    };
    assert!(!thinking.is_empty() && !signature.is_empty());
    let gemini: gemini::Generated = reply(Format::Gemini, &question).await;
    let parts = &gemini.candidates[0].content.as_ref().unwrap().parts;
    assert!(parts[0].thought && !parts[1].thought);
    assert!(gemini.usage_metadata.thoughts_token_count > 0);
}

#[tokio::test]
async fn tools_are_called_when_the_user_names_them() {
    let parameters = json!({"type": "object", "required": ["finding"], "properties": {"finding": {"type": "string"}}});
    let user = format!("{}\nUse look_up first.", patient());
    let question = Question { tool: Some(("look_up", parameters)), ..Question::new(&user) };
    let openai: openai::Completion = reply(Format::OpenAi, &question).await;
    let choice = &openai.choices[0];
    let call = &choice.message.tool_calls[0];
    assert_eq!(
        (choice.finish_reason.as_str(), call.kind.as_str(), call.function.name.as_str()),
        ("tool_calls", "function", "look_up")
    );
    assert!(choice.message.content.is_none() && call.id.starts_with("call_"));
    assert!(serde_json::from_str::<Value>(&call.function.arguments).unwrap()["finding"].is_string());
    let anthropic: anthropic::Message = reply(Format::Anthropic, &question).await;
    assert!(matches!(&anthropic.content[..], [anthropic::Block::ToolUse { id, name, input }]
        if !id.is_empty() && name == "look_up" && input["finding"].is_string()));
    assert_eq!(anthropic.stop_reason, "tool_use");
    let gemini: gemini::Generated = reply(Format::Gemini, &question).await;
    let call = gemini.candidates[0].content.as_ref().unwrap().parts[0].function_call.as_ref().unwrap();
    assert!(call["name"] == "look_up" && call["args"]["finding"].is_string());
}

#[tokio::test]
async fn a_result_of_the_tool_is_followed_by_the_answer() {
    let endpoint = start(EndpointSettings::default()).await;
    let body = json!({"model": "m", "tools": [{"type": "function", "function": {"name": "look_up", "parameters": {}}}], "messages": [
        {"role": "user", "content": format!("{}\nUse look_up.", patient())},
        {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "call_1", "content": "nothing found"}]});
    let mut client = RawClient::connect(endpoint.addr()).await.unwrap();
    let reply = client.post(path(Format::OpenAi), &[], body.to_string().as_bytes()).await.unwrap();
    let reply: openai::Completion = serde_json::from_slice(&reply.body).unwrap();
    assert!(reply.choices[0].message.content.as_ref().unwrap().contains("1. "));
}

#[tokio::test]
async fn log_probabilities_come_where_offered() {
    let question = Question { logprobs: true, ..Question::new(&patient()) };
    let openai: openai::Completion = reply(Format::OpenAi, &question).await;
    let choice = &openai.choices[0];
    let tokens = &choice.logprobs.as_ref().unwrap().content;
    let text: String = tokens.iter().map(|token| token.token.as_str()).collect();
    assert_eq!(Some(text.as_str()), choice.message.content.as_deref());
    assert!(tokens.iter().all(|it| it.logprob <= 0.0 && it.top_logprobs.len() == 2 && it.bytes == it.token.as_bytes()));
    let gemini: gemini::Generated = reply(Format::Gemini, &question).await;
    let result = gemini.candidates[0].logprobs_result.as_ref().unwrap();
    assert_eq!(result["chosenCandidates"].as_array().unwrap().len(), tokens.len());
}

#[tokio::test]
async fn the_token_limit_cuts_and_says_so() {
    let question = Question { max_tokens: Some(5), ..Question::new(&patient()) };
    let openai: openai::Completion = reply(Format::OpenAi, &question).await;
    assert_eq!((openai.choices[0].finish_reason.as_str(), openai.usage.completion_tokens), ("length", 5));
    let anthropic: anthropic::Message = reply(Format::Anthropic, &question).await;
    assert_eq!(anthropic.stop_reason, "max_tokens");
    let gemini: gemini::Generated = reply(Format::Gemini, &question).await;
    assert_eq!(gemini.candidates[0].finish_reason, "MAX_TOKENS");
}

#[tokio::test]
async fn refusals_and_filters_have_each_vendors_words() {
    let question = Question::new(&patient());
    let refusal = Some(Fault::Refusal);
    let openai: openai::Completion = faulted(Format::OpenAi, &question, refusal, 200).await;
    assert!(openai.choices[0].message.refusal.is_some() && openai.choices[0].message.content.is_none());
    let anthropic: anthropic::Message = faulted(Format::Anthropic, &question, refusal, 200).await;
    assert_eq!((anthropic.stop_reason.as_str(), anthropic.content.len()), ("refusal", 0));
    let gemini: gemini::Generated = faulted(Format::Gemini, &question, refusal, 200).await;
    assert_eq!(gemini.candidates[0].finish_reason, "PROHIBITED_CONTENT");

    let filter = Some(Fault::ContentFilter);
    let openai: openai::Completion = faulted(Format::OpenAi, &question, filter, 200).await;
    assert_eq!(openai.choices[0].finish_reason, "content_filter");
    let anthropic: anthropic::Failure = faulted(Format::Anthropic, &question, filter, 400).await;
    assert!(anthropic.error.message.contains("content filtering"));
    let gemini: gemini::Generated = faulted(Format::Gemini, &question, filter, 200).await;
    assert!(gemini.candidates.is_empty() && gemini.prompt_feedback.unwrap()["blockReason"] == "SAFETY");
}

#[tokio::test]
async fn errors_have_each_vendors_shape() {
    let question = Question::new(&patient());
    for (fault, status, openai_code, anthropic_type, gemini_status) in [
        (Fault::status(429), 429, Some("rate_limit_exceeded"), "rate_limit_error", "RESOURCE_EXHAUSTED"),
        (Fault::status(500), 500, None, "api_error", "INTERNAL"),
        (Fault::status(529), 529, None, "overloaded_error", "UNAVAILABLE"),
        (Fault::Unauthorized, 401, Some("invalid_api_key"), "authentication_error", "UNAUTHENTICATED"),
        (Fault::UnknownModel, 404, Some("model_not_found"), "not_found_error", "NOT_FOUND"),
        (Fault::ContextLength, 400, Some("context_length_exceeded"), "invalid_request_error", "INVALID_ARGUMENT"),
        (Fault::Quota, 429, Some("insufficient_quota"), "billing_error", "RESOURCE_EXHAUSTED"),
    ] {
        let openai: openai::Failure = faulted(Format::OpenAi, &question, Some(fault), status).await;
        assert_eq!(openai.error.code.as_deref(), openai_code);
        assert!(!openai.error.message.is_empty() && !openai.error.kind.is_empty());
        let anthropic: anthropic::Failure = faulted(Format::Anthropic, &question, Some(fault), status).await;
        assert_eq!((anthropic.kind.as_str(), anthropic.error.kind.as_str()), ("error", anthropic_type));
        let gemini: gemini::Failure = faulted(Format::Gemini, &question, Some(fault), status).await;
        assert_eq!((gemini.error.code, gemini.error.status.as_str()), (status, gemini_status));
        assert!(!gemini.error.message.is_empty() && gemini.error.details.is_empty());
    }
}

async fn rejected(format: Format, headers: &[(&str, &str)], body: Value, status: u16, says: &str) {
    let endpoint = start(EndpointSettings { openai_needs_key: true, ..EndpointSettings::default() }).await;
    let mut client = RawClient::connect(endpoint.addr()).await.unwrap();
    let reply = client.post(path(format), headers, body.to_string().as_bytes()).await.unwrap();
    let text = String::from_utf8_lossy(&reply.body).into_owned();
    assert!(reply.status == status && text.contains(says), "{} {text}", reply.status);
}

#[tokio::test]
async fn what_a_vendor_refuses_is_refused() {
    let question = Question::new("I cough.");
    let [openai, anthropic, gemini] = FORMATS.map(|format| question.body(format));
    rejected(Format::OpenAi, &[], openai.clone(), 401, "API key").await;
    rejected(Format::Anthropic, &[("anthropic-version", "2023-06-01")], anthropic.clone(), 401, "x-api-key").await;
    rejected(Format::Anthropic, &[("x-api-key", "k")], anthropic.clone(), 400, "anthropic-version").await;
    rejected(Format::Gemini, &[], gemini.clone(), 403, "PERMISSION_DENIED").await;

    let mut body = anthropic.clone();
    body.as_object_mut().unwrap().remove("max_tokens");
    rejected(Format::Anthropic, &headers(Format::Anthropic), body, 400, "max_tokens: Field required").await;
    let mut body = anthropic;
    body["thinking"] = json!({"type": "enabled", "budget_tokens": 2000});
    body["temperature"] = 0.into();
    rejected(Format::Anthropic, &headers(Format::Anthropic), body, 400, "temperature").await;

    let mut body = openai.clone();
    body["response_format"] = json!({"type": "json_object"});
    rejected(Format::OpenAi, &headers(Format::OpenAi), body, 400, "must contain the word 'json'").await;
    let mut body = openai;
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false});
    body["response_format"] =
        json!({"type": "json_schema", "json_schema": {"name": "x", "strict": true, "schema": schema}});
    rejected(Format::OpenAi, &headers(Format::OpenAi), body, 400, "Missing 'a'").await;

    let mut body = gemini;
    body["generationConfig"] = json!({"responseMimeType": "application/json", "responseSchema": {"$schema": "x"}});
    rejected(Format::Gemini, &headers(Format::Gemini), body, 400, "Unknown name").await;
}

#[tokio::test]
async fn an_endpoint_without_schemas_says_so_for_each_form() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]});
    let question = Question::with_schema("I cough.", "any", schema.clone());
    let endpoint = start(EndpointSettings { takes: Takes::JsonObject, ..EndpointSettings::default() }).await;
    for format in [Format::OpenAi, Format::Gemini] {
        assert_eq!(ask(&endpoint, format, &question).await.unwrap().status, 400);
    }
    let mut client = RawClient::connect(endpoint.addr()).await.unwrap();
    let body = json!({"model": "m", "response_format": {"type": "json_object"},
        "messages": [{"role": "user", "content": format!("Answer in JSON of this schema: {schema}")}]});
    let reply = client.post(path(Format::OpenAi), &[], body.to_string().as_bytes()).await.unwrap();
    let reply: openai::Completion = serde_json::from_slice(&reply.body).unwrap();
    let answer: Value = serde_json::from_str(reply.choices[0].message.content.as_ref().unwrap()).unwrap();
    assert!(jsonschema::is_valid(&schema, &answer), "{answer}");
}

#[tokio::test]
async fn models_are_listed_and_others_unknown() {
    let models = vec!["clinician-1".to_owned(), "clinician-2".to_owned()];
    let endpoint = start(EndpointSettings { models, ..EndpointSettings::default() }).await;
    let mut client = RawClient::connect(endpoint.addr()).await.unwrap();
    let list = client.get("/v1/models", &[]).await.unwrap().json().unwrap();
    assert_eq!((&list["object"], &list["data"][1]["id"]), (&json!("list"), &json!("clinician-2")));
    let list = client.get("/v1/models", &[("anthropic-version", "2023-06-01")]).await.unwrap().json().unwrap();
    assert_eq!((&list["has_more"], &list["data"][0]["type"]), (&json!(false), &json!("model")));
    let list = client.get("/v1beta/models", &[]).await.unwrap().json().unwrap();
    assert_eq!(list["models"][0]["name"], "models/clinician-1");
    let mut body = Question::new("I cough.").body(Format::OpenAi);
    body["model"] = "clinician-9".into();
    let reply = client.post(path(Format::OpenAi), &[], body.to_string().as_bytes()).await.unwrap();
    assert_eq!(reply.status, 404);
    assert_eq!(client.get("/v1/elsewhere", &[]).await.unwrap().status, 404);
}
