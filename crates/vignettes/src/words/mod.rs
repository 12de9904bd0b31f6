//! The closed lists the rules look words up in.

pub(crate) mod bound;
pub(crate) mod function;
pub(crate) mod gendered;
pub(crate) mod her;
pub(crate) mod names;
pub(crate) mod verbs;

use std::collections::HashSet;
use std::sync::OnceLock;

/// A closed list of words, parted by white space and looked up by hash. An entry with `*` at its end is the start of words.
pub(crate) struct WordList {
    words: &'static str,
    split: OnceLock<Split>,
}

struct Split {
    words: HashSet<&'static str>,
    /// Sorted.
    stems: Vec<&'static str>,
}

impl WordList {
    pub const fn new(words: &'static str) -> Self {
        Self { words, split: OnceLock::new() }
    }

    pub fn has(&self, word: &str) -> bool {
        self.split().words.contains(word)
    }

    /// Whether the word is one of the list, or begins with one of its stems.
    pub fn has_start_of(&self, word: &str) -> bool {
        let stems = &self.split().stems;
        // Stems that the word begins with sort before it and share its first letter.
        let end = stems.partition_point(|stem| *stem <= word);
        let near = stems[..end].iter().rev().take_while(|stem| stem.as_bytes().first() == word.as_bytes().first());
        self.has(word) || near.into_iter().any(|stem| word.starts_with(stem))
    }

    fn split(&self) -> &Split {
        self.split.get_or_init(|| {
            let (stems, words): (Vec<&str>, Vec<&str>) =
                self.words.split_whitespace().partition(|entry| entry.ends_with('*'));
            let mut stems: Vec<&str> = stems.into_iter().map(|stem| stem.trim_end_matches('*')).collect();
            stems.sort_unstable();
            Split { words: words.into_iter().collect(), stems }
        })
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
