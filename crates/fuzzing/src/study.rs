//! Study files.

use crate::{text, told};
use serde::Deserialize;
use std::path::Path;
use waterjar_engine::StudyFile;
use waterjar_models::ModelSpec;
use waterjar_suites::{consult, einstellung, parity, sensitivity};

pub fn check(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let path = Path::new("study.toml");
    let parse = |sets: &[&str]| {
        let sets: Vec<String> = sets.iter().map(|it| (*it).to_owned()).collect();
        StudyFile::parse(path, text.to_owned(), &sets)
    };
    let file = match parse(&[]) {
        Ok(file) => file,
        Err(error) => return told(&error),
    };
    settings(&file);
    let lines = text.matches('\n').count() + 1;
    for suite in &file.suites {
        let place = file.place_of_key(suite.span(), "kind");
        let line = place.rsplit_once("line ").and_then(|(_, line)| line.parse().ok());
        assert!(line.is_some_and(|line: usize| line >= 1 && line <= lines), "{place} of {lines} lines");
    }
    // `--set` changes what it names and nothing else.
    let set = parse(&["study.seed=8"]).expect("a study that can be read can be read with another seed");
    assert_eq!(set.study.seed, 8);
    assert_eq!((&set.study.name, set.study.repeats), (&file.study.name, file.study.repeats));
    assert_eq!(format!("{:?}", set.bounds.keys()), format!("{:?}", file.bounds.keys()));
    let tables =
        |file: &StudyFile| format!("{:?}", file.suites.iter().map(|it| it.get_ref().clone()).collect::<Vec<_>>());
    assert_eq!(tables(&set), tables(&file));
    // What a run keeps of its study is the study.
    let again = StudyFile::parse(path, file.text.clone(), &[]).expect("what was read once is read again");
    assert_eq!(tables(&again), tables(&file));
}

/// What suites and models make of their tables: settings, or a reason.
fn settings(file: &StudyFile) {
    for suite in &file.suites {
        let table = suite.get_ref();
        let problems = [
            einstellung::Settings::deserialize(table.clone()).err(),
            sensitivity::Settings::deserialize(table.clone()).err(),
            parity::Settings::deserialize(table.clone()).err(),
            consult::Settings::deserialize(table.clone()).err(),
        ];
        problems.iter().flatten().for_each(told);
    }
    for model in file.models.values() {
        match ModelSpec::deserialize(model.get_ref().clone()) {
            Ok(spec) => drop(spec.check()),
            Err(error) => told(&error),
        }
    }
}
