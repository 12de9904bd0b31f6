//! Vendors over real sockets.

use serde_json::json;
use std::time::Duration;
use waterjar_core::{AnswerSchema, ChatModel, ChatReply, ChatRequest, ModelError, Reasoning, Sampling, Usage};
use waterjar_models::{EndpointPolicy, Form, Looked, ModelSpec, Vendor, look, open_with};
use waterjar_testkit::{Act, CannedServer};

const KEY: &str = "sk-canary-7f3a9c";
const GOOD: &str =
    r#"{"model":"served","choices":[{"message":{"content":"Pulmonary embolism"},"finish_reason":"stop"}]}"#;

fn vendor(url: &str, api: &str, spec: ModelSpec) -> Vendor {
    let spec = ModelSpec { url: Some(url.into()), api: Some(api.into()), key_env: Some("CANARY".into()), ..spec };
    open_with("local/some/model", Some(&spec), EndpointPolicy::LocalOnly, &|name| {
        (name == "CANARY").then(|| KEY.to_owned())
    })
    .expect("a local endpoint can be opened")
}

fn question() -> ChatRequest {
    ChatRequest::new("You are a clinician.", "What is it?", 0)
}

fn structured() -> ChatRequest {
    let schema = json!({ "type": "object", "properties": { "diagnosis": { "type": "string" } } });
    ChatRequest { schema: Some(AnswerSchema { name: "diagnosis".into(), schema }), ..question() }
}

async fn ask(acts: Vec<Act>) -> Result<ChatReply, ModelError> {
    let server = CannedServer::new(acts);
    let spec = ModelSpec { timeout_seconds: Some(0.5), ..ModelSpec::default() };
    vendor(&server.url("/v1"), "openai", spec).chat(&question()).await.map_err(ModelError::uncharged)
}

/// Whether the error is one to be paid for, and what the endpoint says was used.
async fn charge(acts: Vec<Act>) -> Option<Option<Usage>> {
    let server = CannedServer::new(acts);
    let spec = ModelSpec { timeout_seconds: Some(0.5), ..ModelSpec::default() };
    match vendor(&server.url("/v1"), "openai", spec).chat(&question()).await {
        Err(ModelError::Charged { usage, .. }) => Some(usage),
        Err(_) => None,
        Ok(reply) => panic!("{reply:?}"),
    }
}

fn refuses(body: &str) -> Act {
    Act::Answer("400 Bad Request", "", body.into())
}

#[tokio::test]
async fn the_study_chooses_name_sampling_and_headers() {
    let server = CannedServer::answering(GOOD);
    let spec = ModelSpec {
        model: Some("Qwen/Qwen3-32B-high".into()),
        temperature: Some(0.7),
        seed: Some(5),
        headers: [("x-team".to_owned(), "ward 3".to_owned())].into(),
        ..ModelSpec::default()
    };
    let request = ChatRequest { sampling: Sampling { temperature: Some(0.0), ..Sampling::default() }, ..question() };
    let reply = vendor(&server.url("/v1"), "vllm", spec).chat(&request).await.expect("a good reply");
    assert_eq!((reply.text.as_str(), reply.served_by.as_deref()), ("Pulmonary embolism", Some("served")));
    let heard = server.heard().concat();
    let (head, body) = heard.split_once("\r\n\r\n").expect("a whole request");
    assert!(head.starts_with("POST /v1/chat/completions HTTP/1.1"), "{head}");
    assert!(head.contains(&format!("authorization: Bearer {KEY}")), "{head}");
    assert!(head.contains("x-team: ward 3") && head.contains("content-type: application/json"), "{head}");
    let body: serde_json::Value = serde_json::from_str(body).expect("a JSON body");
    assert_eq!(body["model"], "Qwen/Qwen3-32B-high");
    assert_eq!((&body["temperature"], &body["seed"]), (&json!(0.0), &json!(5)));
}

