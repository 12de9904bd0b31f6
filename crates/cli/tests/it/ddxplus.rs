//! The real DDXPlus rows, where they are at hand.

use crate::sample::{Desk, test_data};

const STUDY: &str = r#"
[study]
name = "ddxplus"
seed = 7

[[suite]]
kind = "einstellung"
source = "ddxplus:DATA/ddxplus-patients/patients_balanced_392_fr.csv"
knowledge = "DATA/ddxplus-kb"
gap = 0.005

[[subject]]
agent = "plain"
model = "symptoms-only"

[[subject]]
agent = "plain"
model = "reference"
"#;

#[test]
fn the_hard_candidates_are_those_of_the_paper_and_become_pairs() {
    let Some(data) = test_data() else { return };
    let desk = Desk::with_study(&STUDY.replace("DATA", &data.to_string_lossy()));
    let summary = desk.done("vary small.toml --out run --json").json();
    assert_eq!((&summary[0]["cases"], &summary[0]["eligible"]), (&392.into(), &41.into()));
    let families = summary[0]["families"].as_u64().unwrap();
    assert!(families >= 1, "{summary}");
    let metrics = desk.done("run small.toml --out run --json").json();
    for result in metrics["results"].as_array().unwrap() {
        assert_eq!((&result["n"], &result["missing"]), (&families.into(), &0.into()));
    }
    let reference = &metrics["results"][1]["metrics"];
    assert_eq!(
        (&reference["robust_accuracy"]["value"], &reference["bias_trap_rate"]["value"]),
        (&1.0.into(), &0.0.into())
    );
    // The paths of the study still hold when the run is named instead of the file.
    desk.done("run run");
}

#[test]
fn every_row_is_imported() {
    let Some(data) = test_data() else { return };
    let desk = Desk::new();
    let (patients, knowledge) = (data.join("ddxplus-patients/patients_balanced_392_fr.csv"), data.join("ddxplus-kb"));
    let words = format!("import ddxplus {} --knowledge {} --out cases.jsonl", patients.display(), knowledge.display());
    let ended = desk.done(&words);
    assert_eq!((desk.read("cases.jsonl").lines().count(), ended.stderr.trim()), (392, "392 cases"));
}
