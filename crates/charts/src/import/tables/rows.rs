//! Rows of a table, whatever it is written in: CSV, TSV, JSON Lines, Parquet, or a JSON object or array of objects.

use super::super::files::{beginning, decode, extension};
use super::template::Columns;
use csv::{ByteRecord, ReaderBuilder};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer};
use serde_json::{Map, Value};
use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use waterjar_core::SourceError;
use waterjar_exchange::table::{self, Lines, QuoteScan, row_line};

/// What is done with a row: its place in the file (`line 7`, `item 3`) and the values of the columns asked for.
pub(super) type EachRow<'a> = dyn FnMut(&dyn Fn() -> String, &[String]) -> Result<(), SourceError> + 'a;

/// Streams a table. `required` are alternatives of which one has to be a column.
pub(super) fn each_row(
    path: &Path,
    columns: &Columns,
    required: &[Vec<usize>],
    each: &mut EachRow<'_>,
) -> Result<(), SourceError> {
    match extension(path).as_str() {
        "json" => json(path, columns, each),
        "jsonl" | "ndjson" | "parquet" => json_lines(path, columns, each),
        _ => delimited(path, columns, required, each),
    }
}

/// The column names of a table: its header, or the keys of its first object.
pub(super) fn column_names(path: &Path) -> Result<Vec<String>, SourceError> {
    match extension(path).as_str() {
        "parquet" => table::columns(path),
        "json" | "jsonl" | "ndjson" => {
            let mut names = None;
            let mut first = |object: Map<String, Value>| -> Result<bool, SourceError> {
                names = Some(object.keys().cloned().collect());
                Ok(false)
            };
            if extension(path) == "json" {
                json_objects(path, &mut first)?;
            } else {
                json_line_objects(path, &mut |_, object| first(object))?;
            }
            Ok(names.unwrap_or_default())
        }
        _ => {
            let mut reader = delimited_reader(path)?;
            let header = reader.byte_headers().map_err(|error| csv_error(path, &error))?;
            Ok(header.iter().map(name).collect())
        }
    }
}

/// Looks at quotes as they pass: one that is not closed where its cell ends takes in the rows below.
struct Quotes {
    file: File,
    scan: Option<QuoteScan>,
}

impl Read for Quotes {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.file.read(buffer)?;
        if let Some(scan) = &mut self.scan {
            scan.read(&buffer[..read]);
        }
        Ok(read)
    }
}

fn delimited_reader(path: &Path) -> Result<csv::Reader<Quotes>, SourceError> {
    let delimiter = table::separator(beginning(path)?.as_bytes());
    // Vocabulary files of OMOP are called .csv, are separated by tabs, and do not quote.
    let tabs = delimiter == b'\t';
    let file = File::open(path).map_err(|error| SourceError::unreadable(path, &error))?;
    // A single quote may also be inches; only one that takes in lines takes in rows.
    let scan = (!tabs).then(|| QuoteScan::new(delimiter).only_of_lines());
    Ok(ReaderBuilder::new()
        .delimiter(delimiter)
        .quoting(!tabs)
        .flexible(false)
        .buffer_capacity(1 << 16)
        .from_reader(Quotes { file, scan }))
}

fn delimited(
    path: &Path,
    columns: &Columns,
    required: &[Vec<usize>],
    each: &mut EachRow<'_>,
) -> Result<(), SourceError> {
    let mut reader = delimited_reader(path)?;
    let header: Vec<String> =
        reader.byte_headers().map_err(|error| csv_error(path, &error))?.iter().map(name).collect();
    let places: Vec<Option<usize>> =
        columns.names.iter().map(|name| header.iter().position(|known| known.eq_ignore_ascii_case(name))).collect();
    for alternatives in required {
        if alternatives.iter().all(|&column| places[column].is_none()) {
            let wanted: Vec<_> = alternatives.iter().map(|&column| columns.names[column].as_str()).collect();
            let problem = format!("has no column `{}`; its columns are: {}", wanted.join("` or `"), header.join(", "));
            return Err(SourceError::at_line(path, 1, problem)
                .with_hint("rename the column, or give a mapping file that names it"));
        }
    }
    let mut record = ByteRecord::new();
    let mut row = vec![String::new(); columns.names.len()];
    while reader.read_byte_record(&mut record).map_err(|error| csv_error(path, &error))? {
        for (value, place) in row.iter_mut().zip(&places) {
            value.clear();
            match place.and_then(|place| record.get(place)).map(std::str::from_utf8) {
                Some(Ok(text)) => value.push_str(text),
                Some(Err(_)) => {
                    value.push_str(&decode(record.get(place.unwrap_or_default()).unwrap_or_default().to_vec()))
                }
                None => {}
            }
        }
        let line = || record.position().map_or(0, |place| row_line(path, place));
        each(&|| format!("{}, line {}", path.display(), line()), &row)?;
    }
    match reader.get_ref().scan.as_ref().and_then(QuoteScan::bad) {
        Some(bad) => Err(bad.told(path)),
        None => Ok(()),
    }
}

