//! A suite is a folder and a line in a table; neither may be forgotten.

use std::path::{Path, PathBuf};

fn folders() -> Vec<PathBuf> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let entries = std::fs::read_dir(src).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.join("mod.rs").is_file()).collect()
}

fn name(folder: &Path) -> String {
    folder.file_name().unwrap().to_string_lossy().into_owned()
}

#[test]
fn every_folder_is_in_the_table_and_every_line_has_a_folder() {
    let mut folders: Vec<String> = folders().iter().map(|folder| name(folder)).collect();
    let mut table: Vec<String> = waterjar_suites::all().iter().map(|suite| suite.kind.to_owned()).collect();
    folders.sort();
    table.sort();
    assert_eq!(folders, table, "a suite is a folder in crates/suites/src and a line in suites::all()");
}

#[test]
fn every_suite_says_what_it_measures_in_a_readme() {
    let without: Vec<String> =
        folders().iter().filter(|folder| !folder.join("README.md").is_file()).map(|folder| name(folder)).collect();
    assert_eq!(
        without,
        Vec::<String>::new(),
        "these suites have no README.md: the paper, what we measure, where we differ"
    );
}

#[test]
fn every_readme_tells_the_version_and_what_each_version_changed() {
    for suite in waterjar_suites::all() {
        let version = (suite.card)().version;
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(suite.kind).join("README.md");
        let readme = std::fs::read_to_string(path).unwrap();
        assert!(readme.contains(&format!("**Version {version}.**")), "{}: its card has version {version}", suite.kind);
        let changes = readme.split_once("\n## Changes\n").map(|(_, changes)| changes).unwrap_or_default();
        for version in 1..=version {
            let told = changes.lines().any(|line| line.starts_with(&format!("{version}. ")));
            assert!(told, "{}: `## Changes` does not tell what version {version} changed", suite.kind);
        }
    }
}

#[test]
fn every_suite_is_presented() {
    for suite in waterjar_suites::all() {
        let card = (suite.card)();
        assert_eq!(card.kind, suite.kind);
        assert!(!suite.about.is_empty() && !card.title.is_empty() && !card.about.is_empty());
        assert!(card.columns.iter().any(|column| column.primary), "{}: no column is the primary one", suite.kind);
    }
}
