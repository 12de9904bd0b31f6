//! Rows that others bring: JSON Lines as they are, Parquet row by row as if it were JSON Lines, and CSV however it was saved, with the lines of
//! its rows.

mod cell;
mod quotes;
mod row_lines;
mod rows;
mod separator;

pub use quotes::{BadQuote, QuoteScan, STRAY_QUOTE, bad_quote, check_quotes, holds_lines, swallowing};
pub use row_lines::{RowLines, bad_row, line_at, row_line, row_problem};
pub use separator::{cells, separator};

use rows::Rows;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::Path;
use waterjar_core::{SourceError, in_plain_words};

/// Some programs put it before a text in UTF-8, of which it is no part, and spreadsheets take a table without it for one in the letters of their
/// country.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

pub fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|it| it.eq_ignore_ascii_case("parquet"))
}

/// The lines of a file, each as text. A row of a Parquet file is a line: an object with what the row holds, its columns by name, without
/// those that hold nothing.
pub enum Lines {
    /// Nothing after an error that would come again for ever.
    Text(Option<std::io::Lines<BufReader<File>>>),
    Parquet(Box<Rows>),
}

impl Lines {
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        if is_parquet(path) {
            return Ok(Self::Parquet(Box::new(Rows::open(path)?)));
        }
        Ok(Self::Text(Some(BufReader::new(open(path)?).lines())))
    }
}

impl Iterator for Lines {
    /// The error is what is wrong with the line.
    type Item = Result<String, String>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Text(lines) => {
                let line = lines.as_mut()?.next()?;
                // A line that is no UTF-8 has been read past; what else goes wrong would go wrong at the same place again.
                if line.as_ref().is_err_and(|error| error.kind() != ErrorKind::InvalidData) {
                    *lines = None;
                }
                Some(line.map(unmarked).map_err(|error| error.to_string()))
            }
            Self::Parquet(rows) => Some(rows.next()?.map(|row| Value::Object(row).to_string())),
        }
    }
}

/// Files that were put behind one another have a mark each.
fn unmarked(line: String) -> String {
    match line.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => rest.to_owned(),
        None => line,
    }
}

/// What is wrong with a line of JSON, without the line and column that the reader counts in it alone: the line of the file is told beside it,
/// and equal mistakes are told in equal words.
pub fn json_problem(error: &serde_json::Error) -> String {
    let text = error.to_string();
    in_plain_words(text.rsplit_once(" at line ").map_or(text.as_str(), |(problem, _)| problem))
}

/// The names of the columns of a Parquet file.
pub fn columns(path: &Path) -> Result<Vec<String>, SourceError> {
    Rows::open(path).map(|rows| rows.columns())
}

/// A file to jump about in, with a line for each row: a file of lines itself, or what Parquet is as lines, in a file that nobody else sees and
/// that is gone when it is closed.
pub fn seekable(path: &Path) -> Result<File, SourceError> {
    if !is_parquet(path) {
        return open(path);
    }
    let cannot = |error: std::io::Error| {
        SourceError::at(path, format!("cannot be unpacked: {error}"))
            .with_hint("it is unpacked to the system's temporary folder (TMPDIR), which needs room for it")
    };
    let mut to = BufWriter::new(tempfile::tempfile().map_err(cannot)?);
    for (line, number) in Lines::open(path)?.zip(1..) {
        let line = line.map_err(|problem| SourceError::at_line(path, number, problem))?;
        to.write_all(line.as_bytes()).and_then(|()| to.write_all(b"\n")).map_err(cannot)?;
    }
    let mut file = to.into_inner().map_err(|error| cannot(error.into_error()))?;
    file.seek(SeekFrom::Start(0)).map_err(cannot)?;
    Ok(file)
}

/// A file to read from. A directory can be opened like one, and nothing can be read from it.
pub fn open(path: &Path) -> Result<File, SourceError> {
    if path.is_dir() {
        let problem = "cannot be read: Is a directory; name the file in it";
        return Err(SourceError::at(path, problem));
    }
    File::open(path).map_err(|error| SourceError::unreadable(path, &error))
}
