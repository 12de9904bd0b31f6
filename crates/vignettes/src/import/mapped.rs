//! Any table, with a TOML file that says which columns mean what.
//!
//! ```toml
//! text = "vignette"
//! id = "case"                          # a number where it is not said
//! question = "asked"                   # else the last sentence of the text, where it asks
//! options = ["a", "b", "c", "d"]       # one column each; or:  options_list = "choices"  (['a', 'b'])
//! answer = "right"                     # a label, the words of an option, or with answer_from_0 = true its number
//!
//! [spans]
//! by = "tags"                          # <CSC_start>…<CSC_end> in the text; "offsets": 12-20;31-40; "phrases": fever;cough
//! column = "findings"                  # not for tags
//! separator = ";"
//! unit = "characters"                  # of offsets; or "bytes"
//! ```

use super::{Cells, Row, answer_among, lettered, phrases, question};
use crate::doubts::alike;
use crate::{Choice, Span, Vignette, tagged};
use serde::Deserialize;
use std::path::Path;
use waterjar_core::{SourceError, in_plain_words, slip};
use waterjar_exchange::table::line_at;
use waterjar_knowledge::ddxplus::literal::{self, LiteralError};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mapping {
    text: String,
    id: Option<String>,
    question: Option<String>,
    #[serde(default)]
    options: Vec<String>,
    options_list: Option<String>,
    answer: Option<String>,
    #[serde(default)]
    answer_from_0: bool,
    spans: Option<SpanMapping>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SpanMapping {
    by: By,
    column: Option<String>,
    #[serde(default = "semicolon")]
    separator: String,
    #[serde(default)]
    unit: Unit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum By {
    Tags,
    Offsets,
    Phrases,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Unit {
    #[default]
    Characters,
    Bytes,
}

fn semicolon() -> String {
    ";".to_owned()
}

impl Mapping {
    pub fn read(path: &Path) -> Result<Self, SourceError> {
        let failed = |problem: String| SourceError::at(path, problem);
        let content = std::fs::read_to_string(path).map_err(|error| SourceError::unreadable(path, &error))?;
        let mapping: Self = toml::from_str(&content).map_err(|error| told(path, &content, &error))?;
        if let Some(spans) = &mapping.spans
            && spans.by != By::Tags
            && spans.column.is_none()
        {
            return Err(failed("[spans] needs a `column` unless it is by tags".to_owned()));
        }
        Ok(mapping)
    }

    /// Those that every row must have.
    pub fn columns(&self) -> Vec<String> {
        let listed = self.options_list.as_ref().map(std::slice::from_ref);
        let options = listed.unwrap_or(&self.options);
        let spans = self.spans.as_ref().and_then(|spans| spans.column.as_ref());
        let named = [Some(&self.text), self.id.as_ref(), self.question.as_ref(), self.answer.as_ref(), spans];
        named.into_iter().flatten().chain(options).cloned().collect()
    }

    pub fn vignette(&self, row: &Cells<'_>, line: u64, max_spans: Option<usize>) -> Row {
        let told = row.need(&self.text)?;
        let (story, asked) = match &self.question {
            Some(column) => (told.to_owned(), row.need(column)?.to_owned()),
            // Offsets count from the start of the cell, which splitting must not move.
            None if self.spans.as_ref().is_some_and(|spans| spans.by == By::Offsets) => {
                (told.to_owned(), String::new())
            }
            None => question::split(told),
        };
        let (text, spans) = self.spans(row, story)?;
        let options = self.options(row)?;
        if let Some((one, other)) = alike(&options) {
            let (one, other, text) = (&one.label, &other.label, one.text.trim());
            return Err(format!("options {one} and {other} are both `{text}`: correct one, or take the row out"));
        }
        let answer = self.answer(row, &options)?;
        let id = match &self.id {
            Some(column) => row.need(column)?.to_owned(),
            None => format!("row-{line}"),
        };
        Ok(Vignette { id, text, question: asked, options, answer, spans: phrases::at_most(spans, max_spans) })
    }

    fn spans(&self, row: &Cells<'_>, story: String) -> Result<(String, Vec<Span>), String> {
        let Some(spans) = &self.spans else { return Ok((story, Vec::new())) };
        // An empty cell is a story without spans; a column that is not there is a mistake.
        let cell = match &spans.column {
            Some(column) => row.get(column).ok_or_else(|| row.lacks(column))?,
            None => "",
        };
        let parts = || cell.split(&spans.separator).map(str::trim).filter(|part| !part.is_empty());
        match spans.by {
            By::Tags => tagged::unmark_words(&story).map_err(|error| error.to_string()),
            By::Phrases => {
                let found = phrases::located(&story, &parts().collect::<Vec<_>>());
                if let Some(phrase) = found.missing.first() {
                    return Err(format!("`{phrase}` does not stand in the text: write it as the text does"));
                }
                if let Some((phrase, other)) = found.on_others.first() {
                    return Err(format!(
                        "`{phrase}` overlaps the finding `{}`: take one of the two out, or write words that stand apart",
                        other.of(&story)
                    ));
                }
                Ok((story, found.spans))
            }
            By::Offsets => {
                let places: Vec<usize> = story.char_indices().map(|(at, _)| at).chain([story.len()]).collect();
                let place = |number: usize| match spans.unit {
                    Unit::Bytes => story.is_char_boundary(number).then_some(number),
                    Unit::Characters => places.get(number).copied(),
                };
                let mut found = parts().map(|part| offsets(part, place)).collect::<Result<Vec<_>, _>>()?;
                found.sort();
                if let Some(pair) = found.windows(2).find(|pair| pair[0].end > pair[1].start) {
                    return Err(format!("two spans overlap at byte {}: part them", pair[1].start));
                }
                for span in &found {
                    if let Some(wrong) = tagged::no_words(&story, *span) {
                        return Err(format!("`{}`: {wrong}", span.of(&story)));
                    }
                }
                Ok((story, found))
            }
        }
    }

    fn options(&self, row: &Cells<'_>) -> Result<Vec<Choice>, String> {
        if let Some(column) = &self.options_list {
            let mut texts: Vec<String> = Vec::new();
            literal::strings(row.need(column)?, |text| {
                texts.push(text.into_owned());
                Ok::<_, LiteralError>(())
            })
            .map_err(|error| format!("`{column}` is no list of texts ({error}): write ['first', 'second']"))?;
            return lettered(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        }
        let cell = |column: &String| row.get(column).ok_or_else(|| row.lacks(column));
        let cells = self.options.iter().map(cell).collect::<Result<Vec<_>, _>>()?;
        self.filled(&cells).and_then(lettered)
    }

    /// A question may have fewer options than another: those that it lacks are the last ones.
    fn filled<'c, 'r>(&self, cells: &'c [&'r str]) -> Result<&'c [&'r str], String> {
        const ELSE: &str = "where rows have fewer options than there are columns, leave the last ones empty; or write all into one column, as \
                            ['first', 'second'], and name it as `options_list` in the mapping";
        let is_empty = |cell: &&str| cell.trim().is_empty();
        let filled = &cells[..cells.iter().rposition(|cell| !is_empty(cell)).map_or(0, |last| last + 1)];
        if let Some(gap) = filled.iter().position(is_empty) {
            return Err(format!("`{}` is empty, and an option stands after it: {ELSE}", self.options[gap]));
        }
        match filled.len() {
            0 if !cells.is_empty() => Err(format!("`{}`: all are empty: {ELSE}", self.options.join("`, `"))),
            1 if cells.len() > 1 => Err(format!("`{}` is its only option: {ELSE}", self.options[0])),
            _ => Ok(filled),
        }
    }

    fn answer(&self, row: &Cells<'_>, options: &[Choice]) -> Result<Option<String>, String> {
        let Some(column) = &self.answer else { return Ok(None) };
        let written = row.need(column)?;
        if options.is_empty() {
            return Ok(Some(written.to_owned()));
        }
        if self.answer_from_0 {
            let option = written.trim().parse().ok().and_then(|at: usize| options.get(at));
            let problem = || format!("`{column}` is `{written}`: a number from 0 to {} is expected", options.len() - 1);
            return Ok(Some(option.ok_or_else(problem)?.label.clone()));
        }
        let right = answer_among(options, written)?;
        match options.iter().find(|it| it.label != right && it.text.trim().eq_ignore_ascii_case(written.trim())) {
            None => Ok(Some(right)),
            Some(other) => Err(format!(
                "the answer `{}` is the name of option {right} and the words of option {}: write its number, counted from 0, and say \
                 answer_from_0 = true in the mapping",
                written.trim(),
                other.label
            )),
        }
    }
}

/// `12-20`: from the 12th character up to but without the 20th, counted from 0.
fn offsets(part: &str, place: impl Fn(usize) -> Option<usize>) -> Result<Span, String> {
    let problem = || format!("`{part}` is no span of the text: write start-end, counted from 0, the end not included");
    let (start, end) = part.split_once('-').ok_or_else(problem)?;
    let read = |number: &str| number.trim().parse().ok().and_then(&place).ok_or_else(problem);
    let (start, end) = (read(start)?, read(end)?);
    if start < end { Ok(Span { start, end }) } else { Err(problem()) }
}

/// With the line of the mapping, and what was probably meant.
fn told(path: &Path, content: &str, error: &toml::de::Error) -> SourceError {
    let problem = in_plain_words(error.message());
    let mut names =
        problem.strip_prefix("unknown field").into_iter().flat_map(|rest| rest.split('`').skip(1).step_by(2));
    let meant = names.next().and_then(|field| slip::did_you_mean(field, names));
    let told = match error.span() {
        Some(span) => SourceError::at_line(path, line_at(content.as_bytes(), span.start as u64), problem),
        None => SourceError::at(path, problem),
    };
    match meant {
        Some(meant) => told.with_hint(meant),
        None => told,
    }
}
