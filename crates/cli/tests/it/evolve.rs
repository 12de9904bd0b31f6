//! `waterjar evolve`, and a run that uses what it made.

use crate::sample::{Desk, program, result, test_data};
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::Duration;

const STUDY: &str = r#"
[study]
name = "small"
seed = 7

[[suite]]
kind = "einstellung"
source = "starter"
patients = 1500
pairs = 40
gap = 0.2

[[subject]]
agent = "plain"
model = "gestalt"

[[subject]]
agent = "ecr"
model = "rules"
memory = "memory"
"#;

fn figure(metrics: &Value, subject: &str, name: &str) -> f64 {
    result(metrics, subject)["metrics"][name]["value"].as_f64().unwrap()
}

/// The agent is trapped less often than its own first impression, and hardly less right.
fn check_better(metrics: &Value) {
    let both = |name| (figure(metrics, "plain@gestalt", name), figure(metrics, "ecr@rules", name));
    let (plain, ecr) = both("bias_trap_rate");
    assert!(ecr < plain, "{ecr} is not below {plain}");
    let (plain, ecr) = both("baseline_accuracy");
    // One pair of the forty.
    assert!(ecr >= plain - 0.026, "{ecr} is more than a pair below {plain}");
}

fn memory(desk: &Desk, folder: &str) -> Vec<String> {
    let names = ["manifest.json", "illness.jsonl", "exemplars.jsonl", "journal.jsonl"];
    names.iter().map(|name| desk.read(&format!("{folder}/{name}"))).collect()
}

#[test]
fn a_memory_grows_and_lowers_the_bias_trap_rate() {
    let desk = Desk::with_study(STUDY);
    let counts = desk.done("evolve small.toml --per-condition 10 --json").json();
    let number = |key: &str| counts[key].as_u64().unwrap();
    assert_eq!(number("cases"), number("at_once") + number("after_feedback") + number("discarded"));
    assert_eq!(number("exemplars"), number("cases") - number("discarded"));
    check_better(&desk.done("run small.toml --out run --json").json());
}

#[test]
fn on_real_patients_it_learns_from_those_that_are_not_tested() {
    let Some(data) = test_data() else { return };
    let source = format!(
        "\"ddxplus:{0}/ddxplus-patients/patients_balanced_392_fr.csv\"\nknowledge = \"{0}/ddxplus-kb\"",
        data.display()
    );
    let desk = Desk::with_study(&STUDY.replace("\"starter\"", &source).replace("gap = 0.2", "gap = 0.05"));
    desk.done("evolve small.toml");
    check_better(&desk.done("run small.toml --out run --json").json());
    let manifest = desk.json("memory/manifest.json");
    let variants = desk.read("run/variants.jsonl");
    for line in variants.lines() {
        let variant: Value = serde_json::from_str(line).unwrap();
        assert_eq!(manifest["cases"].get(variant["case"].as_str().unwrap()), None);
    }
}

#[test]
fn growing_again_changes_nothing() {
    let desk = Desk::with_study(STUDY);
    desk.done("evolve small.toml --per-condition 1");
    let before = memory(&desk, "memory");
    let again = desk.done("evolve small.toml --per-condition 1");
    assert!(again.stderr.contains("going on after 101 cases"), "{}", again.stderr);
    assert_eq!(memory(&desk, "memory"), before);
}

#[test]
fn killed_in_the_middle_it_goes_on_to_the_same_memory() {
    let desk = Desk::with_study(STUDY);
    desk.done("evolve small.toml --per-condition 2 --out whole");
    let mut child = Command::new(program())
        .args(["evolve", "small.toml", "--per-condition", "2", "--out", "killed"])
        .current_dir(desk.path("."))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let journal = desk.path("killed/journal.jsonl");
    let has_begun = || std::fs::read_to_string(&journal).is_ok_and(|text| text.lines().count() > 20);
    while !has_begun() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be killed");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    desk.done("evolve small.toml --per-condition 2 --out killed");
    assert!(memory(&desk, "killed") == memory(&desk, "whole"));
}

#[test]
fn a_memory_grown_from_a_test_case_is_refused() {
    let desk = Desk::with_study(STUDY);
    desk.done("evolve small.toml --per-condition 1");
    desk.done("vary small.toml --out run");
    let first: Value = serde_json::from_str(desk.read("run/variants.jsonl").lines().next().unwrap()).unwrap();
    let mut manifest = desk.json("memory/manifest.json");
    manifest["cases"][first["case"].as_str().unwrap()] = "0".into();
    desk.write("memory/manifest.json", manifest.to_string());
    let ended = desk.waterjar("run small.toml --out run");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("the memory was grown from the test case"), "{}", ended.stderr);
}

#[test]
fn a_study_whose_memory_is_not_there_says_how_to_make_it() {
    let desk = Desk::with_study(STUDY);
    let ended = desk.waterjar("run small.toml --out run");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("waterjar evolve"), "{}", ended.stderr);
}
