//! Requests and replies in the vendors' documented shapes, one file each: `<name>.request.json` and `<name>.reply.json`.
//! `WATERJAR_UPDATE=1` writes what comes out; read the difference before keeping it.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use waterjar_core::ChatRequest;
use waterjar_models::{Api, Dialect, Form, WireReply, all};

#[test]
fn requests_are_sent_exactly_so() {
    for (api, path) in files("request.json") {
        check(&path, "wire", |case| {
            let request = request(&case["request"]);
            let (vendor, model) = id(case);
            let mut dialect: Dialect = all()[vendor].dialect(model);
            if let Some(form) = case.get("form") {
                dialect.structured = serde_json::from_value::<Form>(form.clone()).expect("a form");
            }
            let wire = api.to_wire(model, &request, &dialect);
            let headers: serde_json::Map<String, Value> =
                wire.headers.iter().map(|(name, value)| (name.to_string(), (*value).into())).collect();
            json!({
                "path": wire.path, "headers": headers, "body": wire.body, "unsupported": dialect.unsupported(&request)
            })
        });
    }
}

#[test]
fn replies_are_read_exactly_so() {
    for (api, path) in files("reply.json") {
        check(&path, "outcome", |case| {
            let body = match &case["body"] {
                Value::String(text) => text.clone().into_bytes(),
                body => body.to_string().into_bytes(),
            };
            let headers = case["headers"].as_object().cloned().unwrap_or_default();
            let headers = headers.into_iter().map(|(name, value)| (name, value.as_str().unwrap_or_default().into()));
            let reply = WireReply {
                status: case["status"].as_u64().and_then(|status| status.try_into().ok()).unwrap_or(200),
                headers: headers.collect(),
                body,
                received: SystemTime::UNIX_EPOCH + Duration::from_secs(1_794_700_000),
            };
            match api.from_wire(&request(&case["request"]), &reply) {
                Ok(reply) => json!({ "reply": reply }),
                Err(error) => json!({ "error": format!("{error:?}"), "may_pass": error.may_pass() }),
            }
        });
    }
}

/// A request may be left out, and its repeat always is.
fn request(value: &Value) -> ChatRequest {
    let mut value = if value.is_null() { json!({ "messages": [] }) } else { value.clone() };
    value["repeat"] = 0.into();
    serde_json::from_value(value).expect("the fixture holds a ChatRequest")
}

fn id(case: &Value) -> (&str, &str) {
    case["id"].as_str().and_then(|id| id.split_once('/')).expect("the fixture names vendor/model")
}

fn check(path: &Path, key: &str, outcome: impl Fn(&Value) -> Value) {
    let text = std::fs::read_to_string(path).expect("the fixture can be read");
    let mut case: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let found = outcome(&case);
    if std::env::var_os("WATERJAR_UPDATE").is_some() {
        case[key] = found;
        let text = serde_json::to_string_pretty(&case).expect("a value can be written");
        std::fs::write(path, text + "\n").expect("the fixture can be written");
    } else {
        // Compared as text: the order of keys is part of a request.
        let pretty = |value: &Value| serde_json::to_string_pretty(value).expect("a value can be written");
        assert_eq!(pretty(&found), pretty(&case[key]), "{}", path.display());
    }
}

fn files(ending: &str) -> Vec<(Api, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut found = Vec::new();
    for (api, folder) in [(Api::Openai, "openai"), (Api::Anthropic, "anthropic"), (Api::Gemini, "gemini")] {
        let entries = std::fs::read_dir(root.join(folder)).expect("the folder of fixtures");
        let paths = entries.map(|entry| entry.expect("a readable folder").path());
        found.extend(paths.filter(|path| path.to_string_lossy().ends_with(ending)).map(|path| (api, path)));
    }
    assert!(found.len() > 10, "no fixtures found");
    found.sort_by(|a, b| a.1.cmp(&b.1));
    found
}
