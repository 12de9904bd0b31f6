//! The shape of a study file, for editors: what the engine, the suites, the agents and the models say of themselves, put together.

use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};
use waterjar_engine::plan::ELSEWHERE;
use waterjar_models::ModelSpec;

/// Draft 7, because that is what editors of TOML know. Without references, so that a part of it can be read by itself.
pub fn schema() -> Value {
    let mut generator = SchemaSettings::draft07().with(|it| it.inline_subschemas = true).into_generator();
    let mut study = value(waterjar_engine::study::schema(&mut generator));
    let suites: Vec<Value> = waterjar_suites::all()
        .iter()
        .map(|it| named("kind", it.kind, it.about, value((it.settings)(&mut generator))))
        .collect();
    let subjects = subjects(&mut generator);
    put(&mut study, "suite", "items", json!({ "oneOf": suites }));
    put(&mut study, "subject", "items", json!({ "oneOf": subjects }));
    put(&mut study, "models", "additionalProperties", value(generator.subschema_for::<ModelSpec>()));
    let mut whole = Map::new();
    whole.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
    whole.insert("title".to_owned(), json!("A study of Waterjar"));
    whole.extend(study.as_object().cloned().unwrap_or_default());
    let mut whole = Value::Object(whole);
    tidy(&mut whole);
    whole
}

fn subjects(generator: &mut SchemaGenerator) -> Vec<Value> {
    let elsewhere = (ELSEWHERE, "another tool asks it, and `waterjar import` brings what it said", json!({}));
    let agents = waterjar_agents::all().iter().map(|it| (it.id, it.about, value((it.settings)(generator))));
    let subject = |(id, about, settings): (&str, &str, Value)| {
        let mut subject = named("agent", id, about, settings);
        let own = json!({
            "model": { "type": "string", "description": "Built in, or vendor/model, or one of [models]." },
            "name": { "type": "string", "description": "What results call it; agent@model when left out." },
            "suites": { "type": "array", "items": { "type": "string" }, "description": "The suites it answers, by name; all when left out." },
        });
        if let (Some(to), Value::Object(own)) = (subject["properties"].as_object_mut(), own) {
            to.extend(own);
        }
        if let Some(required) = subject["required"].as_array_mut() {
            required.push(json!("model"));
        }
        subject
    };
    agents.chain([elsewhere]).map(subject).collect()
}

/// One of several tables, told apart by the value of a key.
fn named(key: &str, name: &str, about: &str, mut table: Value) -> Value {
    table["title"] = json!(name);
    table["description"] = json!(about);
    table["type"] = json!("object");
    table["additionalProperties"] = json!(false);
    let mut properties = Map::new();
    properties.insert(key.to_owned(), json!({ "const": name }));
    let others = table["properties"].as_object().cloned().unwrap_or_default();
    properties.extend(others.into_iter().filter(|(other, _)| other != key));
    table["properties"] = Value::Object(properties);
    let mut required = vec![json!(key)];
    required.extend(table["required"].as_array().cloned().unwrap_or_default());
    table["required"] = Value::Array(required);
    table
}

fn put(study: &mut Value, key: &str, at: &str, schema: Value) {
    study["properties"][key][at] = schema;
}

fn value(schema: Schema) -> Value {
    schema.to_value()
}

/// TOML has no null, what is left out needs no default of nothing, and no editor asks in how many bits a number is kept.
fn tidy(schema: &mut Value) {
    let Value::Object(table) = schema else { return };
    table.remove("format");
    if table.get("default").is_some_and(Value::is_null) {
        table.remove("default");
    }
    if let Some(default) = table.get_mut("default") {
        shorten(default);
    }
    if let Some(Value::Array(kinds)) = table.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = kinds.as_slice() {
            let kind = kind.clone();
            table.insert("type".to_owned(), kind);
        }
    }
    if let Some(Value::Array(values)) = table.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(either)) = table.get_mut("anyOf") {
        either.retain(|it| it["type"] != "null");
        if let [Value::Object(only)] = either.as_slice() {
            let only = only.clone();
            table.remove("anyOf");
            only.into_iter().for_each(|(key, value)| {
                table.entry(key).or_insert(value);
            });
        }
    }
    for (key, inner) in table.iter_mut() {
        match (key.as_str(), inner) {
            ("properties", Value::Object(properties)) => properties.values_mut().for_each(tidy),
            ("items" | "additionalProperties", inner) => tidy(inner),
            ("oneOf" | "anyOf" | "allOf", Value::Array(several)) => several.iter_mut().for_each(tidy),
            _ => {}
        }
    }
}

/// `0.9` for what a short float makes of it.
fn shorten(default: &mut Value) {
    match default {
        Value::Number(number) if number.is_f64() => {
            if let Some(value) = number.as_f64() {
                *default = json!(waterjar_core::metric::rounded(value));
            }
        }
        Value::Object(table) => {
            // Nested settings that are left out have their own defaults.
            table.retain(|_, value| !value.is_null());
            table.values_mut().for_each(shorten);
        }
        _ => {}
    }
}
