//! Sample logs of lm-eval and result files of promptfoo. The first are as lm-eval 0.4.13 wrote them for its dummy model; the second as promptfoo 0.121.20
//! wrote them for its `echo` provider; its failures are written by hand after its declared types.

use crate::sample::{CONTROL, SAME, held, question, variant};
use serde_json::{Value, json};
use std::path::Path;
use waterjar_core::{Ending, SourceError};
use waterjar_exchange::lm_eval::{self, Samples};
use waterjar_exchange::promptfoo::{self, Results};
use waterjar_exchange::{Recorded, Recording};

fn read(recording: &dyn Recording) -> Result<Vec<Recorded>, SourceError> {
    let mut read = Vec::new();
    recording.each(&mut |it| {
        read.push(it);
        Ok(())
    })?;
    Ok(read)
}

fn told(ending: &Ending) -> String {
    match ending {
        Ending::Ok(answer) => answer.text.clone(),
        Ending::Failed(failure) => format!("{}: {}", failure.state.as_str(), failure.detail),
    }
}

fn all_told(recording: &dyn Recording) -> Vec<(u32, String)> {
    read(recording).unwrap().iter().map(|it| (it.repeat, told(&it.ending))).collect()
}

fn lm_eval_line(resps: &Value, filter: &str) -> String {
    let variant = variant(CONTROL);
    let doc = lm_eval::row(&"einstellung".into(), &variant, &question(&variant));
    let line = json!({
        "doc_id": 0, "doc": doc, "target": "Gout",
        "arguments": { "gen_args_0": { "arg_0": "…", "arg_1": { "until": [], "max_gen_toks": 4096 } } },
        "resps": [resps], "filtered_resps": ["Gout"], "filter": filter, "metrics": ["exact_match"],
        "doc_hash": "4b8b", "prompt_hash": "a735", "target_hash": "d6c8", "exact_match": "(a number)"
    });
    // A metric without a value is written so.
    line.to_string().replace("\"(a number)\"", "NaN") + "\n"
}

fn samples(dir: &Path, lines: &str) -> Samples {
    let path = dir.join("samples_waterjar_einstellung_2026-11-16T04-56-33.282885.jsonl");
    std::fs::write(&path, lines).unwrap();
    Samples::open(&path).unwrap()
}

#[test]
fn no_tool_is_told_to_look_for_an_answer_of_which_nobody_knows_whether_it_is_right() {
    let (variant, question) = held();
    let suite = "parity".into();
    let for_lm_eval = lm_eval::row(&suite, &variant, &question);
    assert_eq!((&for_lm_eval["target"], &for_lm_eval["expected"]), (&json!(""), &json!(SAME)));
    assert_eq!(promptfoo::row(&suite, &variant, &question)["metadata"]["expected"], SAME);
    let for_inspect = waterjar_exchange::inspect::row(&suite, &variant, &question);
    let told = &for_inspect["metadata"];
    assert_eq!((&for_inspect["target"], &told["expected"]), (&json!(""), &json!(SAME)));
    assert_eq!(told["expectation"], json!({ "kind": "holds", "condition": SAME }));
    for row in [for_lm_eval, promptfoo::row(&suite, &variant, &question), for_inspect] {
        assert!(!row.to_string().contains("gout"), "{row}");
    }
}

#[test]
fn repeats_of_lm_eval_are_repeats_and_filters_are_not() {
    let dir = tempfile::tempdir().unwrap();
    let says = json!(["Gout", " "]);
    let log = samples(dir.path(), &(lm_eval_line(&says, "none") + &lm_eval_line(&says, "strict-match")));
    assert_eq!(all_told(&log), [(0, "Gout".to_owned()), (1, "invalid_output: the answer is empty".to_owned())]);
    let first = &read(&log).unwrap()[0];
    assert_eq!((first.id.as_str(), first.suite.as_deref()), (CONTROL, Some("einstellung")));
    assert_eq!(first.question.as_deref(), Some(format!("hash of {CONTROL}").as_str()));
    assert_eq!(log.model(), None);
    let results = r#"{"results": {"x": {"exact_match,none": NaN}}, "model_source": "local-chat-completions", "model_name": "qwen3"}"#;
    std::fs::write(dir.path().join("results_2026-11-16T04-56-33.282885.json"), results).unwrap();
    assert_eq!(samples(dir.path(), "").model(), Some("qwen3"), "the results beside them tell");
}

#[test]
fn a_sample_log_of_something_else_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let check = |lines: &str, says: &str| {
        let error = read(&samples(dir.path(), lines)).unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    };
    check("{\"doc\": 1}\n", "line 1: is no line of a sample log");
    check(&lm_eval_line(&json!([[-1.5, false]]), "none"), "holds likelihoods and no answers");
    check(&lm_eval_line(&json!(["x"]), "none").replace("\"id\":", "\"key\":"), "its `doc` has no `id`");
    check(&lm_eval_line(&json!(["x"]), "none")[..80], "is no line of a sample log");
}

