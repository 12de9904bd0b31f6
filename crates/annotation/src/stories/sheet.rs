//! A sheet of `waterjar export --stories` that people have written on.

use std::collections::HashMap;
use std::path::Path;
use waterjar_core::SourceError;
use waterjar_core::cell::unguarded;
use waterjar_exchange::table::{bad_row, cells};

/// The columns that are not raters.
pub const ABOUT: [&str; 4] = ["item", "story", "diagnosis_a", "diagnosis_b"];

#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    pub raters: Vec<String>,
    pub rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// As a spreadsheet counts them, its head being the first: a story has several lines, so the line of the file would help nobody.
    pub number: usize,
    pub item: String,
    /// What raters have read, where the sheet still has it.
    pub story: Option<String>,
    /// What the sheet calls the two diagnoses, where it still says.
    pub diagnoses: [Option<String>; 2],
    /// A cell per rater; empty where there is no answer.
    pub cells: Vec<String>,
}

impl Sheet {
    /// However a spreadsheet has saved it.
    pub fn read(path: &Path, not_raters: &[String]) -> Result<Self, SourceError> {
        let here = |problem: &str, hint: &str| SourceError::at(path, problem).with_hint(hint);
        // Some spreadsheets leave out cells at the end of rows in which they are empty.
        let mut reader = cells(path, csv::ReaderBuilder::new().flexible(true))?;
        let header = reader.headers().map_err(|error| bad_row(path, &error))?.clone();
        let at = |name: &str| header.iter().position(|it| it.trim().eq_ignore_ascii_case(name));
        let Some(item_at) = at("item") else {
            let hint = "name a CSV that `waterjar export RUN --stories` wrote, with the head that it had";
            return Err(here("has no column `item`", hint));
        };
        let story_at = at("story");
        let diagnoses_at = [at("diagnosis_a"), at("diagnosis_b")];
        let is_rater = |name: &str| {
            let mut about = not_raters.iter().map(String::as_str).chain(ABOUT);
            !name.is_empty() && about.all(|other| !other.eq_ignore_ascii_case(name))
        };
        let raters: Vec<(usize, &str)> =
            header.iter().map(str::trim).enumerate().filter(|(_, name)| is_rater(name)).collect();
        if raters.is_empty() {
            return Err(here("no column is a rater", "a column per rater, with a or b in it"));
        }
        let mut names: Vec<String> = raters.iter().map(|(_, name)| name.to_lowercase()).collect();
        names.sort();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let problem = format!("two columns are called `{}`", twice[0]);
            return Err(here(&problem, "a column per rater, each with a name of its own"));
        }
        let mut rows: Vec<Row> = Vec::new();
        for (number, record) in (2..).zip(reader.records()) {
            let record = record.map_err(|error| bad_row(path, &error))?;
            let cell = |at: usize| unguarded(record.get(at).map(str::trim).unwrap_or_default()).to_owned();
            // Spreadsheets leave rows of nothing behind.
            if record.iter().all(|it| it.trim().is_empty()) {
                continue;
            }
            let has_no_name = |at: &usize| header.get(*at).is_none_or(|name| name.trim().is_empty());
            if let Some(at) = (0..record.len()).filter(has_no_name).find(|at| !cell(*at).is_empty()) {
                let problem = format!("column {} has no name, and answers in row {number}", at + 1);
                return Err(here(&problem, "the first cell of a column is its rater's name"));
            }
            rows.push(Row {
                number,
                item: cell(item_at),
                story: story_at.map(cell).filter(|it| !it.is_empty()),
                diagnoses: diagnoses_at.map(|at| at.map(cell).filter(|it| !it.is_empty())),
                cells: raters.iter().map(|(at, _)| cell(*at)).collect(),
            });
        }
        if rows.is_empty() {
            return Err(here("holds no stories", "a row per story, as `waterjar export RUN --stories` writes them"));
        }
        check_items(path, &rows)?;
        Ok(Self { raters: raters.into_iter().map(|(_, name)| name.to_owned()).collect(), rows })
    }

    /// Takes out the columns that nobody has written into, and tells whose they are.
    pub fn without_silent(&mut self) -> Vec<String> {
        let says: Vec<bool> =
            (0..self.raters.len()).map(|at| self.rows.iter().any(|row| !row.cells[at].is_empty())).collect();
        for row in &mut self.rows {
            let mut says = says.iter();
            row.cells.retain(|_| says.next() == Some(&true));
        }
        let (speaking, silent): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.raters).into_iter().zip(says).partition(|(_, says)| *says);
        self.raters = speaking.into_iter().map(|(name, _)| name).collect();
        silent.into_iter().map(|(name, _)| name).collect()
    }
}

impl Row {
    /// What is wrong here.
    pub fn bad(&self, path: &Path, problem: impl Into<String>) -> SourceError {
        SourceError::new(format!("{}, row {}", path.display(), self.number), problem)
    }
}

/// Every row says which story it is, and each stands there once.
fn check_items(path: &Path, rows: &[Row]) -> Result<(), SourceError> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for row in rows {
        if row.item.is_empty() {
            return Err(row.bad(path, "has no `item`").with_hint("keep the first column as it was exported"));
        }
        if let Some(first) = seen.insert(&row.item, row.number) {
            let problem = format!("`{}` is there twice, first in row {first}", row.item);
            return Err(row.bad(path, problem).with_hint("a row per story, and a column per rater"));
        }
    }
    Ok(())
}
