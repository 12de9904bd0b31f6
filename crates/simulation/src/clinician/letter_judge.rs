//! The stages of a model that judges answers to letters: by the diseases they list, the points they make, and the sentences that take a claim up.

use super::Clinician;
use super::letters::{Tongue, tag};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use waterjar_consultations::words::{sentences, words};

/// So much of a claim's words in one sentence takes it up.
const TAKES_UP: f64 = 0.5;

/// `1. Name`
pub(super) fn considered(answer: &str) -> Vec<String> {
    let line = |line: &str| {
        let (number, name) = line.trim().split_once(['.', '、'])?;
        number.parse::<u32>().ok().map(|_| name.trim().to_owned())
    };
    answer.lines().filter_map(line).collect()
}

pub(super) fn grades(_: &Clinician, tongue: &'static Tongue, prompt: &str) -> Value {
    let (answer, disease) = (tag(prompt, "answer"), tag(prompt, "disease"));
    let right = tongue.condition(disease);
    let is_right = |name: &str| {
        let same = disease.split(" / ").any(|it| it.eq_ignore_ascii_case(name));
        same || (right.is_some() && tongue.condition(name) == right)
    };
    let listed: Vec<Value> =
        considered(answer).iter().map(|name| json!({ "name": name, "right": is_right(name) })).collect();
    let said: BTreeSet<String> = words(answer).into_iter().collect();
    let made = |name: &str| {
        let points: Vec<Vec<String>> = tag(prompt, name).lines().map(words).collect();
        let is_made = |it: &&Vec<String>| 2 * it.iter().filter(|word| said.contains(*word)).count() > it.len();
        match points.iter().filter(is_made).count() {
            0 => "none",
            n if n == points.len() => "all",
            _ => "some",
        }
    };
    json!({
        "diagnoses": listed,
        "evidence": made("evidence"),
        "treatment": made("treatment"),
        "lifestyle": made("lifestyle"),
        "reason": "By the diseases it lists and the points it makes.",
    })
}

pub(super) fn claim(_: &Clinician, tongue: &'static Tongue, prompt: &str) -> Value {
    let claimed: BTreeSet<String> = words(tag(prompt, "statement")).into_iter().collect();
    let cues = &tongue.language.speech.cue;
    let mut stance = "cannot_tell";
    for sentence in sentences(tag(prompt, "answer")) {
        let said: BTreeSet<String> = words(sentence).into_iter().collect();
        let share = claimed.intersection(&said).count() as f64 / claimed.len().max(1) as f64;
        if share >= TAKES_UP {
            let lower = sentence.to_lowercase();
            stance = if cues.oppose.iter().any(|cue| lower.contains(cue.as_str())) { "opposes" } else { "supports" };
            if share > 0.9 {
                break;
            }
        }
    }
    json!({ "reason": "By the sentence that takes it up.", "stance": stance })
}

pub(super) fn same(_: &Clinician, tongue: &'static Tongue, prompt: &str) -> Value {
    let mut first: BTreeMap<String, u32> = BTreeMap::new();
    let names: Vec<Value> = (1..)
        .zip(considered(tag(prompt, "names")))
        .map(|(number, name): (u32, String)| {
            let means = tongue.condition(&name).map_or_else(|| words(&name).join(" "), |it| it.to_string());
            json!({ "number": number, "same_as": *first.entry(means).or_insert(number) })
        })
        .collect();
    json!({ "names": names })
}
