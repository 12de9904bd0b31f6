//! text → the same text under an intervention, with every mention changed.

use super::catalog::{Changes, Entry, GaveUp, Mutation, Place};
use regex::Regex;
use std::sync::LazyLock;
use waterjar_core::Edit;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutated {
    pub text: String,
    /// One for each place that was changed.
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
        let dated = self.mutations.iter().any(Mutation::is_dated);
        let date = if dated { last_date(text) } else { "" };
        match self.by_lines(text, date)? {
            Some(made) => Ok(made),
            None => self.on_the_whole(text, date),
        }
    }

    fn on_the_whole(&self, text: &str, date: &str) -> Result<Mutated, GaveUp> {
        let mut made = Mutated { text: text.to_owned(), edits: Vec::new() };
        made.go_through(&self.mutations, date)?;
        Ok(made)
    }

    /// The same, one pass over the text and then only the lines that can change; none where that would not be the same.
    fn by_lines(&self, text: &str, date: &str) -> Result<Option<Mutated>, GaveUp> {
        let Some(glance) = self.glance() else { return Ok(None) };
        let mut made = Mutated { text: String::with_capacity(text.len() + 1024), edits: Vec::new() };
        let mut done = 0;
        for found in glance.find_iter(text) {
            if found.start() < done {
                continue;
            }
            if found.is_empty() || found.as_str().contains('\n') {
                return Ok(None);
            }
            let start = text[..found.start()].rfind('\n').map_or(0, |at| at + 1);
            let end = text[found.end()..].find('\n').map_or(text.len(), |at| found.end() + at);
            let mut line = Mutated { text: text[start..end].to_owned(), edits: Vec::new() };
            line.go_through(self.mutations.iter().filter(|it| !it.puts_in()), date)?;
            made.text.push_str(&text[done..start]);
            made.text.push_str(&line.text);
            made.edits.append(&mut line.edits);
            done = end;
        }
        made.text.push_str(&text[done..]);
        made.go_through(self.mutations.iter().filter(|it| it.puts_in()), date)?;
        Ok(Some(made))
    }
}

impl Mutation {
    fn puts_in(&self) -> bool {
        matches!(self, Self::Insert { .. })
    }

    fn is_dated(&self) -> bool {
        match self {
            Self::Replace { with: words, .. } | Self::Insert { text: words, .. } => words.contains("{date}"),
            Self::Delete { .. } => false,
        }
    }

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
    fn go_through<'a>(&mut self, mutations: impl IntoIterator<Item = &'a Mutation>, date: &str) -> Result<(), GaveUp> {
        for mutation in mutations {
            let changes = mutation.changes(&self.text, date)?;
            self.change(changes);
        }
        Ok(())
    }

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

#[cfg(test)]
mod tests {
    use super::super::catalog::Catalog;
    use waterjar_charts::{boards::boards, render};
    use waterjar_core::Seed;

    #[test]
    fn line_by_line_is_the_same_as_on_the_whole() {
        let catalog = Catalog::ours();
        let mut compared = 0;
        for board in boards(Seed(7)).unwrap().flatten() {
            let text = render(&board.chart).text;
            for entry in catalog.entries.iter().filter(|it| it.cancers.iter().any(|it| it == board.facts.cancer.name()))
            {
                if let Some(made) = entry.by_lines(&text, "2025-01-01").unwrap() {
                    let whole = entry.on_the_whole(&text, "2025-01-01").unwrap();
                    assert_eq!(made.text, whole.text, "{} {}", board.id, entry.id);
                    assert_eq!(made.edits.len(), whole.edits.len(), "{} {}", board.id, entry.id);
                    compared += 1;
                }
            }
        }
        assert!(compared > 100, "{compared}");
    }
}
