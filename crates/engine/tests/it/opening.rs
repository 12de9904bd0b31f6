//! A directory belongs to one study. What is somebody else's stays as it was.

use crate::lab::{Lab, STUDY};
use std::collections::BTreeMap;
use std::path::Path;

/// The files of a directory, but for those SQLite and the lock keep for themselves.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    let own = ["run.lock", "run.sqlite-wal", "run.sqlite-shm"];
    let named = entries.map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()));
    named.filter(|(name, _)| !own.contains(&name.as_str())).collect()
}

async fn check_refused(lab: &Lab, study: &str, says: &str, hints: &str) {
    let error = lab.run(study).await.err().unwrap();
    assert!(error.to_string().contains(says), "{error}");
    assert!(error.hint().unwrap().contains(hints), "{error}");
    assert_eq!(lab.world.asked_in_all(), 0);
}

#[tokio::test]
async fn a_directory_with_foreign_files_is_refused_untouched() {
    let lab = Lab::new();
    std::fs::create_dir(lab.dir()).unwrap();
    std::fs::write(lab.dir().join("thesis.tex"), "ten years of work").unwrap();
    let before = files(&lab.dir());
    check_refused(&lab, STUDY, "holds files but no run", "choose another directory").await;
    assert_eq!(files(&lab.dir()), before);
}

#[tokio::test]
async fn a_foreign_database_is_refused_untouched() {
    let lab = Lab::new();
    std::fs::create_dir(lab.dir()).unwrap();
    std::fs::write(lab.dir().join("run.sqlite"), "this is no database at all, but it is long enough to look at")
        .unwrap();
    let before = files(&lab.dir());
    check_refused(&lab, STUDY, "is not a run", "choose another output directory").await;
    assert_eq!(files(&lab.dir()), before);
}

#[tokio::test]
async fn a_file_in_the_way_is_refused() {
    let lab = Lab::new();
    std::fs::write(lab.dir(), "in the way").unwrap();
    check_refused(&lab, STUDY, "is a file, not a directory", "--out").await;
    assert_eq!(std::fs::read_to_string(lab.dir()).unwrap(), "in the way");
}

#[tokio::test]
async fn an_empty_directory_is_used() {
    let lab = Lab::new();
    std::fs::create_dir(lab.dir()).unwrap();
    assert!(lab.run(STUDY).await.is_ok());
}

#[tokio::test]
async fn the_directory_of_another_study_is_refused_untouched() {
    let lab = Lab::new();
    lab.run(STUDY).await.unwrap();
    let (before, asked) = (files(&lab.dir()), lab.world.asked_in_all());
    let error = lab.run(&STUDY.replace("seed = 7", "seed = 8")).await.err().unwrap();
    assert!(error.to_string().contains("holds another study"), "{error}");
    assert_eq!((files(&lab.dir()), lab.world.asked_in_all()), (before, asked));
    assert!(lab.run(STUDY).await.is_ok(), "its own study still runs");
}

#[tokio::test]
async fn two_processes_cannot_write_one_run() {
    let lab = Lab::new();
    let _held = lab.open(STUDY).await.unwrap();
    let error = lab.open(STUDY).await.err().unwrap();
    assert!(error.to_string().contains("is being written by another process"), "{error}");
}

#[tokio::test]
async fn a_study_that_is_wrong_makes_no_directory() {
    let lab = Lab::new();
    assert!(lab.run(&STUDY.replace("\"tiny\"", "\"tniy\"")).await.is_err());
    assert!(!lab.dir().exists());
}

#[tokio::test]
async fn the_study_is_kept_as_it_was_written() {
    let lab = Lab::new();
    let study = format!("# why we ask\n{STUDY}");
    lab.run(&study).await.unwrap();
    assert_eq!(lab.file("study.toml"), study);
}

#[tokio::test]
async fn nothing_but_whole_files_is_left_behind() {
    let lab = Lab::new();
    lab.run(STUDY).await.unwrap();
    let names: Vec<String> = files(&lab.dir()).into_keys().collect();
    assert_eq!(
        names,
        ["metrics.json", "responses.jsonl", "run.sqlite", "study.toml", "variants.jsonl", "verdicts.jsonl"]
    );
}

/// Killed while the database was being made, a process leaves a journal that only a writer can roll back.
#[tokio::test]
async fn a_run_killed_while_it_was_being_made_can_be_started_again() {
    let lab = Lab::new();
    std::fs::create_dir(lab.dir()).unwrap();
    // The header of SQLite's rollback journal (fileformat2, 3): no pages yet, a nonce, an empty file before, sectors, pages.
    let mut journal = vec![0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
    for number in [0_u32, 0x18b9_718a, 0, 512, 4096] {
        journal.extend(number.to_be_bytes());
    }
    journal.resize(512, 0);
    std::fs::write(lab.dir().join("run.sqlite-journal"), journal).unwrap();
    let mut page = b"SQLite format 3\0\x10\0\x02\x02\0\x40\x20\x20\0\0\0\x01\0\0\0\x01".to_vec();
    page.resize(4096, 0);
    std::fs::write(lab.dir().join("run.sqlite"), page).unwrap();
    lab.run(STUDY).await.unwrap();
}
