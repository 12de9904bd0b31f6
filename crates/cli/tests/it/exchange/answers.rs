//! Logs of Inspect into a run: what they hold, what they lack, and what they must not be.

use super::{elsewhere, log, measured, right, sample};
use crate::sample::Desk;
use serde_json::{Value, json};

#[test]
fn what_the_log_does_not_hold_is_missing_until_another_brings_it() {
    let (desk, questions) = elsewhere();
    let samples = right(&questions);
    log(&desk, "first.json", &samples[..5]);
    log(&desk, "second.json", &samples[5..]);
    let ended = desk.waterjar("import inspect first.json --into run");
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(ended.stderr.contains("5 answered, 0 failed, 7 missing of 12"), "{}", ended.stderr);
    let before = measured(&desk, "inspect:m");
    assert_eq!((&before["n"], &before["missing"]), (&json!(4), &json!(3)));
    // A run that goes on asks nobody, and loses nothing.
    assert_eq!(desk.waterjar("run run").code, Some(3));
    desk.waterjar("answer run --retry-failed");
    assert_eq!(measured(&desk, "inspect:m"), before);
    desk.waterjar("import inspect second.json --into run");
    let after = measured(&desk, "inspect:m");
    assert_eq!((&after["missing"], &after["metrics"]["robust_accuracy"]["value"]), (&json!(0), &json!(1.0)));
    assert_eq!(desk.done("run run --json").json()["results"][0], after);
    let stored = desk.read("run/responses.jsonl");
    desk.done("import inspect first.json second.json --into run");
    assert_eq!(desk.read("run/responses.jsonl"), stored, "the same again changes nothing");
}

#[test]
fn a_log_goes_to_a_registered_study_without_breaking_its_lock() {
    let (desk, questions) = elsewhere();
    desk.done("register small.toml");
    desk.done("vary small.toml --out run");
    log(&desk, "log.json", &right(&questions));
    desk.done("import inspect log.json --into run");
    desk.waterjar("judge run");
    desk.waterjar("measure run");
    let metrics = desk.json("run/metrics.json");
    assert_eq!(metrics["registered"], true);
    assert_eq!(crate::sample::result(&metrics, "inspect:m")["missing"], 0);
}

#[test]
fn a_log_of_somebody_who_was_not_declared_is_a_deviation() {
    let (desk, questions) = elsewhere();
    desk.done("register small.toml");
    desk.done("vary small.toml --out run");
    log(&desk, "log.json", &right(&questions));
    desk.done("import inspect log.json --into run --subject mine");
    desk.waterjar("judge run");
    desk.waterjar("measure run");
    let metrics = desk.json("run/metrics.json");
    assert_eq!(metrics["registered"], false);
    assert_eq!(crate::sample::result(&metrics, "mine")["missing"], 0);
    assert!(desk.read("run/study.toml").contains("name = \"mine\""));
    desk.waterjar("report run");
    assert!(desk.read("run/report.html").contains("subject mine (added)"));
}

#[test]
fn a_log_goes_to_a_run_whose_lock_says_nothing_about_subjects_without_breaking_it() {
    let (desk, questions) = elsewhere();
    desk.done("register small.toml");
    desk.done("vary small.toml --out run");
    // As an earlier version left it: nor does the run say that its lock holds no subjects.
    let lock = desk.read("run/study.lock");
    let is_asked = |line: &str| line.starts_with("\"subject ") || line.starts_with("\"model ");
    let earlier: Vec<&str> = lock.lines().filter(|line| !is_asked(line)).collect();
    assert!(earlier.len() < lock.lines().count(), "{lock}");
    desk.write("run/study.lock", earlier.join("\n") + "\n");
    log(&desk, "log.json", &right(&questions));
    desk.done("import inspect log.json --into run --subject mine");
    desk.waterjar("judge run");
    desk.waterjar("measure run");
    assert_eq!(desk.json("run/metrics.json")["registered"], true);
    desk.waterjar("report run");
    let page = desk.read("run/report.html");
    assert!(!page.contains("subject mine (added)"), "{page}");
    assert!(page.contains("so perhaps changed: subjects and models"), "{page}");
}

