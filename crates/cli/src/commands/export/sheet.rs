//! A table for people to fill in.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Written aside first, so that a run that cannot be read or a full disk leaves nothing half-written.
pub struct Sheet<'a> {
    path: &'a Path,
    pub aside: PathBuf,
}

impl<'a> Sheet<'a> {
    pub fn at(path: &'a Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Self { path, aside: path.with_file_name(format!(".{name}.part")) }
    }

    /// Moves what was written into place, or takes it away where something went wrong.
    pub fn settle<T>(&self, written: Result<T>) -> Result<T> {
        let settled = written.and_then(|it| {
            std::fs::rename(&self.aside, self.path)?;
            Ok(it)
        });
        if settled.is_err() {
            let _ = std::fs::remove_file(&self.aside);
        }
        settled.with_context(|| format!("{} cannot be written", self.path.display()))
    }
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
