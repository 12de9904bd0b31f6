//! One field of a patient → the row, or what is wrong with it.

use super::codes::{Answer, Codes, VALUE_MARK};
use super::literal::LiteralError;
use super::row::Row;
use std::path::Path;
use waterjar_core::{Sex, SourceError, slip};

/// What is wrong and what to do; the reader of the file adds where.
#[derive(Debug)]
pub(super) struct Problem {
    text: String,
    hint: Option<String>,
}

const OLDEST: u8 = 120;

pub(super) fn sex(text: &str) -> Result<Sex, Problem> {
    match text.trim() {
        "F" => Ok(Sex::F),
        "M" => Ok(Sex::M),
        other => Err(Problem::new(format!("sex `{}` is neither F nor M", short(other)))),
    }
}

pub(super) fn age(text: &str) -> Result<u8, Problem> {
    match text.trim().parse::<u8>() {
        Ok(age) if age <= OLDEST => Ok(age),
        _ => Err(Problem::new(format!("age `{}` is not a whole number from 0 to {OLDEST}", short(text)))),
    }
}

pub(super) fn condition(codes: &Codes, name: &str) -> Result<u16, Problem> {
    codes.condition(name).ok_or_else(|| unknown_condition(codes, name))
}

/// One item of EVIDENCES: `E_91`, `E_55_@_V_20`.
pub(super) fn evidence(codes: &Codes, row: &mut Row, item: &str) -> Result<(), Problem> {
    let (finding, answer) = codes.item(item).ok_or_else(|| unknown_item(codes, item))?;
    add(codes, row, finding, answer)
}

/// A question and its answer in words.
pub(super) fn answered(codes: &Codes, row: &mut Row, question: &str, text: &str) -> Result<(), Problem> {
    let finding = codes.question(question).ok_or_else(|| Problem {
        text: format!("unknown question \"{}\"", short(question)),
        hint: slip::did_you_mean(question, codes.question_texts()),
    })?;
    let answer = codes
        .answer(finding, text)
        .ok_or_else(|| Problem::new(format!("`{}` is no answer to \"{question}\"", short(text))))?;
    add(codes, row, finding, answer)
}

pub(super) fn candidate(codes: &Codes, row: &mut Row, name: &str, probability: f64) -> Result<(), Problem> {
    if !(0.0..=1.0).contains(&probability) {
        return Err(Problem::new(format!("`{}` has probability {probability}, which is not 0 to 1", short(name))));
    }
    row.differential.push((condition(codes, name)?, probability));
    Ok(())
}

fn add(codes: &Codes, row: &mut Row, finding: u16, answer: Answer) -> Result<(), Problem> {
    row.add(codes, finding, answer).map_err(|_| {
        let id = &codes.findings[usize::from(finding)].id;
        Problem::new(format!("evidence `{id}` has two different answers and takes one"))
    })
}

impl Problem {
    pub fn new(text: String) -> Self {
        Self { text, hint: None }
    }

    /// In a column, where there are columns.
    pub fn within(mut self, column: &str) -> Self {
        self.text = format!("{column}: {}", self.text);
        self
    }

    pub fn at(self, path: &Path, line: u64) -> SourceError {
        let error = SourceError::at_line(path, line, self.text);
        match self.hint {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }
}

impl From<LiteralError> for Problem {
    fn from(error: LiteralError) -> Self {
        Self {
            text: error.to_string(),
            hint: Some("a list is written as Python prints it, ['E_91', 'E_55_@_V_20']".to_owned()),
        }
    }
}

#[cold]
fn unknown_condition(codes: &Codes, name: &str) -> Problem {
    Problem {
        text: format!("unknown condition `{}`", short(name)),
        hint: slip::did_you_mean(name, codes.condition_names()).or_else(same_release),
    }
}

#[cold]
fn unknown_item(codes: &Codes, item: &str) -> Problem {
    let (code, value) = item.split_once(VALUE_MARK).map_or((item, None), |(code, value)| (code, Some(value)));
    let text = match (codes.finding(code), value) {
        (None, _) => format!("unknown evidence `{}`", short(item)),
        (Some(_), None) => format!("evidence `{code}` needs a value, as in `{code}{VALUE_MARK}…`"),
        (Some(_), Some(value)) => format!("evidence `{code}` has no value `{}`", short(value)),
    };
    Problem { text, hint: slip::did_you_mean(item, codes.items()).or_else(same_release) }
}

fn same_release() -> Option<String> {
    Some(
        "the knowledge files must be of the same release as the patients; for French-coded patients put \
         release_conditions_fr.json and release_evidences_fr.json beside the English ones"
            .to_owned(),
    )
}

/// A broken file can hold a megabyte where a name should be.
fn short(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
