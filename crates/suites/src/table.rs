//! Rows somebody made elsewhere, JSON Lines, Parquet or CSV, one by one and with their lines.

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error, MapAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use waterjar_core::{SourceError, in_plain_words, slip};
use waterjar_exchange::table::{
    Lines, RowLines, STRAY_QUOTE, bad_row, cells, columns, holds_lines, is_parquet, json_problem, swallowing,
};

type Each<'a, T> = &'a mut dyn FnMut(u64, T) -> Result<(), SourceError>;

/// `columns` says what a row has, for whoever wrote another.
pub(crate) fn for_each_row<T: DeserializeOwned>(
    path: &Path,
    columns: &str,
    each: Each<'_, T>,
) -> Result<(), SourceError> {
    match Layout::of(path)? {
        Layout::Table => {
            let mut reader = cells(path, &mut csv::ReaderBuilder::new())?;
            csv_rows(path, columns, &[], &mut reader, each)
        }
        Layout::Lines => {
            json_rows(path, columns, &mut |line| serde_json::from_str(line).map_err(|error| json_problem(&error)), each)
        }
    }
}

/// What the rows of a suite hold.
#[derive(Debug)]
pub(crate) struct Columns {
    /// What a row has, for whoever wrote another.
    pub told: &'static str,
    /// Names and labels, which may be numbers.
    pub texts: &'static [&'static str],
    pub others: &'static [&'static str],
    /// They are names, labels and numbers, of one line each.
    pub one_line: bool,
    /// Those among them that tables are often without.
    pub optional: &'static [&'static str],
}

impl Columns {
    fn all(&self) -> impl Iterator<Item = &'static str> {
        self.texts.iter().chain(self.others).copied()
    }
}

/// Reads the rows of a suite from files that may hold other columns beside.
pub(crate) struct Rows<'c> {
    columns: &'c Columns,
    /// With the column that was probably meant.
    ignored: BTreeMap<String, Option<&'static str>>,
    /// What was looked through last: rows of a file are mostly alike.
    last: Vec<String>,
}

impl<'c> Rows<'c> {
    pub fn new(columns: &'c Columns) -> Self {
        Self { columns, ignored: BTreeMap::new(), last: Vec::new() }
    }

    pub fn each<T: DeserializeOwned>(&mut self, path: &Path, each: Each<'_, T>) -> Result<(), SourceError> {
        let told = self.columns.told;
        let in_head = |problem: String| SourceError::at(path, problem).with_hint(told);
        match Layout::of(path)? {
            Layout::Table => {
                let mut reader = cells(path, &mut csv::ReaderBuilder::new())?;
                let head = reader.headers().map_err(|error| bad_cells(path, told, &error))?;
                self.look_through(head.iter()).map_err(in_head)?;
                let short: Vec<&str> = self.columns.all().filter(|_| self.columns.one_line).collect();
                csv_rows(path, told, &short, &mut reader, each)
            }
            // Of Parquet a row lacks what is empty, and its head does not.
            Layout::Lines if is_parquet(path) => {
                let head = columns(path)?;
                self.look_through(head.iter().map(String::as_str)).map_err(in_head)?;
                json_rows(path, told, &mut |line| self.read(object(line)?), each)
            }
            Layout::Lines => {
                let read: Read<'_, T> = &mut |line| {
                    let row = object(line)?;
                    self.look_through(row.keys().map(String::as_str))?;
                    self.read(row)
                };
                json_rows(path, told, read, each)
            }
        }
    }

    /// Columns of other names are not read. One that seems to be a slip for one that is missing is refused, unless tables are often without that.
    fn look_through<'n>(&mut self, names: impl Iterator<Item = &'n str>) -> Result<(), String> {
        let (columns, names) = (self.columns, names.map(str::to_owned).collect::<Vec<String>>());
        if names == self.last {
            return Ok(());
        }
        let is_there = |name: &&str| names.iter().any(|it| it == name);
        for name in names.iter().filter(|name| columns.all().all(|it| it != name.as_str())) {
            let meant = slip::meant(name.trim(), columns.all().filter(|it| !is_there(it)));
            if let Some(meant) = meant.filter(|it| !columns.optional.contains(it)) {
                return Err(format!("there is no column `{name}`: did you mean `{meant}`?"));
            }
            let known = self.ignored.entry(name.clone()).or_default();
            *known = known.or(meant);
        }
        self.last = names;
        Ok(())
    }

    fn read<T: DeserializeOwned>(&self, mut row: Map<String, Value>) -> Result<T, String> {
        row.retain(|name, _| self.columns.all().any(|it| it == name));
        for (name, value) in &mut row {
            if let Value::Number(number) = &*value
                && self.columns.texts.contains(&name.as_str())
            {
                let text = in_words(number);
                *value = Value::String(text);
            }
        }
        serde_json::from_value(Value::Object(row)).map_err(|error| in_plain_words(&error.to_string()))
    }

    /// What should be known of the columns, once.
    pub fn note(&self) -> Option<String> {
        let told = |(name, meant): (&String, &Option<&str>)| match meant {
            _ if name.is_empty() => "one without a name".to_owned(),
            Some(meant) => format!("`{name}` (did you mean `{meant}`?)"),
            None => format!("`{name}`"),
        };
        let names: Vec<String> = self.ignored.iter().map(told).collect();
        (!names.is_empty()).then(|| format!("columns that are not read here are ignored: {}", names.join(", ")))
    }
}

