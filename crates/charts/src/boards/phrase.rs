//! Phrases with values, numbers, choices and conditions.
//!
//! `{name}` is a value, `{#2-5}` a number, `{a|b}` a choice, `{?flag}` and `{!flag}` a condition. A phrase fits where every value
//! it names is there and its conditions hold.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Phrase {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Words(String),
    Value(String),
    Number(u32, u32),
    Choice(Vec<Phrase>),
    Needs(String),
    Lacks(String),
}

/// What phrases can speak of. A flag is a value nobody prints.
#[derive(Clone, Debug, Default)]
pub(super) struct Values(BTreeMap<String, String>);

impl Values {
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.0.insert(name.to_owned(), value.into());
    }

    /// Also with a capital, under a name with a capital.
    pub fn set_both(&mut self, name: &str, value: &str) {
        self.set(name, value);
        self.set(&capital(name), capital(value));
    }

    pub fn flag(&mut self, name: &str, holds: bool) {
        if holds {
            self.set(name, "");
        }
    }

    pub fn unset(&mut self, name: &str) {
        self.0.remove(name);
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

impl Phrase {
    pub fn read(text: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            if open > 0 {
                pieces.push(Piece::Words(rest[..open].to_owned()));
            }
            let length = closing(&rest[open..]).ok_or_else(|| format!("`{text}`: a `{{` without its `}}`"))?;
            pieces.push(piece(&rest[open + 1..open + length]).map_err(|problem| format!("`{text}`: {problem}"))?);
            rest = &rest[open + length + 1..];
        }
        if rest.contains('}') {
            return Err(format!("`{text}`: a `}}` without its `{{`"));
        }
        if !rest.is_empty() {
            pieces.push(Piece::Words(rest.to_owned()));
        }
        Ok(Self { pieces })
    }

    pub fn fits(&self, values: &Values) -> bool {
        self.pieces.iter().all(|piece| match piece {
            Piece::Words(_) | Piece::Number(..) => true,
            Piece::Value(name) | Piece::Needs(name) => values.get(name).is_some(),
            Piece::Lacks(name) => values.get(name).is_none(),
            Piece::Choice(options) => options.iter().all(|option| option.fits(values)),
        })
    }

    pub fn fill(&self, values: &Values, rng: &mut ChaCha8Rng) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Words(words) => text.push_str(words),
                Piece::Value(name) => text.push_str(values.get(name).unwrap_or_default()),
                Piece::Number(low, high) => text.push_str(&rng.random_range(*low..=*high).to_string()),
                Piece::Choice(options) => {
                    let option = &options[rng.random_range(0..options.len())];
                    text.push_str(&option.fill(values, rng));
                }
                Piece::Needs(_) | Piece::Lacks(_) => {}
            }
        }
        text
    }
}

/// Where the brace that opens the text is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 1 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn piece(inner: &str) -> Result<Piece, String> {
    if let Some(flag) = inner.strip_prefix('?') {
        return Ok(Piece::Needs(flag.to_owned()));
    }
    if let Some(flag) = inner.strip_prefix('!') {
        return Ok(Piece::Lacks(flag.to_owned()));
    }
    if let Some(range) = inner.strip_prefix('#') {
        let bounds = range.split_once('-').and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
        let (low, high) = bounds.filter(|(low, high)| low <= high).ok_or_else(|| format!("`#{range}` is no range"))?;
        return Ok(Piece::Number(low, high));
    }
    let options = options(inner);
    if options.len() == 1 {
        return Ok(Piece::Value(inner.to_owned()));
    }
    Ok(Piece::Choice(options.into_iter().map(Phrase::read).collect::<Result<_, _>>()?))
}

/// Splits at the bars that no inner brace encloses.
fn options(inner: &str) -> Vec<&str> {
    let (mut options, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, letter) in inner.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            '|' if depth == 0 => {
                options.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    options.push(&inner[start..]);
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::Seed;

    fn values() -> Values {
        let mut values = Values::default();
        values.set_both("man", "woman");
        values.flag("female", true);
        values
    }

    fn check(phrase: &str, expected: &[&str]) {
        let phrase = Phrase::read(phrase).unwrap();
        assert!(phrase.fits(&values()));
        for number in 0..20 {
            let text = phrase.fill(&values(), &mut Seed(number).rng("phrase", ""));
            assert!(expected.contains(&text.as_str()), "{text}");
        }
    }

    #[test]
    fn values_numbers_and_choices_are_filled() {
        check("{Man} and {man}", &["Woman and woman"]);
        check("{#2-3} days", &["2 days", "3 days"]);
        check("a {tall|small {man}}{?female}{!male}", &["a tall", "a small woman"]);
    }

    #[test]
    fn a_phrase_fits_only_where_all_it_names_is_there() {
        for phrase in ["{age}", "x{?male}", "x{!female}", "{a|{age}}"] {
            assert!(!Phrase::read(phrase).unwrap().fits(&values()), "{phrase}");
        }
    }

    #[test]
    fn broken_phrases_are_refused() {
        for phrase in ["{a", "a}", "{#5-2}", "{#x}", "{a|{b}"] {
            assert!(Phrase::read(phrase).is_err(), "{phrase}");
        }
    }
}