#[tokio::test]
async fn each_format_has_its_path_and_its_header() {
    let replies = [
        ("anthropic", "POST /v1/messages ", "x-api-key: ", r#"{"content":[{"type":"text","text":"PE"}]}"#),
        (
            "gemini",
            "POST /v1/models/some/model:generateContent ",
            "x-goog-api-key: ",
            r#"{"candidates":[{"content":{"parts":[{"text":"PE"}]}}]}"#,
        ),
    ];
    for (api, path, header, body) in replies {
        let server = CannedServer::answering(body);
        let reply =
            vendor(&server.url("/v1"), api, ModelSpec::default()).chat(&question()).await.expect("a good reply");
        assert_eq!(reply.text, "PE");
        let heard = server.heard().concat();
        assert!(heard.starts_with(path) && heard.contains(&format!("{header}{KEY}")), "{heard}");
    }
}

#[tokio::test]
async fn silence_ends_in_a_timeout() {
    assert!(matches!(ask(vec![Act::Stall]).await, Err(ModelError::Timeout(_))));
}

#[tokio::test]
async fn broken_exchanges_are_transport_errors_and_not_repeated() {
    assert!(matches!(ask(vec![Act::CutOff(GOOD.into())]).await, Err(ModelError::Transport(_))));
    let server = CannedServer::new(vec![Act::HangUp]);
    let outcome = vendor(&server.url("/v1"), "openai", ModelSpec::default()).chat(&question()).await;
    let outcome = outcome.map_err(ModelError::uncharged);
    assert!(matches!(outcome, Err(ModelError::Transport(_))), "{outcome:?}");
    assert_eq!(server.heard().len(), 1);
}

#[tokio::test]
async fn what_a_vendor_charges_for_without_an_answer_is_known() {
    let ok = |body: &str| vec![Act::ok(body)];
    let thought = r#"{"choices":[{"message":{"content":""},"finish_reason":"length"}],
        "usage":{"prompt_tokens":300,"completion_tokens":16000}}"#;
    let filtered = r#"{"choices":[{"message":{"content":""},"finish_reason":"content_filter"}],
        "usage":{"prompt_tokens":300,"completion_tokens":7}}"#;
    let used = |input, output| Some(Some(Usage { input, output, ..Usage::default() }));
    assert_eq!(charge(ok(thought)).await, used(300, 16_000));
    assert_eq!(charge(ok(filtered)).await, used(300, 7));
    // It was sent, and nobody knows more.
    assert_eq!(charge(vec![Act::Stall]).await, Some(None));
    assert_eq!(charge(vec![Act::CutOff(GOOD.into())]).await, Some(None));
    assert_eq!(charge(vec![refuses(r#"{"error":{"code":"content_filter","message":"no"}}"#)]).await, Some(None));
    // It was not read.
    assert_eq!(charge(vec![Act::Answer("429 Too Many Requests", "", "{}".into())]).await, None);
    assert_eq!(charge(vec![Act::Answer("500 Internal Server Error", "", "{}".into())]).await, None);
    let nobody = vendor("http://127.0.0.1:1/v1", "openai", ModelSpec::default()).chat(&question()).await;
    assert!(matches!(nobody, Err(ModelError::Transport(_))), "{nobody:?}");
}

#[tokio::test]
async fn a_page_to_sign_in_is_told_as_one() {
    let page = "\n <html><body>Sign in to the ward's network</body></html>";
    let outcome = ask(vec![Act::Answer("200 OK", "content-type: text/html\r\n", page.into())]).await;
    assert!(matches!(&outcome, Err(ModelError::Transport(told)) if told.contains("a web page")), "{outcome:?}");
    let server = CannedServer::answering(page);
    let spec = ModelSpec { url: Some(server.url("/v1")), ..ModelSpec::default() };
    let looked = look("local/x", Some(&spec), EndpointPolicy::Any, &|_| None, Duration::from_secs(5)).await;
    assert!(matches!(&looked, Ok(Ok(Looked { json: false, .. }))), "{looked:?}");
}

#[tokio::test]
async fn only_what_is_about_the_question_is_a_refusal() {
    let body = r#"{"error":{"message":"blocked for violating the usage policy"}}"#;
    for (status, expected) in [
        ("400 Bad Request", "Refused"),
        ("422 Unprocessable Entity", "Refused"),
        ("401 Unauthorized", "Rejected"),
        ("403 Forbidden", "Rejected"),
        ("429 Too Many Requests", "RateLimited"),
    ] {
        let outcome = format!("{:?}", ask(vec![Act::Answer(status, "", body.into())]).await);
        assert!(outcome.starts_with(&format!("Err({expected}")), "{status}: {outcome}");
    }
    let flagged = r#"{"error":{"code":403,"message":"flagged","metadata":{"flagged_input":"x"}}}"#;
    let outcome = ask(vec![Act::Answer("403 Forbidden", "", flagged.into())]).await;
    assert!(matches!(outcome, Err(ModelError::Refused(_))), "{outcome:?}");
}

#[tokio::test]
async fn a_limit_used_up_by_thinking_is_a_cut_reply() {
    let told = r#"{"error":{"message":"Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens.","type":"invalid_request_error"}}"#;
    let outcome = ask(vec![refuses(told)]).await;
    assert!(matches!(outcome, Err(ModelError::InvalidOutput(_))), "{outcome:?}");
}

#[tokio::test]
async fn what_a_header_takes_from_the_environment_is_taken_out_of_everything() {
    const TOKEN: &str = "ward-canary-55e1";
    let call = format!(
        r#"{{"model":"{TOKEN}","choices":[{{"message":{{"content":"{TOKEN}","reasoning_content":"{TOKEN}",
            "tool_calls":[{{"id":"1","function":{{"name":"f","arguments":"{{\"a\":\"{TOKEN}\"}}"}}}}]}}}}]}}"#
    );
    let escaped = call.replace("ward-canary", "ward\\u002dcanary");
    for (status, body) in [("200 OK", call), ("200 OK", escaped), ("400 Bad Request", format!("headers: {TOKEN}"))] {
        let server = CannedServer::new(vec![Act::Answer(status, "", body)]);
        let headers = [("x-token".to_owned(), "$WARD_TOKEN".to_owned())].into();
        let spec = ModelSpec { url: Some(server.url("/v1")), headers, ..ModelSpec::default() };
        let variable = |name: &str| (name == "WARD_TOKEN").then(|| TOKEN.to_owned());
        let vendor = open_with("local/x", Some(&spec), EndpointPolicy::Any, &variable).expect("it can be opened");
        let outcome = format!("{:?}", vendor.chat(&question()).await);
        assert!(server.heard().concat().contains(TOKEN));
        assert!(!outcome.contains("canary") && outcome.contains("[key]"), "{outcome}");
    }
}

