//! Cases that come with facts or as finished pairs.

use crate::file::{parts, with_file, with_files};
use crate::{text, told};
use std::path::Path;
use std::sync::{Arc, LazyLock};
use waterjar_consultations::dx::{self, DxCase};
use waterjar_core::CaseSource;
use waterjar_knowledge::jsonl::JsonLines;
use waterjar_knowledge::{KnowledgeBase, ddxplus, starter};
use waterjar_suites::einstellung::Published;

const CONDITIONS: &[u8] = include_bytes!("ddxplus/release_conditions.json");
const EVIDENCES: &[u8] = include_bytes!("ddxplus/release_evidences.json");
const PATIENTS: &[u8] = include_bytes!("ddxplus/patients.csv");

/// Patients of a small release, as its authors write them and in words.
pub fn ddxplus_patients(data: &[u8]) {
    for name in ["patients.csv", "patients.json"] {
        let files = [("release_conditions.json", CONDITIONS), ("release_evidences.json", EVIDENCES), (name, data)];
        with_files(&files, open);
    }
}

/// The release itself: conditions, then evidences.
pub fn ddxplus_release(data: &[u8]) {
    let [conditions, evidences] = parts(data)[..] else { return };
    let files =
        [("release_conditions.json", conditions), ("release_evidences.json", evidences), ("patients.csv", PATIENTS)];
    with_files(&files, open);
}

fn open(folder: &Path) {
    let source = match ddxplus::open(folder) {
        Ok(source) => source,
        Err(error) => return told(&error),
    };
    let base = source.base();
    for condition in base.conditions() {
        assert!(condition.findings.values().all(|it| it.p > 0.0 && it.p < 1.0), "a chance of {}", condition.id);
    }
    let all: Vec<_> = source.facts().collect::<Result<_, _>>().expect("it was counted, so it can be read");
    assert_eq!(all.len() as u64, source.count());
    let hard: Vec<_> = source.hard(0.005).collect::<Result<_, _>>().expect("it was counted, so it can be read");
    assert!(hard.iter().all(|it| all.contains(it)), "hard cases are cases");
    for case in source.cases() {
        assert!(!case.expect("it was counted, so it can be read").text.trim().is_empty());
    }
}

/// Cases and pairs a line each: ours, MedEinst's, and such as are told in stages.
pub fn lines(data: &[u8]) {
    static BASE: LazyLock<Arc<KnowledgeBase>> = LazyLock::new(|| Arc::new(starter::base().expect("a test reads it")));
    with_file("cases.jsonl", data, |path| {
        cases(JsonLines::open("jsonl", path, Arc::clone(&BASE)));
        cases(Published::open("medeinst", path));
        cases(Published::open_staged("staged", path));
    });
}

/// Whoever could be opened can be read twice, and gives the same.
fn cases<S: CaseSource>(source: Result<S, waterjar_core::SourceError>) {
    let source = match source {
        Ok(source) => source,
        Err(error) => return told(&error),
    };
    let read = || source.cases().collect::<Result<Vec<_>, _>>().expect("it was looked through when it was opened");
    let once = read();
    assert!(!once.is_empty());
    assert_eq!(once, read());
    let mut ids: Vec<_> = once.iter().map(|case| &case.id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), once.len(), "ids tell cases apart");
}

pub fn dx(data: &[u8]) {
    let Some(text) = text(data) else { return };
    match dx::read(text) {
        Err(error) => told(&error),
        Ok(cases) => {
            for case in cases {
                let back = DxCase::parse(&case.id, &case.write());
                assert_eq!(back.as_ref(), Some(&case), "what a case of the pipeline holds reads back");
                let _ = case.contradiction();
            }
        }
    }
}