/// Exit 2 with these words, and the run as it was.
fn refused(desk: &Desk, words: &str, says: &str) {
    let before = desk.read("run/study.toml");
    let ended = desk.waterjar(&format!("import inspect {words} --into run"));
    assert_eq!(ended.code, Some(2), "{words}: {}", ended.stderr);
    assert!(ended.stderr.contains(says), "{words}: {}", ended.stderr);
    assert_eq!(desk.read("run/study.toml"), before);
    assert!(!desk.path("run/responses.jsonl").exists(), "{words}: nothing was stored");
}

#[test]
fn a_log_of_something_else_is_refused_and_changes_nothing() {
    let (desk, questions) = elsewhere();
    let samples = right(&questions);
    let mut changed = samples.clone();
    changed[11]["id"] = "of somebody else".into();
    log(&desk, "foreign.json", &changed);
    refused(
        &desk,
        "foreign.json",
        "foreign.json, sample `of somebody else`: the run has no variant `of somebody else`",
    );
    let mut changed = samples.clone();
    changed[11]["metadata"]["question"] = "0123".into();
    log(&desk, "other.json", &changed);
    refused(&desk, "other.json", "answers another question than the run's");
    let mut changed = samples.clone();
    changed[0]["metadata"] = json!({});
    log(&desk, "bare.json", &changed);
    changed[0]["input"] = "Something else?".into();
    log(&desk, "bare-other.json", &changed);
    refused(&desk, "bare-other.json", "answers another question than the run's");
    log(&desk, "twice.json", &[samples.clone(), samples[..1].to_vec()].concat());
    refused(&desk, "twice.json", "is answered for the 1. time again; before: twice.json, sample");
    refused(&desk, "bare.json bare.json", "is answered for the 1. time again");
    log(&desk, "epochs.json", &[sample(&questions[0], 2, "x")]);
    refused(&desk, "epochs.json", "it answers for the 2. time; the run asks 1 time\n");
    log(&desk, "empty.json", &[]);
    refused(&desk, "empty.json", "hold no answers");
    refused(&desk, "nowhere.eval", "nowhere.eval: cannot be read");
    // A question that carries no hash is known by its text.
    desk.done("import inspect bare.json --into run");
}

#[test]
fn other_answers_of_the_same_subject_are_not_taken_by_mistake() {
    let (desk, questions) = elsewhere();
    log(&desk, "log.json", &right(&questions));
    desk.done("import inspect log.json --into run");
    log(&desk, "better.json", &[sample(&questions[0], 1, "1. Asthma")]);
    let ended = desk.waterjar("import inspect better.json --into run");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("holds another answer of `inspect:m`") && ended.stderr.contains("--replace"));
    desk.waterjar("import inspect better.json --into run --replace");
    assert!(desk.read("run/responses.jsonl").contains("1. Asthma"));
    let ended = desk.waterjar("import inspect log.json --into small.toml");
    assert!(ended.code == Some(2) && ended.stderr.contains("is no run"), "{}", ended.stderr);
}

#[test]
fn a_subject_that_the_run_asks_itself_takes_no_answers_from_elsewhere() {
    let desk = Desk::with_shared_run();
    desk.done("export run --format inspect-dataset --suite einstellung --out questions.jsonl");
    let question: Value = serde_json::from_str(desk.read("questions.jsonl").lines().next().unwrap()).unwrap();
    log(&desk, "log.json", &[sample(&question, 1, "x")]);
    let ended = desk.waterjar("import inspect log.json --into run --subject plain@logit --replace");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("the run asks `plain@logit` itself"), "{}", ended.stderr);
}
