//! A table for people to fill in.

use anyhow::{Context, Result};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use waterjar_engine::EngineError;

/// How every sheet of ours begins.
const HEAD: &[u8] = b"item,";

/// Written aside first, so that a run that cannot be read or a full disk leaves nothing half-written.
pub struct Sheet {
    path: PathBuf,
    pub aside: PathBuf,
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
    let mut start = [0; HEAD.len()];
    path.is_file() && File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == HEAD
}

/// A row that cannot be read may be anybody's.
fn is_rated(path: &Path, columns: usize) -> bool {
    let Ok(mut csv) = csv::ReaderBuilder::new().flexible(true).from_path(path) else { return true };
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
    fn no_cell_is_a_formula() {
        let check = |cell: &str, told: &str| assert_eq!(as_text(cell.to_owned()), told);
        check("=HYPERLINK(\"http://x\")", " =HYPERLINK(\"http://x\")");
        check("- since Monday", " - since Monday");
        check("I cough.", "I cough.");
        check("", "");
    }
}