/// A column's name without the mark some programs put before the first.
fn name(bytes: &[u8]) -> String {
    decode(bytes.to_vec()).trim().to_owned()
}

fn csv_error(path: &Path, error: &csv::Error) -> SourceError {
    let place = error
        .position()
        .map_or_else(|| path.display().to_string(), |it| format!("{}, line {}", path.display(), row_line(path, it)));
    let problem = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("has {len} fields where the header has {expected_len}")
        }
        _ => error.to_string(),
    };
    SourceError::new(place, problem).with_hint("quote fields that hold the separator or line breaks")
}

fn json_lines(path: &Path, columns: &Columns, each: &mut EachRow<'_>) -> Result<(), SourceError> {
    let mut row = vec![String::new(); columns.names.len()];
    json_line_objects(path, &mut |line, object| {
        project(&object, columns, &mut row);
        each(&|| format!("{}, line {line}", path.display()), &row)?;
        Ok(true)
    })
}

fn json_line_objects(
    path: &Path,
    each: &mut dyn FnMut(u64, Map<String, Value>) -> Result<bool, SourceError>,
) -> Result<(), SourceError> {
    for (line, number) in Lines::open(path)?.zip(1..) {
        let line = line.map_err(|problem| {
            SourceError::at_line(path, number, format!("cannot be read: {problem}")).with_hint("save it as UTF-8")
        })?;
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            continue;
        }
        let object = serde_json::from_str(line).map_err(|error| {
            SourceError::at_line(path, number, format!("is no JSON object: {error}"))
                .with_hint("write one object a line")
        })?;
        if !each(number, object)? {
            break;
        }
    }
    Ok(())
}

fn json(path: &Path, columns: &Columns, each: &mut EachRow<'_>) -> Result<(), SourceError> {
    let mut row = vec![String::new(); columns.names.len()];
    let mut item = 0u64;
    json_objects(path, &mut |object| {
        item += 1;
        project(&object, columns, &mut row);
        each(&|| format!("{}, item {item}", path.display()), &row)?;
        Ok(true)
    })
}

fn project(object: &Map<String, Value>, columns: &Columns, row: &mut [String]) {
    for (value, name) in row.iter_mut().zip(&columns.names) {
        let found = object
            .get(name)
            .or_else(|| object.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, found)| found));
        *value = match found {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
    }
}

type EachObject<'a> = dyn FnMut(Map<String, Value>) -> Result<bool, SourceError> + 'a;

/// One object, or an array of them, streamed: no array is held whole.
fn json_objects(path: &Path, each: &mut EachObject<'_>) -> Result<(), SourceError> {
    let file = File::open(path).map_err(|error| SourceError::unreadable(path, &error))?;
    let mut reader = serde_json::Deserializer::from_reader(BufReader::new(file));
    let mut failure = None;
    let read = Objects { each, failure: &mut failure }.deserialize(&mut reader);
    match (failure, read) {
        (Some(Some(error)), _) => Err(error),
        // Nobody wants more.
        (Some(None), _) | (None, Ok(())) => Ok(()),
        (None, Err(error)) => Err(SourceError::at(path, format!("is no JSON we know: {error}"))
            .with_hint("a note file holds one object, or an array of objects")),
    }
}

struct Objects<'a, 'b> {
    each: &'a mut EachObject<'b>,
    /// Why reading stopped early: an error of ours, or because enough was seen.
    failure: &'a mut Option<Option<SourceError>>,
}

impl Objects<'_, '_> {
    fn hand_over<E: serde::de::Error>(&mut self, object: Map<String, Value>) -> Result<(), E> {
        *self.failure = match (self.each)(object) {
            Ok(true) => return Ok(()),
            Ok(false) => Some(None),
            Err(error) => Some(Some(error)),
        };
        Err(E::custom("stopped"))
    }
}

impl<'de> DeserializeSeed<'de> for Objects<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Objects<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        while let Some(object) = items.next_element::<Map<String, Value>>()? {
            self.hand_over(object)?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, map: A) -> Result<(), A::Error> {
        let object = serde::Deserialize::deserialize(MapAccessDeserializer::new(map))?;
        self.hand_over(object)
    }
}
