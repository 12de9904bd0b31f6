//! `waterjar evolve`, and a run that uses what it made.

use crate::sample::{Desk, program, result, test_data};
use serde_json::{Value, json};
use std::process::{Command, Stdio};
use std::time::Duration;

const STUDY: &str = r#"
[study]
name = "small"
seed = 7

[[suite]]
kind = "einstellung"
source = "starter"
patients = 12000
pairs = 100
gap = 0.4

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
    // Five pairs of the hundred.
    assert!(ecr >= plain - 0.051, "{ecr} is more than five pairs below {plain}");
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
    let desk = Desk::with_study(&STUDY.replace("\"starter\"", &source).replace("gap = 0.4", "gap = 0.05"));
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

/// The controls of a run as cases of one's own, each name changed by `rename`.
fn cases(desk: &Desk, run: &str, rename: impl Fn(usize) -> String, text: impl Fn(&str) -> String) -> String {
    let controls = desk.lines(&format!("{run}/variants.jsonl")).into_iter();
    let case = |(number, control): (usize, Value)| {
        let text = text(control["text"].as_str().unwrap());
        json!({"id": rename(number), "source": "ward", "text": text, "facts": control["facts"]}).to_string()
    };
    controls.filter(|it| it.get("intervention").is_none()).enumerate().map(case).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_memory_grown_from_a_tested_patient_is_refused_whatever_words_and_name_he_has() {
    let desk = Desk::with_study(STUDY);
    desk.done("vary small.toml --out run");
    // No pair can be made at so small a gap, so all are learnt from.
    let ours = STUDY.replace("\"starter\"", "\"jsonl:a.jsonl\"").replace("patients = 12000\n", "");
    desk.write("learn.toml", ours.replace("gap = 0.4", "gap = 0.000000001"));
    desk.write(
        "a.jsonl",
        cases(&desk, "run", |number| format!("a-{number}"), |text| format!("Seen on Monday.\n{text}")),
    );
    desk.write("b.jsonl", cases(&desk, "run", |number| format!("b-{number}"), str::to_owned));
    desk.done("evolve learn.toml");
    desk.write("test.toml", ours.replace("a.jsonl", "b.jsonl"));
    let ended = desk.waterjar("run test.toml --out tested");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("the memory was grown from the patient of the test case `b-"), "{}", ended.stderr);
    assert!(!desk.path("tested/responses.jsonl").exists(), "nobody was asked before");

    // Other patients under the names of those learnt from are nobody's leak.
    desk.write("others.toml", STUDY.replace("seed = 7", "seed = 8"));
    desk.done("vary others.toml --out drawn");
    desk.write("b.jsonl", cases(&desk, "drawn", |number| format!("a-{number}"), str::to_owned));
    desk.done("run test.toml --out others");
}

#[test]
fn a_finished_run_is_read_without_the_memory_it_was_made_with() {
    let desk = Desk::with_study(STUDY);
    desk.done("evolve small.toml --per-condition 1");
    desk.done("run small.toml --out run");
    std::fs::rename(desk.path("memory"), desk.path("moved")).unwrap();
    for command in ["report run", "measure run", "judge run", "show case run"] {
        desk.done(command);
    }
    let ended = desk.waterjar("run small.toml --out run");
    assert!(ended.code == Some(2) && ended.stderr.contains("is no memory"), "{}", ended.stderr);
}

#[test]
fn two_who_grow_one_memory_at_once_are_told_and_either_may_be_named() {
    let desk = Desk::with_study(&format!(
        "{STUDY}\n[[subject]]\nname = \"second\"\nagent = \"ecr\"\nmodel = \"rules\"\nmemory = \"two\"\n"
    ));
    desk.done("evolve small.toml --per-condition 1 --subject second");
    assert!(desk.path("two/manifest.json").exists() && !desk.path("memory").exists());
    let journal = std::fs::File::open(desk.path("two/journal.jsonl")).unwrap();
    journal.lock().unwrap();
    let ended = desk.waterjar("evolve small.toml --per-condition 1 --subject second");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("another `waterjar evolve` is growing this memory"), "{}", ended.stderr);
    let ended = desk.waterjar("evolve small.toml --subject third");
    assert!(ended.code == Some(2) && ended.stderr.contains("ecr@rules; second"), "{}", ended.stderr);
}

#[test]
fn a_study_whose_memory_is_not_there_says_how_to_make_it() {
    let desk = Desk::with_study(STUDY);
    let ended = desk.waterjar("run small.toml --out run");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("waterjar evolve"), "{}", ended.stderr);
}
