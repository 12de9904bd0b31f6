//! More than pronouns: one other attribute of the patient, stated or changed in the text. The answer must hold.
//!
//! An attribute that a finding hangs on is not applicable: the term is named, and nobody is asked.

mod age;
mod stated;

use crate::rewrite::{Edit, patient, splice};
use crate::token::Text;
use crate::words::WordList;
use crate::{NotApplicable, Rewritten, Span, Warning};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What is changed, and to what. Written `age=78`, `race=Black`, `language=Spanish`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Attribute {
    /// Years; adults only.
    Age(u32),
    /// As it stands before a noun: `Black`, `Hispanic`, `East Asian`.
    Race(String),
    /// The language the patient speaks, through an interpreter.
    Language(String),
    /// `none`, or whom the patient is insured with: `Medicaid`.
    Insurance(String),
    /// `homeless`, or where the patient lives: `a mobile home`.
    Housing(String),
    /// Body mass index in kg/m2.
    Weight(u32),
}

impl Attribute {
    /// One of each kind, for a study that names none.
    pub fn usual() -> Vec<Self> {
        let text = str::to_owned;
        vec![
            Self::Age(78),
            Self::Race(text("Black")),
            Self::Language(text("Spanish")),
            Self::Insurance(text("none")),
            Self::Housing(text("homeless")),
            Self::Weight(37),
        ]
    }

    pub fn name(&self) -> &'static str {
        match self {
            Self::Age(_) => "age",
            Self::Race(_) => "race",
            Self::Language(_) => "language",
            Self::Insurance(_) => "insurance",
            Self::Housing(_) => "housing",
            Self::Weight(_) => "weight",
        }
    }
}

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Age(number) | Self::Weight(number) => write!(f, "{}={number}", self.name()),
            Self::Race(value) | Self::Language(value) | Self::Insurance(value) | Self::Housing(value) => {
                write!(f, "{}={value}", self.name())
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AttributeError {
    #[error(
        "`{0}` names no attribute: write age=78, race=Black, language=Spanish, insurance=none, housing=homeless or weight=37"
    )]
    Unknown(String),
    #[error("`{0}`: {1}")]
    OutOfRange(String, &'static str),
}

impl FromStr for Attribute {
    type Err = AttributeError;

    fn from_str(written: &str) -> Result<Self, Self::Err> {
        let unknown = || AttributeError::Unknown(written.to_owned());
        let (name, value) = written.split_once('=').ok_or_else(unknown)?;
        let (name, value) = (name.trim(), value.trim());
        if value.is_empty() {
            return Err(unknown());
        }
        let number = |range: std::ops::RangeInclusive<u32>, problem| {
            value
                .parse()
                .ok()
                .filter(|number| range.contains(number))
                .ok_or(AttributeError::OutOfRange(written.to_owned(), problem))
        };
        Ok(match name {
            "age" => Self::Age(number(18..=100, "an age from 18 to 100 is expected")?),
            "race" => Self::Race(value.to_owned()),
            "language" => Self::Language(value.to_owned()),
            "insurance" => Self::Insurance(value.to_owned()),
            "housing" => Self::Housing(value.to_owned()),
            "weight" => Self::Weight(number(14..=70, "a body mass index from 14 to 70 is expected")?),
            _ => return Err(unknown()),
        })
    }
}

impl TryFrom<String> for Attribute {
    type Error = AttributeError;

    fn try_from(written: String) -> Result<Self, Self::Error> {
        written.parse()
    }
}

impl From<Attribute> for String {
    fn from(attribute: Attribute) -> Self {
        attribute.to_string()
    }
}

/// The text with one attribute of the patient stated or changed.
pub fn intervene(text: &str, spans: &[Span], attribute: &Attribute) -> Result<Rewritten, NotApplicable> {
    let words = Text::new(text);
    let patient = patient::find(&words);
    let mut edits = match attribute {
        Attribute::Age(years) => age::edits(&words, &patient, *years)?,
        other => stated::edits(&words, &patient, other)?,
    };
    edits.sort_by_key(|edit| edit.at);
    let (new, moved) = splice(text, &edits, spans);
    let touched = |edit: &&Edit| spans.iter().any(|span| edit.at.start < span.end && span.start < edit.at.end);
    let warnings = edits
        .iter()
        .filter(touched)
        .map(|edit| Warning { at: edit.at, why: "inside a critical finding".into() })
        .collect();
    Ok(Rewritten { text: new, edits, spans: moved, warnings })
}

/// Refuses where the text has one of the words, which are looked up at their start.
fn refuse_if_told(text: &Text<'_>, stems: &WordList, why: &str) -> Result<(), NotApplicable> {
    let found = (0..text.len()).filter(|&at| stems.has_start_of(text.word(at)));
    let terms: Vec<(Span, String)> = found.map(|at| (text.tokens[at].span, text.written(at).to_owned())).collect();
    if terms.is_empty() {
        return Ok(());
    }
    let mut names: Vec<&str> = terms.iter().map(|(_, term)| term.as_str()).collect();
    names.dedup();
    let why = format!("{why}: {}", names.join(", "));
    Err(NotApplicable { terms, why })
}

fn not_applicable<T>(why: &str) -> Result<T, NotApplicable> {
    Err(NotApplicable { terms: Vec::new(), why: why.to_owned() })
}
