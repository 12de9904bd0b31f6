//! The line on which a row of a CSV file stands, and what is wrong with it.
//!
//! `csv` takes a row to begin where the row before it ended: before the line feed of CRLF and before empty lines. So the line it tells can be too
//! low, and we count the lines of the file ourselves.

use csv::{DeserializeErrorKind, ErrorKind, Position};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use waterjar_core::{AS_UTF_8, NOT_UTF_8, SourceError, in_plain_words};

/// Tells the lines of the rows of a file, from the first row to the last, in one pass.
#[derive(Debug)]
pub struct RowLines {
    /// `None` where a file cannot be read a second time: a pipe would wait for ever.
    count: Option<LineCount<BufReader<File>>>,
}

impl RowLines {
    pub fn open(path: &Path) -> Self {
        let file = if path.is_file() { File::open(path).ok() } else { None };
        Self { count: file.map(|file| LineCount::new(BufReader::new(file))) }
    }

    /// The line of the row at this place, which is not before the place asked for last.
    pub fn of(&mut self, place: &Position) -> u64 {
        let counted = self.count.as_mut().and_then(|count| count.at(place.byte()).ok());
        counted.unwrap_or_else(|| place.line())
    }
}

/// The line of one row. It reads the file up to there, so it is for what is wrong with a row, not for every row.
pub fn row_line(path: &Path, place: &Position) -> u64 {
    RowLines::open(path).of(place)
}

/// The line of what comes after so many bytes of a text and after the ends of lines there.
pub fn line_at(text: &[u8], byte: u64) -> u64 {
    LineCount::new(text).at(byte).expect("reading from memory cannot fail")
}

/// A row that cannot be read.
pub fn bad_row(path: &Path, error: &csv::Error) -> SourceError {
    let problem = row_problem(error);
    let told = match error.position() {
        Some(place) => SourceError::at_line(path, row_line(path, place), problem),
        None => SourceError::at(path, problem),
    };
    match error.kind() {
        ErrorKind::Utf8 { .. } => told.with_hint(AS_UTF_8),
        _ => told,
    }
}

/// What is wrong with a row, without the place, of which `csv` may tell the wrong line.
pub fn row_problem(error: &csv::Error) -> String {
    match error.kind() {
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let cells = if *len == 1 { "cell" } else { "cells" };
            format!("has {len} {cells}, where the head has {expected_len}")
        }
        ErrorKind::Utf8 { err, .. } => format!("cell {} {NOT_UTF_8}", err.field() + 1),
        ErrorKind::Deserialize { err, .. } => {
            let expected = match err.kind() {
                DeserializeErrorKind::ParseInt(_) => "a whole number is expected",
                DeserializeErrorKind::ParseFloat(_) => "a number is expected",
                DeserializeErrorKind::ParseBool(_) => "true or false is expected",
                _ => return in_plain_words(&err.to_string()),
            };
            match err.field() {
                Some(field) => format!("cell {}: {expected}", field + 1),
                None => expected.to_owned(),
            }
        }
        _ => error.to_string(),
    }
}

#[derive(Debug)]
struct LineCount<R> {
    text: R,
    /// How far it has been read, and the line that goes on there.
    byte: u64,
    line: u64,
    /// The last byte was a carriage return: a line feed after it ends no other line.
    returned: bool,
}

impl<R: BufRead> LineCount<R> {
    fn new(text: R) -> Self {
        Self { text, byte: 0, line: 1, returned: false }
    }

    fn at(&mut self, byte: u64) -> io::Result<u64> {
        loop {
            let buffer = self.text.fill_buf()?;
            let mut read = 0;
            for &mark in buffer {
                let ends_line = matches!(mark, b'\r' | b'\n');
                if self.byte >= byte && !ends_line {
                    break;
                }
                self.line += u64::from(ends_line && !(mark == b'\n' && self.returned));
                self.returned = mark == b'\r';
                self.byte += 1;
                read += 1;
            }
            let there = read < buffer.len() || buffer.is_empty();
            self.text.consume(read);
            if there {
                return Ok(self.line);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of the rows of a table, its head first.
    fn check(text: &str, lines: &[u64]) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("table.csv");
        std::fs::write(&path, text).unwrap();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_path(&path).unwrap();
        let places: Vec<Position> = reader.records().map(|row| row.unwrap().position().unwrap().clone()).collect();
        let mut counted = RowLines::open(&path);
        let told: Vec<u64> = places.iter().map(|place| counted.of(place)).collect();
        assert_eq!(told, lines, "{text:?}");
        let each: Vec<u64> = places.iter().map(|place| row_line(&path, place)).collect();
        assert_eq!(each, lines, "{text:?}, one by one");
        let here: Vec<u64> = places.iter().map(|place| line_at(text.as_bytes(), place.byte())).collect();
        assert_eq!(here, lines, "{text:?}, in memory");
    }

    #[test]
    fn a_row_stands_on_the_line_an_editor_shows() {
        check("a,b\n1,2\n3,4\n", &[1, 2, 3]);
        check("a,b\r\n1,2\r\n3,4\r\n", &[1, 2, 3]);
        check("a,b\r1,2\r3,4", &[1, 2, 3]);
        check("\u{feff}a,b\r\n1,2\r\n", &[1, 2]);
    }

    #[test]
    fn lines_inside_quotes_count_and_so_do_empty_ones() {
        check("a,b\n\"one\ntwo\",2\n3,4\n", &[1, 2, 4]);
        check("a,b\r\n\"one\r\ntwo\",2\r\n3,4\r\n", &[1, 2, 4]);
        check("a,b\n\n\n1,2\n\n3,4\n", &[1, 4, 6]);
        check("\r\na,b\r\n\r\n1,2\r\n\"\r\n\",4\r\n5,6\r\n", &[2, 4, 5, 7]);
    }

    #[test]
    fn a_table_longer_than_what_is_read_at_once_is_counted_through() {
        let rows = 5_000;
        let text: String = (0..rows).map(|at| format!("{at},\"a\r\nb\"\r\n")).collect();
        check(&text, &(0..rows).map(|at| 2 * at + 1).collect::<Vec<u64>>());
    }

    #[test]
    fn what_is_wrong_is_told_with_one_line_only() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("table.csv");
        std::fs::write(&path, "a,b\r\n1,2\r\n3\r\n").unwrap();
        let mut reader = csv::Reader::from_path(&path).unwrap();
        let error = reader.records().find_map(Result::err).unwrap();
        let told = bad_row(&path, &error).to_string();
        assert!(told.ends_with("table.csv, line 3: has 1 cell, where the head has 2"), "{told}");
    }
}
