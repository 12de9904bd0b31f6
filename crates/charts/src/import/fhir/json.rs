//! Small readings of FHIR's data types. What is not there is an empty string.

use serde_json::Value;

/// The string at a path of keys; numbers in the path pick from lists.
pub(super) fn string<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// What a codeable concept says: its text, else the name of a code, else the code.
pub(super) fn concept(value: Option<&Value>) -> String {
    let Some(value) = value else { return String::new() };
    let coded =
        |key: &'static str| list(value, "coding").map(|coding| string(coding, key)).find(|text| !text.is_empty());
    let text = [string(value, "/text")].into_iter().find(|text| !text.is_empty());
    text.or_else(|| coded("/display")).or_else(|| coded("/code")).unwrap_or_default().to_owned()
}

/// The concepts of a list, joined.
pub(super) fn concepts(value: &Value, key: &str) -> String {
    joined(list(value, key).map(|each| concept(Some(each))))
}

pub(super) fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// The first date among these keys: `onset` stands for onsetDateTime and onsetPeriod.
pub(super) fn date<'a>(resource: &'a Value, names: &[&str]) -> &'a str {
    let of_name = |name: &&str| {
        let tries =
            [format!("/{name}"), format!("/{name}DateTime"), format!("/{name}Period/start"), format!("/{name}/start")];
        tries.iter().map(|pointer| string(resource, pointer)).find(|text| !text.is_empty())
    };
    names.iter().find_map(of_name).unwrap_or_default()
}

/// A number as a clinician would write it: three places behind the point are enough for any value in a chart.
pub(super) fn number(value: &Value) -> String {
    let Some(number) = value.as_f64() else { return String::new() };
    let text = value.to_string();
    let places = text.split_once('.').map_or(0, |(_, places)| places.len());
    if places <= 3 {
        return text.strip_suffix(".0").unwrap_or(&text).to_owned();
    }
    let rounded = if number.abs() < 0.01 { format!("{number:.5}") } else { format!("{number:.3}") };
    rounded.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `7.2 g/dL`, `< 5 mmol/L`
pub(super) fn quantity(value: &Value) -> String {
    let amount = value.get("value").map(number).unwrap_or_default();
    let unit = [string(value, "/unit"), string(value, "/code")].into_iter().find(|unit| !unit.is_empty());
    let parts = [string(value, "/comparator").to_owned(), amount, unit.unwrap_or_default().to_owned()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The last part of a reference: `urn:uuid:9a…`, `Patient/9a…` and `https://…/Patient/9a…` all name `9a…`.
pub(super) fn reference_id(reference: &str) -> &str {
    let reference = reference.split("/_history/").next().unwrap_or_default();
    reference.rsplit(['/', ':']).next().unwrap_or_default()
}

/// `main; detail; detail`, leaving out what is empty.
pub(super) fn sentence(main: &str, details: &[(&str, &str)]) -> String {
    let mut text = main.to_owned();
    for (before, detail) in details {
        if !detail.is_empty() {
            text.push_str("; ");
            text.push_str(before);
            text.push_str(detail);
        }
    }
    text
}

pub(super) fn notes(resource: &Value) -> String {
    joined(list(resource, "note").map(|note| string(note, "/text").to_owned()))
}
