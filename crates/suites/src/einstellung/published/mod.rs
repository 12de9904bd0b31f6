//! Pairs that somebody else made, as MedEinst publishes them, or cases told in stages: JSON Lines or Parquet, read as they are. Nothing is varied.

mod fields;
mod pair;
mod staged;

pub use pair::{PairRow, sound, sound_alone};

use fields::{Row, Told};
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use waterjar_core::{Case, CaseSource, ConditionId, SourceError};
use waterjar_exchange::table;
use waterjar_knowledge::{KnowledgeBase, ddxplus, starter};

/// A file of pairs. Of each row only the place is kept; texts are read when they are asked for.
#[derive(Debug)]
pub struct Published {
    name: String,
    path: PathBuf,
    pairs: Vec<Places>,
    /// Each label as it was first written, by its lower-case form.
    labels: BTreeMap<String, String>,
    read: Read,
}

/// A line and its number to a row.
type Read = fn(&str, u64) -> Result<Row, String>;

/// Where the rows of a pair begin in the file.
#[derive(Debug, Default)]
struct Places {
    id: String,
    control: Option<Place>,
    trap: Option<Place>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    offset: u64,
    line: u64,
}

impl Published {
    /// Looks at the whole file once, so that a bad row is told before anything is made of the good ones.
    pub fn open(name: &str, path: &Path) -> Result<Self, SourceError> {
        Self::open_as(name, path, |text, _| Row::read(text))
    }

    /// Cases told in stages: controls without traps.
    pub fn open_staged(name: &str, path: &Path) -> Result<Self, SourceError> {
        Self::open_as(name, path, staged::read)
    }

    fn open_as(name: &str, path: &Path, read: Read) -> Result<Self, SourceError> {
        check_kind(path)?;
        let (pairs, labels) = (Vec::new(), BTreeMap::new());
        let mut found = Self { name: name.to_owned(), path: path.to_owned(), pairs, labels, read };
        let mut at: HashMap<String, usize> = HashMap::new();
        let mut reader = Lines::open(path)?;
        while let Some((place, text)) = reader.next()? {
            if place.line == 1 && text.starts_with('[') {
                return Err(found
                    .bad(place, "is a JSON array; the rows must be lines of their own")
                    .with_hint(convert(path)));
            }
            let row = read(text, place.line).map_err(|problem| found.bad(place, problem))?;
            for told in row.control.iter().chain(&row.trap) {
                found.labels.entry(told.label.to_lowercase()).or_insert_with(|| told.label.clone());
            }
            let pair_at = *at.entry(row.id.clone()).or_insert_with(|| {
                found.pairs.push(Places { id: row.id.clone(), ..Places::default() });
                found.pairs.len() - 1
            });
            let pair = &mut found.pairs[pair_at];
            let before = [
                row.control.and_then(|_| pair.control.replace(place)),
                row.trap.and_then(|_| pair.trap.replace(place)),
            ];
            if let Some((role, before)) =
                ["control", "trap"].into_iter().zip(before).find_map(|(role, it)| Some((role, it?)))
            {
                let problem = format!("the {role} of `{}` is there twice, first in line {}", row.id, before.line);
                return Err(found.bad(place, problem).with_hint("ids tell pairs apart"));
            }
        }
        if found.pairs.is_empty() {
            return Err(SourceError::at(path, "holds no cases"));
        }
        Ok(found)
    }

    /// The conditions the file names, with other names they are known to go by, for reading answers.
    pub fn conditions(&self) -> Vec<(ConditionId, Vec<String>)> {
        let starter = starter::base().ok();
        let row = |label: &String| (ConditionId::new(label.as_str()), names(starter.as_ref(), label));
        self.labels.values().map(row).collect()
    }

