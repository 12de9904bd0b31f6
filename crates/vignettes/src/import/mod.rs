//! Vignettes from files that others publish, and from yours.
//!
//! An import is an iterator: a row becomes a vignette, or tells what is wrong with it and what to do. No row is left out silently.

mod agentclinic;
mod craft_md;
mod diversity;
mod head;
mod mapped;
mod mediq;
mod medqa;
mod phrases;
mod question;

pub use diversity::{Pair, pairs};
pub use phrases::locate;
pub(crate) use phrases::{at_most, times_told};

use crate::{Choice, Vignette, starter, tagged};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use waterjar_core::{AS_UTF_8, SourceError, counted};
use waterjar_exchange::table::{Lines, RowLines, bad_row, cells, open, row_problem};

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// MedQA as JSON lines, also as EquityGuard carries it, with `metamap_phrases`.
    MedQa,
    /// Pairs of a male and a female wording; the vignette is the male one, `pairs` gives both.
    DiversityMedQa,
    /// Sentences and atomic facts.
    MediQ,
    CraftMd,
    AgentClinic,
    /// Columns named by a mapping file.
    Csv,
    /// Our own text form.
    Tagged,
}

impl Kind {
    pub const ALL: [(&'static str, Self); 8] = [
        ("medqa", Self::MedQa),
        ("equityguard", Self::MedQa),
        ("diversity-medqa", Self::DiversityMedQa),
        ("mediq", Self::MediQ),
        ("craft-md", Self::CraftMd),
        ("agentclinic", Self::AgentClinic),
        ("csv", Self::Csv),
        ("tagged", Self::Tagged),
    ];

    /// By the name a study gives it: `medqa`, `equityguard`, `diversity-medqa` …
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
    }
}

#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// The TOML file that says which columns mean what; for `csv`.
    pub mapping: Option<PathBuf>,
    /// The longest phrases only; all where it is not said.
    pub max_spans: Option<usize>,
}

/// A row that is no vignette.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}: {problem}")]
pub struct BadRow {
    pub file: String,
    pub line: u64,
    pub problem: String,
}

/// The longest story with its question and options, in bytes: some five hundred pages. Every wording, and every finding that is taken out, is
/// the whole story again.
const LONGEST: usize = 1_000_000;

/// The longest row of a file, whose story may be written in escapes and have other columns beside it.
const LONGEST_ROW: usize = 8 * LONGEST;

/// A row before it has its place in a file.
type Row = Result<Vignette, String>;
type Rows = Box<dyn Iterator<Item = (u64, Row)> + Send>;

pub struct Import {
    file: String,
    rows: Rows,
    /// The line each was first seen on.
    ids: HashMap<String, u64>,
}

impl std::fmt::Debug for Import {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Import").field("file", &self.file).finish_non_exhaustive()
    }
}

impl Import {
    pub fn open(kind: Kind, path: &Path, options: &ImportOptions) -> Result<Self, SourceError> {
        let max_spans = options.max_spans;
        let rows: Rows = match kind {
            Kind::MedQa => json_lines(path, move |json, line| medqa::vignette(json, line, max_spans))?,
            Kind::MediQ => json_lines(path, move |json, _| mediq::vignette(json, max_spans))?,
            Kind::AgentClinic => json_lines(path, move |json, line| agentclinic::vignette(json, line, max_spans))?,
            Kind::DiversityMedQa => {
                table(path, &diversity::COLUMNS, |row, line| diversity::pair(row, line).map(|pair| pair.male))?
            }
            Kind::CraftMd => table(path, &craft_md::COLUMNS, craft_md::vignette)?,
            Kind::Csv => {
                let Some(mapping) = &options.mapping else {
                    return Err(SourceError::at(path, "a table needs a mapping file that names its columns"));
                };
                let mapping = mapped::Mapping::read(mapping)?;
                let columns = mapping.columns();
                let needs: Vec<&str> = columns.iter().map(String::as_str).collect();
                table(path, &needs, move |row, line| mapping.vignette(row, line, max_spans))?
            }
            Kind::Tagged => text_blocks(path, max_spans)?,
        };
        let file =
            path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
        Ok(Self { file, rows, ids: HashMap::new() })
    }
}

impl Iterator for Import {
    type Item = Result<Vignette, BadRow>;