#[tokio::test]
async fn the_most_a_model_may_write_is_what_is_sent_as_its_limit() {
    let most = |api: &str, spec: &str| {
        let spec: ModelSpec = toml::from_str(spec).expect("the test writes a spec");
        vendor("http://127.0.0.1:1/v1", api, spec).most_output(&question())
    };
    assert_eq!(most("openai", ""), None);
    assert_eq!(most("openai", "max_tokens = 20000"), Some(20_000));
    assert_eq!(most("gemini", "max_tokens = 500\nreasoning = { tokens = 3000 }"), Some(3_500));
    assert_eq!(most("anthropic", "max_tokens = 500\nreasoning = { tokens = 3000 }"), Some(3_500));
    assert_eq!(most("anthropic", ""), Some(4_096));
}

#[tokio::test]
async fn nobody_there_names_the_host() {
    let outcome = vendor("http://127.0.0.1:1/v1", "openai", ModelSpec::default()).chat(&question()).await;
    let Err(ModelError::Transport(message)) = outcome else { panic!("{outcome:?}") };
    assert!(message.starts_with("no connection to 127.0.0.1: "), "{message}");
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let target = CannedServer::answering(GOOD);
    let location: &'static str = Box::leak(format!("location: {}?k={KEY}\r\n", target.url("/v1")).into_boxed_str());
    let outcome = ask(vec![Act::Answer("307 Temporary Redirect", location, String::new())]).await;
    let Err(ModelError::Rejected { status: 307, message }) = outcome else { panic!("{outcome:?}") };
    assert!(message.contains(&target.url("/v1")) && !message.contains(KEY), "{message}");
    assert!(target.heard().is_empty());
}

