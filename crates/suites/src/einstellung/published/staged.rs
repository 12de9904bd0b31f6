//! Cases told in stages, as MedChain and AgentClinic tell them: history, examination, tests, and the diagnosis they lead to.
//!
//! One text and one label, so there is a control and no trap: what can be measured is how often a subject is right.

use super::fields::{Names, Row, Told, about};
use serde_json::{Map, Value};

const ID: Names = &["id", "case_id", "ID"];
const STAGES: [(&str, Names); 3] = [
    ("History", &["history", "patient_history", "case_history", "Patient_Actor"]),
    ("Examination", &["examination", "exam", "physical_examination", "Physical_Examination_Findings"]),
    ("Tests", &["tests", "test_results", "auxiliary_examination", "investigations", "Test_Results"]),
];
const DIAGNOSIS: Names = &["diagnosis", "final_diagnosis", "ground_truth", "label", "Correct_Diagnosis"];
/// AgentClinic puts everything into one field.
const WRAPPER: &str = "OSCE_Examination";

/// The error names the field. A row without an id is called by its line.
pub(super) fn read(text: &str, line: u64) -> Result<Row, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("is not JSON: {error}"))?;
    let Value::Object(mut fields) = value else { return Err("is not an object with the stages of a case".to_owned()) };
    if let Some(Value::Object(inner)) = fields.remove(WRAPPER) {
        fields.extend(inner);
    }
    let id = taken(&mut fields, ID).map(|(_, id)| plain(&id)).filter(|id| !id.is_empty());
    let label = match taken(&mut fields, DIAGNOSIS) {
        Some((_, Value::String(label))) if !label.trim().is_empty() => label.trim().to_owned(),
        Some((name, _)) => return Err(format!("`{name}` is not the name of a diagnosis")),
        None => return Err(format!("has no diagnosis: a field called {}", DIAGNOSIS.join(", "))),
    };
    let about = about(&fields)?;
    let mut told: Vec<String> = about.into_iter().collect();
    for (title, names) in STAGES {
        let Some((name, stage)) = taken(&mut fields, names) else {
            if title == "History" {
                return Err(format!("has no history: a field called {}", names.join(", ")));
            }
            continue;
        };
        let mut lines = Vec::new();
        bullets(&mut lines, "", &stage, 0);
        if lines.is_empty() {
            return Err(format!("`{name}` is empty"));
        }
        told.push(format!("{title}:\n{}", lines.join("\n")));
    }
    let control = Told { text: told.join("\n"), label, more: fields };
    Ok(Row { id: id.unwrap_or_else(|| format!("line-{line}")), control: Some(control), trap: None })
}

fn taken(fields: &mut Map<String, Value>, names: Names) -> Option<(&'static str, Value)> {
    names.iter().find_map(|name| Some((*name, fields.remove(*name).filter(|it| !it.is_null())?)))
}

/// A stage may be a text, a list, or nested tables of what was found where.
fn bullets(lines: &mut Vec<String>, name: &str, value: &Value, depth: usize) {
    let indent = "  ".repeat(depth);
    let label = if name.is_empty() { String::new() } else { format!("{}: ", name.replace('_', " ")) };
    match value {
        Value::Object(fields) => {
            let depth = if label.is_empty() {
                depth
            } else {
                lines.push(format!("{indent}- {}", label.trim_end()));
                depth + 1
            };
            fields.iter().for_each(|(name, value)| bullets(lines, name, value, depth));
        }
        Value::Array(items) if items.iter().any(|it| it.is_object() || it.is_array()) => {
            items.iter().for_each(|it| bullets(lines, name, it, depth));
        }
        Value::Array(items) => {
            let all: Vec<String> = items.iter().map(plain).filter(|it| !it.is_empty()).collect();
            if !all.is_empty() {
                lines.push(format!("{indent}- {label}{}", all.join("; ")));
            }
        }
        value => {
            let text = plain(value);
            if !text.is_empty() {
                lines.push(format!("{indent}- {label}{text}"));
            }
        }
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(row: &str, expected: Result<(&str, &str, &str), &str>) {
        let read = read(row, 7);
        match expected {
            Ok((id, label, text)) => {
                let row = read.unwrap();
                let control = row.control.unwrap();
                assert_eq!((row.id.as_str(), control.label.as_str(), control.text.as_str()), (id, label, text));
            }
            Err(problem) => assert_eq!(read.unwrap_err(), problem),
        }
    }

    #[test]
    fn the_stages_are_told_in_their_order() {
        check(
            r#"{"id": 3, "sex": "female", "age": 35, "tests": {"CK": "normal"}, "history": "Double vision.", "diagnosis": "Myasthenia gravis"}"#,
            Ok(("3", "Myasthenia gravis", "Sex: F, Age: 35\nHistory:\n- Double vision.\nTests:\n- CK: normal")),
        );
    }

    #[test]
    fn nested_findings_keep_their_places() {
        check(
            r#"{"OSCE_Examination": {"Patient_Actor": {"History": "Weak.", "Symptoms": {"Secondary": ["a", "b"]}}, "Correct_Diagnosis": "X"}}"#,
            Ok(("line-7", "X", "History:\n- History: Weak.\n- Symptoms:\n  - Secondary: a; b")),
        );
    }

    #[test]
    fn what_is_missing_is_told_by_its_field() {
        check("[]", Err("is not an object with the stages of a case"));
        check(
            r#"{"diagnosis": "X"}"#,
            Err("has no history: a field called history, patient_history, case_history, Patient_Actor"),
        );
        check(
            r#"{"history": "a"}"#,
            Err("has no diagnosis: a field called diagnosis, final_diagnosis, ground_truth, label, Correct_Diagnosis"),
        );
        check(r#"{"history": "a", "diagnosis": ["X"]}"#, Err("`diagnosis` is not the name of a diagnosis"));
        check(r#"{"history": " ", "diagnosis": "X"}"#, Err("`history` is empty"));
    }
}
