//! The layout of Hugging Face.

use crate::sample::{CONTROL, SAME, TRAP, answer, failure, held, question, variant, verdict};
use arrow::array::{Array, AsArray};
use arrow::datatypes::{DataType, Float64Type, Int32Type};
use arrow::record_batch::RecordBatch;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::File;
use std::path::Path;
use waterjar_core::SuiteId;
use waterjar_exchange::hf::{About, BENCHMARK, Folder, License, RESPONSES, VERDICTS, Written};

fn about() -> About {
    About { name: "a: \"b\"".to_owned(), license: License::OfSources, made: "By us.".to_owned() }
}

fn write(to: &Path) -> [Written; 3] {
    let suite = SuiteId::from("einstellung");
    let mut folder = Folder::create(to).unwrap();
    for id in [CONTROL, TRAP] {
        let variant = variant(id);
        folder.variant(&suite, &variant, &question(&variant)).unwrap();
    }
    folder.response(&suite, &"f".into(), "control", &answer(CONTROL, "Gout")).unwrap();
    folder.response(&suite, &"f".into(), "trap", &failure(TRAP)).unwrap();
    folder.verdict(&suite, &verdict()).unwrap();
    folder.finish(&about()).unwrap()
}

fn read(folder: &Path, name: &str) -> RecordBatch {
    let file = File::open(folder.join(format!("data/{name}-00000-of-00001.parquet"))).unwrap();
    ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap().next().unwrap().unwrap()
}

fn text<'a>(rows: &'a RecordBatch, column: &str) -> Vec<Option<&'a str>> {
    rows.column_by_name(column).unwrap().as_string::<i32>().iter().collect()
}

#[test]
fn rows_have_typed_columns_and_nothing_where_nothing_is() {
    let dir = tempfile::tempdir().unwrap();
    let written = write(&dir.path().join("set"));
    assert_eq!(written.map(|it| (it.rows, it.files)), [(2, 1); 3]);
    let folder = dir.path().join("set");
    let benchmark = read(&folder, "benchmark");
    assert_eq!(text(&benchmark, "variant"), [Some(CONTROL), Some(TRAP)]);
    assert_eq!(text(&benchmark, "expectation"), [Some("names"), Some("flips")]);
    assert_eq!(text(&benchmark, "expected_not"), [None, Some("gout")]);
    let responses = read(&folder, "responses");
    assert_eq!(text(&responses, "state"), [Some("ok"), Some("refused")]);
    assert_eq!(text(&responses, "answer"), [Some("Gout"), None], "a missing answer is no empty one");
    let verdicts = read(&folder, "verdicts");
    let score = verdicts.column_by_name("score").unwrap();
    assert_eq!((score.data_type(), score.null_count()), (&DataType::Float64, 2));
    assert!(score.as_primitive::<Float64Type>().iter().all(|it| it.is_none()));
    assert_eq!(verdicts.column_by_name("repeat").unwrap().as_primitive::<Int32Type>().value(0), 0);
}

#[test]
fn where_nobody_knows_the_right_answer_none_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let mut folder = Folder::create(&dir.path().join("set")).unwrap();
    let (variant, question) = held();
    folder.variant(&"parity".into(), &variant, &question).unwrap();
    folder.finish(&about()).unwrap();
    let benchmark = read(&dir.path().join("set"), "benchmark");
    assert_eq!(text(&benchmark, "expectation"), [Some("holds")]);
    assert_eq!(text(&benchmark, "expected"), [Some(SAME)]);
    assert_eq!(text(&benchmark, "expected_condition"), [None::<&str>]);
    let declared = format!(r#"{{"kind":"holds","condition":"{SAME}"}}"#);
    assert_eq!(text(&benchmark, "expectation_json"), [Some(declared.as_str())]);
}

#[test]
fn what_the_schema_declares_is_what_the_files_and_the_card_have() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("set");
    write(&folder);
    let card = std::fs::read_to_string(folder.join("README.md")).unwrap();
    for (name, columns) in [("benchmark", BENCHMARK), ("responses", RESPONSES), ("verdicts", VERDICTS)] {
        let rows = read(&folder, name);
        let found: Vec<String> = rows.schema().fields().iter().map(|it| it.name().clone()).collect();
        assert_eq!(found, columns.iter().map(|it| it.name).collect::<Vec<_>>());
        for (column, field) in columns.iter().zip(rows.schema().fields()) {
            assert_eq!(column.optional, field.is_nullable(), "{}", column.name);
            let declared = format!("  - name: {}\n    dtype: {}\n", column.name, column.kind.feature());
            assert!(card.contains(&declared), "{declared}");
        }
        assert!(card.contains(&format!("path: data/{name}-*.parquet")));
    }
    assert!(card.starts_with("---\npretty_name: \"a: \\\"b\\\"\"\nlicense: other\n"), "{card}");
    assert!(card.contains("not for patient care"));
}

#[test]
fn the_same_run_is_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let (one, other) = (dir.path().join("one"), dir.path().join("other"));
    write(&one);
    write(&other);
    for name in ["README.md", "data/verdicts-00000-of-00001.parquet", "jsonl/benchmark.jsonl"] {
        assert!(std::fs::read(one.join(name)).unwrap() == std::fs::read(other.join(name)).unwrap(), "{name} differs");
    }
}

#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("mine"), "mine").unwrap();
    let error = Folder::create(dir.path()).err().unwrap();
    assert!(error.to_string().contains("holds something already"), "{error}");
}

#[test]
fn long_answers_are_written_in_row_groups_of_a_bounded_size() {
    let dir = tempfile::tempdir().unwrap();
    let mut folder = Folder::create(&dir.path().join("set")).unwrap();
    // Nothing repeats, so that nothing is compressed away.
    let mut state = 1_u64;
    let mut noise = || {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            char::from(b'!' + (state >> 58) as u8)
        };
        (0..1_000_000).map(|_| next()).collect::<String>()
    };
    for _ in 0..40 {
        folder.response(&"s".into(), &"f".into(), "control", &answer(CONTROL, &noise())).unwrap();
    }
    folder.finish(&about()).unwrap();
    let file = File::open(dir.path().join("set/data/responses-00000-of-00001.parquet")).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let groups: Vec<i64> = reader.metadata().row_groups().iter().map(|it| it.num_rows()).collect();
    assert!(groups.len() >= 2 && groups.iter().all(|rows| *rows <= 20), "{groups:?}");
}
