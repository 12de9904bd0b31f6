//! text → the same text under an intervention, with every mention changed.

use super::catalog::{Changes, Entry, GaveUp, Mutation, Place};
use regex::Regex;
use std::sync::LazyLock;
use waterjar_core::Edit;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutated {
    pub text: String,
    /// One for each place that was changed, in the order they were made.
    pub edits: Vec<Edit>,
}

/// Whether an intervention is for a chart at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Applies {
    Yes,
    /// It is for other cancers.
    OtherCancer,
    /// What it would change is not there: the pattern that was not found.
    NotFound(String),
    /// Something speaks against it: the pattern that was found.
    Excluded(String),
    GaveUp(GaveUp),
}

impl Applies {
    /// A few words in snake case.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Yes => "eligible",
            Self::OtherCancer => "other_cancer",
            Self::NotFound(_) => "pattern_not_found",
            Self::Excluded(_) => "excluded_by_pattern",
            Self::GaveUp(_) => "pattern_gave_up",
        }
    }
}

impl Entry {
    pub fn applies(&self, cancer: Option<&str>, text: &str) -> Applies {
        let is_for = |cancer: &str| self.cancers.iter().any(|it| it == cancer);
        if !self.cancers.is_empty() && !cancer.is_some_and(is_for) {
            return Applies::OtherCancer;
        }
        for (pattern, wanted) in
            self.positive.iter().map(|it| (it, true)).chain(self.negative.iter().map(|it| (it, false)))
        {
            match pattern.is_match(text) {
                Ok(found) if found == wanted => {}
                Ok(false) => return Applies::NotFound(pattern.as_str().to_owned()),
                Ok(true) => return Applies::Excluded(pattern.as_str().to_owned()),
                Err(gave_up) => return Applies::GaveUp(gave_up),
            }
        }
        Applies::Yes
    }

    pub fn mutate(&self, text: &str) -> Result<Mutated, GaveUp> {
        let mut made = Mutated { text: text.to_owned(), edits: Vec::new() };
        let date = last_date(text);
        for mutation in &self.mutations {
            let changes = mutation.changes(&made.text, date)?;
            made.change(changes);
        }
        Ok(made)
    }
}

impl Mutation {
    fn changes(&self, text: &str, date: &str) -> Result<Changes, GaveUp> {
        let dated = |words: &str| words.replace("{date}", date);
        match self {
            Self::Replace { pattern, with } => pattern.changes(text, &dated(with)),
            Self::Delete { pattern } => {
                Ok(pattern.find_all(text)?.into_iter().map(|range| (range, String::new())).collect())
            }
            Self::Insert { text: words, at } => {
                let place = match at {
                    Place::End => Some(text.trim_end().len()),
                    Place::After(pattern) => pattern.find_all(text)?.first().map(|found| found.end),
                    Place::Before(pattern) => pattern.find_all(text)?.first().map(|found| found.start),
                };
                let words = dated(words);
                let words = if matches!(at, Place::End) { format!("\n{words}") } else { words };
                Ok(place.map(|place| (place..place, words)).into_iter().collect())
            }
        }
    }
}

impl Mutated {
    fn change(&mut self, changes: Changes) {
        if changes.is_empty() {
            return;
        }
        let mut text = String::with_capacity(self.text.len() + 64 * changes.len());
        let mut done = 0;
        for (range, into) in changes {
            let removed = &self.text[range.clone()];
            text.push_str(&self.text[done..range.start]);
            text.push_str(&into);
            done = range.end;
            if removed != into {
                self.edits.push(Edit { removed: removed.to_owned(), inserted: into });
            }
        }
        text.push_str(&self.text[done..]);
        self.text = text;
    }
}

/// The day of the last dated entry: when what is put in happened.
fn last_date(text: &str) -> &str {
    static DATE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?m)^(\d{4}-\d{2}-\d{2}) ").expect("a constant"));
    let dates = DATE.captures_iter(text).filter_map(|found| Some(found.get(1)?.as_str()));
    dates.max().unwrap_or("undated")
}
