//! Evidence of the release → finding of the base.

use super::kind::kind_and_family;
use super::release::{DataType, Release, WrittenEvidence};
use super::reviewed;
use super::statement::statement;
use crate::{AgeRange, Detail, Finding};
use indexmap::IndexMap;
use std::collections::{HashMap, HashSet};
use waterjar_core::FindingId;

/// All evidences, with sentences that no two share, so that a told patient reads back exactly.
pub(super) fn findings(release: &Release) -> Vec<Finding> {
    let gravity = gravities(release);
    let mut said = HashSet::new();
    release
        .evidences
        .iter()
        .map(|(code, evidence)| {
            let mut found = finding(release, code, evidence, gravity.get(code.as_str()).copied());
            for sentence in [Some(&mut found.present), found.denied.as_mut()].into_iter().flatten() {
                if !said.insert(sentence.clone()) {
                    *sentence = told_apart(sentence, code);
                    said.insert(sentence.clone());
                }
            }
            found
        })
        .collect()
}

/// The values of an evidence, id → English text of the source, in the file's order; empty for a binary one.
pub(super) fn values(evidence: &WrittenEvidence) -> IndexMap<String, String> {
    if evidence.data_type == DataType::B {
        return IndexMap::new();
    }
    let named = evidence.possible_values.iter().map(plain);
    let mut values: IndexMap<String, String> = named
        .map(|id| {
            let text = evidence.value_meaning.get(&id).map_or(&id, |meaning| &meaning.en);
            (id.clone(), text.clone())
        })
        .collect();
    for (id, meaning) in &evidence.value_meaning {
        values.entry(id.clone()).or_insert_with(|| meaning.en.clone());
    }
    values
}

/// A value the source writes for "there is nothing to say": it is left out of the facts. `N` and 0 are answers.
pub(super) fn says_nothing(evidence: &WrittenEvidence, id: &str, text: &str) -> bool {
    plain(&evidence.default_value) == id && ["NA", "N/A", "nowhere", ""].contains(&text)
}

fn finding(release: &Release, code: &str, evidence: &WrittenEvidence, gravity: Option<u8>) -> Finding {
    let parent = (evidence.code_question != code && release.evidences.contains_key(&evidence.code_question))
        .then(|| FindingId::new(evidence.code_question.clone()));
    let detail = detail(evidence);
    let id = FindingId::new(code);
    if let Some(extra) = evidence.waterjar.clone() {
        return Finding {
            id,
            kind: extra.kind,
            family: extra.family,
            gravity: extra.gravity,
            background: extra.background,
            present: extra.present,
            denied: extra.denied,
            parent,
            sex: extra.sex,
            age: extra.age,
            detail,
        };
    }
    let question = evidence.question_en.as_str();
    let row = reviewed::row(question);
    let (kind, family) =
        row.and_then(|row| row.kind_and_family()).unwrap_or_else(|| kind_and_family(question, evidence.is_antecedent));
    let (present, denied) = sentences(question, &detail);
    Finding {
        id,
        kind,
        family: family.to_owned(),
        gravity: gravity.unwrap_or(1),
        // In DDXPlus a patient never has an evidence that the condition does not list.
        background: 0.0,
        present,
        denied,
        parent,
        sex: row.and_then(|row| row.sex),
        age: row.and_then(|row| row.age).unwrap_or(AgeRange::ANY),
        detail,
    }
}

fn detail(evidence: &WrittenEvidence) -> Detail {
    let values = values(evidence);
    let is_scale = evidence.value_meaning.is_empty()
        && !values.is_empty()
        && values.keys().all(|id| id.parse().is_ok_and(|number: u8| number <= 10));
    let told = |values: IndexMap<String, String>| {
        values
            .into_iter()
            .filter(|(id, text)| !says_nothing(evidence, id, text))
            .map(|(id, text)| {
                let words = reviewed::words(&evidence.question_en, &text).to_owned();
                (id, words)
            })
            .collect()
    };
    match evidence.data_type {
        DataType::B => Detail::None,
        DataType::C if is_scale => Detail::Scale,
        DataType::C => Detail::Choice(told(values)),
        DataType::M => Detail::Multi(told(values)),
    }
}

fn sentences(question: &str, detail: &Detail) -> (String, Option<String>) {
    let row = reviewed::row(question);
    let written = row.and_then(|row| row.present.clone());
    match detail {
        Detail::None => {
            let by_rule = statement(question);
            let denied = row.and_then(|row| row.denied.clone()).unwrap_or(by_rule.denied);
            (written.unwrap_or(by_rule.present), Some(denied))
        }
        Detail::Multi(_) => (written.unwrap_or_else(|| format!("My answers to \"{question}\" are:")), None),
        Detail::Choice(_) => (written.unwrap_or_else(|| format!("My answer to \"{question}\" is: {{value}}.")), None),
        Detail::Scale => {
            let by_rule = || format!("On a scale of 0-10, my answer to \"{question}\" is {{value}}.");
            (written.unwrap_or_else(by_rule), None)
        }
    }
}

/// A finding is as grave as the mildest condition that lists it: what comes with a cold alarms nobody.
fn gravities(release: &Release) -> HashMap<&str, u8> {
    let mut mildest: HashMap<&str, u8> = HashMap::new();
    for condition in release.conditions.values() {
        for code in condition.listed() {
            let severity = mildest.entry(code).or_insert(condition.severity);
            *severity = condition.severity.max(*severity);
        }
    }
    // Severity counts down (1 is the worst), gravity up.
    mildest.into_iter().map(|(code, severity)| (code, 6 - severity.clamp(1, 5))).collect()
}

fn told_apart(sentence: &str, code: &str) -> String {
    match sentence.strip_suffix(['.', ':']) {
        Some(body) => format!("{body} ({code}){}", &sentence[body.len()..]),
        None => format!("{sentence} ({code})"),
    }
}

fn plain(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
