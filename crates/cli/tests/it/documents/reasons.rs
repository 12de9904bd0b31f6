//! Reasons of losses: each that a suite gives has plain words, and the glossary has them all.

use super::{files, read};
use waterjar_report::{EXHAUSTED, REASONS, meaning};

#[test]
fn the_glossary_lists_every_reason_as_the_program_tells_it() {
    let glossary = read("docs/glossary.md");
    let exhausted = format!("{}…", EXHAUSTED.0);
    for (code, words) in REASONS.into_iter().chain([(exhausted.as_str(), EXHAUSTED.1)]) {
        let row = format!("| `{code}` | {words} |");
        assert!(glossary.contains(&row), "docs/glossary.md lacks the row\n{row}");
    }
}

#[test]
fn every_reason_that_a_suite_gives_has_plain_words() {
    let mut seen = 0;
    for file in files("crates/suites/src", ".rs") {
        let source = read(&file);
        for rest in source.split("Loss::new(\"").skip(1) {
            let code = rest.split('"').next().unwrap();
            assert!(meaning(code).is_some(), "{file}: `{code}` has no words in crates/report/src/reason.rs");
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}