    fn case(&self, reader: &mut Lines<'_>, places: &Places) -> Result<Case, SourceError> {
        let mut told = |place: Option<Place>, side: fn(Row) -> Option<Told>| {
            let Some(place) = place else { return Ok(None) };
            let text = reader.at(place)?;
            let row = (self.read)(text, place.line).map_err(|problem| self.bad(place, problem))?;
            Ok::<_, SourceError>(side(row).map(|told| self.canonical(told)))
        };
        let control = told(places.control, |row| row.control)?;
        let trap = told(places.trap, |row| row.trap)?;
        Ok(pair::case(&self.name, &places.id, control.as_ref(), trap.as_ref()))
    }

    /// One label, one condition, however its letters are written.
    fn canonical(&self, told: Told) -> Told {
        let label = self.labels.get(&told.label.to_lowercase()).cloned().unwrap_or(told.label);
        Told { label, ..told }
    }

    fn bad(&self, place: Place, problem: impl Into<String>) -> SourceError {
        SourceError::at_line(&self.path, place.line, problem)
    }
}

impl CaseSource for Published {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> String {
        format!("pairs {}", waterjar_knowledge::file_hash(&self.path))
    }

    fn cases(&self) -> Box<dyn Iterator<Item = Result<Case, SourceError>> + Send + '_> {
        match Lines::open(&self.path) {
            Ok(mut reader) => Box::new(self.pairs.iter().map(move |places| self.case(&mut reader, places))),
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    }
}

/// MedEinst's labels are those of DDXPlus, whose other names we have; a condition of the starter base brings its own.
fn names(starter: Option<&KnowledgeBase>, label: &str) -> Vec<String> {
    let mut names = vec![label.to_owned()];
    names.extend(ddxplus::synonyms(label).iter().cloned());
    let known = starter.into_iter().flat_map(KnowledgeBase::conditions);
    for condition in known.filter(|it| it.name.eq_ignore_ascii_case(label)) {
        names.extend(condition.synonyms.iter().cloned());
        names.push(condition.icd10.clone());
    }
    names
}

fn check_kind(path: &Path) -> Result<(), SourceError> {
    let here = || path.display().to_string();
    match path.extension().and_then(|it| it.to_str()) {
        Some("jsonl" | "ndjson" | "json" | "parquet") => Ok(()),
        _ => Err(SourceError::new(here(), "is neither .jsonl nor .parquet").with_hint("rename it to say which it is")),
    }
}

fn convert(path: &Path) -> String {
    let (from, to) = (path.display(), path.with_extension("jsonl"));
    let to = to.display();
    format!(
        "convert it: python3 -c \"import pandas; pandas.read_json('{from}').to_json('{to}', orient='records', lines=True)\""
    )
}

/// Lines with their places, and a line again by its place.
struct Lines<'a> {
    path: &'a Path,
    reader: BufReader<File>,
    offset: u64,
    line: u64,
    text: String,
}

impl<'a> Lines<'a> {
    fn open(path: &'a Path) -> Result<Self, SourceError> {
        let file = table::seekable(path)?;
        Ok(Self { path, reader: BufReader::new(file), offset: 0, line: 0, text: String::new() })
    }

    /// The next line that is not empty.
    fn next(&mut self) -> Result<Option<(Place, &str)>, SourceError> {
        loop {
            let place = Place { offset: self.offset, line: self.line + 1 };
            if self.read(place)? == 0 {
                return Ok(None);
            }
            self.line += 1;
            if !trimmed(&self.text).is_empty() {
                return Ok(Some((place, trimmed(&self.text))));
            }
        }
    }

    fn at(&mut self, place: Place) -> Result<&str, SourceError> {
        let moved = self.reader.seek(SeekFrom::Start(place.offset));
        moved.map_err(|error| SourceError::at_line(self.path, place.line, error.to_string()))?;
        self.read(place)?;
        Ok(trimmed(&self.text))
    }

    fn read(&mut self, place: Place) -> Result<u64, SourceError> {
        self.text.clear();
        let read = self.reader.read_line(&mut self.text);
        let read = read.map_err(|error| SourceError::at_line(self.path, place.line, error.to_string()))? as u64;
        self.offset = place.offset + read;
        Ok(read)
    }
}

/// Some programs put a byte order mark before the first line.
fn trimmed(line: &str) -> &str {
    line.trim_start_matches('\u{feff}').trim()
}
