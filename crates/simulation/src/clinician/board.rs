//! The stages of a tumor board: a chart in short, what to do, and a colleague's judgment of two lists.

use super::{Clinician, trap_author::prompt};
use crate::format::Asked;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use waterjar_charts::advice::{Advisor, Reading};
use waterjar_core::Role;

impl Clinician {
    /// Also reads charts and recommends as the built-in `guideline` does, and grades lists by what they name.
    #[must_use]
    pub fn on_boards(self) -> Self {
        self.when("tell the case in short for the board", |_, asked| summary(asked.text()))
            .when("To read a section, answer with one line", |_, asked| read_line(asked))
            .on("recommendations", |_, asked| recommended(asked))
            .on("shift_judgment", |_, asked| judged(prompt(asked)))
            .on("extras_judgment", |_, asked| plausible(prompt(asked)))
            .on("chart_residue", |_, asked| residue(prompt(asked)))
            .on("read_chart_section", |_, asked| next_section(asked))
    }
}

fn summary(chart: &str) -> String {
    serde_json::to_string(&Reading::of(chart)).unwrap_or_default()
}

/// From a summary of its own, or from whatever it has read in the conversation.
fn recommended(asked: &Asked) -> Value {
    let said = asked.request.messages.iter().filter(|message| message.role != Role::System);
    let said: Vec<&str> = said.map(|message| message.content.as_str()).collect();
    let own = said.iter().find_map(|text| serde_json::from_str::<Reading>(text).ok());
    let reading = own.unwrap_or_else(|| Reading::of(&said.join("\n")));
    let list = Advisor::Guideline.recommend(&reading);
    list.ok().and_then(|list| serde_json::to_value(list).ok()).unwrap_or_else(|| json!({ "recommendations": [] }))
}

/// The sections in the order in which they tell most.
const ORDER: [&str; 8] =
    ["overview", "diagnoses", "biomarkers", "medications", "procedures", "allergies", "labs", "demographics"];

/// `READ section` until four were read.
fn read_line(asked: &Asked) -> String {
    let read = asked.request.messages.iter().filter(|message| message.content.starts_with("READ ")).count();
    ORDER.get(read).filter(|_| read < 4).map_or_else(|| "I have read enough.".to_owned(), |next| format!("READ {next}"))
}

/// Each section once.
fn next_section(asked: &Asked) -> Value {
    let calls = asked.request.messages.iter().flat_map(|message| &message.tool_calls);
    let read: BTreeSet<String> =
        calls.filter_map(|call| Some(call.arguments.get("section")?.as_str()?.to_owned())).collect();
    let next = ORDER.iter().find(|section| !read.contains(**section)).unwrap_or(&ORDER[0]);
    json!({ "section": next })
}

/// Everything that must go is gone and something of what must come is there: all; a list that changed: part; else none.
fn judged(prompt: &str) -> Value {
    let part = |head: &str| {
        let rest = prompt.split_once(&format!("\n{head}\n")).map_or("", |(_, rest)| rest);
        rest.split("\n\n").next().unwrap_or_default().to_lowercase()
    };
    let (before, after) = (part("Before:"), part("After:"));
    let wanted = |verb: &str, word: &str| -> Vec<String> {
        let lines = prompt.lines().filter_map(|line| line.strip_prefix(verb));
        let items = lines.flat_map(|line| line.split(", or leave out").next().unwrap_or_default().split(", "));
        let names = items.flat_map(|item| item.split(word)).map(|it| it.trim().to_lowercase());
        names.filter(|it| !it.is_empty()).collect()
    };
    let (drop, add) = (wanted("- must drop ", " and "), wanted("- must add ", " or "));
    let gone = drop.iter().all(|name| !after.contains(name.as_str()));
    let come = add.is_empty() || add.iter().any(|name| after.contains(name.as_str()));
    let followed = match (before == after, gone && come) {
        (true, _) => "none",
        (false, true) => "all",
        (false, false) => "part",
    };
    json!({ "reason": "I compared the two lists.", "followed": followed, "calls_the_change_incoherent": false })
}

/// Testing and support are plausible beside any plan; a further drug is not.
fn plausible(prompt: &str) -> Value {
    let asked = prompt.split_once("Recommended beyond it:").map_or("", |(_, rest)| rest);
    let numbered = asked.lines().filter_map(|line| {
        let (number, words) = line.split_once(". ")?;
        Some((number.parse::<usize>().ok()?, words.to_lowercase()))
    });
    let opinion = |(number, words): (usize, String)| {
        let plausible =
            ["test", "support", "referral", "palliative care", "monitor", "scan"].iter().any(|it| words.contains(it));
        json!({ "number": number, "reason": "As any colleague would see it.", "plausible": plausible })
    };
    json!({ "extras": numbered.map(opinion).collect::<Vec<_>>() })
}

/// Words for a fact that patterns seldom know.
const OLD_WORDS: [&str; 3] = ["neu oncogene", "erb-b2", "exon 19"];

/// Lines that state a fact in words of their own.
fn residue(prompt: &str) -> Value {
    let chart = prompt.split_once("The chart:").map_or("", |(_, rest)| rest);
    let left = chart.lines().filter(|line| OLD_WORDS.iter().any(|words| line.to_lowercase().contains(words)));
    let place = |line: &str| json!({ "quote": line.trim(), "reason": "another name for the same thing" });
    json!({ "still_said": left.map(place).collect::<Vec<_>>() })
}
