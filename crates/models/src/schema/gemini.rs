//! Gemini's `responseSchema`: types in capitals, references written out, `nullable` for null, the order named.

use super::described;
use serde_json::{Map, Value, json};

const KEPT: [&str; 4] = ["minItems", "maxItems", "minimum", "maximum"];
/// A schema that refers to itself is written out this deep.
const DEPTH: usize = 12;

pub(crate) fn for_gemini(schema: &Value) -> Value {
    node(schema, schema, DEPTH)
}

fn node(root: &Value, schema: &Value, depth: usize) -> Value {
    let Value::Object(old) = schema else { return json!({ "type": "STRING" }) };
    if depth == 0 {
        return json!({ "type": "OBJECT" });
    }
    if let Some(target) = old.get("$ref").and_then(Value::as_str) {
        let found = target.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
        let mut found = node(root, found.unwrap_or(&Value::Null), depth - 1);
        if let (Some(text), Some(found)) = (old.get("description"), found.as_object_mut()) {
            found.insert("description".into(), text.clone());
        }
        return found;
    }
    if let Some([only]) = old.get("allOf").and_then(Value::as_array).map(Vec::as_slice) {
        return node(root, only, depth - 1);
    }
    let mut new = Map::new();
    set_type(old, &mut new);
    set_choices(old, &mut new);
    set_branches(root, old, &mut new, depth);
    if let Some(text) = described(old, &KEPT) {
        let noted = new.shift_remove("description").and_then(|note| note.as_str().map(str::to_owned));
        new.insert("description".into(), noted.map_or(text.clone(), |note| format!("{text} {note}")).into());
    }
    for key in KEPT {
        if let Some(limit) = old.get(key) {
            new.insert(key.into(), limit.clone());
        }
    }
    if let Some(items) = old.get("items") {
        new.insert("items".into(), node(root, items, depth - 1));
    }
    if let Some(properties) = old.get("properties").and_then(Value::as_object) {
        let written = properties.iter().map(|(name, schema)| (name.clone(), node(root, schema, depth - 1)));
        new.insert("properties".into(), Value::Object(written.collect()));
        let order: Vec<Value> = properties.keys().map(|name| name.as_str().into()).collect();
        new.insert("required".into(), order.clone().into());
        new.insert("propertyOrdering".into(), order.into());
    }
    Value::Object(new)
}

fn set_type(old: &Map<String, Value>, new: &mut Map<String, Value>) {
    let types: Vec<&str> = match old.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if let Some(kind) = types.iter().find(|kind| **kind != "null") {
        new.insert("type".into(), kind.to_uppercase().into());
    }
    if types.contains(&"null") {
        new.insert("nullable".into(), true.into());
    }
}

/// Only words can be listed; other choices are told.
fn set_choices(old: &Map<String, Value>, new: &mut Map<String, Value>) {
    let one = old.get("const").map(|only| vec![only.clone()]);
    let Some(choices) = one.or_else(|| old.get("enum")?.as_array().cloned()) else { return };
    let words: Vec<Value> = choices.iter().filter(|choice| choice.is_string()).cloned().collect();
    if choices.iter().any(Value::is_null) {
        new.insert("nullable".into(), true.into());
    }
    if words.is_empty() {
        let told: Vec<String> = choices.iter().map(Value::to_string).collect();
        new.insert("description".into(), format!("One of {}.", told.join(", ")).into());
    } else {
        new.entry("type").or_insert_with(|| "STRING".into());
        new.insert("enum".into(), words.into());
    }
}

fn set_branches(root: &Value, old: &Map<String, Value>, new: &mut Map<String, Value>, depth: usize) {
    let Some(branches) = old.get("anyOf").or_else(|| old.get("oneOf")).and_then(Value::as_array) else { return };
    let is_null = |branch: &&Value| branch.get("type").and_then(Value::as_str) == Some("null");
    if branches.iter().any(|branch| is_null(&branch)) {
        new.insert("nullable".into(), true.into());
    }
    let mut written: Vec<Value> =
        branches.iter().filter(|branch| !is_null(branch)).map(|branch| node(root, branch, depth - 1)).collect();
    // An enum whose cases are documented is one branch per word.
    let words: Option<Vec<Value>> = written.iter().map(only_word).collect();
    match words {
        Some(words) if words.len() > 1 => {
            new.insert("type".into(), "STRING".into());
            new.insert("enum".into(), words.into());
        }
        _ if written.len() == 1 => {
            if let Value::Object(only) = written.remove(0) {
                new.extend(only);
            }
        }
        _ => _ = new.insert("anyOf".into(), written.into()),
    }
}

fn only_word(branch: &Value) -> Option<Value> {
    match branch.get("enum")?.as_array()?.as_slice() {
        [word] => Some(word.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(schema: Value, expected: Value) {
        assert_eq!(for_gemini(&schema), expected);
    }

    #[test]
    fn references_are_written_out_and_null_is_a_flag() {
        check(
            json!({
                "$schema": "x", "title": "Reading", "type": "object", "additionalProperties": false,
                "properties": {
                    "why": { "type": "string", "minLength": 3, "description": "Why." },
                    "outcome": { "anyOf": [{ "$ref": "#/$defs/Outcome" }, { "type": "null" }] },
                    "share": { "type": ["number", "null"], "format": "double", "minimum": 0 }
                },
                "required": ["why"],
                "$defs": { "Outcome": { "type": "string", "enum": ["hit", "missed"] } }
            }),
            json!({
                "type": "OBJECT",
                "properties": {
                    "why": { "type": "STRING", "description": "Why. (minLength: 3)" },
                    "outcome": { "nullable": true, "type": "STRING", "enum": ["hit", "missed"] },
                    "share": { "type": "NUMBER", "nullable": true, "minimum": 0 }
                },
                "required": ["why", "outcome", "share"],
                "propertyOrdering": ["why", "outcome", "share"]
            }),
        );
    }

    #[test]
    fn documented_cases_are_one_list_of_words() {
        check(
            json!({ "oneOf": [{ "const": "hit", "description": "Right." }, { "const": "missed", "type": "string" }] }),
            json!({ "type": "STRING", "enum": ["hit", "missed"] }),
        );
    }

    #[test]
    fn numbers_to_choose_from_are_told() {
        check(
            json!({ "type": "integer", "enum": [1, 2], "description": "Grade." }),
            json!({ "type": "INTEGER", "description": "Grade. One of 1, 2." }),
        );
    }

    #[test]
    fn a_schema_that_holds_itself_ends() {
        let tree = json!({ "type": "object", "properties": { "next": { "$ref": "#" } } });
        assert!(for_gemini(&tree).to_string().len() < 4000);
    }
}
