//! The official layout: one patient a line, lists as Python literals.

use super::codes::Codes;
use super::field::{self, Problem};
use super::literal::{pairs, strings};
use super::row::Row;
use csv::{ByteRecord, ErrorKind, Reader, ReaderBuilder};
use std::fs::File;
use std::path::{Path, PathBuf};
use waterjar_core::SourceError;
use waterjar_exchange::table::row_line;

/// One record and one row, used again for every patient: memory does not grow with the file.
#[derive(Debug)]
pub(super) struct CsvRows {
    path: PathBuf,
    reader: Reader<File>,
    record: ByteRecord,
    columns: Columns,
}

/// Where each column stands in this file.
#[derive(Debug)]
struct Columns {
    age: usize,
    sex: usize,
    pathology: usize,
    evidences: usize,
    differential: usize,
    /// Adds nothing to the facts; checked, because a cut-off file often ends in it.
    initial: Option<usize>,
}

const AGE: &str = "AGE";
const SEX: &str = "SEX";
const PATHOLOGY: &str = "PATHOLOGY";
const EVIDENCES: &str = "EVIDENCES";
const DIFFERENTIAL: &str = "DIFFERENTIAL_DIAGNOSIS";
const INITIAL: &str = "INITIAL_EVIDENCE";

impl CsvRows {
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        let file = File::open(path).map_err(|error| SourceError::unreadable(path, &error))?;
        let mut reader = ReaderBuilder::new().buffer_capacity(1 << 16).from_reader(file);
        let header = reader.byte_headers().map_err(|error| read_error(path, &error))?;
        let columns = Columns::find(path, header)?;
        Ok(Self { path: path.to_owned(), reader, record: ByteRecord::new(), columns })
    }

    /// Fills the row with the next patient; false at the end.
    pub fn next(&mut self, codes: &Codes, row: &mut Row) -> Result<bool, SourceError> {
        let more = self.reader.read_byte_record(&mut self.record).map_err(|error| read_error(&self.path, &error))?;
        if !more {
            return Ok(false);
        }
        row.begin();
        self.fill(codes, row).map_err(|problem| {
            let line = self.record.position().map_or(0, |place| row_line(&self.path, place));
            problem.at(&self.path, line)
        })?;
        Ok(true)
    }

    fn fill(&self, codes: &Codes, row: &mut Row) -> Result<(), Problem> {
        let columns = &self.columns;
        row.age = field::age(self.text(columns.age, AGE)?).map_err(|it| it.within(AGE))?;
        row.sex = field::sex(self.text(columns.sex, SEX)?).map_err(|it| it.within(SEX))?;
        let name = self.text(columns.pathology, PATHOLOGY)?;
        row.condition = field::condition(codes, name).map_err(|it| it.within(PATHOLOGY))?;
        strings(self.text(columns.evidences, EVIDENCES)?, |item| field::evidence(codes, row, &item))
            .map_err(|it: Problem| it.within(EVIDENCES))?;
        let differential = self.text(columns.differential, DIFFERENTIAL)?;
        // Repackagings leave it empty where it was not computed.
        if !differential.is_empty() {
            pairs(differential, |name, p| field::candidate(codes, row, &name, p))
                .map_err(|it: Problem| it.within(DIFFERENTIAL))?;
        }
        if let Some(initial) = columns.initial {
            let item = self.text(initial, INITIAL)?;
            if codes.item(item).is_none() && !item.is_empty() {
                return Err(Problem::new(format!("unknown evidence `{item}`")).within(INITIAL));
            }
        }
        Ok(())
    }

    fn text(&self, column: usize, name: &str) -> Result<&str, Problem> {
        str::from_utf8(&self.record[column])
            .map_err(|error| Problem::new(format!("is not valid UTF-8 at byte {}", error.valid_up_to())).within(name))
    }
}

impl Columns {
    fn find(path: &Path, header: &ByteRecord) -> Result<Self, SourceError> {
        let names: Vec<_> = header
            .iter()
            .map(|name| String::from_utf8_lossy(name).trim().trim_start_matches('\u{feff}').to_owned())
            .collect();
        if names.is_empty() {
            return Err(SourceError::at(path, "is empty: no patients")
                .with_hint("a DDXPlus patients file begins with a line of column names"));
        }
        let at = |wanted: &str| names.iter().position(|name| name == wanted);
        let need = |wanted: &str| {
            at(wanted).ok_or_else(|| {
                let found: Vec<_> = names.iter().take(20).map(|name| format!("`{name}`")).collect();
                SourceError::at_line(path, 1, format!("there is no column `{wanted}`"))
                    .with_hint(format!("the columns are: {}", found.join(", ")))
            })
        };
        Ok(Self {
            age: need(AGE)?,
            sex: need(SEX)?,
            pathology: need(PATHOLOGY)?,
            evidences: need(EVIDENCES)?,
            differential: need(DIFFERENTIAL)?,
            initial: at(INITIAL),
        })
    }
}

fn read_error(path: &Path, error: &csv::Error) -> SourceError {
    match error.kind() {
        ErrorKind::Io(error) => SourceError::unreadable(path, error),
        ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.as_ref().map_or(0, |place| row_line(path, place));
            let problem = format!("this row has {len} fields and the header {expected_len}");
            SourceError::at_line(path, line, problem).with_hint(if len < expected_len {
                "the file is cut off in this row, or a quote is never closed: copy it again"
            } else {
                "a field with a comma in it must stand in quotes"
            })
        }
        _ => SourceError::at(path, error.to_string()),
    }
}
