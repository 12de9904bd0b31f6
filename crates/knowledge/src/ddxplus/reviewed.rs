//! What was written by hand and can be reviewed as data: `statements.toml` and `synonyms.toml`.

use crate::{AgeRange, Kind};
use serde::Deserialize;
use serde::de::value::{Error as ValueError, StrDeserializer};
use std::collections::HashMap;
use std::sync::LazyLock;
use waterjar_core::Sex;

/// By English question. `code` is for the reader: the same row serves both code systems.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    #[serde(rename = "code")]
    _code: String,
    question: String,
    pub present: Option<String>,
    pub denied: Option<String>,
    kind: Option<String>,
    pub sex: Option<Sex>,
    pub age: Option<AgeRange>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StatementsFile {
    row: Vec<Row>,
    words: HashMap<String, HashMap<String, String>>,
}

struct Statements {
    rows: HashMap<String, Row>,
    words: HashMap<String, HashMap<String, String>>,
}

static STATEMENTS: LazyLock<Statements> = LazyLock::new(|| {
    let file: StatementsFile =
        toml::from_str(include_str!("statements.toml")).expect("statements.toml is part of the program and tested");
    Statements { rows: file.row.into_iter().map(|row| (row.question.clone(), row)).collect(), words: file.words }
});

static SYNONYMS: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
    toml::from_str(include_str!("synonyms.toml")).expect("synonyms.toml is part of the program and tested")
});

pub(super) fn row(question: &str) -> Option<&'static Row> {
    STATEMENTS.rows.get(question)
}

/// The words for a value of this question: ours where the source slipped, else the source's.
pub(super) fn words<'a>(question: &str, source: &'a str) -> &'a str {
    STATEMENTS.words.get(question).and_then(|words| words.get(source)).map_or(source, String::as_str)
}

/// Other English names of a DDXPlus condition.
pub fn synonyms(english_name: &str) -> &'static [String] {
    SYNONYMS.get(english_name).map_or(&[], Vec::as_slice)
}

impl Row {
    /// Written `kind/family`.
    pub fn kind_and_family(&self) -> Option<(Kind, &str)> {
        let (kind, family) = self.kind.as_deref()?.split_once('/')?;
        let kind = Kind::deserialize(StrDeserializer::<ValueError>::new(kind)).ok()?;
        Some((kind, family))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reviewed_row_says_something_that_can_be_read() {
        for row in STATEMENTS.rows.values() {
            assert!(row.kind.is_none() || row.kind_and_family().is_some(), "{row:?}");
            let says = row.present.is_some() || row.kind.is_some() || row.sex.is_some() || row.age.is_some();
            assert!(says, "{row:?}");
        }
        assert!(!SYNONYMS.is_empty());
    }
}
