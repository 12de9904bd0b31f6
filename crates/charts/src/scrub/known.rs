//! Finds what is known of a chart in its texts: as fast for twenty thousand names as for two, as long as few of them begin with the same word.

use super::Identifier;
use regex::Regex;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::LazyLock;

/// It has no `Debug`, so that it cannot be shown by accident.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Value {
    pub kind: Identifier,
    pub text: String,
    pub any_case: bool,
    /// Goes only where it is no part of a term.
    pub doubtful: bool,
}

/// The values by their first word, each with the bytes before that word. One pattern of all of them would grow too large.
pub(super) struct Known(HashMap<String, Vec<(usize, Value)>>);

static WORD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\w+").expect("a constant"));

impl Known {
    pub fn new(values: &BTreeSet<Value>) -> Self {
        let mut known: HashMap<String, Vec<(usize, Value)>> = HashMap::new();
        for value in values {
            if let Some(first) = WORD.find(&value.text) {
                known.entry(folded(first.as_str())).or_default().push((first.start(), value.clone()));
            }
        }
        Self(known)
    }

    pub fn find<'a>(&'a self, text: &str) -> Vec<(Range<usize>, &'a Value)> {
        let mut found = Vec::new();
        if self.0.is_empty() {
            return found;
        }
        for word in WORD.find_iter(text) {
            for (before, value) in self.0.get(&folded(word.as_str())).into_iter().flatten() {
                let place = word.start().checked_sub(*before).and_then(|start| Some((start, text.get(start..)?)));
                if let Some((start, length)) = place.and_then(|(start, rest)| Some((start, value.length_in(rest)?))) {
                    found.push((start..start + length, value));
                }
            }
        }
        found
    }
}

impl Value {
    /// How much of the start of a text is this value.
    fn length_in(&self, text: &str) -> Option<usize> {
        let mut at = 0;
        for letter in self.text.chars() {
            let rest = &text[at..];
            if letter == ' ' && self.kind == Identifier::Name {
                at += between_names(rest)?;
            } else {
                let there = rest.chars().next()?;
                let same = there == letter
                    || is_apostrophe(there) && is_apostrophe(letter)
                    || self.any_case && fold(there) == fold(letter);
                at += same.then_some(there.len_utf8())?;
            }
        }
        let goes_on = self.text.ends_with(is_of_word) && text[at..].starts_with(is_of_word);
        (!goes_on).then_some(at)
    }
}

/// `Jane Doe`, `J. Doe`, `DOE,JANE`
fn between_names(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('.').unwrap_or(text);
    let name = rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == ',');
    (name.len() < rest.len()).then_some(text.len() - name.len())
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn is_apostrophe(letter: char) -> bool {
    letter == '\'' || letter == '’'
}

fn folded(word: &str) -> String {
    word.chars().map(fold).collect()
}

/// One letter for one letter; the two small sigmas are one.
fn fold(letter: char) -> char {
    match letter.to_lowercase().next() {
        Some('ς') => 'σ',
        Some(small) => small,
        None => letter,
    }
}
