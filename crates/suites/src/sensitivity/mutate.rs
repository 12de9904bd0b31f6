//! text → the same text under an intervention, with every mention changed.

use super::catalog::{Changes, Entry, GaveUp, Mutation, Place};
use super::when::{LastDay, is_dated};
use std::ops::Range;
use waterjar_core::Edit;

/// Letters that one mutation may put into a text: `$0$0` ten times over would be a thousand charts.
const MOST_PUT_IN: usize = 10_000_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mutated {
    pub text: String,
    /// One for each place that was changed.
    pub edits: Vec<Edit>,
    /// Entries from before what happened, which told the truth when they were written; empty where nothing has a day.
    pub past: Range<usize>,
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

    /// The reason, and which of its patterns it was: `pattern_not_found_(positive_2)`.
    pub(super) fn why_not(&self, applies: &Applies) -> String {
        let (patterns, of, pattern) = match applies {
            Applies::NotFound(pattern) => (&self.positive, "positive", pattern),
            Applies::Excluded(pattern) => (&self.negative, "negative", pattern),
            _ => return applies.reason().to_owned(),
        };
        match patterns.iter().position(|it| it.as_str() == pattern) {
            Some(at) => format!("{}_({of}_{})", applies.reason(), at + 1),
            None => applies.reason().to_owned(),
        }
    }

    pub fn mutate(&self, text: &str) -> Result<Mutated, GaveUp> {
        let dated = self.mutations.iter().filter_map(Mutation::words).any(is_dated);
        let last = if dated { LastDay::of(text) } else { LastDay::none() };
        let past = last.past(&self.mutations, text);
        if past.is_empty() {
            return self.everywhere(text, last);
        }
        // Blocks are written last, and so are the entries of that day.
        let mut made = Mutated::default();
        self.change(&text[..past.start], last, &mut made)?;
        let start = made.text.len();
        made.text.push_str(&text[past.clone()]);
        made.past = start..made.text.len();
        self.change(&text[past.end..], last, &mut made)?;
        made.go_through(self.mutations.iter().filter(|it| it.puts_in()), last)?;
        Ok(made)
    }

    fn everywhere(&self, text: &str, last: LastDay) -> Result<Mutated, GaveUp> {
        match self.by_lines(text, last)? {
            Some(made) => Ok(made),
            None => self.on_the_whole(text, last),
        }
    }

    /// A part of a text, without what is put in, added to what is made already.
    fn change(&self, part: &str, last: LastDay, made: &mut Mutated) -> Result<(), GaveUp> {
        let mut changed = Mutated { text: part.to_owned(), ..Mutated::default() };
        changed.go_through(self.mutations.iter().filter(|it| !it.puts_in()), last)?;
        made.text.push_str(&changed.text);
        made.edits.append(&mut changed.edits);
        Ok(())
    }

    fn on_the_whole(&self, text: &str, last: LastDay) -> Result<Mutated, GaveUp> {
        let mut made = Mutated { text: text.to_owned(), ..Mutated::default() };
        made.go_through(&self.mutations, last)?;
        Ok(made)
    }

    /// The same, one pass over the text and then only the lines that can change; none where that would not be the same.
    fn by_lines(&self, text: &str, last: LastDay) -> Result<Option<Mutated>, GaveUp> {
        let Some(found) = self.glance().and_then(|it| it.find_all(text)) else { return Ok(None) };
        let mut made = Mutated { text: String::with_capacity(text.len() + 1024), ..Mutated::default() };
        let mut done = 0;
        for found in found {
            if found.start < done {
                continue;
            }
            if found.is_empty() || text[found.clone()].contains('\n') {
                return Ok(None);
            }
            let start = text[..found.start].rfind('\n').map_or(0, |at| at + 1);
            let end = text[found.end..].find('\n').map_or(text.len(), |at| found.end + at);
            let mut line = Mutated { text: text[start..end].to_owned(), ..Mutated::default() };
            line.go_through(self.mutations.iter().filter(|it| !it.puts_in()), last)?;
            made.text.push_str(&text[done..start]);
            made.text.push_str(&line.text);
            made.edits.append(&mut line.edits);
            done = end;
        }
        made.text.push_str(&text[done..]);
        made.go_through(self.mutations.iter().filter(|it| it.puts_in()), last)?;
        Ok(Some(made))
    }
}

