//! Finds what is known of a chart in its texts: as fast for twenty thousand names as for two, as long as few of them begin with the same word.

use super::Identifier;
use super::folding::{is_accent, is_apostrophe, plain};
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

/// In a value: one space or the like, where two words of a name may be divided by more.
pub(super) const SPACE: char = '\u{a0}';

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
                // `José` is Jose; that Jose is José's is a value of its own, which may be a word.
                let accented = self.kind == Identifier::Name;
                let same = there == letter
                    || is_apostrophe(there) && is_apostrophe(letter)
                    || letter == SPACE && (there == ' ' || there == SPACE)
                    || accented && plain(there) == letter
                    || self.any_case && fold(there) == fold(letter)
                    || self.any_case && accented && fold(plain(there)) == fold(letter);
                at += same.then_some(there.len_utf8())?;
                // An accent may stand behind its letter, unless it is a part of the value.
                if accented && !self.text.contains(is_accent) {
                    at += text[at..].chars().take_while(|it| is_accent(*it)).map(char::len_utf8).sum::<usize>();
                }
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

/// What one word is looked for by; its value decides whether accents matter.
fn folded(word: &str) -> String {
    word.chars().filter(|letter| !is_accent(*letter)).map(|letter| fold(plain(letter))).collect()
}

/// One letter for one letter; the two small sigmas are one.
fn fold(letter: char) -> char {
    match letter.to_lowercase().next() {
        Some('ς') => 'σ',
        Some(small) => small,
        None => letter,
    }
}
