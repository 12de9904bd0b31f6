//! Any base and any patients → files in the DDXPlus layout, for benches, round trips and other people's tools.

use super::codes::VALUE_MARK;
use super::release::{ConditionExtra, DataType, Empty, EvidenceExtra, Meaning, WrittenCondition, WrittenEvidence};
use crate::{Condition, Detail, Finding, KnowledgeBase, Place};
use indexmap::IndexMap;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use waterjar_core::{Facts, FindingState, SourceError};

/// Writes one row a patient and gives their number. The layout has no place for what a patient denies: that is left out.
pub fn write_csv(
    base: &KnowledgeBase,
    patients: impl IntoIterator<Item = Facts>,
    writer: impl Write,
) -> Result<u64, SourceError> {
    let mut out = csv::Writer::from_writer(writer);
    let header = ["AGE", "DIFFERENTIAL_DIAGNOSIS", "SEX", "PATHOLOGY", "EVIDENCES", "INITIAL_EVIDENCE"];
    out.write_record(header).map_err(unwritable)?;
    let mut count = 0;
    for facts in patients {
        let differential: Vec<(&str, f64)> = facts
            .differential
            .iter()
            .map(|it| Ok((name_of(base, &it.condition)?, it.probability)))
            .collect::<Result<_, SourceError>>()?;
        let items = items(&facts);
        let initial = facts.present().find(|seen| seen.values.is_empty()).map_or("", |seen| seen.finding.as_str());
        out.write_record([
            facts.age.to_string().as_str(),
            &python_pairs(&differential),
            &format!("{:?}", facts.sex),
            name_of(base, &facts.condition)?,
            &python_strings(&items),
            initial,
        ])
        .map_err(unwritable)?;
        count += 1;
    }
    out.flush().map_err(unwritable)?;
    Ok(count)
}

/// Writes `release_conditions.json` and `release_evidences.json`. What DDXPlus has no field for goes under `waterjar`.
pub fn write_knowledge(base: &KnowledgeBase, dir: &Path) -> Result<(), SourceError> {
    let conditions: IndexMap<&str, WrittenCondition> =
        base.conditions().iter().map(|condition| (condition.name.as_str(), written(base, condition))).collect();
    let evidences: IndexMap<&str, WrittenEvidence> =
        base.findings().iter().map(|finding| (finding.id.as_str(), evidence(finding))).collect();
    write_json(&dir.join("release_conditions.json"), &conditions)?;
    write_json(&dir.join("release_evidences.json"), &evidences)
}

fn items(facts: &Facts) -> Vec<String> {
    let present = facts.findings.iter().filter(|seen| seen.state == FindingState::Present);
    present
        .flat_map(|seen| {
            let plain = seen.values.is_empty().then(|| seen.finding.to_string());
            let valued = seen.values.iter().map(|value| format!("{}{VALUE_MARK}{value}", seen.finding));
            plain.into_iter().chain(valued)
        })
        .collect()
}

fn written(base: &KnowledgeBase, condition: &Condition) -> WrittenCondition {
    let listed = |place: Place| {
        let mut codes: Vec<_> = condition.findings.keys().chain(condition.values.keys()).collect();
        codes.sort();
        codes.dedup();
        codes
            .into_iter()
            .filter(|id| base.finding(id).is_some_and(|finding| finding.kind.place() == place))
            .map(|id| (id.to_string(), Empty {}))
            .collect()
    };
    WrittenCondition {
        english: condition.name.clone(),
        french: String::new(),
        icd10: condition.icd10.clone(),
        severity: condition.severity,
        symptoms: listed(Place::Symptoms),
        antecedents: listed(Place::Antecedents),
        waterjar: Some(ConditionExtra {
            id: condition.id.to_string(),
            synonyms: condition.synonyms.clone(),
            specialty: condition.specialty.clone(),
            sex: condition.sex,
            age: condition.age,
        }),
    }
}

fn evidence(finding: &Finding) -> WrittenEvidence {
    let (data_type, words) = match &finding.detail {
        Detail::None => (DataType::B, None),
        Detail::Scale => (DataType::C, None),
        Detail::Choice(words) => (DataType::C, Some(words)),
        Detail::Multi(words) => (DataType::M, Some(words)),
    };
    let value_meaning: IndexMap<String, Meaning> = words
        .into_iter()
        .flatten()
        .map(|(id, en)| (id.clone(), Meaning { fr: String::new(), en: en.clone() }))
        .collect();
    let possible_values = match &finding.detail {
        Detail::Scale => (0..=10).map(Into::into).collect(),
        _ => value_meaning.keys().map(|id| id.as_str().into()).collect(),
    };
    WrittenEvidence {
        code_question: finding.parent.as_ref().unwrap_or(&finding.id).to_string(),
        question_fr: String::new(),
        question_en: finding.present.clone(),
        is_antecedent: finding.kind.place() == Place::Antecedents,
        default_value: 0.into(),
        value_meaning,
        possible_values,
        data_type,
        waterjar: Some(EvidenceExtra {
            kind: finding.kind,
            family: finding.family.clone(),
            gravity: finding.gravity,
            background: finding.background,
            present: finding.present.clone(),
            denied: finding.denied.clone(),
            sex: finding.sex,
            age: finding.age,
        }),
    }
}

fn name_of<'a>(base: &'a KnowledgeBase, id: &waterjar_core::ConditionId) -> Result<&'a str, SourceError> {
    base.condition(id)
        .map(|condition| condition.name.as_str())
        .ok_or_else(|| SourceError::new(base.name.clone(), format!("no condition is called `{id}`")))
}

fn python_strings(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| python_string(text)).collect();
    format!("[{}]", quoted.join(", "))
}

fn python_pairs(pairs: &[(&str, f64)]) -> String {
    let mut out = String::from("[");
    for (at, (name, p)) in pairs.iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        // Debug, because it keeps the point of 1.0 as Python does.
        write!(out, "{comma}[{}, {p:?}]", python_string(name)).expect("writing to a String cannot fail");
    }
    out.push(']');
    out
}

fn python_string(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n").replace('\r', "\\r"))
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<(), SourceError> {
    let text = serde_json::to_vec_pretty(value).expect("the written types hold nothing JSON cannot");
    std::fs::write(path, text).map_err(|error| SourceError::at(path, format!("cannot be written: {error}")))
}

fn unwritable(error: impl std::fmt::Display) -> SourceError {
    SourceError::new("patients file", format!("cannot be written: {error}"))
}