impl Mutation {
    fn puts_in(&self) -> bool {
        matches!(self, Self::Insert { .. })
    }

    /// What stands in the chart afterwards.
    pub(super) fn words(&self) -> Option<&str> {
        match self {
            Self::Replace { with: words, .. } | Self::Insert { text: words, .. } => Some(words),
            Self::Delete { .. } => None,
        }
    }

    fn changes(&self, text: &str, last: LastDay) -> Result<Changes, GaveUp> {
        let dated = |words: &str| last.fill(words);
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
    fn go_through<'a>(
        &mut self,
        mutations: impl IntoIterator<Item = &'a Mutation>,
        last: LastDay,
    ) -> Result<(), GaveUp> {
        for mutation in mutations {
            let changes = mutation.changes(&self.text, last)?;
            let longer: usize = changes.iter().map(|(_, into)| into.len()).sum();
            if longer > MOST_PUT_IN {
                return Err(GaveUp(mutation.words().unwrap_or_default().to_owned()));
            }
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
            // Only what is put in comes after the past is known; it moves what stands behind it.
            let longer = into.len().saturating_sub(removed.len());
            self.past.start += if range.end <= self.past.start { longer } else { 0 };
            self.past.end += if range.end < self.past.end { longer } else { 0 };
            done = range.end;
            if removed != into {
                self.edits.push(Edit { removed: removed.to_owned(), inserted: into });
            }
        }
        text.push_str(&self.text[done..]);
        self.text = text;
    }
}

#[cfg(test)]
mod tests {
    use super::super::catalog::Catalog;
    use super::LastDay;
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
                let last = LastDay::of(&text);
                if let Some(made) = entry.by_lines(&text, last).unwrap() {
                    let whole = entry.on_the_whole(&text, last).unwrap();
                    assert_eq!(made.text, whole.text, "{} {}", board.id, entry.id);
                    assert_eq!(made.edits.len(), whole.edits.len(), "{} {}", board.id, entry.id);
                    compared += 1;
                }
            }
        }
        assert!(compared > 100, "{compared}");
    }

    #[test]
    fn what_happens_on_a_day_is_told_in_the_blocks_and_after_that_day_and_not_in_the_notes_before() {
        let chart = "== Medications ==\nEarlier: none\n\n== Chronology ==\n2024-01-03 [Note] Earlier: none\n2024-03-09 [Note] Earlier: none\n";
        let made = |date: &str| {
            let catalog = format!(
                "- id: x\n  family: B\n  applicability: {{}}\n  mutation:\n    - {{ replace: 'Earlier: none', with: 'Stopped {date}' }}\n    - {{ \
                 insert: '{date} [Medication] Stopped' }}\n  expected_change: {{ must_drop: [x] }}\n  scoring_rule: x\n"
            );
            Catalog::parse("x", &catalog).unwrap().entries[0].mutate(chart).unwrap()
        };
        let later = made("{date+30}");
        assert_eq!(
            later.text,
            "== Medications ==\nStopped 2024-04-08\n\n== Chronology ==\n2024-01-03 [Note] Earlier: none\n2024-03-09 [Note] Earlier: none\n2024-04-08 [Medication] Stopped\n"
        );
        assert_eq!(&later.text[later.past.clone()], "2024-01-03 [Note] Earlier: none\n2024-03-09 [Note] Earlier: none");
        let same_day = made("{date}");
        assert!(same_day.text.contains("2024-01-03 [Note] Earlier: none\n2024-03-09 [Note] Stopped 2024-03-09\n"));
        assert_eq!(same_day.edits.len(), 3);
    }
}
