//! A JSON Schema as each vendor takes it. Answers are checked against the untouched one elsewhere.

mod gemini;
mod strict;

pub(crate) use gemini::for_gemini;
pub(crate) use strict::strict;

use serde_json::{Map, Value};

/// Limits that most vendors refuse in a schema; they are told in the description instead.
const LIMITS: [&str; 12] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
];

/// The description, followed by the limits that are not `kept` as keywords.
fn described(node: &Map<String, Value>, kept: &[&str]) -> Option<String> {
    let limits: Vec<String> = node
        .iter()
        .filter(|(key, _)| LIMITS.contains(&key.as_str()) && !kept.contains(&key.as_str()))
        .map(|(key, limit)| format!("{key}: {limit}"))
        .collect();
    let description = node.get("description").and_then(Value::as_str).map(str::to_owned);
    match (description, limits.is_empty()) {
        (description, true) => description,
        (None, false) => Some(limits.join(", ")),
        (Some(text), false) => Some(format!("{text} ({})", limits.join(", "))),
    }
}

/// The schema of a tool's arguments or of a forced tool: whole, without what only validators read.
pub(crate) fn plain(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(root) = schema.as_object_mut() {
        root.shift_remove("$schema");
        root.shift_remove("title");
    }
    schema
}
