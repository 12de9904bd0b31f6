//! An answer that is handed over in JSON, in a box or between tags → what it says.

use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt::Write;
use waterjar_structured::{values, without_thinking};

/// Under these the diagnosis stands, in the order of preference.
const DIAGNOSIS: [&str; 18] = [
    "final_diagnosis",
    "primary_diagnosis",
    "most_likely_diagnosis",
    "most_probable_diagnosis",
    "leading_diagnosis",
    "top_diagnosis",
    "likely_diagnosis",
    "working_diagnosis",
    "predicted_diagnosis",
    "most_likely",
    "diagnosis",
    "dx",
    "final_answer",
    "answer",
    "condition",
    "disease",
    "prediction",
    "response",
];
/// Under these several, the likeliest first.
const DIAGNOSES: [&str; 10] = [
    "diagnoses",
    "top_diagnoses",
    "possible_diagnoses",
    "differential",
    "differential_diagnosis",
    "differential_diagnoses",
    "ranking",
    "predictions",
    "ranked_diagnoses",
    "differentials",
];
const CONFIDENCE: [&str; 3] = ["confidence", "probability", "likelihood"];
const TAGS: [&str; 5] = ["final_diagnosis", "diagnosis", "final_answer", "answer", "result"];

/// Without what a model only thought. The text itself where it is none of these, or where its JSON has no field that is known.
pub(crate) fn unwrapped(text: &str) -> Cow<'_, str> {
    match without_thinking(text) {
        Cow::Borrowed(said) => opened(said),
        Cow::Owned(said) => Cow::Owned(opened(&said).into_owned()),
    }
}

fn opened(text: &str) -> Cow<'_, str> {
    // What some models end their turns with.
    let text = ["</s>", "<|im_end|>", "<|eot_id|>", "<end_of_turn>"]
        .iter()
        .fold(text.trim(), |text, it| text.trim_end_matches(it).trim_end());
    let inside = tagged(text).unwrap_or(text);
    match of_json(inside).or_else(|| boxed(inside)) {
        Some(said) => Cow::Owned(said),
        None => Cow::Borrowed(inside),
    }
}

/// `$\boxed{\text{Gout}}$`: the last one.
fn boxed(text: &str) -> Option<String> {
    let open = "\\boxed{";
    let inside = &text[text.rfind(open)? + open.len()..];
    let mut depth = 1;
    let close = inside.char_indices().find(|(_, c)| {
        depth += i32::from(*c == '{') - i32::from(*c == '}');
        depth == 0
    });
    let inside = &inside[..close?.0];
    let words = ["\\textbf{", "\\text{", "\\mathrm{"].iter().fold(inside.to_owned(), |words, it| words.replace(it, ""));
    Some(format!("Final answer: {}", words.replace(['{', '}', '$'], "")))
}

/// What stands between the last pair of tags of a kind: `<answer>Gout</answer>`.
fn tagged(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let inside = |tag: &&str| {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        let end = lower.rfind(&close)?;
        let start = lower[..end].rfind(&open)? + open.len();
        Some(text[start..end].trim()).filter(|it| it.contains(char::is_alphanumeric))
    };
    TAGS.iter().find_map(inside)
}

/// `{"diagnosis": "Gout", "confidence": 0.8}`, as a whole, in a fence or after prose; of several the last that says something.
fn of_json(text: &str) -> Option<String> {
    let bare = text.trim();
    if !bare.contains(['{', '[', '｛', '［']) {
        return None;
    }
    let fenced = bare.strip_prefix("```").and_then(|it| it.strip_suffix("```"));
    let bare = fenced.map_or(bare, |it| it.trim_start_matches("json").trim());
    match serde_json::from_str(bare) {
        Ok(Value::Object(fields)) => of_object(&fields),
        Ok(Value::Array(items)) if !items.is_empty() => of_list(&items),
        Ok(_) => None,
        // `[1]` in a sentence is no list of diagnoses.
        Err(_) => values(text).into_iter().rev().find_map(|value| match value {
            Value::Object(fields) => of_object(&fields),
            Value::Array(items) if items.first().is_some_and(Value::is_object) => of_list(&items),
            _ => None,
        }),
    }
}

fn of_object(fields: &Map<String, Value>) -> Option<String> {
    // `{"result": {"diagnosis": "Gout"}}`
    if let (1, Some(Value::Object(inner))) = (fields.len(), fields.values().next()) {
        return of_object(inner).or_else(|| of_fields(fields));
    }
    of_fields(fields)
}

fn of_fields(fields: &Map<String, Value>) -> Option<String> {
    let list = field(fields, &DIAGNOSES).and_then(Value::as_array).and_then(|it| of_list(it));
    let one = match field(fields, &DIAGNOSIS) {
        Some(Value::String(name)) => Some(graded(name, fields)),
        Some(Value::Object(inner)) => named(inner),
        Some(Value::Array(items)) => return of_list(items),
        // A field without a value says nothing.
        Some(Value::Null) if list.is_none() => return Some(String::new()),
        _ => None,
    };
    match (one, list) {
        (Some(one), Some(list)) => Some(format!("Final diagnosis: {one}\n\nAlso considered:\n{list}")),
        // A list of one has its confidence.
        (Some(one), None) if field(fields, &CONFIDENCE).is_some_and(Value::is_number) => Some(format!("1. {one}")),
        (Some(one), None) => Some(format!("Final diagnosis: {one}")),
        // What a gateway says in a model's place.
        (None, None) if fields.contains_key("error") => Some(String::new()),
        (None, list) => list,
    }
}

/// Each on a numbered line; nothing where one has no name.
fn of_list(items: &[Value]) -> Option<String> {
    let mut lines = String::new();
    for (item, number) in items.iter().zip(1..) {
        let words = match item {
            Value::String(name) => one_line(name),
            Value::Object(fields) => named(fields)?,
            _ => return None,
        };
        writeln!(lines, "{number}. {words}").expect("writing to a String cannot fail");
    }
    Some(lines)
}

fn named(fields: &Map<String, Value>) -> Option<String> {
    let names: Vec<&str> = DIAGNOSIS.into_iter().chain(["name"]).collect();
    field(fields, &names)?.as_str().map(|name| graded(name, fields))
}

/// The name with its confidence.
fn graded(name: &str, fields: &Map<String, Value>) -> String {
    let name = one_line(name);
    match field(fields, &CONFIDENCE) {
        Some(Value::Number(number)) => match number.as_f64() {
            Some(share) if (0.0..=1.0).contains(&share) => format!("{name} ({share:?})"),
            Some(percent) => format!("{name} ({percent}%)"),
            None => name,
        },
        Some(Value::String(share)) => format!("{name} ({})", one_line(share)),
        _ => name,
    }
}

/// The first of these keys that is there, however it is spelt: `Final Diagnosis`, `finalDiagnosis`.
fn field<'a>(fields: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a Value> {
    let spelt = |key: &str| key.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    keys.iter().find_map(|key| fields.iter().find(|(known, _)| spelt(known) == spelt(key)).map(|(_, value)| value))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
