//! AgentClinic: an OSCE station as nested JSON, told as a story. Keys vary from case to case, so every one is told.

use super::{Row, phrases};
use crate::{Span, Vignette};
use serde_json::Value;

pub(super) fn vignette(value: Value, line: u64, max_spans: Option<usize>) -> Row {
    let station = value.get("OSCE_Examination").ok_or("has no `OSCE_Examination`: is this an AgentClinic file?")?;
    let diagnosis = station.get("Correct_Diagnosis").and_then(Value::as_str);
    let diagnosis = diagnosis.ok_or("has no `Correct_Diagnosis`: add it or take the row out")?;
    // Some cases name the actor, others the patient.
    let actor = station.get("Patient_Actor").ok_or("has no `Patient_Actor`: add it or take the row out")?;
    let mut story = Story::default();
    if let Some(who) = actor.get("Demographics") {
        story.tell("", who);
    }
    for (key, told) in actor.as_object().into_iter().flatten().filter(|(key, _)| *key != "Demographics") {
        story.tell(if key == "History" { "" } else { key }, told);
    }
    for (key, told) in station.as_object().into_iter().flatten() {
        if !matches!(key.as_str(), "Objective_for_Doctor" | "Patient_Actor" | "Correct_Diagnosis") {
            story.tell(key, told);
        }
    }
    if story.text.is_empty() {
        return Err("tells nothing of the patient: fill `Patient_Actor` in or take the row out".to_owned());
    }
    Ok(Vignette {
        id: format!("agentclinic-{line}"),
        text: story.text,
        question: "What is the most likely diagnosis?".to_owned(),
        options: Vec::new(),
        answer: Some(diagnosis.to_owned()),
        spans: phrases::at_most(story.spans, max_spans),
    })
}

#[derive(Default)]
struct Story {
    text: String,
    spans: Vec<Span>,
}

impl Story {
    /// One line for each part; the symptoms themselves are the critical spans.
    fn tell(&mut self, key: &str, told: &Value) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        if !key.is_empty() {
            self.text.push_str(&format!("{}: ", words(key)));
        }
        self.value(told, key == "Symptoms");
        if !self.text.ends_with(['.', '?', '!']) {
            self.text.push('.');
        }
    }

    fn value(&mut self, told: &Value, critical: bool) {
        match told {
            Value::String(text) => self.phrase(text, critical),
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.part(at > 0, ", ");
                    self.value(item, critical);
                }
            }
            Value::Object(map) => {
                for (at, (key, item)) in map.iter().enumerate() {
                    self.part(at > 0, "; ");
                    self.text.push_str(&format!("{}: ", words(key)));
                    self.value(item, critical);
                }
            }
            other => self.phrase(&other.to_string(), critical),
        }
    }

    fn part(&mut self, needed: bool, separator: &str) {
        if needed {
            let kept = self.text.trim_end_matches('.').len();
            self.text.truncate(kept.max(self.spans.last().map_or(0, |span| span.end)));
            self.text.push_str(separator);
        }
    }

    fn phrase(&mut self, text: &str, critical: bool) {
        let text = text.trim();
        let start = self.text.len();
        self.text.push_str(text);
        let end = start + text.trim_end_matches('.').len();
        if critical && start < end {
            self.spans.push(Span { start, end });
        }
    }
}

/// `Past_Medical_History` → `Past medical history`
fn words(key: &str) -> String {
    let mut parts = key.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let is_abbreviation =
            part.len() > 1 && part.chars().all(|letter| letter.is_uppercase() || letter.is_ascii_digit());
        format!("{text} {}", if is_abbreviation { part.to_owned() } else { part.to_lowercase() })
    })
}