    fn next(&mut self) -> Option<Self::Item> {
        let (line, row) = self.rows.next()?;
        let row = row.and_then(short_enough).and_then(without_marks).and_then(in_letters);
        // The same vignette twice would count as two, and another under its name would be taken for it.
        let row = row.and_then(|vignette| match self.ids.entry(vignette.id.clone()) {
            Entry::Vacant(new) => {
                new.insert(line);
                Ok(vignette)
            }
            Entry::Occupied(old) => Err(format!(
                "the id `{}` is that of line {} too: give each vignette its own, or take one out",
                vignette.id,
                old.get()
            )),
        });
        Some(row.map_err(|problem| BadRow { file: self.file.clone(), line, problem }))
    }
}

fn json_lines(path: &Path, read: impl Fn(&str, u64) -> Row + Send + 'static) -> Result<Rows, SourceError> {
    let lines = Lines::open(path)?.zip(1_u64..);
    Ok(Box::new(lines.filter_map(move |(line, number)| {
        let line = match line {
            Ok(line) if line.trim().is_empty() => return None,
            Ok(line) => line,
            Err(error) => return Some((number, Err(format!("cannot be read ({error}): {AS_UTF_8}")))),
        };
        let row = row_short_enough(line.len()).and_then(|()| read(&line, number));
        Some((number, row))
    })))
}

/// The cells of a row by the names of their columns.
pub(crate) struct Cells<'r> {
    headers: &'r csv::StringRecord,
    record: &'r csv::StringRecord,
}

impl<'r> Cells<'r> {
    fn get(&self, column: &str) -> Option<&'r str> {
        let at = self.headers.iter().position(|header| header.trim() == column)?;
        self.record.get(at)
    }

    fn need(&self, column: &str) -> Result<&'r str, String> {
        match self.get(column) {
            Some(cell) if !cell.trim().is_empty() => Ok(cell),
            Some(_) => Err(format!("`{column}` is empty: fill it in or take the row out")),
            None => Err(self.lacks(column)),
        }
    }

    fn lacks(&self, column: &str) -> String {
        head::problem(self.headers, &[column]).unwrap_or_else(|| {
            let (cells, heads) = (self.record.len(), self.headers.len());
            let cells = counted(cells as u64, "cell", "cells");
            format!("has {cells}, and the head has {heads}: is a quote or a comma missing?")
        })
    }
}

