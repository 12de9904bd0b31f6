//! lm-eval and promptfoo.

use super::{elsewhere, measured};
use serde_json::{Value, json};

#[test]
fn answers_to_lm_evals_task_come_back_from_its_sample_log() {
    let (desk, _) = elsewhere();
    desk.done("export run --format lm-eval --out tasks");
    assert_eq!(desk.names("tasks"), ["einstellung.jsonl", "waterjar_einstellung.yaml"]);
    assert!(desk.read("tasks/waterjar_einstellung.yaml").contains("test: \"tasks/einstellung.jsonl\""));
    let line = |doc: &Value| {
        let says = format!("1. {}", doc["target"].as_str().unwrap());
        json!({ "doc_id": 0, "doc": doc, "target": doc["target"], "arguments": {}, "resps": [[says]], "filtered_resps": [says], "filter": "none" })
    };
    let lines: String = desk.lines("tasks/einstellung.jsonl").iter().map(|doc| format!("{}\n", line(doc))).collect();
    desk.write("samples_x_2026.jsonl", lines);
    let ended = desk.waterjar("import lm-eval samples_x_2026.jsonl --into run");
    assert!(ended.code == Some(2) && ended.stderr.contains("name them with --subject"), "{}", ended.stderr);
    desk.done("import lm-eval samples_x_2026.jsonl --into run --subject qwen");
    let result = measured(&desk, "qwen");
    assert_eq!((&result["missing"], &result["metrics"]["robust_accuracy"]["value"]), (&json!(0), &json!(1.0)));
}

#[test]
fn answers_to_promptfoos_tests_come_back_from_its_results() {
    let (desk, _) = elsewhere();
    desk.done("export run --format promptfoo --out tests.jsonl");
    let result = |test: &Value| {
        let says = format!("1. {}", test["metadata"]["expected"].as_str().unwrap());
        json!({ "promptIdx": 0, "provider": { "id": "openai:gpt-5" }, "vars": test["vars"], "testCase": test,
                "response": { "output": says }, "failureReason": 0 })
    };
    let results: Vec<Value> = desk.lines("tests.jsonl").iter().map(result).collect();
    desk.write("results.json", json!({ "evalId": "x", "results": { "version": 3, "results": results } }).to_string());
    desk.done("import promptfoo results.json --into run");
    let result = measured(&desk, "promptfoo:openai:gpt-5");
    assert_eq!((&result["missing"], &result["metrics"]["robust_accuracy"]["value"]), (&json!(0), &json!(1.0)));
}