enum Layout {
    Table,
    Lines,
}

impl Layout {
    fn of(path: &Path) -> Result<Self, SourceError> {
        match path.extension().and_then(|it| it.to_str()) {
            Some("csv") => Ok(Self::Table),
            Some("jsonl" | "ndjson" | "json" | "parquet") => Ok(Self::Lines),
            _ if !path.exists() => Err(SourceError::at(path, "cannot be read: it is not there")),
            _ => Err(SourceError::at(path, "is neither .jsonl nor .csv nor .parquet")
                .with_hint("rename it to say which it is")),
        }
    }
}

type Read<'a, T> = &'a mut dyn FnMut(&str) -> Result<T, String>;

fn json_rows<T>(path: &Path, columns: &str, read: Read<'_, T>, each: Each<'_, T>) -> Result<(), SourceError> {
    for (at, line) in Lines::open(path)?.enumerate() {
        let number = at as u64 + 1;
        let bad = |problem: String| SourceError::at_line(path, number, problem).with_hint(columns);
        let line = line.map_err(bad)?;
        if !line.trim().is_empty() {
            each(number, read(&line).map_err(bad)?)?;
        }
    }
    Ok(())
}

/// `short` are the columns of one line: a quote that was not meant makes one cell of many rows.
fn csv_rows<T: DeserializeOwned, R: std::io::Read>(
    path: &Path,
    columns: &str,
    short: &[&str],
    reader: &mut csv::Reader<R>,
    each: Each<'_, T>,
) -> Result<(), SourceError> {
    let mut lines = RowLines::open(path);
    let bad = |error: csv::Error| bad_cells(path, columns, &error);
    let head = reader.headers().map_err(bad)?.clone();
    let mut record = csv::StringRecord::new();
    loop {
        let line = lines.of(reader.position());
        if !reader.read_record(&mut record).map_err(bad)? {
            return Ok(());
        }
        if let Some(problem) = swallowed(path, &head, &record, short) {
            return Err(SourceError::at_line(path, line, problem).with_hint(STRAY_QUOTE));
        }
        each(line, record.deserialize(Some(&head)).map_err(bad)?)?;
    }
}

/// What is wrong where a cell has lines that are rows, or that a cell of its column has not.
fn swallowed(path: &Path, head: &csv::StringRecord, record: &csv::StringRecord, short: &[&str]) -> Option<String> {
    let is_long = |(name, cell): &(&str, &str)| short.contains(name) && holds_lines(cell);
    if let Some((name, _)) = head.iter().zip(record).find(is_long) {
        return Some(format!("`{name}` has more than one line: does a quote take in the rows below?"));
    }
    let name = &head[swallowing(path, record)?];
    Some(format!("`{name}` holds whole rows of the table: a quote takes in the rows below"))
}

/// Letters that are not UTF-8 are told with what to do about them, all else with the columns.
fn bad_cells(path: &Path, columns: &str, error: &csv::Error) -> SourceError {
    let told = bad_row(path, error);
    if told.hint.is_some() { told } else { told.with_hint(columns) }
}

/// As others write it: 1.0 is 1 where some cells of the column are empty.
fn in_words(number: &Number) -> String {
    match number.as_f64().filter(|_| number.is_f64()) {
        Some(number) => number.to_string(),
        None => number.to_string(),
    }
}

fn object(line: &str) -> Result<Map<String, Value>, String> {
    let Object(row) = serde_json::from_str(line).map_err(|error| json_problem(&error))?;
    Ok(row)
}

/// A row in which no column is there twice.
struct Object(Map<String, Value>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields)
    }
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Object;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row as an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Object, A::Error> {
        let mut row = Map::new();
        while let Some((name, value)) = fields.next_entry::<String, Value>()? {
            if row.contains_key(&name) {
                return Err(A::Error::custom(format!("duplicate field `{name}`")));
            }
            row.insert(name, value);
        }
        Ok(Object(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stray_quote_takes_in_no_rows() {
        const COLUMNS: Columns =
            Columns { told: "", texts: &["pair", "gt", "trap"], others: &[], one_line: true, optional: &[] };
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("pairs.csv");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let mut lines = Vec::new();
            let read = Rows::new(&COLUMNS).each(&path, &mut |line, _: Map<String, Value>| {
                lines.push(line);
                Ok(())
            });
            read.map(|()| lines).map_err(|error| error.to_string())
        };
        let refused = |text: &str, told: &str| {
            let error = read(text).unwrap_err();
            assert!(error.contains(told), "{error}");
        };
        refused("pair,gt,trap\n0,A,\"A\n1,A,B\n2,A,B\n", "line 2: a quote is opened here");
        refused(
            "pair,gt,trap\n0,A,\"A\n1,A,B\n2,A,\"B\n",
            "line 2: a quote is opened here and closed in line 4 before `B`",
        );
        refused("pair,gt,trap\n0,A,\"A\n1,A,B\n2,A,\"\n", "line 2: `trap` has more than one line");
        refused("pair,gt,trap,why\n0,A,B,\"x\n1,A,B,x\n2,A,B,\"\n", "line 2: `why` holds whole rows");
        assert_eq!(read("pair,gt,trap,why\n0,A,B,\"x\ny, z\"\n1,A,\"B\",x\n"), Ok(vec![2, 4]));
        assert_eq!(read("pair,gt,trap,why\n0,A,B,\"labs:\n138,4.1,102,7\"\n1,A,B,x\n"), Ok(vec![2, 4]));
    }
}
