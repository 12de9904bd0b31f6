//! A user's own base and own cases.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use waterjar_core::{CaseSource, Seed, SourceError};
use waterjar_knowledge::jsonl::JsonLines;
use waterjar_knowledge::simulate::Simulated;
use waterjar_knowledge::starter;

fn file(name: &str, lines: &[String]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(name);
    std::fs::write(&path, lines.join("\n")).unwrap();
    path
}

fn cases(count: u64) -> Vec<String> {
    let base = Arc::new(starter::base().unwrap());
    let cases = Simulated::for_test(base, Seed(7), count);
    cases.cases().map(|case| serde_json::to_string(&case.unwrap()).unwrap()).collect()
}

fn open(path: &Path) -> Result<JsonLines, SourceError> {
    JsonLines::open("mine", path, Arc::new(starter::base().unwrap()))
}

#[test]
fn a_folder_in_the_starters_format_is_a_base() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("starter");
    let base = starter::read_folder(&folder).unwrap();
    let ours = starter::base().unwrap();
    assert_eq!(base.conditions(), ours.conditions());
    assert_eq!(base.findings(), ours.findings());
    assert_eq!(base.umbrellas(), ours.umbrellas());
}

#[test]
fn umbrellas_tell_how_answers_are_read_and_not_who_is_drawn() {
    let base = starter::base().unwrap();
    let mut fewer = base.umbrellas().to_vec();
    fewer.pop();
    let fewer = base.clone().with_umbrellas(fewer);
    assert_ne!(base.umbrellas_hash(), fewer.umbrellas_hash());
    assert_eq!(base.fingerprint(), fewer.fingerprint());
    assert_eq!(base.with_umbrellas(Vec::new()).umbrellas_hash(), None);
}

#[test]
fn a_folder_that_is_none_is_told_by_its_path() {
    let error = starter::read_folder(Path::new("/nowhere")).unwrap_err();
    assert!(error.to_string().contains("/nowhere/findings"), "{error}");
}

#[test]
fn cases_come_back_as_they_were_written() {
    let written = cases(20);
    let source = open(&file("good.jsonl", &written)).unwrap();
    let read: Vec<String> = source.cases().map(|case| serde_json::to_string(&case.unwrap()).unwrap()).collect();
    assert_eq!(read, written);
}

#[test]
fn a_case_without_text_is_told_from_its_facts() {
    let mut case: serde_json::Value = serde_json::from_str(&cases(1)[0]).unwrap();
    let told = case["text"].clone();
    case["text"] = "".into();
    let source = open(&file("untold.jsonl", &[case.to_string()])).unwrap();
    assert_eq!(source.cases().next().unwrap().unwrap().text, told.as_str().unwrap());
}

fn check_refused(name: &str, lines: &[String], expected: &str) {
    let error = open(&file(name, lines)).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let good = cases(3);
    check_refused("cut.jsonl", &[good[0].clone(), good[1][..100].to_owned()], "cut.jsonl, line 2: EOF");
    check_refused(
        "twice.jsonl",
        &[good[0].clone(), good[0].clone()],
        "line 2: the case id `starter-000000` is there twice",
    );
    check_refused("empty.jsonl", &[], "holds no cases");
    let strange = good[0].replacen("\"condition\":\"", "\"condition\":\"x", 1);
    check_refused("strange.jsonl", &[strange], "line 1: case `starter-000000`: the knowledge base has no condition `x");
}
