//! Parquet in.

use crate::sample::{Desk, objects, shared_run};
use arrow::array::{ArrayRef, StringArray};
use arrow::record_batch::RecordBatch;
use parquet::arrow::ArrowWriter;
use serde_json::{Value, json};
use std::sync::Arc;

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
            "[study]\nname = \"x\"\nseed = 7\n[[suite]]\nkind = \"einstellung\"\nsource = \"{source}\"\ngap = 0.7\nmax_edits = 2\n\
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
