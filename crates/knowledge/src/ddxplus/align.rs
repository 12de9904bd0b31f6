//! French codes → English codes: from the code map where there is one, else by laying the two releases side by side.

use super::release::{Release, WrittenEvidence, read_json};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;
use waterjar_core::SourceError;

/// Keys are of the French release, values of the English one. Numbers of a scale are not in it: they map to themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) struct CodeMap {
    pub evidence: HashMap<String, String>,
    /// `code_@_value`
    pub evidence_value: HashMap<String, String>,
    pub condition: HashMap<String, String>,
}

impl CodeMap {
    pub fn read(path: &Path) -> Result<Self, SourceError> {
        read_json(path)
    }

    /// Questions, type and section name an evidence; the texts of both languages name a value.
    pub fn derive(english: &Release, french: &Release, place: &Path) -> Result<Self, SourceError> {
        let mut map = Self::default();
        let by_question: HashMap<_, &String> = english.evidences.iter().map(|(code, it)| (key(it), code)).collect();
        for (code, evidence) in &french.evidences {
            let found = by_question.get(&key(evidence)).ok_or_else(|| {
                unaligned(place, format!("evidence `{code}`, \"{}\", is not in the English one", evidence.question_en))
            })?;
            map.evidence.insert(code.clone(), (*found).clone());
            map.align_values((code, evidence), (found, &english.evidences[*found]), place)?;
        }
        for (name, condition) in &french.conditions {
            let found = english.conditions.iter().find(|(_, it)| it.english == condition.english);
            let (found, _) =
                found.ok_or_else(|| unaligned(place, format!("condition `{name}` is not in the English one")))?;
            map.condition.insert(name.clone(), found.clone());
        }
        Ok(map)
    }

    fn align_values(
        &mut self,
        (code, evidence): (&str, &WrittenEvidence),
        (found, english): (&str, &WrittenEvidence),
        place: &Path,
    ) -> Result<(), SourceError> {
        let by_text: HashMap<_, _> = english.value_meaning.iter().map(|(id, texts)| (texts, id)).collect();
        for (value, texts) in &evidence.value_meaning {
            let id = by_text.get(texts).ok_or_else(|| {
                unaligned(place, format!("value `{value}` of `{code}`, \"{}\", is not in the English one", texts.en))
            })?;
            self.evidence_value.insert(format!("{code}_@_{value}"), format!("{found}_@_{id}"));
        }
        Ok(())
    }
}

fn key(evidence: &WrittenEvidence) -> (&str, &str, bool, super::release::DataType) {
    (&evidence.question_en, &evidence.question_fr, evidence.is_antecedent, evidence.data_type)
}

fn unaligned(place: &Path, what: String) -> SourceError {
    SourceError::at(place, format!("the French release does not match: {what}"))
        .with_hint("put code_map_fr_to_en.json into the folder, or take the French files out")
}
