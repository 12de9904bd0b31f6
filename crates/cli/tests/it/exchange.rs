//! `waterjar export --format …` and `waterjar import inspect`, with the tools themselves where they are there.

use crate::sample::{Desk, SMALL, shared_run};
use arrow::array::{ArrayRef, StringArray};
use arrow::record_batch::RecordBatch;
use parquet::arrow::ArrowWriter;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

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

/// What the run says of a subject, after judging and measuring; nobody else is asked.
fn measured(desk: &Desk, subject: &str) -> Value {
    desk.waterjar("judge run");
    desk.waterjar("measure run");
    crate::sample::result(&desk.json("run/metrics.json"), subject).clone()
}

/// A run that answers elsewhere alone, and its questions.
fn elsewhere() -> (Desk, Vec<Value>) {
    let (head, _) = SMALL.split_once("[[subject]]").unwrap();
    let study = format!("{head}[[subject]]\nagent = \"elsewhere\"\nmodel = \"m\"\nname = \"inspect:m\"\n");
    let desk = Desk::with_study(&study.replace("pairs = 40", "pairs = 4"));
    desk.done("vary small.toml --out run");
    desk.done("export run --format inspect-dataset --out questions.jsonl");
    let questions = desk.read("questions.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (desk, questions)
}

/// What Inspect would have made of a question.
fn sample(question: &Value, epoch: u32, says: &str) -> Value {
    let mut sample = question.clone();
    sample["epoch"] = epoch.into();
    sample["output"] = json!({ "choices": [{ "message": { "content": says }, "stop_reason": "stop" }] });
    sample
}

fn right(questions: &[Value]) -> Vec<Value> {
    questions.iter().map(|it| sample(it, 1, &format!("1. {}", it["target"].as_str().unwrap()))).collect()
}

fn log(desk: &Desk, name: &str, samples: &[Value]) {
    let log = json!({ "version": 2, "status": "success", "eval": { "model": "m" }, "samples": samples });
    desk.write(name, log.to_string());
}

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
    desk.done("import inspect log.json --into run --subject mine");
    desk.waterjar("judge run");
    desk.waterjar("measure run");
    let metrics = desk.json("run/metrics.json");
    assert_eq!(metrics["registered"], true);
    assert_eq!(crate::sample::result(&metrics, "mine")["missing"], 0);
    assert!(desk.read("run/study.toml").contains("name = \"mine\""));
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
    refused(&desk, "epochs.json", "it answers for the 2. time; the run asks 1 time(s)");
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

/// These rows, as pandas would write them.
fn parquet(desk: &Desk, name: &str, rows: &[Value]) {
    let names: Vec<String> = rows.iter().flat_map(|row| row.as_object().unwrap().keys().cloned()).collect();
    let names: std::collections::BTreeSet<String> = names.into_iter().collect();
    let column = |name: &String| -> ArrayRef {
        let cell = |row: &Value| match &row[name] {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        };
        Arc::new(rows.iter().map(cell).collect::<StringArray>())
    };
    let batch = RecordBatch::try_from_iter_with_nullable(names.iter().map(|name| (name, column(name), true))).unwrap();
    let file = std::fs::File::create(desk.path(name)).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn objects(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn outputs_in_parquet_are_scored_like_lines() {
    let desk = Desk::new();
    let rows = r#"{"pair":"1","subject":"mine","gt":"Angina","bias":"GERD","control":"Angina","trap":"GERD"}
{"pair":"2","subject":"mine","gt":"Angina","bias":"GERD","control":"Angina","trap":null}"#;
    desk.write("mine.jsonl", rows);
    parquet(&desk, "mine.parquet", &objects(rows));
    let lines = desk.waterjar("score einstellung mine.jsonl --json");
    let table = desk.waterjar("score einstellung mine.parquet --json");
    assert_eq!((table.code, &table.stdout), (Some(3), &lines.stdout), "{}", table.stderr);
    parquet(&desk, "other.parquet", &objects(r#"{"pair":"1","gt":"Angina"}"#));
    let ended = desk.waterjar("score einstellung other.parquet");
    assert!(
        ended.code == Some(2) && ended.stderr.contains("other.parquet, line 1: missing field `bias`"),
        "{}",
        ended.stderr
    );
}

#[test]
fn cases_and_pairs_in_parquet_make_the_benchmark_that_lines_make() {
    let desk = Desk::new();
    let run = shared_run();
    let variants = objects(&std::fs::read_to_string(run.join("variants.jsonl")).unwrap());
    let controls = variants.iter().filter(|it| it["suite"] == "einstellung" && it["intervention"].is_null());
    let cases: Vec<Value> = controls
        .map(|it| json!({ "id": it["case"], "source": "ours", "text": it["text"], "facts": it["facts"] }))
        .collect();
    let study = |source: &str| {
        format!(
            "[study]\nname = \"x\"\nseed = 7\n[[suite]]\nkind = \"einstellung\"\nsource = \"{source}\"\ngap = 0.2\nmax_edits = 2\n\
                 [[subject]]\nagent = \"plain\"\nmodel = \"reference\"\n"
        )
    };
    desk.write("cases.jsonl", cases.iter().map(|it| format!("{it}\n")).collect::<String>());
    parquet(&desk, "cases.parquet", &cases);
    for kind in ["jsonl", "parquet"] {
        desk.write("study.toml", study(&format!("jsonl:cases.{kind}")));
        desk.done(&format!("vary study.toml --out {kind}"));
    }
    assert!(desk.read("jsonl/variants.jsonl").lines().count() > 60);
    let of = |kind: &str| desk.read(&format!("{kind}/variants.jsonl"));
    assert!(of("parquet") == of("jsonl"), "the variants differ");
    let pairs = r#"{"id":"1","gt":"Angina","bias":"GERD","control":"My chest hurts.","trap":"My chest burns."}"#;
    desk.write("pairs.jsonl", pairs);
    parquet(&desk, "pairs.parquet", &objects(pairs));
    assert_eq!(desk.done("import medeinst pairs.parquet").stdout, desk.done("import medeinst pairs.jsonl").stdout);
}

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
    let lines: String =
        objects(&desk.read("tasks/einstellung.jsonl")).iter().map(|doc| format!("{}\n", line(doc))).collect();
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
    let results: Vec<Value> = objects(&desk.read("tests.jsonl")).iter().map(result).collect();
    desk.write("results.json", json!({ "evalId": "x", "results": { "version": 3, "results": results } }).to_string());
    desk.done("import promptfoo results.json --into run");
    let result = measured(&desk, "promptfoo:openai:gpt-5");
    assert_eq!((&result["missing"], &result["metrics"]["robust_accuracy"]["value"]), (&json!(0), &json!(1.0)));
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
                log(&shared, "answers/log.eval", &right(&objects(&shared.read("questions.jsonl"))));
            }
            Some("lm_eval") => {
                std::fs::create_dir(shared.path("answers/x")).unwrap();
                let line = |doc: &Value| format!("{}\n", json!({ "doc": doc, "resps": [["1. Gout"]] }));
                let lines: String = objects(&shared.read("tasks/einstellung.jsonl")).iter().map(line).collect();
                shared.write("answers/x/samples_x_1.jsonl", lines);
            }
            Some("promptfoo") => {
                let result = |test: &Value| json!({ "provider": { "id": "openai:gpt-5" }, "testCase": test, "response": { "output": "1. Gout" } });
                let results: Vec<Value> = objects(&shared.read("tests.jsonl")).iter().map(result).collect();
                shared.write("results.json", json!({ "results": { "version": 3, "results": results } }).to_string());
            }
            _ => {}
        }
    }
    assert_eq!(ran, 12, "commands of ours");
    let metrics = shared.json("runs/quickstart/metrics.json");
    assert_eq!(crate::sample::result(&metrics, "inspect:m")["metrics"]["robust_accuracy"]["value"], 1.0);
}
