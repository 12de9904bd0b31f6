//! The closed lists the rules look words up in.

pub(crate) mod bound;
pub(crate) mod function;
pub(crate) mod gendered;
pub(crate) mod her;
pub(crate) mod names;
pub(crate) mod verbs;

use std::collections::HashSet;
use std::sync::OnceLock;

/// A closed list of words, parted by white space and looked up by hash.
pub(crate) struct WordList {
    words: &'static str,
    set: OnceLock<HashSet<&'static str>>,
}

impl WordList {
    pub const fn new(words: &'static str) -> Self {
        Self { words, set: OnceLock::new() }
    }

    pub fn has(&self, word: &str) -> bool {
        self.set.get_or_init(|| self.words.split_whitespace().collect()).contains(word)
    }

    /// Whether the word is one of the list, or begins with one of those that end in `*`.
    pub fn has_start_of(&self, word: &str) -> bool {
        let begins = |entry: &str| entry.strip_suffix('*').is_some_and(|stem| word.starts_with(stem));
        self.has(word) || self.words.split_whitespace().any(begins)
    }
}

/// Writes `new` the way `old` is written: small, Capitalised or UPPER.
pub(crate) fn cased_like(old: &str, new: &str) -> String {
    let mut letters = old.chars().filter(|letter| letter.is_alphabetic());
    let first_is_upper = letters.next().is_some_and(char::is_uppercase);
    let mut rest = letters.peekable();
    let shouts = first_is_upper && rest.peek().is_some() && rest.all(char::is_uppercase);
    if shouts {
        new.to_uppercase()
    } else if first_is_upper {
        capitalised(new)
    } else {
        new.to_owned()
    }
}

pub(crate) fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
