//! Rows somebody made elsewhere, JSON Lines, Parquet or CSV, one by one and with their lines.

use serde::de::DeserializeOwned;
use std::path::Path;
use waterjar_core::SourceError;
use waterjar_exchange::table::{Lines, RowLines, bad_row, cells, json_problem};

type Each<'a, T> = &'a mut dyn FnMut(u64, T) -> Result<(), SourceError>;

/// `columns` says what a row has, for whoever wrote another.
pub(crate) fn for_each_row<T: DeserializeOwned>(
    path: &Path,
    columns: &str,
    each: Each<'_, T>,
) -> Result<(), SourceError> {
    match path.extension().and_then(|it| it.to_str()) {
        Some("csv") => csv_rows(path, columns, each),
        Some("jsonl" | "ndjson" | "json" | "parquet") => jsonl_rows(path, columns, each),
        _ if !path.exists() => Err(SourceError::at(path, "cannot be read: it is not there")),
        _ => {
            Err(SourceError::at(path, "is neither .jsonl nor .csv nor .parquet")
                .with_hint("rename it to say which it is"))
        }
    }
}

fn jsonl_rows<T: DeserializeOwned>(path: &Path, columns: &str, each: Each<'_, T>) -> Result<(), SourceError> {
    for (at, line) in Lines::open(path)?.enumerate() {
        let number = at as u64 + 1;
        let bad = |problem: String| SourceError::at_line(path, number, problem).with_hint(columns);
        let line = line.map_err(bad)?;
        if !line.trim().is_empty() {
            each(number, serde_json::from_str(&line).map_err(|error| bad(json_problem(&error)))?)?;
        }
    }
    Ok(())
}

fn csv_rows<T: DeserializeOwned>(path: &Path, columns: &str, each: Each<'_, T>) -> Result<(), SourceError> {
    let mut reader = cells(path, &mut csv::ReaderBuilder::new())?;
    let mut lines = RowLines::open(path);
    let mut rows = reader.deserialize();
    loop {
        let line = lines.of(rows.reader().position());
        match rows.next() {
            None => return Ok(()),
            Some(Ok(row)) => each(line, row)?,
            Some(Err(error)) => return Err(bad_row(path, &error).with_hint(columns)),
        }
    }
}
