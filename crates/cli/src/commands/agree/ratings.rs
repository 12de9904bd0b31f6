//! Ratings in a file: a table with a column per rater, or a line per rating.

use super::Rows;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use waterjar_core::SourceError;
use waterjar_core::cell::unguarded;
use waterjar_exchange::table::{
    BYTE_ORDER_MARK, RowLines, STRAY_QUOTE, bad_row, cells, holds_lines, json_problem, swallowing,
};

#[derive(Debug)]
pub struct Ratings {
    pub raters: Vec<String>,
    pub rows: Rows,
    /// The other columns of a table, where raters are columns.
    pub others: Option<Vec<String>>,
    /// What whoever reads the figures should know.
    pub notes: Vec<String>,
}

pub fn read(path: &Path, not_raters: &[String]) -> Result<Ratings, SourceError> {
    match path.extension().and_then(|it| it.to_str()) {
        Some("csv") => read_csv(path, not_raters),
        Some("jsonl" | "ndjson") => read_jsonl(path),
        _ => Err(SourceError::at(path, "is neither .csv nor .jsonl").with_hint("rename it to say which it is")),
    }
}

/// What tells items apart, where a table has it: one of the first, and the others beside it.
const NAMES: [&str; 3] = ["item", "id", "case"];
const PARTS: [&str; 8] = ["suite", "subject", "repeat", "variant", "role", "ablation", "question", "pair"];

/// A row per item, a column per rater; an empty cell is no rating.
fn read_csv(path: &Path, not_raters: &[String]) -> Result<Ratings, SourceError> {
    let mut reader = cells(path, &mut csv::ReaderBuilder::new())?;
    let header = reader.headers().map_err(|error| bad_row(path, &error))?.clone();
    let header: Vec<String> = header.iter().map(|name| unguarded(name.trim()).to_owned()).collect();
    let is_rater = |name: &str| not_raters.iter().all(|other| !other.trim().eq_ignore_ascii_case(name));
    let (columns, others): (Vec<usize>, Vec<usize>) = (0..header.len()).partition(|at| is_rater(&header[*at]));
    if columns.len() < 2 {
        return Err(SourceError::at(path, "fewer than two columns are raters")
            .with_hint("a column per rater; name the other columns with --items"));
    }
    let is_one_of = |at: usize, names: &[&str]| names.iter().any(|name| header[at].eq_ignore_ascii_case(name));
    let named = others.iter().any(|at| is_one_of(*at, &NAMES));
    let naming: Vec<usize> =
        others.iter().copied().filter(|at| named && (is_one_of(*at, &NAMES) || is_one_of(*at, &PARTS))).collect();
    let mut lines = RowLines::open(path);
    let apart: Vec<usize> = others.iter().copied().filter(|at| !naming.contains(at)).collect();
    let mut seen: HashMap<Vec<String>, (u64, Vec<String>)> = HashMap::new();
    let mut notes: Vec<String> = Vec::new();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| bad_row(path, &error))?;
        let cell = |at: &usize| record.get(*at).map(str::trim).unwrap_or_default();
        let line = record.position().map_or(0, |place| lines.of(place));
        // Names and ratings have one line; a quote that was not meant makes one cell of many rows.
        if let Some(at) = columns.iter().chain(&naming).find(|at| record.get(**at).is_some_and(holds_lines)) {
            let problem = format!("`{}` has more than one line: does a quote take in the rows below?", header[*at]);
            return Err(SourceError::at_line(path, line, problem)
                .with_hint(format!("{STRAY_QUOTE}; a column of remarks is given to --items")));
        }
        if let Some(at) = swallowing(path, &record) {
            let problem = format!("`{}` holds whole rows of the table: a quote takes in the rows below", header[at]);
            return Err(SourceError::at_line(path, line, problem).with_hint(STRAY_QUOTE));
        }
        let name: Vec<String> = naming.iter().map(|at| cell(at).to_owned()).collect();
        let told = name.iter().filter(|it| !it.is_empty()).cloned().collect::<Vec<_>>().join(", ");
        let cells_apart: Vec<String> = apart.iter().map(|at| cell(at).to_owned()).collect();
        if !told.is_empty()
            && let Some((before, alike)) = seen.insert(name, (line, cells_apart.clone()))
        {
            if alike == cells_apart {
                let problem = format!("item `{told}` is there twice, first in line {before}");
                return Err(SourceError::at_line(path, line, problem).with_hint(
                    "a row per item, a column per rater: put all ratings of an item into one row, or give items that differ names that do",
                ));
            }
            if notes.is_empty() {
                let differ = apart.iter().zip(alike.iter().zip(&cells_apart)).filter(|(_, (one, other))| one != other);
                let differ: Vec<String> = differ.map(|(at, _)| format!("`{}`", header[*at])).collect();
                notes.push(format!(
                    "item `{told}` is in lines {before} and {line}, which differ in {}: each counts as an item of its own",
                    differ.join(", ")
                ));
            }
        }
        let rating = |at: &usize| Some(cell(at)).filter(|cell| !cell.is_empty()).map(str::to_owned);
        rows.push(columns.iter().map(rating).collect());
    }
    let names = |columns: &[usize]| -> Vec<String> { columns.iter().map(|at| header[*at].clone()).collect() };
    Ok(Ratings { raters: names(&columns), rows, others: Some(names(&others)), notes })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rating {
    item: Value,
    rater: Value,
    rating: Option<Value>,
}

