//! Note sets: which column holds the patient, the date, the category and the text.

use super::super::files;
use super::super::when::DateOrder;
use super::layout::{EventTable, SectionRule};
use super::rows::column_names;
use super::table::Table;
use serde::Deserialize;
use std::path::Path;
use waterjar_core::SourceError;

/// A mapping file. What it does not name is found by the usual names.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mapping {
    subject: Option<String>,
    date: Option<String>,
    category: Option<String>,
    text: Option<String>,
    #[serde(default)]
    pub date_order: DateOrder,
}

const SUBJECTS: &[&str] =
    &["subject_id", "patient_id", "patientid", "patient", "person_id", "mrn", "patient_uid", "chart_id", "case_id"];
const DATES: &[&str] = &[
    "charttime",
    "chartdate",
    "note_date",
    "notedate",
    "note_datetime",
    "entrydate",
    "orderdate",
    "date",
    "datetime",
    "storetime",
    "time",
    "admittime",
    "created_at",
];
const CATEGORIES: &[&str] =
    &["category", "note_type", "notetype", "note_category", "type", "procedurename", "description", "title"];
const TEXTS: &[&str] =
    &["text", "note_text", "notetext", "reporttext", "report_text", "note", "transcription", "content", "body"];

pub(super) fn is_table(path: &Path) -> bool {
    matches!(files::extension(path).as_str(), "csv" | "tsv" | "json" | "jsonl" | "ndjson" | "parquet")
}

/// Whether these columns hold notes.
pub(in super::super) fn are_notes(columns: &[String]) -> bool {
    find(columns, None, TEXTS).is_some()
        && find(columns, None, DATES).or_else(|| find(columns, None, SUBJECTS)).is_some()
}

impl Mapping {
    pub fn read(path: Option<&Path>) -> Result<Self, SourceError> {
        let Some(path) = path else { return Ok(Self::default()) };
        toml::from_str(&files::text(path)?).map_err(|error| {
            SourceError::at(path, error.to_string()).with_hint(
                "a mapping names columns: subject, date, category, text, and date_order = \"mdy\" or \"dmy\"",
            )
        })
    }

    /// The table of one file; all its rows belong to `owner` where no column says whose they are.
    pub fn table(&self, path: &Path, owner: &str) -> Result<Table, SourceError> {
        let columns = column_names(path)?;
        let named = |written: &Option<String>, usual: &[&str]| {
            let found = find(&columns, written.as_deref(), usual);
            match (written, &found) {
                (Some(name), None) => Err(no_column(path, name, &columns)),
                _ => Ok(found),
            }
        };
        let field = |column: Option<String>| column.map_or_else(String::new, |column| format!("{{{column}}}"));
        let Some(text) = named(&self.text, TEXTS)? else {
            return Err(no_column(path, "text", &columns));
        };
        let subject = named(&self.subject, SUBJECTS)?;
        let written = EventTable {
            file: files::name(path),
            patient: field(subject.clone()),
            date: field(named(&self.date, DATES)?),
            tag: field(named(&self.category, CATEGORIES)?),
            section: SectionRule::Note,
            text: field(Some(text)),
            headline: None,
            name: None,
            category: String::new(),
            code: String::new(),
            unless: None,
        };
        let table = Table::of_events(path, &written)?.counted_as("note");
        Ok(if subject.is_some() { table } else { table.owned_by(owner) })
    }
}

/// The column of this name, or the first of the usual ones.
fn find(columns: &[String], written: Option<&str>, usual: &[&str]) -> Option<String> {
    let called = |name: &str| columns.iter().find(|column| column.eq_ignore_ascii_case(name)).cloned();
    match written {
        Some(name) => called(name),
        None => usual.iter().find_map(|name| called(name)),
    }
}

fn no_column(path: &Path, wanted: &str, columns: &[String]) -> SourceError {
    let problem = format!("has no column `{wanted}`; its columns are: {}", columns.join(", "));
    SourceError::at(path, problem).with_hint("give a mapping file that says which column is the text: text = \"…\"")
}
