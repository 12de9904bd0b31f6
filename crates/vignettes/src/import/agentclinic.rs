//! AgentClinic: an OSCE station as nested JSON, told as a story. Keys vary from case to case, so every one is told.

use super::{Row, phrases};
use crate::{Span, Vignette};
use indexmap::IndexMap;
use serde::Deserialize;
use waterjar_exchange::table::json_problem;

#[derive(Deserialize)]
struct Case {
    #[serde(rename = "OSCE_Examination")]
    station: IndexMap<String, Told>,
}

/// In the order of the file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Told {
    Text(String),
    List(Vec<Told>),
    Parts(IndexMap<String, Told>),
    Other(serde_json::Value),
}

pub(super) fn vignette(json: &str, line: u64, max_spans: Option<usize>) -> Row {
    let case: Case = serde_json::from_str(json)
        .map_err(|error| format!("is no AgentClinic case ({}): it needs OSCE_Examination", json_problem(&error)))?;
    let Some(Told::Text(diagnosis)) = case.station.get("Correct_Diagnosis") else {
        return Err("has no `Correct_Diagnosis`: add it or take the row out".to_owned());
    };
    let Some(Told::Parts(actor)) = case.station.get("Patient_Actor") else {
        return Err("has no `Patient_Actor`: add it or take the row out".to_owned());
    };
    let mut story = Story::default();
    for (key, told) in actor {
        let untitled = matches!(key.as_str(), "Demographics" | "History");
        story.tell(if untitled { "" } else { key }, told);
    }
    for (key, told) in &case.station {
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
        answer: Some(diagnosis.clone()),
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
    fn tell(&mut self, key: &str, told: &Told) {
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

    fn value(&mut self, told: &Told, critical: bool) {
        match told {
            Told::Text(text) => self.phrase(text, critical),
            Told::List(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.part(at > 0, ", ");
                    self.value(item, critical);
                }
            }
            Told::Parts(map) => {
                for (at, (key, item)) in map.iter().enumerate() {
                    self.part(at > 0, "; ");
                    self.text.push_str(&format!("{}: ", words(key)));
                    self.value(item, critical);
                }
            }
            Told::Other(other) => self.phrase(&other.to_string(), critical),
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
        if critical && self.text[start..end].contains(char::is_alphanumeric) {
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
