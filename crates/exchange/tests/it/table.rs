//! Rows that others bring in Parquet.

use arrow::array::{
    ArrayRef, Date32Array, DictionaryArray, Float64Array, Int64Array, ListArray, StringArray, StructArray, UInt32Array,
};
use arrow::datatypes::{DataType, Field, Int32Type};
use arrow::record_batch::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use waterjar_exchange::table::{Lines, columns, seekable};

/// As polars writes it: packed by zstd, in several row groups.
fn write(path: &Path, columns: Vec<(&str, ArrayRef)>, group: usize) {
    let batch =
        RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, it)| (name, it, true))).unwrap();
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(group))
        .build();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn lines(path: &Path) -> Vec<String> {
    Lines::open(path).unwrap().collect::<Result<_, _>>().unwrap()
}

#[test]
fn a_row_is_a_line_with_its_columns_by_name_and_without_those_that_hold_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("rows.parquet");
    let words: DictionaryArray<Int32Type> = [Some("M"), None].into_iter().collect();
    let age: ArrayRef = Arc::new(UInt32Array::from(vec![Some(34), None]));
    let facts = StructArray::from(vec![(Arc::new(Field::new("age", DataType::UInt32, true)), age)]);
    let tests = ListArray::from_iter_primitive::<arrow::datatypes::Int64Type, _, _>([Some([Some(1), None]), None]);
    write(
        &path,
        vec![
            ("id", Arc::new(StringArray::from(vec!["a/b", "病例"]))),
            ("n", Arc::new(Int64Array::from(vec![i64::MAX, -1]))),
            ("score", Arc::new(Float64Array::from(vec![0.5, f64::NAN]))),
            ("sex", Arc::new(words)),
            ("facts", Arc::new(facts)),
            ("tests", Arc::new(tests)),
            ("date", Arc::new(Date32Array::from(vec![Some(20_773), None]))),
        ],
        1,
    );
    assert_eq!(columns(&path).unwrap(), ["id", "n", "score", "sex", "facts", "tests", "date"]);
    let read = lines(&path);
    let first: serde_json::Value = serde_json::from_str(&read[0]).unwrap();
    let expected = serde_json::json!({
        "id": "a/b", "n": i64::MAX, "score": 0.5, "sex": "M", "facts": { "age": 34 }, "tests": [1, null], "date": "2026-11-16"
    });
    assert_eq!(first, expected);
    let second: serde_json::Value = serde_json::from_str(&read[1]).unwrap();
    assert_eq!(second, serde_json::json!({ "id": "病例", "n": -1, "facts": {} }));
}

#[test]
fn rows_are_in_their_order_over_all_row_groups() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("rows.parquet");
    write(&path, vec![("n", Arc::new(Int64Array::from_iter_values(0..2000)))], 300);
    let read = lines(&path);
    assert_eq!(read.len(), 2000);
    assert!(read.iter().enumerate().all(|(at, line)| *line == format!("{{\"n\":{at}}}")));
    let mut text = String::new();
    seekable(&path).unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text.lines().collect::<Vec<_>>(), read);
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("rows.jsonl");
    std::fs::write(&path, "\u{feff}{\"a\": 1}\r\n{\"a\": \"\u{feff}\"}\n\u{feff}{}\n").unwrap();
    assert_eq!(lines(&path), ["{\"a\": 1}", "{\"a\": \"\u{feff}\"}", "{}"]);
}

#[test]
fn a_file_that_is_no_parquet_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("rows.parquet");
    write(&path, vec![("n", Arc::new(Int64Array::from_iter_values(0..2000)))], 300);
    let whole = std::fs::read(&path).unwrap();
    for bytes in [&b"{\"id\": 1}\n"[..], &[], &whole[..whole.len() - 5], &whole[whole.len() / 2..]] {
        std::fs::write(&path, bytes).unwrap();
        let error = Lines::open(&path).err().map(|error| error.to_string());
        // What lies in the middle is only found when it is read.
        let error = error.or_else(|| Lines::open(&path).unwrap().find_map(Result::err)).unwrap();
        assert!(error.contains("cannot be read as Parquet") || error.contains("cannot be decoded"), "{error}");
    }
}

#[test]
fn a_directory_is_no_file_of_lines() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["rows.jsonl", "rows.parquet"] {
        let path = dir.path().join(name);
        std::fs::create_dir(&path).unwrap();
        let told = Lines::open(&path).err().map(|error| error.to_string()).unwrap();
        assert!(told.contains("Is a directory") && told.contains("name the file"), "{told}");
    }
}

#[test]
fn a_line_that_is_no_text_is_told_and_those_after_it_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("rows.jsonl");
    std::fs::write(&path, b"one\n\xff\nthree\n").unwrap();
    let read: Vec<Option<String>> = Lines::open(&path).unwrap().map(Result::ok).collect();
    assert_eq!(read, [Some("one".to_owned()), None, Some("three".to_owned())]);
}
