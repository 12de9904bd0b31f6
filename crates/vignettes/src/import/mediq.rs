//! mediQ: `{id, question, context [sentences], options {A..}, answer_idx, facts ["1. …"]}`. Facts become spans where the story tells them.

use super::{Row, answer_among, phrases};
use crate::{Choice, Span, Vignette};
use indexmap::IndexMap;
use serde::Deserialize;
use waterjar_exchange::table::json_problem;

#[derive(Deserialize)]
struct Item {
    id: serde_json::Value,
    question: String,
    context: Vec<String>,
    #[serde(default)]
    options: IndexMap<String, String>,
    answer: Option<String>,
    answer_idx: Option<String>,
    #[serde(default)]
    facts: Vec<String>,
}

pub(super) fn vignette(line: &str, max_spans: Option<usize>) -> Row {
    let item: Item = serde_json::from_str(line).map_err(|error| {
        format!("is no mediQ item ({}): it needs id, question, context and options", json_problem(&error))
    })?;
    let options: Vec<Choice> = item.options.into_iter().map(|(label, text)| Choice { label, text }).collect();
    let answer = item.answer_idx.or(item.answer).map(|answer| answer_among(&options, &answer)).transpose()?;
    // Where a story is one sentence, the release has it in the question.
    let (text, question) = match joined(&item.context) {
        text if text.is_empty() => (item.question, String::new()),
        text => (text, item.question),
    };
    if text.trim().is_empty() {
        return Err("`context` and `question` are empty: fill them in or take the row out".to_owned());
    }
    let words = phrases::Words::new(&text);
    let mut spans: Vec<Span> = Vec::new();
    for fact in &item.facts {
        let fact = fact.trim_start_matches(|letter: char| letter.is_ascii_digit()).trim_start_matches(". ");
        if let Some(span) = phrases::locate_fact(&text, &words, fact)
            && spans.iter().all(|other| span.end <= other.start || other.end <= span.start)
        {
            spans.push(span);
        }
    }
    spans.sort();
    let spans = phrases::without_introduction(&text, spans);
    let id = format!("mediq-{}", item.id.to_string().trim_matches('"'));
    Ok(Vignette { id, text, question, options, answer, spans: phrases::at_most(spans, max_spans) })
}

/// Some sentences come without their full stop.
fn joined(sentences: &[String]) -> String {
    let mut text = String::new();
    for sentence in sentences.iter().map(|sentence| sentence.trim()).filter(|sentence| !sentence.is_empty()) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(sentence);
        if !sentence.ends_with(['.', '?', '!', ':', ';']) {
            text.push('.');
        }
    }
    text
}
