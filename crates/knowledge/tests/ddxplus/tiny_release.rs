//! A tiny release of our own, row by row.

use super::*;
use waterjar_core::{CaseSource, FindingState};
use waterjar_knowledge::narrative::tell;
use waterjar_knowledge::{Detail, Kind, ValueChance};

fn tiny_source(name: &str) -> Ddxplus {
    let dir = tiny(name);
    write_rows(&dir.join("patients.csv"), &ROWS);
    ddxplus::open(&dir).unwrap()
}

#[test]
fn a_row_becomes_facts() {
    let source = tiny_source("row");
    let (id, facts) = source.facts().next().unwrap().unwrap();
    let seen = |finding: &str, values: &[&str]| Observation {
        finding: FindingId::from(finding),
        state: FindingState::Present,
        values: values.iter().map(|&value| value.to_owned()).collect(),
    };
    assert_eq!(id.as_str(), "ddxplus-1");
    assert_eq!((facts.sex, facts.age, facts.condition.as_str()), (Sex::F, 30, "hay_ache"));
    let expected =
        [seen("E_1", &[]), seen("E_2", &[]), seen("E_3", &["V_1", "V_2"]), seen("E_4", &["7"]), seen("E_8", &["V_3"])];
    assert_eq!(facts.findings, expected);
    let gap = gap(&facts.condition, &facts.differential).unwrap();
    assert_eq!(gap.rival.as_str(), "moon_fever");
    assert!((gap.gap - 0.01).abs() < 1e-12);
}

#[test]
fn values_of_one_evidence_belong_together_and_nowhere_is_not_said() {
    let source = tiny_source("together");
    let all: Vec<_> = source.facts().map(|patient| patient.unwrap().1).collect();
    let sites =
        |facts: &Facts| facts.findings.iter().filter(|it| it.finding.as_str() == "E_3").cloned().collect::<Vec<_>>();
    assert_eq!(sites(&all[2]), []);
    assert_eq!(sites(&all[3])[0].values, ["V_1", "V_2"]);
    assert_eq!(all[3].differential, []);
}

#[test]
fn the_base_is_estimated_from_the_rows() {
    let source = tiny_source("estimate");
    let base = source.base();
    let hay = base.condition(&ConditionId::from("hay_ache")).unwrap();
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} is not {b}");
    // Two patients, half an observation of each outcome.
    close(hay.findings[&FindingId::from("E_1")].p, 1.5 / 3.0);
    close(hay.findings[&FindingId::from("E_2")].p, 2.5 / 3.0);
    close(hay.findings[&FindingId::from("E_6")].p, 0.5 / 3.0);
    assert_eq!(hay.values[&FindingId::from("E_4")], ValueChance::Scale { mean: 7.0, sd: 1.0 });
    assert!(hay.prior.weight(Sex::F, 30) > hay.prior.weight(Sex::M, 30));
    assert_eq!(hay.icd10, "J30");
    assert_eq!(hay.synonyms, ["Mal de foin"]);
    let kinds = |id: &str| base.finding(&FindingId::from(id)).map(|it| (it.kind, it.parent.clone())).unwrap();
    assert_eq!(kinds("E_6"), (Kind::FamilyHistory, None));
    assert_eq!(kinds("E_3"), (Kind::Symptom, Some(FindingId::from("E_2"))));
    assert_eq!(kinds("E_5").1, None, "its parent does not exist");
    assert_eq!(base.finding(&FindingId::from("E_4")).unwrap().detail, Detail::Scale);
}

#[test]
fn a_told_row_reads_as_the_patient_speaking() {
    let source = tiny_source("told");
    let case = source.cases().next().unwrap().unwrap();
    let expected = "Sex: F, Age: 30\nSymptoms:\n- I hum at night.\n- I have ache in my hay.\n  \
        - My answers to \"Where is the ache?\" are:\n    * barn(L)\n    * barn(R)\n  \
        - On a scale of 0-10, my answer to \"How strong is the ache?\" is 7.\n\
        Antecedents:\n- My answer to \"What is the season?\" is: spring.\n";
    assert_eq!(case.text, expected);
}

#[test]
fn answers_in_words_are_the_same_patients() {
    let dir = tiny("words");
    let text = r#"{"patients": {"7": {"patient_id": "p7", "age": "30", "sex": "F", "diagnosis": "Hay ache",
        "condition": [{"question": "Do you hum at night?", "value": "Yes"}, {"question": "Where is the ache?", "value": "barn(L)"},
                      {"question": "Are you silver?", "value": "No"}],
        "differential_diagnosis": {"Moon fever": 0.2, "Hay ache": 0.8}}}}"#;
    std::fs::write(dir.join("patients.json"), text).unwrap();
    let (id, facts) = ddxplus::open(&dir).unwrap().facts().next().unwrap().unwrap();
    assert_eq!(id.as_str(), "ddxplus-p7");
    assert_eq!(facts.findings[1].values, ["V_1"]);
    assert_eq!(facts.findings[2].state, FindingState::Denied);
    assert_eq!(facts.differential[0].condition, facts.condition);
    // Wherever the file is cut off, it is refused and never panics.
    for end in (0..text.len()).step_by(7) {
        std::fs::write(dir.join("patients.json"), &text[..end]).unwrap();
        let error = ddxplus::open(&dir).unwrap_err();
        assert!(error.place.contains("patients.json, line "), "{error}");
    }
}

#[test]
fn what_was_written_reads_back_the_same() {
    let source = tiny_source("export-from");
    let dir = folder("export-to");
    let facts: Vec<Facts> = source.facts().map(|patient| patient.unwrap().1).collect();
    ddxplus::write_knowledge(source.base(), &dir).unwrap();
    let file = std::fs::File::create(dir.join("patients.csv")).unwrap();
    assert_eq!(ddxplus::write_csv(source.base(), facts.clone(), file).unwrap(), 4);
    let again = ddxplus::open(&dir).unwrap();
    let read: Vec<Facts> = again.facts().map(|patient| patient.unwrap().1).collect();
    assert_eq!(read, facts);
    assert_eq!(again.base().findings(), source.base().findings());
    assert_eq!(tell(again.base(), &facts[0]), tell(source.base(), &facts[0]));
}
