//! Plain text and Markdown: a chart per file, or per sub-folder with a file for each entry. Our own packets are known by their
//! first line.

use super::draft::label;
use super::files::{self, extension, name, stem};
use super::summary::Summary;
use super::when::{DateOrder, When};
use super::{ChartReader, classify};
use crate::{Chart, Entry, Section, packet};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use waterjar_core::{CaseId, SourceError};

pub(super) struct TextFiles {
    /// A file or a folder is a chart each.
    charts: VecDeque<PathBuf>,
}

pub(super) fn is_text(path: &Path) -> bool {
    path.is_file() && matches!(extension(path).as_str(), "txt" | "text" | "md" | "markdown")
}

impl TextFiles {
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        let mut charts: VecDeque<_> = files::files(path)?.into_iter().filter(|path| is_text(path)).collect();
        if path.is_dir() {
            for folder in files::folders(path)? {
                if files::files(&folder)?.iter().any(|path| is_text(path)) {
                    charts.push_back(folder);
                }
            }
        }
        if charts.is_empty() {
            let problem = "holds no text: no .txt or .md file, and no sub-folder with one";
            return Err(SourceError::at(path, problem));
        }
        Ok(Self { charts })
    }
}

impl ChartReader for TextFiles {
    fn next_charts(&mut self, summary: &mut Summary) -> Result<Option<Vec<Chart>>, SourceError> {
        let Some(path) = self.charts.pop_front() else { return Ok(None) };
        let chart = if path.is_dir() { folder_chart(&path, summary)? } else { file_chart(&path, summary)? };
        Ok(Some(vec![chart]))
    }
}

fn file_chart(path: &Path, summary: &mut Summary) -> Result<Chart, SourceError> {
    let text = files::text(path)?;
    if text.starts_with("PACKET ") {
        let (chart, _) = packet::read(&text).map_err(|error| {
            SourceError::at_line(path, error.line as u64, error.problem).with_hint("packets are ours to write")
        })?;
        summary.read_one("packet");
        return Ok(chart);
    }
    let mut chart = Chart::new(stem(path));
    add_file(&mut chart, path, &text, summary);
    Ok(chart)
}

fn folder_chart(folder: &Path, summary: &mut Summary) -> Result<Chart, SourceError> {
    let mut chart = Chart::new(name(folder));
    for path in files::files(folder)? {
        if is_text(&path) {
            add_file(&mut chart, &path, &files::text(&path)?, summary);
        } else {
            summary.skip_one(&name(&path), "no text");
        }
    }
    chart.sort();
    Ok(chart)
}

/// One file: its front matter, its section blocks, its dated entries.
fn add_file(chart: &mut Chart, path: &Path, text: &str, summary: &mut Summary) {
    summary.read_one("text file");
    let (front, body) = front_matter(text);
    let mut defaults = Defaults { date: When::read(&leading_date(path), DateOrder::Mdy), tag: None, section: None };
    for (key, value) in &front {
        match key.to_ascii_lowercase().as_str() {
            "id" => chart.id = CaseId::new(crate::chart::one_line(value)),
            "date" => {
                defaults.date = When::read(value, DateOrder::Mdy).or(defaults.date);
                summary.unread_dates += u64::from(When::read(value, DateOrder::Mdy).is_none());
            }
            "tag" | "type" | "category" => defaults.tag = Some(value.clone()),
            "section" => defaults.section = value.parse().ok(),
            _ => state(chart, key, value),
        }
    }
    for piece in pieces(body) {
        summary.unread_dates += u64::from(dated(piece.heading).is_some_and(|(when, _)| when.is_none()));
        piece.put_into(chart, &defaults);
    }
    chart.sort();
}

struct Defaults {
    date: Option<When>,
    tag: Option<String>,
    section: Option<Section>,
}

/// A stretch of a text under one heading.
struct Piece<'a> {
    heading: &'a str,
    text: &'a str,
}

