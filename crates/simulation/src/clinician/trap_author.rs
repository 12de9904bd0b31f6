//! The stages of a model that writes trap pairs and votes on them, answered from the prompts alone.

use super::Clinician;
use crate::format::Asked;
use serde_json::{Value, json};
use waterjar_core::Role;

impl Clinician {
    /// Also writes trap pairs, by the book: nothing lost, nothing added, one sentence changed.
    #[must_use]
    pub fn writing_traps(self) -> Self {
        self.on("narration", |_, asked| json!({ "text": statements(prompt(asked)).join(" ") }))
            .on("coverage", |_, asked| {
                let quotes = statements(prompt(asked)).into_iter().zip(1..);
                let covered: Vec<Value> =
                    quotes.map(|(quote, number)| json!({ "number": number, "quote": quote })).collect();
                json!({ "statements": covered, "added": [] })
            })
            .on("telling_feature", |_, asked| telling(prompt(asked)))
            .on("stand_in", |_, asked| {
                let (id, words) = listed(prompt(asked)).into_iter().next().unwrap_or_default();
                json!({ "finding": id, "information": words })
            })
            .on("rewrite", |_, asked| rewrite(prompt(asked)))
            .accepting(1.0)
    }

    /// Votes yes on this share of the pairs, by lot over the pair: all members of a committee vote alike.
    #[must_use]
    pub fn accepting(self, share: f64) -> Self {
        self.on("vote", move |clinician, asked| {
            let lot = clinician.seed().rank("vote", prompt(asked)) as f64 / i64::MAX as f64;
            let (correct, reason) = if lot < share { ("yes", "It fits.") } else { ("no", "It does not fit.") };
            json!({ "correct": correct, "plausibility": 8, "fluency": 8, "reason": reason })
        })
    }
}

/// The first thing the user said: what follows quotes it back when something is asked again.
pub(super) fn prompt(asked: &Asked) -> &str {
    let said = asked.request.messages.iter().find(|message| message.role == Role::User);
    said.map_or("", |message| message.content.as_str())
}

/// `1. I have a cough.`
fn statements(prompt: &str) -> Vec<String> {
    let numbered = prompt.lines().filter_map(|line| {
        let (number, words) = line.split_once(". ")?;
        number.parse::<u32>().ok().map(|_| words.trim().to_owned())
    });
    numbered.collect()
}

/// `- cough: I have a cough.`
fn listed(text: &str) -> Vec<(String, String)> {
    let items = text.lines().filter_map(|line| line.strip_prefix("- ")?.split_once(": "));
    items.map(|(id, words)| (id.to_owned(), words.trim().to_owned())).collect()
}

fn story(prompt: &str) -> &str {
    prompt.rsplit_once("Story:\n").map_or("", |(_, story)| story.trim())
}

/// What stands in “quotation marks”, in order.
fn quoted(prompt: &str) -> Vec<&str> {
    prompt.split('“').skip(1).filter_map(|part| part.split('”').next()).collect()
}

/// The first finding of the first list that the second lacks and the story tells.
fn telling(prompt: &str) -> Value {
    let mut lists = prompt.split("\nFindings of ").skip(1);
    let (own, rival) = (lists.next().unwrap_or_default(), lists.next().unwrap_or_default());
    let rival = listed(rival);
    let mut telling = listed(own)
        .into_iter()
        .filter(|(id, words)| rival.iter().all(|(other, _)| other != id) && story(prompt).contains(words.as_str()));
    let (id, words) = telling.next().unwrap_or_default();
    json!({ "finding": id, "phrase": words.trim_end_matches('.') })
}

fn rewrite(prompt: &str) -> Value {
    let quotes = quoted(prompt);
    let (phrase, information) = (quotes.first().copied().unwrap_or("?"), quotes.get(1).copied().unwrap_or("?"));
    let text = story(prompt).replacen(&format!("{phrase}."), information, 1);
    json!({ "text": text })
}
