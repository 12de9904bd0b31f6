//! A patients file, one row at a time, in either layout.

use super::codes::Codes;
use super::csv_rows::CsvRows;
use super::json_rows::JsonRows;
use super::row::Row;
use std::path::Path;
use waterjar_core::SourceError;

/// Ends after the first error: a file that is broken in one place is not trusted in the next.
#[derive(Debug)]
pub(super) struct Patients<'a> {
    codes: &'a Codes,
    rows: Rows,
    row: Row,
    over: bool,
}

#[derive(Debug)]
enum Rows {
    Csv(Box<CsvRows>),
    Json(Box<JsonRows>),
}

impl<'a> Patients<'a> {
    pub fn open(path: &Path, codes: &'a Codes) -> Result<Self, SourceError> {
        let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        let rows = if is_json {
            Rows::Json(Box::new(JsonRows::open(path)?))
        } else {
            Rows::Csv(Box::new(CsvRows::open(path)?))
        };
        Ok(Self { codes, rows, row: Row::new(codes), over: false })
    }

    pub fn next(&mut self) -> Option<Result<&Row, SourceError>> {
        if self.over {
            return None;
        }
        let more = match &mut self.rows {
            Rows::Csv(rows) => rows.next(self.codes, &mut self.row),
            Rows::Json(rows) => rows.next(self.codes, &mut self.row),
        };
        match more {
            Ok(true) => Some(Ok(&self.row)),
            Ok(false) => {
                self.over = true;
                None
            }
            Err(error) => {
                self.over = true;
                Some(Err(error))
            }
        }
    }
}
