//! ChatRequest → a question

use crate::{Dialect, WireRequest};
use serde_json::{Map, Value, json};
use waterjar_core::ChatRequest;

/// It is posted to the address itself.
pub fn to_wire(model: &str, request: &ChatRequest, _: &Dialect) -> WireRequest {
    WireRequest { path: String::new(), headers: Vec::new(), body: Value::Object(question(model, request)) }
}

/// All of the request but its repeat number, which is never sent.
pub(crate) fn question(model: &str, request: &ChatRequest) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("model".into(), model.into());
    body.insert("messages".into(), json!(request.messages));
    body.insert("sampling".into(), json!(request.sampling));
    if let Some(schema) = &request.schema {
        body.insert("schema".into(), json!(schema));
    }
    if !request.tools.is_empty() {
        body.insert("tools".into(), json!(request.tools));
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::AnswerSchema;

    #[test]
    fn a_question_says_what_there_is_to_say_and_no_more() {
        let mut request = ChatRequest::new("You are a doctor.", "Chest pain.", 3);
        let plain = json!({ "model": "mine", "sampling": {}, "messages": [
            { "role": "system", "content": "You are a doctor." }, { "role": "user", "content": "Chest pain." }] });
        assert_eq!(to_wire("mine", &request, &Dialect::default()).body, plain);
        request.sampling.temperature = Some(0.5);
        request.schema = Some(AnswerSchema { name: "answer".into(), schema: json!({ "type": "object" }) });
        let body = to_wire("mine", &request, &Dialect::default()).body;
        assert_eq!(body["sampling"], json!({ "temperature": 0.5 }));
        assert_eq!(body["schema"], json!({ "name": "answer", "schema": { "type": "object" } }));
    }
}
