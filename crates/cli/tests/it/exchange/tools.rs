//! Inspect AI and pyarrow read what we wrote, and write what we read.

use super::measured;
use crate::sample::{Desk, SMALL, shared_run};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Python of a virtual environment that has inspect_ai and pyarrow, or a word that the test is skipped.
fn python() -> Option<PathBuf> {
    let python = std::env::var_os("WATERJAR_PYTHON").map(PathBuf::from);
    if python.is_none() {
        eprintln!(
            "skipped: WATERJAR_PYTHON is not set (scripts/test makes an environment with inspect_ai and pyarrow)"
        );
    }
    python
}

fn run_python(python: &Path, script: &str, words: &[&Path]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python").join(script);
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(python);
    // Nothing of whoever runs the tests is read, and nothing is left with them.
    command.env("HOME", home.path()).env("XDG_DATA_HOME", home.path()).env("INSPECT_DISPLAY", "none");
    let output = command.current_dir(home.path()).arg(script).args(words).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples")
}

const ONE: &str = "--format inspect --suite einstellung --subject plain@gestalt";

#[test]
fn a_run_is_a_data_set_that_pyarrow_opens_with_the_declared_columns() {
    let desk = Desk::new();
    let run = shared_run();
    let ended = desk.done(&format!("export {} --format hf --out set", run.display()));
    let lines = |name: &str| std::fs::read_to_string(run.join(name)).unwrap();
    assert!(ended.stderr.contains(&format!("{} variants", lines("variants.jsonl").lines().count())));
    assert_eq!(desk.names("."), ["set"]);
    for (ours, theirs) in [("variants", "benchmark"), ("responses", "responses"), ("verdicts", "verdicts")] {
        assert!(desk.read(&format!("set/jsonl/{theirs}.jsonl")) == lines(&format!("{ours}.jsonl")), "{ours} differ");
    }
    let Some(python) = python() else { return };
    let told: Value = serde_json::from_str(&run_python(&python, "read_parquet.py", &[&desk.path("set")])).unwrap();
    assert_eq!(told["declared"], told["found"]);
    assert_eq!(told["found"]["benchmark"]["rows"], lines("variants.jsonl").lines().count());
    assert!(told["outcomes"].as_array().unwrap().contains(&"trapped".into()), "{}", told["outcomes"]);
}

#[test]
fn inspect_lists_opens_and_scores_our_log_again() {
    let Some(python) = python() else { return };
    let desk = Desk::new();
    let run = shared_run();
    desk.done(&format!("export {} --format inspect --out logs", run.display()));
    desk.done(&format!("export {} {ONE} --out one.eval", run.display()));
    desk.done(&format!("export {} {ONE} --out one.json", run.display()));
    let metrics: Value = serde_json::from_str(&std::fs::read_to_string(run.join("metrics.json")).unwrap()).unwrap();
    let ours = metrics["results"].as_array().unwrap().iter().find(|it| it["subject"] == "plain@gestalt").unwrap();
    let results = metrics["results"].as_array().unwrap().len();
    for name in ["one.eval", "one.json"] {
        let words = [desk.path("logs"), desk.path(name), examples()];
        let words: Vec<&Path> = words.iter().map(PathBuf::as_path).collect();
        let told: Value = serde_json::from_str(&run_python(&python, "read_logs.py", &words)).unwrap();
        let by_program = json!({ "listed": results, "dumped": 120, "scored": ["waterjar", "named_first"] });
        assert_eq!(told["by_program"], if name == "one.eval" { by_program } else { json!({}) });
        assert_eq!(told["by_api"], results);
        assert_eq!((&told["status"], &told["model"]), (&"success".into(), &"none/plain@gestalt".into()));
        for n in ["samples", "summaries", "total", "completed"] {
            assert_eq!(told[n], 120, "{n} of {name}");
        }
        assert_eq!((&told["errors"], &told["one"]), (&0.into(), &true.into()));
        let of = |name: &str| (&told["ours"][name], &ours["metrics"][name]["value"]);
        assert_eq!(of("bias_trap_rate").0, of("bias_trap_rate").1);
        assert_eq!(told["headline"], "bias_trap_rate");
        assert_eq!(told["ours"].get("bias_trap_rate.edits_1"), None, "a viewer shows them all at once");
        assert_eq!(told["again"], told["mean"], "who names what is expected first is right by our rules too");
        assert_eq!(told["kept"], json!(["waterjar", "named_first"]));
        assert_eq!((&told["metadata"]["suite"], &told["metadata"]["role"]), (&"einstellung".into(), &"control".into()));
    }
}

#[test]
fn answers_of_inspects_mock_model_are_judged_and_measured() {
    let Some(python) = python() else { return };
    let desk = Desk::with_study(SMALL);
    desk.done("vary small.toml --out run");
    desk.done("export run --format inspect-dataset --out questions.jsonl");
    let words = [desk.path("questions.jsonl"), desk.path("logs"), examples()];
    run_python(&python, "mock_eval.py", &words.iter().map(PathBuf::as_path).collect::<Vec<_>>());
    let log = format!("logs/{}", desk.names("logs").remove(0));
    let ended = desk.waterjar(&format!("import inspect {log} --into run"));
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    let failed = (0..120).filter(|at| at % 10 == 9 || at % 7 == 6 || at % 5 == 3).count();
    let counts = format!("inspect:mockllm/model: {} answered, {failed} failed, 0 missing of 120", 120 - failed);
    assert!(ended.stderr.contains(&counts), "{}", ended.stderr);
    let result = measured(&desk, "inspect:mockllm/model");
    let metrics = &result["metrics"];
    assert_eq!(
        (&metrics["baseline_accuracy"]["value"], &metrics["bias_trap_rate"]["value"]),
        (&json!(1.0), &json!(0.0))
    );
    let incomplete = (0..40).filter(|family| (0..3).any(|it| is_failed(3 * family + it))).count();
    assert_eq!((&result["n"], &result["missing"]), (&json!(40), &json!(incomplete)));
    let states = |state: &str| desk.read("run/responses.jsonl").matches(&format!("\"state\":\"{state}\"")).count();
    let count = |of: fn(usize) -> bool| (0..120).filter(|at| of(*at)).count();
    assert_eq!(states("transport_error"), count(|at| at % 10 == 9));
    assert_eq!(states("invalid_output"), count(|at| at % 10 != 9 && at % 7 == 6));
    assert_eq!(states("refused"), count(|at| at % 10 != 9 && at % 7 != 6 && at % 5 == 3));
}

fn is_failed(at: usize) -> bool {
    at % 10 == 9 || at % 7 == 6 || at % 5 == 3
}
