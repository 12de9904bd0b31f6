//! `waterjar evolve`, and a run that uses what it made.

use crate::sample::Desk;

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

#[test]
fn a_memory_grows_and_lowers_the_bias_trap_rate() {
    let desk = Desk::with_study(STUDY);
    let counts = desk.done("evolve small.toml --per-condition 10 --json").json();
    let number = |key: &str| counts[key].as_u64().unwrap();
    assert_eq!(number("cases"), number("at_once") + number("after_feedback") + number("discarded"));
    assert_eq!(number("exemplars"), number("cases") - number("discarded"));
    let metrics = desk.done("run small.toml --out run --json").json();
    let figure = |at: usize, name: &str| metrics["results"][at]["metrics"][name]["value"].as_f64().unwrap();
    let (plain, ecr) = (figure(0, "bias_trap_rate"), figure(1, "bias_trap_rate"));
    assert!(ecr < plain, "{ecr} is not below {plain}");
    assert!(figure(1, "baseline_accuracy") >= figure(0, "baseline_accuracy") - 0.05);
}

#[test]
fn growing_again_changes_nothing() {
    let desk = Desk::with_study(STUDY);
    desk.done("evolve small.toml --per-condition 2");
    let files = || ["manifest.json", "illness.jsonl", "exemplars.jsonl"].map(|name| desk.read(&format!("memory/{name}")));
    let before = files();
    let again = desk.done("evolve small.toml --per-condition 2");
    assert!(again.stderr.contains("going on after 202 cases"), "{}", again.stderr);
    assert_eq!(files(), before);
}

#[test]
fn a_study_whose_memory_is_not_there_says_how_to_make_it() {
    let desk = Desk::with_study(STUDY);
    let ended = desk.run("run small.toml --out run");
    assert_eq!(ended.code, 2, "{}", ended.stderr);
    assert!(ended.stderr.contains("waterjar evolve"), "{}", ended.stderr);
}
