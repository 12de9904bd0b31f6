//! Sheets of stories that people have written on.

use crate::file::with_file;
use crate::told;
use std::collections::BTreeMap;
use std::path::Path;
use waterjar_annotation::stories::{Pick, Row, Sheet};
use waterjar_core::SourceError;
use waterjar_core::cell::guarded;

pub fn check(data: &[u8]) {
    let not_raters = ["note".to_owned()];
    let read = |data: &[u8]| with_file("stories.csv", data, |path: &Path| Sheet::read(path, &not_raters));
    match read(data) {
        Err(error) => told(&error),
        Ok(sheet) => {
            holds_together(&sheet);
            reads_back(&sheet, &read);
        }
    }
}

fn holds_together(sheet: &Sheet) {
    assert!(!sheet.raters.is_empty() && !sheet.rows.is_empty());
    for row in &sheet.rows {
        assert_eq!(row.cells.len(), sheet.raters.len(), "a cell per rater: {row:?}");
        let names = row.diagnoses.clone().map(Option::unwrap_or_default);
        for cell in &row.cells {
            let pick = Pick::read(cell, &names);
            assert_eq!(
                pick,
                Pick::read(&format!(" {cell}. "), &names),
                "marks around an answer change nothing: {cell:?}"
            );
        }
    }
    let mut speaking = sheet.clone();
    let silent = speaking.without_silent();
    assert_eq!(silent.len() + speaking.raters.len(), sheet.raters.len());
    assert!(speaking.rows.iter().all(|row| row.cells.len() == speaking.raters.len()));
}

/// However a spreadsheet saves it, and in whatever order its rows are.
fn reads_back(sheet: &Sheet, read: &dyn Fn(&[u8]) -> Result<Sheet, SourceError>) {
    let ways = [("", ",", "\n"), ("\u{feff}", ";", "\r\n"), ("", "\t", "\r"), ("\u{feff}", ",", "\r\n")];
    for (mark, parts, ends) in ways {
        for (is_turned, is_short) in [(false, true), (true, false)] {
            let written = format!("{mark}{}", text(sheet, is_turned, is_short).join(parts, ends));
            let again = read(written.as_bytes()).unwrap_or_else(|error| panic!("{error} in {written:?}"));
            assert_eq!(again.raters, sheet.raters, "{written:?}");
            assert_eq!(said(&again), said(sheet), "{written:?}");
        }
    }
}

/// By item, for a row may stand anywhere.
fn said(sheet: &Sheet) -> BTreeMap<&str, Row> {
    sheet.rows.iter().map(|row| (row.item.as_str(), Row { number: 0, ..row.clone() })).collect()
}

/// Rows of cells in quotes.
struct Text(Vec<Vec<String>>);

/// From the last row to the first, where they are turned; without what is empty at the end of rows, where they are short.
fn text(sheet: &Sheet, is_turned: bool, is_short: bool) -> Text {
    let quoted = |cell: &str| format!("\"{}\"", cell.replace('"', "\"\""));
    let about = ["item", "story", "diagnosis_a", "diagnosis_b"];
    let head = about.into_iter().chain(sheet.raters.iter().map(String::as_str)).map(quoted).collect();
    let row = |row: &Row| -> Vec<String> {
        let [a, b] = &row.diagnoses;
        let about = [Some(&row.item), row.story.as_ref(), a.as_ref(), b.as_ref()];
        let mut cells: Vec<&str> = about.into_iter().map(|it| it.map_or("", String::as_str)).collect();
        cells.extend(row.cells.iter().map(String::as_str));
        while is_short && cells.last() == Some(&"") {
            cells.pop();
        }
        cells.into_iter().map(|cell| quoted(&guarded(cell))).collect()
    };
    let mut rows: Vec<Vec<String>> = sheet.rows.iter().map(row).collect();
    if is_turned {
        rows.reverse();
    }
    rows.insert(0, head);
    Text(rows)
}

impl Text {
    fn join(&self, parts: &str, ends: &str) -> String {
        self.0.iter().map(|row| format!("{}{ends}", row.join(parts))).collect()
    }
}
