//! `waterjar answer`, `judge`, `measure`: one after the other they are a run.

use crate::sample::{Desk, assert_same, files, quick};
use crate::served::Served;
use serde_json::json;

#[test]
fn one_by_one_the_passes_give_what_run_gives() {
    let desk = Desk::with_study(&quick());
    desk.done("run small.toml --out whole");
    desk.done("vary small.toml --out parts");
    let answered = desk.done("answer parts");
    assert!(answered.stderr.contains("einstellung plain@prior: 120 answered, 0 failed"), "{}", answered.stderr);
    assert_eq!(answered.stdout, "");
    desk.done("judge parts");
    let measured = desk.done("measure parts --json");
    assert_same(&files(&desk.path("parts")), &files(&desk.path("whole")));
    assert_eq!(measured.json(), desk.json("whole/metrics.json"));
    assert!(!desk.path("parts/report.html").exists());
    desk.done("report parts");
    assert_eq!(desk.read("parts/report.html"), desk.read("whole/report.html"));
}

#[test]
fn what_is_not_answered_is_missing_and_never_wrong() {
    let desk = Desk::with_study(&quick());
    desk.done("vary small.toml --out run --limit 6");
    desk.done("judge run");
    let ended = desk.waterjar("measure run --json");
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(ended.stderr.contains("12 families have a missing answer"), "{}", ended.stderr);
    for result in ended.json()["results"].as_array().unwrap() {
        assert_eq!((&result["n"], &result["missing"]), (&6.into(), &6.into()));
        assert!(result["metrics"].as_object().unwrap().values().all(|metric| metric["value"].is_null()), "{result}");
    }
    // Pages count them as the report does.
    let served = Served::start(&[&desk.path("run")]);
    let list = served.page("/");
    assert!(list.contains("0 of 36 (0 %)") && list.contains("<b>12</b>"), "{list}");
    assert!(served.page("/runs/run").contains("<b>12 missing in the tables</b>"));
    drop(served);
    // Answered later, judged again.
    desk.done("answer run");
    desk.done("judge run");
    assert_eq!(desk.done("measure run --json").json()["results"][1]["missing"], 0);
}

#[test]
fn programs_are_told_how_far_each_subject_is() {
    let desk = Desk::with_study(&quick());
    desk.done("vary small.toml --out run --limit 6");
    let answered = desk.done("answer run --json").json();
    let first = json!({ "suite": "einstellung", "subject": "plain@prior", "answered": 18, "failed": 0 });
    assert_eq!((answered["results"].as_array().unwrap().len(), &answered["results"][0]), (2, &first));
    let judged = desk.done("judge run --json").json();
    let first = json!({ "suite": "einstellung", "subject": "plain@prior", "verdicts": 6 });
    assert_eq!((&judged["results"][0], &judged["unaudited"]), (&first, &json!(0)));
}

#[test]
fn a_limit_is_for_those_who_make_families() {
    let desk = Desk::with_study(&quick());
    desk.done("vary small.toml --out run --limit 3");
    for pass in ["answer run", "judge run", "measure run", "measure run --judge humans"] {
        let ended = desk.waterjar(&format!("{pass} --limit 2"));
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{pass}");
        assert!(ended.stderr.contains("`waterjar run` and `waterjar vary` take it"), "{pass}: {}", ended.stderr);
    }
    assert!(!desk.path("run/responses.jsonl").exists(), "nobody was asked");
    for (pass, offers) in [("run", true), ("vary", true), ("answer", false), ("judge", false), ("measure", false)] {
        assert_eq!(desk.done(&format!("{pass} --help")).stdout.contains("--limit"), offers, "{pass}");
    }
}

#[test]
fn a_pass_before_its_time_says_what_to_do_first() {
    let desk = Desk::with_study(&quick());
    desk.done("vary small.toml --out run --limit 3");
    let ended = desk.waterjar("report run");
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.stderr.contains("holds no figures of `einstellung` yet") && ended.stderr.contains("hint: finish the run")
    );
    assert!(!desk.path("run/report.html").exists());
}
