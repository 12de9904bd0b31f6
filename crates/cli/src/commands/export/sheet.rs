//! A table for people to fill in.

use anyhow::{Context, Result};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use waterjar_core::cell::{guarded, unguarded};
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
    /// Nothing but an older sheet is written over, which begins with the columns `about`, and none on which people have written in others than
    /// those and `ours`: neither a file of the run, nor a device, nor anybody's notes. A link is followed.
    pub fn at(path: &Path, about: &[&str], ours: &[&str]) -> Result<Self, EngineError> {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let problem = match path.exists() && !path.is_dir() {
            true if !is_sheet(&path, about) => Some("is there already, and is no sheet of this kind"),
            true if is_rated(&path, &[about, ours].concat()) => Some("holds what raters have said"),
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
    pub fn rows(&self) -> Result<Rows> {
        let mut file = File::create(&self.aside)?;
        file.write_all(BYTE_ORDER_MARK.as_bytes())?;
        Ok(Rows(csv::Writer::from_writer(file)))
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

/// The rows of a sheet. Models and cases wrote most cells, and no spreadsheet is to run any of them.
pub struct Rows(csv::Writer<File>);

impl Rows {
    pub fn put(&mut self, cells: impl IntoIterator<Item = impl AsRef<str>>) -> Result<()> {
        Ok(self.0.write_record(cells.into_iter().map(|cell| guarded(cell.as_ref())))?)
    }

    pub fn finish(mut self) -> Result<()> {
        Ok(self.0.flush()?)
    }
}

/// Its columns are read only where the first word of it is ours: of other files the first line may have no end.
fn is_sheet(path: &Path, about: &[&str]) -> bool {
    let mut start = Vec::new();
    let longest = (BYTE_ORDER_MARK.len() + HEADS[0].len()) as u64;
    let read = |file: File| file.take(longest).read_to_end(&mut start);
    let begins = path.is_file() && File::open(path).and_then(read).is_ok() && is_head(&start);
    // Who took columns out, or wrote on a sheet of the other kind, wants to keep that.
    begins && columns(path).is_some_and(|(head, _)| head.iter().take(about.len()).eq(about.iter().copied()))
}

fn is_head(start: &[u8]) -> bool {
    let start = start.strip_prefix(BYTE_ORDER_MARK.as_bytes()).unwrap_or(start);
    HEADS.iter().any(|head| start.starts_with(head.as_bytes()))
}

/// A row that cannot be read may be anybody's.
fn is_rated(path: &Path, ours: &[&str]) -> bool {
    let Some((head, mut csv)) = columns(path) else { return true };
    let is_ours = |at: usize| head.get(at).is_some_and(|name| ours.contains(&unguarded(name)));
    let is_filled =
        |row: &csv::StringRecord| row.iter().enumerate().any(|(at, cell)| !is_ours(at) && !cell.trim().is_empty());
    csv.records().any(|row| row.as_ref().map_or(true, is_filled))
}

/// Their names, and the rows below them.
fn columns(path: &Path) -> Option<(csv::StringRecord, csv::Reader<impl Read>)> {
    let mut csv = cells(path, csv::ReaderBuilder::new().flexible(true)).ok()?;
    Some((csv.headers().ok()?.clone(), csv))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_is_known_by_its_head_also_where_a_spreadsheet_has_saved_it() {
        for head in ["item,", "\u{feff}item,", "\u{feff}item;", "item\tstory"] {
            assert!(is_head(head.as_bytes()), "{head:?}");
        }
        for head in ["", "item", "items,", "{\"item\"", "\u{feff}\u{feff}item,"] {
            assert!(!is_head(head.as_bytes()), "{head:?}");
        }
    }

    fn check(content: &str, about: &[&str], ours: &[&str], problem: Option<&str>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sheet.csv");
        std::fs::write(&path, content).unwrap();
        let refused = Sheet::at(&path, about, ours).err().map(|error| error.to_string());
        assert_eq!(refused.as_deref().and_then(|told| told.rsplit(": ").next()), problem, "{content}");
    }

    #[test]
    fn what_people_have_written_is_kept_wherever_it_stands() {
        let (stories, rated) = (["item", "story"], Some("holds what raters have said"));
        let another = Some("is there already, and is no sheet of this kind");
        check("item,story,rater_1\ns1,I cough.,\n", &stories, &[], None);
        check("item,story,rater_1\ns1,I cough.,a\n", &stories, &[], rated);
        // Saved by a spreadsheet.
        check("\u{feff}item;story;rater_1\r\ns1;I cough.;\r\n", &stories, &[], None);
        check("\u{feff}item;story;rater_1\r\ns1;I cough.;a\r\n", &stories, &[], rated);
        // The story was taken out, and the sheet is shorter than ours.
        check("item,anna\ns1,a\n", &stories, &[], another);
        // Of the other kind, whose columns reach beyond the rater's.
        check("item,story,anna\ns1,I cough.,a\n", &["item", "suite", "case", "subject"], &["rules"], another);
        // Somebody's labels stand where now another auditor's would.
        check("item,suite,anna\ns1,x,blindness\n", &["item", "suite"], &["rules"], rated);
        check("item,suite,rules\ns1,x,blindness\n", &["item", "suite"], &["rules"], None);
        // Without a name.
        check("item,suite,rules\ns1,x,blindness,underthinking\n", &["item", "suite"], &["rules"], rated);
    }

    #[test]
    fn no_cell_is_a_formula_and_a_column_of_ours_stays_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sheet.csv");
        let about = ["item", "given_answer", "reasoning"];
        let sheet = Sheet::at(&path, &about, &["@auditor"]).unwrap();
        let mut rows = sheet.rows().unwrap();
        rows.put(["item", "given_answer", "reasoning", "@auditor"]).unwrap();
        rows.put(["=case/trap", "=HYPERLINK(\"http://x\")", "- since Monday", "blindness"]).unwrap();
        sheet.settle(rows.finish()).unwrap();
        let (head, mut written) = columns(&path).unwrap();
        assert_eq!(head.get(3), Some("'@auditor"));
        let row = written.records().next().unwrap().unwrap();
        assert_eq!(row, vec!["'=case/trap", "'=HYPERLINK(\"http://x\")", "'- since Monday", "blindness"]);
        assert!(Sheet::at(&path, &about, &["@auditor"]).is_ok(), "nobody has written on it");
        assert!(Sheet::at(&path, &about, &["rules"]).is_err());
    }
}
