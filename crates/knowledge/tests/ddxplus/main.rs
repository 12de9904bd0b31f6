//! The DDXPlus import: on real rows where they are at hand, and on a tiny release of our own.
#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and says when it is skipped")]

mod bad_input;
mod real;
mod tiny_release;

use std::path::{Path, PathBuf};
use waterjar_core::{ConditionId, Facts, FindingId, Observation, Sex, SourceError};
use waterjar_knowledge::ddxplus::{self, Ddxplus};
use waterjar_knowledge::gap;

const CONDITIONS: &str = r#"{
  "Hay ache": {"cond-name-eng": "Hay ache", "cond-name-fr": "Mal de foin", "icd10-id": "j30", "severity": 4,
    "symptoms": {"E_1": {}, "E_2": {}, "E_3": {}, "E_4": {}}, "antecedents": {"E_6": {}, "E_8": {}}},
  "Moon fever": {"cond-name-eng": "Moon fever", "cond-name-fr": "Fièvre de lune", "icd10-id": "A99", "severity": 2,
    "symptoms": {"E_1": {}, "E_5": {}}, "antecedents": {"E_7": {}, "E_8": {}}},
  "Étoile": {"cond-name-eng": "Star's itch", "cond-name-fr": "Étoile", "icd10-id": "L20", "severity": 5,
    "symptoms": {"E_1": {}, "E_2": {}, "E_3": {}}, "antecedents": {"E_8": {}}}
}"#;

const EVIDENCES: &str = r#"{
  "E_1": {"code_question": "E_1", "question_en": "Do you hum at night?", "is_antecedent": false, "data_type": "B"},
  "E_2": {"code_question": "E_2", "question_en": "Do you have any ache in your hay?", "is_antecedent": false, "data_type": "B"},
  "E_3": {"code_question": "E_2", "question_en": "Where is the ache?", "is_antecedent": false, "data_type": "M",
    "default_value": "V_0", "possible-values": ["V_0", "V_1", "V_2"],
    "value_meaning": {"V_0": {"en": "nowhere"}, "V_1": {"en": "barn(L)"}, "V_2": {"en": "barn(R)"}}},
  "E_4": {"code_question": "E_2", "question_en": "How strong is the ache?", "is_antecedent": false, "data_type": "C",
    "default_value": 0, "possible-values": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]},
  "E_5": {"code_question": "E_99", "question_en": "Are you silver?", "is_antecedent": false, "data_type": "B"},
  "E_6": {"code_question": "E_6", "question_en": "Do any members of your family hum?", "is_antecedent": true, "data_type": "B"},
  "E_7": {"code_question": "E_7", "question_en": "Have you ever been to the moon?", "is_antecedent": true, "data_type": "B"},
  "E_8": {"code_question": "E_8", "question_en": "What is the season?", "is_antecedent": true, "data_type": "C",
    "default_value": "V_3", "possible-values": ["V_3", "V_4"], "value_meaning": {"V_3": {"en": "spring"}, "V_4": {"en": "fall"}}}
}"#;

const HEADER: &str = "AGE,DIFFERENTIAL_DIAGNOSIS,SEX,PATHOLOGY,EVIDENCES,INITIAL_EVIDENCE";

const ROWS: [&str; 4] = [
    r#"30,"[['Hay ache', 0.4], ['Moon fever', 0.39]]",F,Hay ache,"['E_1', 'E_2', 'E_3_@_V_1', 'E_3_@_V_2', 'E_4_@_7', 'E_8_@_V_3']",E_1"#,
    r#"70,"[['Moon fever', 1.0]]",M,Moon fever,"['E_5', 'E_7', 'E_8_@_V_4']",E_5"#,
    r#"5,"[[""Star's itch"", 0.5], ('Moon fever', 0.5)]",M,Étoile,"['E_2', 'E_3_@_V_0', 'E_8_@_V_3']",E_2"#,
    r#"31,,F,Mal de foin,"['E_3_@_V_1', 'E_2', 'E_3_@_V_2']",E_2"#,
];

/// A folder of this test run's own, empty.
fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ddxplus").join(name);
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

fn tiny(name: &str) -> PathBuf {
    let dir = folder(name);
    std::fs::write(dir.join("release_conditions.json"), CONDITIONS).unwrap();
    std::fs::write(dir.join("release_evidences.json"), EVIDENCES).unwrap();
    dir
}

fn write_rows(path: &Path, rows: &[&str]) {
    std::fs::write(path, format!("{HEADER}\n{}\n", rows.join("\n"))).unwrap();
}

fn check_error(error: &SourceError, says: &str, hints: &str) {
    let text = error.to_string();
    assert!(text.contains(says), "`{says}` is not in: {text}");
    let hint = error.hint.as_deref().unwrap_or_default();
    assert!(hint.contains(hints), "`{hints}` is not in the hint of: {text}: {hint}");
}
