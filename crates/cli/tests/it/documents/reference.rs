//! Pages that are made from the program.

use super::{files, read, root};
use crate::sample::Desk;

/// `WATERJAR_UPDATE=1` writes the page anew.
fn check(page: &str, what: &str) {
    let told = Desk::new().done(&format!("reference {what}")).stdout;
    if std::env::var_os("WATERJAR_UPDATE").is_some() {
        std::fs::write(root().join(page), &told).unwrap();
    }
    assert!(
        read(page) == told,
        "{page} is not what the program says any more: WATERJAR_UPDATE=1 cargo nextest run -p waterjar documents::reference"
    );
}

#[test]
fn the_page_of_commands_is_as_the_program_is() {
    check("docs/reference/commands.md", "commands");
}

#[test]
fn the_page_of_metrics_is_as_the_suites_are() {
    check("docs/reference/metrics.md", "metrics");
}

#[test]
fn the_schema_is_as_the_study_file_is() {
    check("docs/reference/study.schema.json", "schema");
    assert_eq!(Desk::new().done("show schema").stdout, read("docs/reference/study.schema.json"));
}

/// A page that is not in the summary is not in the book.
#[test]
fn every_page_is_in_the_book() {
    let summary = read("docs/SUMMARY.md");
    for page in files("docs", ".md") {
        let page = page.strip_prefix("docs/").unwrap();
        assert!(
            page == "SUMMARY.md" || summary.contains(&format!("]({page})")),
            "docs/SUMMARY.md does not have {page}"
        );
    }
}
