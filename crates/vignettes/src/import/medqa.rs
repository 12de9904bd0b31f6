//! MedQA as JSON lines: `{question, options {A..}, answer, answer_idx, metamap_phrases?}`.

use super::{Row, answer_among, phrases, question};
use crate::{Choice, Vignette, tagged};
use indexmap::IndexMap;
use serde::Deserialize;
use waterjar_exchange::table::json_problem;

#[derive(Deserialize)]
struct Item {
    question: String,
    #[serde(default)]
    options: IndexMap<String, String>,
    answer: Option<String>,
    answer_idx: Option<String>,
    #[serde(default)]
    metamap_phrases: Vec<String>,
    id: Option<serde_json::Value>,
    /// MedQA has none; mediQ has its story here.
    context: Option<serde_json::Value>,
}

pub(super) fn vignette(json: &str, line: u64, max_spans: Option<usize>) -> Row {
    let item: Item = serde_json::from_str(json).map_err(|error| {
        format!("is no MedQA item ({}): it needs question, options and answer_idx", json_problem(&error))
    })?;
    if item.context.as_ref().is_some_and(serde_json::Value::is_array) {
        return Err("looks like mediQ, with its story in `context`: import it as mediq".to_owned());
    }
    let options: Vec<Choice> = item.options.into_iter().map(|(label, text)| Choice { label, text }).collect();
    let answer = match (item.answer_idx.or(item.answer), options.is_empty()) {
        (Some(answer), false) => Some(answer_among(&options, &answer)?),
        (answer, _) => answer,
    };
    let (story, asked) = question::split(&item.question);
    let (text, mut spans) = tagged::unmark_words(&story).map_err(|error| error.to_string())?;
    if text.is_empty() {
        return Err("`question` is empty: fill it in or take the row out".to_owned());
    }
    if question::is_all(&text) {
        return Err("`question` asks and tells no story: put the story before it, or take the row out".to_owned());
    }
    if spans.is_empty() {
        let told: Vec<&str> =
            item.metamap_phrases.iter().map(String::as_str).filter(|phrase| !phrases::says_little(phrase)).collect();
        spans = phrases::without_introduction(&text, phrases::locate(&text, &told).0);
    }
    let id = item.id.map_or_else(|| format!("medqa-{line}"), |id| id.to_string().trim_matches('"').to_owned());
    Ok(Vignette { id, text, question: asked, options, answer, spans: phrases::at_most(spans, max_spans) })
}
