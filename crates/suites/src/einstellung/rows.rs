//! Outputs made elsewhere: one row per pair and subject, JSON Lines or CSV.

use super::outcome::{PairOutcome, TrapOutcome};
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use waterjar_core::SourceError;

/// `{"pair","subject"?,"gt","bias","control","trap","sham"?}`: the labels predicted for control, trap and sham.
/// `null`, or nothing in a CSV, is no answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    pair: String,
    subject: Option<String>,
    gt: String,
    bias: String,
    control: Option<String>,
    trap: Option<String>,
    #[serde(default)]
    sham: Option<String>,
}

const COLUMNS: &str = "the columns are: pair, subject (optional), gt, bias, control, trap, sham (optional)";

/// The subject of rows that name none.
const UNNAMED: &str = "outputs";

/// The outcomes by subject.
pub fn read(paths: &[&Path]) -> Result<BTreeMap<String, Vec<PairOutcome>>, SourceError> {
    let mut subjects: BTreeMap<String, Vec<PairOutcome>> = BTreeMap::new();
    let mut seen = HashSet::new();
    for path in paths {
        for_each_row(path, &mut |line, row| {
            let subject = row.subject.clone().unwrap_or_else(|| UNNAMED.to_owned());
            if row.gt.trim().is_empty() || row.bias.trim().is_empty() || same(&row.gt, &row.bias) {
                return Err(SourceError::at_line(
                    path,
                    line,
                    format!("pair `{}`: gt and bias must be two different labels", row.pair),
                ));
            }
            if !seen.insert((subject.clone(), row.pair.clone())) {
                return Err(SourceError::at_line(
                    path,
                    line,
                    format!("pair `{}` of `{subject}` is there twice", row.pair),
                )
                .with_hint("each subject answers each pair once; give repeats a subject name of their own"));
            }
            subjects.entry(subject).or_default().push(outcome(&row));
            Ok(())
        })?;
    }
    if subjects.is_empty() {
        let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(SourceError::new(names.join(", "), "no rows").with_hint(COLUMNS));
    }
    Ok(subjects)
}

fn outcome(row: &Row) -> PairOutcome {
    let trap = answer(row.trap.as_ref()).map(|label| match label {
        label if same(label, &row.bias) => TrapOutcome::Robust,
        label if same(label, &row.gt) => TrapOutcome::Rigid,
        _ => TrapOutcome::Stochastic,
    });
    let kept = |said: Option<&String>| answer(said).map(|label| same(label, &row.gt));
    let control = kept(row.control.as_ref());
    PairOutcome {
        family: row.pair.clone(),
        incomplete: control.is_none() || trap.is_none(),
        control,
        trap,
        sham: kept(row.sham.as_ref()),
        strata: BTreeMap::from([
            ("condition".to_owned(), row.gt.trim().to_owned()),
            ("pair".to_owned(), format!("{} > {}", row.gt.trim(), row.bias.trim())),
        ]),
        ..PairOutcome::default()
    }
}

fn answer(said: Option<&String>) -> Option<&str> {
    said.map(|label| label.trim()).filter(|label| !label.is_empty())
}

fn same(a: &str, b: &str) -> bool {
    a.trim().to_lowercase() == b.trim().to_lowercase()
}

type Each<'a> = &'a mut dyn FnMut(u64, Row) -> Result<(), SourceError>;

fn for_each_row(path: &Path, each: Each<'_>) -> Result<(), SourceError> {
    let file = File::open(path)
        .map_err(|error| SourceError::new(path.display().to_string(), format!("cannot be read: {error}")))?;
    match path.extension().and_then(|it| it.to_str()) {
        Some("csv") => csv_rows(path, file, each),
        Some("jsonl" | "ndjson" | "json") => jsonl_rows(path, file, each),
        _ => Err(SourceError::new(path.display().to_string(), "is neither .jsonl nor .csv")
            .with_hint("rename it to say which it is")),
    }
}

fn jsonl_rows(path: &Path, file: File, each: Each<'_>) -> Result<(), SourceError> {
    for (at, line) in BufReader::new(file).lines().enumerate() {
        let number = at as u64 + 1;
        let bad = |problem: String| SourceError::at_line(path, number, problem).with_hint(COLUMNS);
        let line = line.map_err(|error| bad(error.to_string()))?;
        if !line.trim().is_empty() {
            each(number, serde_json::from_str(&line).map_err(|error| bad(error.to_string()))?)?;
        }
    }
    Ok(())
}

fn csv_rows(path: &Path, file: File, each: Each<'_>) -> Result<(), SourceError> {
    let mut reader = csv::Reader::from_reader(BufReader::new(file));
    let mut rows = reader.deserialize();
    loop {
        let line = rows.reader().position().line();
        match rows.next() {
            None => return Ok(()),
            Some(Ok(row)) => each(line.max(2), row)?,
            Some(Err(error)) => {
                let line = error.position().map_or(line, csv::Position::line);
                return Err(SourceError::at_line(path, line, error.to_string()).with_hint(COLUMNS));
            }
        }
    }
}
