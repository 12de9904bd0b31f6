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
    /// Nothing but an older sheet is written over, and none on which people have written in columns of their own: neither a file of the run,
    /// nor a device, nor anybody's notes. A link is followed. `about` are the first columns, in this order, and `labels` those behind them
    /// that we fill in, too.
    pub fn at(path: &Path, about: &[&str], labels: &[&str]) -> Result<Self, EngineError> {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let problem = match path.exists() && !path.is_dir() {
            true if !is_sheet(&path, about) => Some("is there already, and is no sheet of this kind"),
            true if is_rated(&path, about.len(), labels) => Some("holds what raters have said"),
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

/// Its head is read only where the first word of it is ours: of other files the first line may have no end.
fn is_sheet(path: &Path, about: &[&str]) -> bool {
    let mut start = [0; HEAD.len()];
    let begins = path.is_file() && File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok();
    begins && start == HEAD && head(path).is_some_and(|head| head.iter().take(about.len()).eq(about.iter().copied()))
}

fn head(path: &Path) -> Option<csv::StringRecord> {
    csv::ReaderBuilder::new().flexible(true).from_path(path).ok()?.headers().ok().cloned()
}

/// By their names: another study of the run may have had more `labels` or fewer. A row that cannot be read may be anybody's.
fn is_rated(path: &Path, about: usize, labels: &[&str]) -> bool {
    let Some(head) = head(path) else { return true };
    let Ok(mut csv) = csv::ReaderBuilder::new().flexible(true).from_path(path) else { return true };
    let is_ours = |at: usize| at < about || head.get(at).is_some_and(|name| labels.contains(&name));
    let is_filled =
        |row: &csv::StringRecord| row.iter().enumerate().any(|(at, cell)| !is_ours(at) && !cell.trim().is_empty());
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