fn read_jsonl(path: &Path) -> Result<Ratings, SourceError> {
    let text = std::fs::read_to_string(path).map_err(|error| SourceError::unreadable(path, &error))?;
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
    let mut items: BTreeMap<String, BTreeMap<String, Option<String>>> = BTreeMap::new();
    let mut raters = BTreeSet::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let bad = |problem: String| {
            SourceError::at_line(path, at as u64 + 1, problem)
                .with_hint("a line is {\"item\": …, \"rater\": …, \"rating\": …}")
        };
        let row: Rating = serde_json::from_str(line).map_err(|error| bad(json_problem(&error)))?;
        let rating = match row.rating {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text),
            Some(other) => Some(other.to_string()),
        };
        let item = name("item", row.item).map_err(bad)?;
        let rater = name("rater", row.rater).map_err(bad)?;
        raters.insert(rater.clone());
        if items.entry(item.clone()).or_default().insert(rater.clone(), rating).is_some() {
            return Err(bad(format!("`{rater}` rated `{item}` twice")));
        }
    }
    let of_item = |ratings: BTreeMap<String, Option<String>>| {
        raters.iter().map(|rater| ratings.get(rater).cloned().flatten()).collect()
    };
    let rows = items.into_values().map(of_item).collect();
    Ok(Ratings { raters: raters.into_iter().collect(), rows, others: None, notes: Vec::new() })
}

/// Items and raters may be numbered.
fn name(field: &str, value: Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(format!("`{field}` is neither a text nor a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_an_item_that_differ_in_a_column_of_items_are_items_of_their_own() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ratings.csv");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            read(&path, &["item".to_owned(), "criterion".to_owned()])
        };
        let found = read("item,criterion,ann,ben\n1,clarity,a,b\n1,safety,a,a\n").unwrap();
        assert_eq!(found.rows.len(), 2);
        assert!(found.notes[0].contains("lines 2 and 3, which differ in `criterion`"), "{:?}", found.notes);
        let twice = read("item,criterion,ann,ben\n1,clarity,a,b\n1,clarity,a,a\n").unwrap_err();
        assert!(twice.to_string().contains("is there twice"), "{twice}");
    }

    #[test]
    fn a_stray_quote_takes_in_no_rows() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ratings.csv");
        let others = ["item".to_owned(), "note".to_owned()];
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            read(&path, &others).map(|ratings| ratings.rows.len()).map_err(|error| error.to_string())
        };
        let refused = |text: &str, told: &str| {
            let error = read(text).unwrap_err();
            assert!(error.contains(told), "{error}");
        };
        refused("item,ann,ben\n1,a,\"b\n2,a,b\n3,a,b\n", "line 2: a quote is opened here");
        refused(
            "item,ann,ben\n1,a,\"b\n2,a,b\n3,a,\"b\n",
            "line 2: a quote is opened here and closed in line 4 before `b`",
        );
        refused("item,ann,ben\n1,a,\"b\n2,a,b\n3,a,\"\n", "line 2: `ben` has more than one line");
        refused("item,ann,ben,note\n1,a,b,\"x\n2,a,b,y\n3,a,b,\"\n", "line 2: `note` holds whole rows");
        assert_eq!(read("item,ann,ben,note\n1,a,b,\"x\ny, z\"\n2,\"a\n\",b,\n"), Ok(2));
    }
}
