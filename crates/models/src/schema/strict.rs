//! The strict subset of OpenAI and Anthropic: closed objects, every property required, no annotations but the description.

use super::{LIMITS, described};
use serde_json::{Map, Value, json};

/// A schema for constrained output.
pub(crate) struct Strict {
    pub schema: Value,
    /// False where an object takes any key: the vendor may then follow the schema only loosely.
    pub holds: bool,
}

pub(crate) fn strict(schema: &Value) -> Strict {
    let holds = closed(schema);
    Strict { schema: node(schema, holds), holds }
}

const DROPPED: [&str; 9] =
    ["$schema", "$id", "$comment", "title", "default", "format", "examples", "deprecated", "uniqueItems"];

fn node(schema: &Value, close: bool) -> Value {
    let Value::Object(old) = schema else { return schema.clone() };
    if let Some(target) = old.get("$ref").filter(|_| !old.contains_key("$defs")) {
        // A reference may have no siblings.
        return json!({ "$ref": target });
    }
    if let Some([only]) = old.get("allOf").and_then(Value::as_array).map(Vec::as_slice) {
        return node(only, close);
    }
    let mut new = Map::new();
    for (key, value) in old {
        match key.as_str() {
            key if DROPPED.contains(&key) || LIMITS.contains(&key) || key == "description" => {}
            "properties" | "$defs" | "definitions" => _ = new.insert(key.clone(), each_value(value, close)),
            "oneOf" | "anyOf" => _ = new.insert("anyOf".into(), each_item(value, close)),
            "allOf" | "prefixItems" => _ = new.insert(key.clone(), each_item(value, close)),
            "const" => _ = new.insert("enum".into(), json!([value])),
            "items" | "additionalProperties" => _ = new.insert(key.clone(), node(value, close)),
            _ => _ = new.insert(key.clone(), value.clone()),
        }
    }
    if let Some(text) = described(old, &[]) {
        new.insert("description".into(), text.into());
    }
    if close && let Some(Value::Object(properties)) = new.get("properties") {
        let names: Vec<Value> = properties.keys().map(|name| name.as_str().into()).collect();
        new.insert("required".into(), names.into());
        new.insert("additionalProperties".into(), false.into());
    }
    Value::Object(new)
}

fn each_value(schemas: &Value, close: bool) -> Value {
    let Value::Object(schemas) = schemas else { return schemas.clone() };
    Value::Object(schemas.iter().map(|(name, schema)| (name.clone(), node(schema, close))).collect())
}

fn each_item(schemas: &Value, close: bool) -> Value {
    let Value::Array(schemas) = schemas else { return schemas.clone() };
    schemas.iter().map(|schema| node(schema, close)).collect()
}

/// Whether every object says which keys it has.
fn closed(schema: &Value) -> bool {
    match schema {
        Value::Object(node) => {
            let is_object = node.get("type").and_then(Value::as_str) == Some("object");
            let open = matches!(node.get("additionalProperties"), Some(Value::Object(_) | Value::Bool(true)));
            !(is_object && (open || !node.contains_key("properties"))) && node.values().all(closed)
        }
        Value::Array(items) => items.iter().all(closed),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(schema: Value, expected: Value) {
        assert_eq!(strict(&schema).schema, expected);
    }

    #[test]
    fn what_schemars_writes_becomes_strict() {
        check(
            json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "title": "Reading",
                "type": "object",
                "properties": {
                    "reasoning": { "type": "string", "description": "Why." },
                    "title": { "type": ["string", "null"], "default": null },
                    "confidence": { "type": "number", "format": "double", "minimum": 0, "maximum": 1 },
                    "outcome": { "$ref": "#/$defs/Outcome", "description": "siblings are refused" }
                },
                "required": ["reasoning"],
                "$defs": { "Outcome": { "oneOf": [{ "const": "hit", "type": "string", "description": "Right." }] } }
            }),
            json!({
                "type": "object",
                "properties": {
                    "reasoning": { "type": "string", "description": "Why." },
                    "title": { "type": ["string", "null"] },
                    "confidence": { "type": "number", "description": "minimum: 0, maximum: 1" },
                    "outcome": { "$ref": "#/$defs/Outcome" }
                },
                "required": ["reasoning", "title", "confidence", "outcome"],
                "$defs": { "Outcome": { "anyOf": [{ "enum": ["hit"], "type": "string", "description": "Right." }] } },
                "additionalProperties": false
            }),
        );
    }

    #[test]
    fn the_order_of_properties_is_kept() {
        let schema =
            json!({ "type": "object", "properties": { "z": { "type": "string" }, "a": { "type": "string" } } });
        let text = strict(&schema).schema.to_string();
        assert!(text.find("\"z\"") < text.find("\"a\""), "{text}");
    }

    #[test]
    fn a_map_cannot_be_strict() {
        let schema = json!({ "type": "object", "additionalProperties": { "type": "number" } });
        assert!(!strict(&schema).holds);
        assert_eq!(strict(&schema).schema, schema);
    }
}