/// `needs` are the columns without which no row can be read.
fn table(
    path: &Path,
    needs: &[&str],
    read: impl Fn(&Cells<'_>, u64) -> Row + Send + 'static,
) -> Result<Rows, SourceError> {
    let mut reader = cells(path, csv::ReaderBuilder::new().flexible(true))?;
    let headers = reader.headers().map_err(|error| bad_row(path, &error))?.clone();
    let mut lines = RowLines::open(path);
    let mut line_of = move |place: Option<&csv::Position>| place.map_or(0, |place| lines.of(place));
    // Of the head it is told once; every row would say the same.
    if let Some(problem) = head::problem(&headers, needs) {
        let line = line_of(headers.position()).max(1);
        let row: Row = Err(problem);
        return Ok(Box::new(std::iter::once((line, row))));
    }
    Ok(Box::new(reader.into_records().filter_map(move |record| match record {
        // Spreadsheets leave rows of nothing below a table.
        Ok(record) if record.iter().all(|cell| cell.trim().is_empty()) => None,
        Ok(record) => {
            // Rows without a name are called by this number, and keep being called so: it may be lower than their line.
            let number = record.position().map_or(0, csv::Position::line);
            let line = line_of(record.position());
            let record = with_plain_ends(record);
            let cells = Cells { headers: &headers, record: &record };
            let row = row_short_enough(record.as_slice().len()).and_then(|()| read(&cells, number));
            Some((line, row))
        }
        Err(error) => {
            let todo = if matches!(error.kind(), csv::ErrorKind::Utf8 { .. }) { AS_UTF_8 } else { "check its quotes" };
            let problem = format!("cannot be read ({}): {todo}", row_problem(&error));
            Some((line_of(error.position()), Err(problem)))
        }
    })))
}

/// Ends of lines inside cells are the same wherever the table was saved, so that the same story asks the same.
fn with_plain_ends(record: csv::StringRecord) -> csv::StringRecord {
    if !record.as_slice().contains('\r') {
        return record;
    }
    record.iter().map(plain_ends).collect()
}

fn plain_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

fn text_blocks(path: &Path, max_spans: Option<usize>) -> Result<Rows, SourceError> {
    let content = std::io::read_to_string(open(path)?).map_err(|error| SourceError::unreadable(path, &error))?;
    // A byte order mark is no part of the first vignette.
    let content = plain_ends(content.strip_prefix('\u{feff}').unwrap_or(&content));
    let rows: Vec<(u64, Row)> =
        starter::blocks(&content).map(|(line, block)| text_block(block, line, max_spans)).collect();
    Ok(Box::new(rows.into_iter()))
}

/// With the line it begins on, or the line of what is wrong with it.
fn text_block(block: &str, line: usize, max_spans: Option<usize>) -> (u64, Row) {
    let vignette = match tagged::read_words(block) {
        Ok(vignette) => vignette,
        Err(error) => {
            let before = block.get(..error.at).unwrap_or(block);
            let above = before.matches('\n').count();
            let column = before.chars().rev().take_while(|letter| *letter != '\n').count() + 1;
            return ((line + above) as u64, Err(format!("column {column}: {}", error.problem)));
        }
    };
    let blank = block.lines().take_while(|line| line.trim().is_empty()).count();
    let row = if vignette.text.trim().is_empty() {
        Err("the story is empty: write it, or take the vignette out".to_owned())
    } else {
        // Those without a name are called by the line after the hyphens, and keep being called so.
        with_label(vignette).map(|vignette| with_id(vignette, line).with_at_most(max_spans))
    };
    ((line + blank) as u64, row)
}

/// Told before it is read through: a row like that is more often many rows that a missing quote has made one.
fn row_short_enough(bytes: usize) -> Result<(), String> {
    if bytes <= LONGEST_ROW {
        return Ok(());
    }
    Err(format!(
        "the row has {bytes} bytes, and a story may have {LONGEST}: is a quote or the end of a line missing? If not, shorten it or take it out"
    ))
}

fn short_enough(vignette: Vignette) -> Row {
    let options: usize = vignette.options.iter().map(|it| it.text.len()).sum();
    match vignette.text.len() + vignette.question.len() + options {
        bytes if bytes > LONGEST => Err(format!(
            "story, question and options have {bytes} bytes, and {LONGEST} are the most that can be asked: shorten it, part it into several \
             vignettes, or take it out"
        )),
        _ => Ok(vignette),
    }
}

/// Where findings are not marked by tags, a tag is a mistake: it would be sent to a model, and could not be written and read back.
fn without_marks(vignette: Vignette) -> Row {
    match tagged::unmark(&vignette.text) {
        Ok((_, marks)) if marks.is_empty() => Ok(vignette),
        _ => {
            Err("the story holds `<CSC_start>` or `<CSC_end>`, which mark nothing in this kind of file: take them out"
                .to_owned())
        }
    }
}

/// An answer that is none of the options would make every answer wrong.
fn with_label(mut vignette: Vignette) -> Row {
    if let Some(answer) = vignette.answer.as_mut().filter(|_| !vignette.options.is_empty()) {
        *answer = answer_among(&vignette.options, answer)?;
    }
    Ok(vignette)
}

/// Options are called A, B, C …, whatever the file calls them: so models are asked for them, and so our text form writes them.
fn in_letters(mut vignette: Vignette) -> Row {
    if vignette.options.iter().all(|option| matches!(option.label.as_bytes(), [b'A'..=b'Z'])) {
        return Ok(vignette);
    }
    let texts: Vec<&str> = vignette.options.iter().map(|option| option.text.as_str()).collect();
    let named = lettered(&texts)?;
    let right = vignette.options.iter().position(|option| vignette.answer.as_ref() == Some(&option.label));
    vignette.answer = right.map(|at| named[at].label.clone());
    vignette.options = named;
    Ok(vignette)
}

fn with_id(mut vignette: Vignette, line: usize) -> Vignette {
    if vignette.id.is_empty() {
        vignette.id = format!("line-{line}");
    }
    vignette
}

/// `A`, `B` … for options that come without.
fn lettered(options: &[&str]) -> Result<Vec<Choice>, String> {
    let letters = 'A'..='Z';
    if options.len() > letters.clone().count() {
        return Err(format!("it has {} options, more than there are letters: leave some out", options.len()));
    }
    let named = letters.zip(options).map(|(letter, text)| Choice { label: letter.into(), text: (*text).to_owned() });
    Ok(named.collect())
}

/// The label of the option that an answer names by its label or its words.
fn answer_among(options: &[Choice], answer: &str) -> Result<String, String> {
    let answer = answer.trim();
    let by_label = options.iter().find(|option| option.label == answer);
    let by_text = || options.iter().find(|option| option.text.trim().eq_ignore_ascii_case(answer));
    by_label
        .or_else(by_text)
        .map(|option| option.label.clone())
        .ok_or_else(|| format!("the answer `{answer}` is none of the options: correct the answer or the options"))
}
