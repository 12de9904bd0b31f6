//! Looks at a path and says what it holds.

use super::Kind;
use super::files::{beginning, extension, files, folders, stem};
use super::tables::holds_notes;
use super::text::is_text;
use std::path::{Path, PathBuf};
use waterjar_core::SourceError;

/// Folders known by the tables in them.
const TABLE_FOLDERS: &[(Kind, &[&str])] = &[
    (Kind::McodeCsv, &["patient-information", "condition-information"]),
    (Kind::TumorBoardCsv, &["patient_demographics", "clinical_notes"]),
    (Kind::Omop, &["person", "condition_occurrence"]),
    (Kind::Omop, &["person", "visit_occurrence"]),
    (Kind::Omop, &["person", "note"]),
    (Kind::SyntheaCsv, &["patients", "encounters"]),
    (Kind::SyntheaCsv, &["patients", "conditions"]),
];

pub fn detect(path: &Path) -> Result<Kind, SourceError> {
    if path.is_file() {
        return match of_file(path)? {
            Some(kind) => Ok(kind),
            None => Err(unknown(path)),
        };
    }
    if !path.is_dir() {
        return Err(SourceError::at(path, "is not there"));
    }
    let found = files(path)?;
    if let Some(kind) = table_folder(&found) {
        return Ok(kind);
    }
    // The first file anybody can read speaks for its folder.
    for file in &found {
        if let Some(kind) = of_file(file)? {
            return Ok(kind);
        }
    }
    let subfolders = folders(path)?;
    let mut kinds = subfolders.iter().filter_map(|folder| detect(folder).ok());
    match kinds.next() {
        None => Err(unknown(path)),
        // Sub-folders of text alone are one chart each.
        Some(Kind::Text) if kinds.all(|kind| kind == Kind::Text) => Ok(Kind::Text),
        Some(_) => Ok(Kind::Folders),
    }
}

fn table_folder(found: &[PathBuf]) -> Option<Kind> {
    let has = |name: &&str| found.iter().any(|path| stem(path).eq_ignore_ascii_case(name) && is_csv(path));
    TABLE_FOLDERS.iter().find(|(_, names)| names.iter().all(has)).map(|(kind, _)| *kind)
}

fn is_csv(path: &Path) -> bool {
    matches!(extension(path).as_str(), "csv" | "tsv")
}

fn of_file(path: &Path) -> Result<Option<Kind>, SourceError> {
    if is_text(path) {
        return Ok(Some(Kind::Text));
    }
    Ok(match extension(path).as_str() {
        "json" => {
            let head = beginning(path)?;
            if says_bundle(&head) { Some(Kind::Fhir) } else { holds_notes(path).then_some(Kind::Notes) }
        }
        "ndjson" | "jsonl" => {
            let head = beginning(path)?;
            let first = head.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            let fhir = first.contains("\"resourceType\"");
            if fhir { Some(Kind::FhirNdjson) } else { holds_notes(path).then_some(Kind::Notes) }
        }
        "csv" | "tsv" | "parquet" => holds_notes(path).then_some(Kind::Notes),
        _ => None,
    })
}

/// `"resourceType": "Bundle"`, however it is spaced, or a resource alone.
fn says_bundle(head: &str) -> bool {
    head.contains("\"resourceType\"") || (head.contains("\"entry\"") && head.contains("\"fullUrl\""))
}

fn unknown(path: &Path) -> SourceError {
    let kinds: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    SourceError::at(path, "holds nothing we know as charts")
        .with_hint(format!("say what it is; the kinds are: {}", kinds.join(", ")))
}
