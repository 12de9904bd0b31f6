//! Files that are not what they should be.

use crate::inspect::{read, write};
use crate::sample::{CONTROL, answer};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use waterjar_core::SourceError;
use waterjar_exchange::Recording;
use waterjar_exchange::inspect::Log;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

fn attempt(path: &Path) -> Result<(), SourceError> {
    Log::open(path)?.each(&mut |_| Ok(()))
}

fn check(bytes: &[u8], says: &str) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("log.eval");
    std::fs::write(&path, bytes).unwrap();
    let error = attempt(&path).unwrap_err();
    assert!(error.to_string().contains(says), "{error}");
}

fn archive(dir: &Path, files: &[(&str, &[u8])]) -> PathBuf {
    let path = dir.join("log.eval");
    let mut zip = ZipWriter::new(File::create(&path).unwrap());
    for (name, content) in files {
        zip.start_file(*name, SimpleFileOptions::default().compression_method(CompressionMethod::Zstd)).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap();
    path
}

const HEAD: &[u8] = br#"{"version": 2, "status": "success", "eval": {"model": "m"}}"#;

#[test]
fn what_is_no_log_is_told() {
    check(b"", "is no log of Inspect");
    check(b"id,answer\n1,Gout\n", "neither a zip archive nor a JSON object");
    check(b"{\"results\": []}", "is no log of Inspect: missing field `version`");
    check(br#"{"version": 3, "status": "success", "eval": {"model": "m"}}"#, "is a log of version 3");
    check(&HEAD[..30], "is cut off");
}

#[test]
fn an_archive_that_is_cut_off_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("whole.eval");
    write(&path, &[answer(CONTROL, "Gout")]);
    let whole = std::fs::read(&path).unwrap();
    for cut in [10, whole.len() / 2, whole.len() - 1] {
        check(&whole[..cut], "is cut off or damaged");
    }
}

#[test]
fn an_archive_of_something_else_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let path = archive(dir.path(), &[("word/document.xml", b"<x/>")]);
    assert!(attempt(&path).unwrap_err().to_string().contains("holds no header.json"));
}

#[test]
fn a_sample_that_is_none_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = archive(dir.path(), &[("header.json", HEAD), ("samples/a/b_epoch_1.json", b"{\"id\": \"a/b\"}")]);
    let error = attempt(&path).unwrap_err().to_string();
    assert!(error.contains("samples/a/b_epoch_1.json") && error.contains("missing field"), "{error}");
}

#[test]
fn samples_in_chunks_are_told_rather_than_passed_over() {
    let dir = tempfile::tempdir().unwrap();
    let files =
        [("header.json", HEAD), ("samples/a_epoch_1/messages/0.json", b"[]"), ("samples/a_epoch_1/sample.json", b"{}")];
    let error = attempt(&archive(dir.path(), &files)).unwrap_err();
    assert!(error.to_string().contains("sample in chunks") && error.hint.unwrap().contains("write_eval_log"));
}

#[test]
fn an_archive_that_unpacks_without_end_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("log.eval");
    let mut zip = ZipWriter::new(File::create(&path).unwrap());
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Zstd);
    zip.start_file("header.json", options).unwrap();
    zip.write_all(HEAD).unwrap();
    zip.start_file("samples/a_epoch_1.json", options).unwrap();
    zip.write_all(b"{\"id\": \"").unwrap();
    for _ in 0..200 {
        zip.write_all(&vec![b'a'; 1 << 20]).unwrap();
    }
    zip.finish().unwrap();
    assert!(std::fs::metadata(&path).unwrap().len() < 1 << 20, "it is small as long as it is packed");
    let error = attempt(&path).unwrap_err().to_string();
    assert!(error.contains("unpacks to more than 128 MB"), "{error}");
}

#[test]
fn an_eval_under_way_is_read_as_far_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let sample = br#"{"id": "a", "epoch": 2, "input": "?", "output": {"choices": [{"message": {"content": "Gout"}}]}}"#;
    let head = br#"{"version": 2, "eval": {"model": "m"}, "plan": {}}"#;
    let path = archive(dir.path(), &[("_journal/start.json", head), ("samples/a_epoch_2.json", sample)]);
    assert!(Log::open(&path).unwrap().notes()[0].contains("`started`"));
    assert_eq!(read(&path)[0].repeat, 1);
}