#[tokio::test]
async fn a_key_that_the_server_echoes_is_taken_out() {
    let escaped = KEY.replace('-', "\\u002d");
    let bodies = [
        ("401 Unauthorized", format!(r#"{{"error":{{"message":"no such key {KEY}"}}}}"#)),
        ("500 Internal Server Error", format!("trace: authorization Bearer {KEY}")),
        ("400 Bad Request", format!(r#"{{"error":{{"message":"{escaped}"}}}}"#)),
        ("200 OK", format!(r#"{{"choices":[{{"message":{{"content":"{KEY} and {escaped}"}}}}]}}"#)),
    ];
    for (status, body) in bodies {
        let outcome = format!("{:?}", ask(vec![Act::Answer(status, "", body)]).await);
        assert!(!outcome.contains(KEY) && outcome.contains("[key]"), "{outcome}");
    }
    let vendor = vendor("http://127.0.0.1:1/v1", "openai", ModelSpec::default());
    assert!(!format!("{vendor:?} {}", vendor.identity()).contains(KEY));
}

#[tokio::test]
async fn a_refused_key_is_named_by_its_variable() {
    let body = r#"{"error":{"message":"Incorrect API key"}}"#;
    let outcome = ask(vec![Act::Answer("401 Unauthorized", "", body.into())]).await;
    let Err(ModelError::Rejected { status: 401, message }) = outcome else { panic!("{outcome:?}") };
    assert_eq!(message, "the key in CANARY was not accepted (Incorrect API key)");
}

#[tokio::test]
async fn an_endless_reply_is_given_up() {
    let outcome = ask(vec![Act::ok(&" ".repeat(33 * 1024 * 1024))]).await;
    assert!(matches!(outcome, Err(ModelError::InvalidOutput(_) | ModelError::Timeout(_))), "{outcome:?}");
}

#[tokio::test]
async fn structured_output_falls_back_form_by_form_and_stays_there() {
    let no_schema = refuses(r#"{"error":{"message":"response_format json_schema is not supported"}}"#);
    let no_object = refuses(r#"{"error":{"message":"'response_format.type' must be 'text'"}}"#);
    let answer = r#"{"choices":[{"message":{"content":"{\"diagnosis\":\"PE\"}"}}]}"#;
    let server = CannedServer::new(vec![no_schema, no_object, Act::ok(answer)]);
    let vendor = vendor(&server.url("/v1"), "openai", ModelSpec::default());
    for _ in 0..2 {
        assert_eq!(vendor.chat(&structured()).await.expect("a reply").text, r#"{"diagnosis":"PE"}"#);
    }
    let heard = server.heard();
    let asked = |index: usize, words: &str| heard[index].contains(words);
    assert_eq!(heard.len(), 4);
    assert!(asked(0, "json_schema") && !asked(0, "JSON Schema"));
    assert!(asked(1, "json_object") && asked(1, "JSON Schema, named `diagnosis`"));
    assert!(!asked(2, "response_format") && asked(2, "JSON Schema, named `diagnosis`"));
    assert!(!asked(3, "response_format") && asked(3, "JSON Schema, named `diagnosis`"));
    let (form, why) = vendor.form();
    assert_eq!((form, why.as_deref()), (Form::Prompt, Some("response_format json_schema is not supported")));
}

#[tokio::test]
async fn an_error_that_only_mentions_the_form_teaches_nothing() {
    let echo = refuses(r#"{"error":{"message":"temperature out of range in {response_format: …}"}}"#);
    let server = CannedServer::new(vec![echo]);
    let vendor = vendor(&server.url("/v1"), "openai", ModelSpec::default());
    let outcome = vendor.chat(&structured()).await;
    assert!(matches!(outcome, Err(ModelError::Rejected { status: 400, .. })), "{outcome:?}");
    assert_eq!(vendor.form(), (Form::Schema, None));
}

#[tokio::test]
async fn a_public_host_is_forbidden_before_any_packet() {
    for url in ["https://api.openai.com/v1", "http://8.8.8.8/v1", "http://[2001:4860:4860::8888]/v1"] {
        let spec = ModelSpec { url: Some(url.into()), api: Some("openai".into()), ..ModelSpec::default() };
        let refused = open_with("local/x", Some(&spec), EndpointPolicy::LocalOnly, &|_| None);
        assert!(matches!(refused, Err(waterjar_models::OpenModelError::NotLocal { .. })), "{url}: {refused:?}");
    }
}

#[tokio::test]
async fn a_local_name_is_reached_through_the_checking_resolver() {
    let server = CannedServer::answering(GOOD);
    let url = server.url("/v1").replace("127.0.0.1", "localhost");
    let reply = vendor(&url, "openai", ModelSpec::default()).chat(&question()).await;
    assert_eq!(reply.expect("localhost is local").text, "Pulmonary embolism");
}

#[tokio::test]
async fn what_a_model_cannot_do_is_said() {
    let spec =
        ModelSpec { seed: Some(3), reasoning: Some(Reasoning::Low), temperature: Some(0.5), ..ModelSpec::default() };
    let vendor = vendor("http://127.0.0.1:1/v1", "anthropic", spec);
    assert_eq!(vendor.unsupported(&question()), ["temperature", "seed"]);
}

#[tokio::test]
async fn looking_at_an_endpoint_lists_its_models_and_asks_none() {
    let list = r#"{"data":[{"id":"qwen"},{"id":"phi"}],"has_more":false}"#;
    for (key, api, header) in
        [(Some(KEY), "openai", "authorization: Bearer "), (None, "anthropic", "anthropic-version: ")]
    {
        let server = CannedServer::answering(list);
        let (url, api) = (Some(server.url("/v1")), Some(api.to_owned()));
        let headers = [("x-token".to_owned(), "$NOT_SET".to_owned())].into();
        let spec = ModelSpec { url, api, key_env: Some("CANARY".into()), headers, ..ModelSpec::default() };
        let variable = |name: &str| key.filter(|_| name == "CANARY").map(str::to_owned);
        let patience = Duration::from_secs(5);
        let looked = look("local/x", Some(&spec), EndpointPolicy::LocalOnly, &variable, patience).await;
        let models = vec!["qwen".to_owned(), "phi".to_owned()];
        let expected = Looked { status: 200, models, json: true, more: false, with_key: key.is_some() };
        assert_eq!(looked.expect("it can be described"), Ok(expected));
        let heard = server.heard().concat();
        assert!(heard.starts_with("GET /v1/models HTTP/1.1") && heard.contains(header), "{heard}");
        assert_eq!(heard.contains(KEY), key.is_some());
    }
}
