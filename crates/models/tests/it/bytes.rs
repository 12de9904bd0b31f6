//! Whatever a server sends, reading it ends in a reply or an error.

use proptest::prelude::*;
use waterjar_core::{AnswerSchema, ChatRequest, ModelError};
use waterjar_models::{Api, WireReply};

const APIS: [Api; 3] = [Api::Openai, Api::Anthropic, Api::Gemini];

fn read(status: u16, body: &[u8]) {
    let schema = AnswerSchema { name: "reading".into(), schema: serde_json::json!({ "type": "object" }) };
    for schema in [None, Some(schema)] {
        let request = ChatRequest { schema, ..ChatRequest::new("s", "u", 0) };
        for api in APIS {
            _ = api.from_wire(&request, &WireReply::new(status, body));
        }
    }
}

/// JSON built of the words the formats use, so that the readers get beyond the first field.
fn vendor_like() -> impl Strategy<Value = serde_json::Value> {
    use serde_json::{Value, json};
    let words = [
        "choices",
        "message",
        "content",
        "tool_calls",
        "function",
        "arguments",
        "finish_reason",
        "error",
        "type",
        "text",
        "tool_use",
        "thinking",
        "candidates",
        "parts",
        "functionCall",
        "usage",
        "logprobs",
        "details",
        "code",
        "0",
    ];
    let word = proptest::sample::select(words.to_vec());
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        any::<u64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((word.clone(), inner), 0..5).prop_map(|entries| {
                Value::Object(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
            }),
        ]
    })
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(status in 100u16..600, body in proptest::collection::vec(any::<u8>(), 0..300)) {
        read(status, &body);
    }

    #[test]
    fn arbitrary_json_never_panics(status in proptest::sample::select(vec![200u16, 400, 404, 429, 500]), body in vendor_like()) {
        read(status, body.to_string().as_bytes());
    }

    #[test]
    fn arbitrary_schemas_never_panic(schema in vendor_like()) {
        let request = ChatRequest {
            schema: Some(AnswerSchema { name: "reading".into(), schema }),
            ..ChatRequest::new("s", "u", 0)
        };
        for api in APIS {
            _ = api.to_wire("m", &request, &waterjar_models::Dialect::default());
        }
    }
}

#[test]
fn a_good_reply_cut_anywhere_is_a_broken_exchange() {
    let body = br#"{"choices":[{"message":{"content":"Pulmonary embolism"},"finish_reason":"stop"}]}"#;
    for end in 0..body.len() {
        let reply = WireReply::new(200, &body[..end]);
        let outcome = Api::Openai.from_wire(&ChatRequest::new("s", "u", 0), &reply).map_err(ModelError::uncharged);
        assert!(matches!(outcome, Err(ModelError::Transport(_))), "cut at {end}: {outcome:?}");
    }
}
