//! What is asked for in vain, and the page that tells how it is done.

use super::{log, right};
use crate::sample::{Desk, shared_run};
use serde_json::{Value, json};
use std::path::Path;

#[test]
fn what_cannot_be_exported_so_is_told() {
    let desk = Desk::new();
    let run = shared_run().display().to_string();
    let check = |words: &str, says: &str| {
        let ended = desk.waterjar(&format!("export {run} {words}"));
        assert_eq!(ended.code, Some(2), "{words}");
        assert!(ended.stderr.contains(says), "{words}: {}", ended.stderr);
        assert_eq!(desk.names("."), Vec::<String>::new(), "{words}");
    };
    check("--format inspect --out all.eval", "name a folder instead, or choose with --suite and --subject");
    check("--format inspect-dataset --out x.jsonl", "choose one with --suite: einstellung, parity");
    check("--format hf --out x --suite einstelung", "did you mean `einstellung`?");
    check("--format inspect --out x --subject plain@gestald", "did you mean `plain@gestalt`?");
    check("--format hf", "--out");
    check("", "--format");
}

const WITHOUT: &str = "[study]\nname = \"without\"\nseed = 7\n\n[[suite]]\nkind = \"parity\"\nablations = true\nembedder = \"lexical\"\n\n\
                       [[subject]]\nagent = \"plain\"\nmodel = \"reference\"\n";

#[test]
fn of_a_story_without_a_finding_no_answer_is_handed_on_as_right() {
    let desk = Desk::new();
    desk.write("study.toml", WITHOUT);
    desk.done("vary study.toml --out run");
    desk.done("export run --format inspect-dataset --out questions.jsonl");
    desk.done("export run --format promptfoo --out tests.jsonl");
    let (questions, tests) = (desk.lines("questions.jsonl"), desk.lines("tests.jsonl"));
    let check = |id: &str, target: &str, expected: &str| {
        let question = questions.iter().find(|it| it["id"] == id).unwrap();
        assert_eq!((&question["target"], &question["metadata"]["expected"]), (&json!(target), &json!(expected)));
        let test = tests.iter().find(|it| it["metadata"]["id"] == id).unwrap();
        assert_eq!(test["metadata"]["expected"], expected, "{id}");
    };
    check("heart-infarction~0/swapped", "A. Myocardial infarction", "A. Myocardial infarction");
    check("heart-infarction~1/control", "", "one answer to all wordings");
    check("heart-infarction~1/swapped", "", "the same answer as the original's");
}

#[test]
fn neither_a_run_nor_a_file_that_is_there_is_written_over() {
    let desk = Desk::new();
    desk.write("study.toml", WITHOUT);
    desk.done("vary study.toml --out run");
    desk.write("log.json", "{}");
    let before = std::fs::read(desk.path("run/run.sqlite")).unwrap();
    for (format, to, says) in [
        ("promptfoo", "run/run.sqlite", "is there already"),
        ("inspect-dataset", "run/new.jsonl", "lies among the files of a run"),
        ("promptfoo", "study.toml", "is there already"),
        ("inspect", "log.json", "is there already"),
        ("lm-eval", "run", "lies among the files of a run"),
    ] {
        let ended = desk.waterjar(&format!("export run --format {format} --out {to}"));
        assert_eq!(ended.code, Some(2), "{format} {to}");
        assert!(ended.stderr.contains(says), "{format} {to}: {}", ended.stderr);
    }
    assert_eq!(std::fs::read(desk.path("run/run.sqlite")).unwrap(), before);
    assert_eq!((desk.read("study.toml"), desk.read("log.json")), (WITHOUT.to_owned(), "{}".to_owned()));
}

/// Every line of the page's shell blocks, where it stands. What other tools would do in between is done by hand.
#[test]
fn the_commands_of_the_page_work() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/exchange.md");
    let page = std::fs::read_to_string(page).unwrap();
    let shared = Desk::with_shared_run();
    std::fs::create_dir(shared.path("runs")).unwrap();
    std::fs::rename(shared.path("run"), shared.path("runs/quickstart")).unwrap();
    let blocks = page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let mut ran = 0;
    for line in blocks.flat_map(str::lines) {
        match line.split_whitespace().next() {
            Some("waterjar") => {
                let line = line
                    .replace("answers/*.eval", "answers/log.eval")
                    .replace("answers/*/samples_*.jsonl", "answers/x/samples_x_1.jsonl");
                let ended = shared.waterjar(line.trim_start_matches("waterjar "));
                assert_eq!(ended.code, Some(0), "{line}\n{}", ended.stderr);
                ran += 1;
            }
            Some("inspect") if line.contains("eval docs") => {
                std::fs::create_dir(shared.path("answers")).unwrap();
                log(&shared, "answers/log.eval", &right(&shared.lines("questions.jsonl")));
            }
            Some("lm_eval") => {
                std::fs::create_dir(shared.path("answers/x")).unwrap();
                let line = |doc: &Value| format!("{}\n", json!({ "doc": doc, "resps": [["1. Gout"]] }));
                let lines: String = shared.lines("tasks/einstellung.jsonl").iter().map(line).collect();
                shared.write("answers/x/samples_x_1.jsonl", lines);
            }
            Some("promptfoo") => {
                let result = |test: &Value| json!({ "provider": { "id": "openai:gpt-5" }, "testCase": test, "response": { "output": "1. Gout" } });
                let results: Vec<Value> = shared.lines("tests.jsonl").iter().map(result).collect();
                shared.write("results.json", json!({ "results": { "version": 3, "results": results } }).to_string());
            }
            _ => {}
        }
    }
    assert_eq!(ran, 12, "commands of ours");
    let metrics = shared.json("runs/quickstart/metrics.json");
    assert_eq!(crate::sample::result(&metrics, "inspect:m")["metrics"]["robust_accuracy"]["value"], 1.0);
}