impl Piece<'_> {
    fn put_into(&self, chart: &mut Chart, defaults: &Defaults) {
        let text = self.text.trim_matches('\n');
        if let Ok(section) = self.heading.trim().parse::<Section>() {
            let block = chart.blocks.entry(section).or_default();
            if !block.is_empty() {
                block.push('\n');
            }
            block.push_str(text);
            return;
        }
        let (date, title) = match dated(self.heading) {
            Some((when, title)) => (when.map(|when| when.date), title),
            None => (defaults.date.map(|when| when.date), ""),
        };
        if text.trim().is_empty() && title.is_empty() {
            return;
        }
        let category = if title.is_empty() { defaults.tag.as_deref().unwrap_or_default() } else { title };
        let (section, tag) = classify::note(category);
        let section = defaults.section.unwrap_or(section);
        chart.entries.push(Entry::new(date, tag, text).in_section(section));
    }
}

/// Splits where a Markdown heading is a section of a chart or begins with a date; other headings are part of the text.
fn pieces(body: &str) -> Vec<Piece<'_>> {
    let mut pieces = vec![Piece { heading: "", text: "" }];
    let (mut start, mut at) = (0, 0);
    for line in body.split_inclusive('\n') {
        if let Some(heading) = splitting_heading(line) {
            if let Some(last) = pieces.last_mut() {
                last.text = &body[start..at];
            }
            pieces.push(Piece { heading, text: "" });
            start = at + line.len();
        }
        at += line.len();
    }
    if let Some(last) = pieces.last_mut() {
        last.text = &body[start..];
    }
    pieces
}

fn splitting_heading(line: &str) -> Option<&str> {
    let heading = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?.trim();
    (heading.parse::<Section>().is_ok() || dated(heading).is_some()).then_some(heading)
}

/// `2024-03-09 Oncology clinic` → its date and title. `2024-13-45` begins an entry too, whose date nobody can read.
fn dated(heading: &str) -> Option<(Option<When>, &str)> {
    let (first, title) = heading.split_once([' ', ':']).unwrap_or((heading, ""));
    // A bare number would be a chapter.
    (first.len() >= 7).then_some(())?;
    let parts: Vec<&str> = first.split(['-', '/', '.']).collect();
    let numbers = parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    let when = When::read(first, DateOrder::Mdy);
    (when.is_some() || (parts.len() == 3 && numbers)).then(|| (when, title.trim_matches([' ', ':', '-', '–'])))
}

/// The date a file name begins with, as `2024-03-09` or `20240309`.
fn leading_date(path: &Path) -> String {
    let stem = stem(path);
    let end = stem.find(|letter: char| !(letter.is_ascii_digit() || letter == '-')).unwrap_or(stem.len());
    let date = stem[..end].trim_end_matches('-');
    if date.len() >= 7 { date.to_owned() } else { String::new() }
}

/// `key: value` lines between two lines of three dashes at the top.
fn front_matter(text: &str) -> (Vec<(String, String)>, &str) {
    let none = (Vec::new(), text);
    let Some(rest) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else { return none };
    let mut keys = Vec::new();
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        at += line.len();
        if line.trim_end() == "---" {
            return (keys, &rest[at..]);
        }
        match line.split_once(':') {
            Some((key, value)) => keys.push((key.trim().to_owned(), value.trim().trim_matches(['"', '\'']).to_owned())),
            None if line.trim().is_empty() => {}
            // Not front matter after all, but a text that begins with a rule.
            None => return none,
        }
    }
    none
}

fn state(chart: &mut Chart, key: &str, value: &str) {
    // The labels importers write are spelt one way, so that ages can be told and names scrubbed.
    let known = [label::NAME, label::BORN, label::SEX, label::ADDRESS, label::PHONE, label::EMAIL, label::RECORD];
    let label = match key.to_ascii_lowercase().as_str() {
        "mrn" => label::RECORD,
        "dob" => label::BORN,
        lower => known.into_iter().find(|label| label.to_ascii_lowercase() == lower).unwrap_or(key),
    };
    let block = chart.blocks.entry(Section::Demographics).or_default();
    if !block.is_empty() {
        block.push('\n');
    }
    block.push_str(&format!("{label}: {value}"));
}
