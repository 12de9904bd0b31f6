//! Which families are looked at: read from the address, and written back into addresses, so that what one sees can be shared.

use crate::index::{Entry, Index, State};
use std::collections::BTreeMap;
use waterjar_core::Outcome;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Words of the title or the id, all of which must be there.
    pub words: String,
    pub subject: String,
    pub shows: Shows,
    /// By stratum.
    pub strata: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shows {
    #[default]
    All,
    Failed,
    Held,
    Missing,
}

impl Shows {
    pub const EVERY: [Self; 4] = [Self::All, Self::Failed, Self::Held, Self::Missing];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::All => "",
            Self::Failed => "failed",
            Self::Held => "held",
            Self::Missing => "missing",
        }
    }
}

/// Before the name of a stratum in an address.
pub const STRATUM: &str = "s.";

impl Filter {
    /// What an address does not say, and what it says that nobody knows, filters nothing.
    pub fn of(query: &[(String, String)]) -> Self {
        let mut filter = Self::default();
        for (key, value) in query.iter().filter(|(_, value)| !value.is_empty()) {
            match key.as_str() {
                "words" => filter.words.clone_from(value),
                "subject" => filter.subject.clone_from(value),
                "shows" => {
                    filter.shows = Shows::EVERY.into_iter().find(|it| it.as_str() == value).unwrap_or_default();
                }
                key => {
                    if let Some(stratum) = key.strip_prefix(STRATUM) {
                        filter.strata.insert(stratum.to_owned(), value.clone());
                    }
                }
            }
        }
        filter
    }

    /// `?words=gout&s.place=history`; empty where nothing is filtered.
    pub fn query(&self) -> String {
        let strata = self.strata.iter().map(|(key, value)| (format!("{STRATUM}{key}"), value.as_str()));
        let fixed = [("words", self.words.as_str()), ("subject", &self.subject), ("shows", self.shows.as_str())];
        let fixed = fixed.into_iter().map(|(key, value)| (key.to_owned(), value));
        let parts: Vec<String> = fixed
            .chain(strata)
            .filter(|(_, value)| !value.is_empty())
            .map(|(key, value)| format!("{}={}", encoded(&key), encoded(value)))
            .collect();
        if parts.is_empty() { String::new() } else { format!("?{}", parts.join("&")) }
    }

    /// The places of the families that fit, in the order of the index.
    pub fn places(&self, index: &Index) -> Vec<usize> {
        let Some(values) = self.strata.iter().map(|(key, value)| index.value(key, value)).collect::<Option<Vec<u32>>>()
        else {
            return Vec::new();
        };
        let words: Vec<String> = self.words.split_whitespace().map(str::to_lowercase).collect();
        let subject = index.subjects.iter().position(|subject| subject.as_str() == self.subject);
        let fits = |entry: &Entry| {
            values.iter().all(|value| entry.has(*value))
                && self.is_shown(entry, subject)
                && (words.is_empty() || is_named(entry, &words))
        };
        index.families.iter().enumerate().filter(|(_, entry)| fits(entry)).map(|(at, _)| at).collect()
    }

    /// Of one subject, or of any.
    fn is_shown(&self, entry: &Entry, subject: Option<usize>) -> bool {
        let shown = |state: &State| match self.shows {
            Shows::All => true,
            Shows::Failed => state.failed,
            Shows::Held => state.judged && !state.failed,
            Shows::Missing => !state.judged || state.saw(Outcome::Missing),
        };
        match subject {
            Some(subject) => shown(&entry.states[subject]),
            None => self.shows == Shows::All || entry.states.iter().any(shown),
        }
    }
}

fn is_named(entry: &Entry, words: &[String]) -> bool {
    let name = format!("{} {}", entry.title, entry.id).to_lowercase();
    words.iter().all(|word| name.contains(word))
}

/// For an address: everything but letters, digits and a few signs is written in hex.
pub fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_address_says_is_written_back_as_it_was_read() {
        let query = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
        };
        let filter =
            Filter::of(&query(&[("words", "gout & tea"), ("s.place", "history"), ("shows", "failed"), ("x", "y")]));
        assert_eq!(filter.query(), "?words=gout%20%26%20tea&shows=failed&s.place=history");
        assert_eq!(Filter::of(&query(&[("shows", "nonsense"), ("words", "")])).query(), "");
    }
}