fn result(provider: &str, more: &Value) -> Value {
    let variant = variant(CONTROL);
    let test = promptfoo::row(&"einstellung".into(), &variant, &question(&variant));
    let mut result = json!({
        "id": "r", "promptIdx": 0, "testIdx": 0, "promptId": "p", "provider": { "id": provider, "label": "" },
        "prompt": { "raw": "…", "label": "…" }, "vars": test["vars"], "testCase": test,
        "response": { "output": "Gout", "tokenUsage": {}, "cached": false },
        "failureReason": 0, "success": true, "score": 1, "latencyMs": 5, "namedScores": {}
    });
    for (key, value) in more.as_object().unwrap() {
        result[key] = value.clone();
    }
    result
}

fn output(dir: &Path, results: &[Value]) -> std::path::PathBuf {
    let path = dir.join("results.json");
    let summary =
        json!({ "version": 3, "timestamp": "2026-11-16T00:00:00Z", "prompts": [], "results": results, "stats": {} });
    let file = json!({ "evalId": "eval-x", "results": summary, "config": {}, "shareableUrl": null });
    std::fs::write(&path, file.to_string()).unwrap();
    path
}

#[test]
fn a_failed_assertion_is_an_answer_and_an_error_is_none() {
    let dir = tempfile::tempdir().unwrap();
    let results = [
        json!({}),
        json!({ "failureReason": 1, "success": false, "error": "Expected output to contain \"Sepsis\"" }),
        json!({ "failureReason": 2, "response": null, "error": "API error: 429" }),
        json!({ "failureReason": 2, "response": { "error": "Request timed out after 300000 ms" } }),
        json!({ "response": { "output": "It may", "finishReason": "length" } }),
        json!({ "response": { "output": "", "isRefusal": true } }),
        json!({ "response": { "output": { "recommendations": [] } } }),
    ];
    let results: Vec<Value> = results.iter().map(|it| result("openai:gpt-5", it)).collect();
    let log = Results::open(&output(dir.path(), &results), None).unwrap();
    assert_eq!(log.model(), Some("openai:gpt-5"));
    let told: Vec<String> = all_told(&log).into_iter().map(|(_, it)| it).collect();
    let expected = [
        "Gout",
        "Gout",
        "transport_error: API error: 429",
        "timeout: Request timed out after 300000 ms",
        "invalid_output: the answer was cut at the token limit",
        "refused: the model refused",
        "{\"recommendations\":[]}",
    ];
    assert_eq!(told, expected);
    assert_eq!(all_told(&log).last().unwrap().0, 6, "the same test again is a repeat");
    let lines = dir.path().join("results.jsonl");
    std::fs::write(&lines, results.iter().map(|it| format!("{it}\n")).collect::<String>()).unwrap();
    assert_eq!(all_told(&Results::open(&lines, None).unwrap()), all_told(&log));
}

#[test]
fn a_masked_hash_is_found_beside_the_test() {
    let dir = tempfile::tempdir().unwrap();
    let mut masked = result("echo", &json!({}));
    masked["metadata"] = masked["testCase"]["metadata"].clone();
    masked["testCase"]["metadata"]["question"] = "[REDACTED]".into();
    let question = |result: &Value| {
        let log = Results::open(&output(dir.path(), std::slice::from_ref(result)), None).unwrap();
        read(&log).unwrap().remove(0).question
    };
    assert_eq!(question(&masked), Some(format!("hash of {CONTROL}")));
    masked["metadata"] = Value::Null;
    assert_eq!(question(&masked), None, "its text has to do then");
}

#[test]
fn of_several_providers_one_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let path =
        output(dir.path(), &[result("a", &json!({})), result("b", &json!({ "response": { "output": "Sepsis" } }))]);
    let error = Results::open(&path, None).err().unwrap();
    assert!(error.hint.unwrap().contains("--model: a, b"));
    assert_eq!(all_told(&Results::open(&path, Some("b")).unwrap()), [(0, "Sepsis".to_owned())]);
    assert!(Results::open(&path, Some("c")).err().unwrap().to_string().contains("holds nothing of `c`"));
}

#[test]
fn a_result_file_of_something_else_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("results.json");
    let check = |text: &str, says: &str| {
        std::fs::write(&path, text).unwrap();
        let read = Results::open(&path, None).and_then(|it| read(&it).map(drop));
        let error = read.unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    };
    check("[]", "is no result file of promptfoo");
    check("{\"results\": {\"version\": 2, \"results\": []}}", "is of version 2");
    check("{\"results\": {\"version\": 3, \"results\": []}}", "holds no results");
    let several = [result("a", &json!({})), result("a", &json!({ "promptIdx": 1 }))];
    let text = std::fs::read_to_string(output(dir.path(), &several)).unwrap();
    check(&text, "asked with several prompts");
    check(&text.replace("\"metadata\"", "\"other\""), "its test has no `metadata.id`");
}
