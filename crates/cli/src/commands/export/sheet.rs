//! A table for people to fill in.

use anyhow::{Context, Result};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use waterjar_engine::EngineError;
use waterjar_exchange::table::{BYTE_ORDER_MARK, cells};

/// How every sheet of ours begins behind its mark, also where a spreadsheet has saved it.
const HEADS: [&str; 3] = ["item,", "item;", "item\t"];

/// Written aside first, so that a run that cannot be read or a full disk leaves nothing half-written.
pub struct Sheet {
    path: PathBuf,
    aside: PathBuf,
}

impl Sheet {
    /// Nothing but an older sheet is written over, and none on which people have written behind our `columns`: neither a file of the run, nor
    /// a device, nor anybody's notes. A link is followed.
    pub fn at(path: &Path, columns: usize) -> Result<Self, EngineError> {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let problem = match path.exists() && !path.is_dir() {
            true if !is_sheet(&path) => Some("is there already, and is no sheet of this kind"),
            true if is_rated(&path, columns) => Some("holds what raters have said"),
            _ => None,
        };
        if let Some(problem) = problem {
            return Err(EngineError::file(&path, problem).with_hint("name another file: it is not written over"));
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let aside = path.with_file_name(format!(".{name}.part"));
        Ok(Self { path, aside })
    }

    /// With the mark by which spreadsheets know that letters are UTF-8.
    pub fn writer(&self) -> Result<csv::Writer<File>> {
        let mut file = File::create(&self.aside)?;
        file.write_all(BYTE_ORDER_MARK.as_bytes())?;
        Ok(csv::Writer::from_writer(file))
    }

    /// Moves what was written into place, or takes it away where something went wrong.
    pub fn settle<T>(&self, written: Result<T>) -> Result<T> {
        let settled = written.and_then(|it| {
            std::fs::rename(&self.aside, &self.path)?;
            Ok(it)
        });
        if settled.is_err() {
            let _ = std::fs::remove_file(&self.aside);
        }
        settled.with_context(|| format!("{} cannot be written", self.path.display()))
    }
}

fn is_sheet(path: &Path) -> bool {
    let mut start = String::new();
    let longest = (BYTE_ORDER_MARK.len() + HEADS[0].len()) as u64;
    let read = |file: File| file.take(longest).read_to_string(&mut start);
    path.is_file() && File::open(path).and_then(read).is_ok() && is_head(&start)
}

fn is_head(start: &str) -> bool {
    let start = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start);
    HEADS.iter().any(|head| start.starts_with(*head))
}

/// A row that cannot be read may be anybody's.
fn is_rated(path: &Path, columns: usize) -> bool {
    let Ok(mut csv) = cells(path, csv::ReaderBuilder::new().flexible(true)) else { return true };
    let is_filled = |row: &csv::StringRecord| row.iter().skip(columns).any(|cell| !cell.trim().is_empty());
    csv.records().any(|row| row.as_ref().map_or(true, is_filled))
}

/// A spreadsheet takes a cell that begins like this for a formula.
pub fn as_text(cell: String) -> String {
    if cell.starts_with(['=', '+', '-', '@']) { format!(" {cell}") } else { cell }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_is_known_by_its_head_also_where_a_spreadsheet_has_saved_it() {
        for head in ["item,", "\u{feff}item,", "\u{feff}item;", "item\tstory"] {
            assert!(is_head(head), "{head:?}");
        }
        for head in ["", "item", "items,", "{\"item\"", "\u{feff}\u{feff}item,"] {
            assert!(!is_head(head), "{head:?}");
        }
    }

    #[test]
    fn no_cell_is_a_formula() {
        let check = |cell: &str, told: &str| assert_eq!(as_text(cell.to_owned()), told);
        check("=HYPERLINK(\"http://x\")", " =HYPERLINK(\"http://x\")");
        check("- since Monday", " - since Monday");
        check("I cough.", "I cough.");
        check("", "");
    }
}
