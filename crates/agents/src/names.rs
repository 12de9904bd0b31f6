//! When two answers name the same condition.

use std::collections::HashMap;
use waterjar_knowledge::KnowledgeBase;

/// The names conditions go by. A name nobody knows is only the same as itself.
pub(crate) struct Names {
    by_name: HashMap<String, String>,
    fingerprint: String,
}

impl Names {
    /// The first condition to claim a name keeps it.
    pub fn of(base: &KnowledgeBase) -> Self {
        let mut by_name = HashMap::new();
        let mut known = blake3::Hasher::new();
        for condition in base.conditions() {
            let code = (!condition.icd10.is_empty()).then_some(&condition.icd10);
            for name in [&condition.name].into_iter().chain(&condition.synonyms).chain(code) {
                known.update(format!("{name}\n{}\n", condition.name).as_bytes());
                by_name.entry(normalised(name)).or_insert_with(|| condition.name.clone());
            }
        }
        Self { by_name, fingerprint: known.finalize().to_hex().to_string() }
    }

    /// The proper name; the words themselves, in small letters, where nobody knows them.
    pub fn proper(&self, words: &str) -> String {
        self.known(words).map_or_else(|| normalised(words), str::to_owned)
    }

    /// The proper name; `None` where nobody knows the words.
    pub fn known(&self, words: &str) -> Option<&str> {
        let found = self.by_name.get(&normalised(words)).or_else(|| {
            // `Pulmonary embolism (PE)`
            let (before, rest) = words.split_once('(')?;
            let inside = rest.split(')').next()?;
            self.by_name.get(&normalised(before)).or_else(|| self.by_name.get(&normalised(inside)))
        });
        found.map(String::as_str)
    }

    /// Everything a condition is called, in small letters, its proper name included.
    pub fn of_condition<'a>(&'a self, proper: &'a str) -> impl Iterator<Item = &'a str> {
        self.by_name.iter().filter(move |(_, name)| *name == proper).map(|(name, _)| name.as_str())
    }

    /// Changes with the names, because they decide who agrees with whom.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }
}

/// Lower-case words and numbers, one space between.
pub(crate) fn normalised(name: &str) -> String {
    let letters: String = name.chars().filter(|c| !matches!(c, '\'' | '’')).flat_map(char::to_lowercase).collect();
    let words = letters.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &str, proper: &str) {
        let names = Names::of(&waterjar_knowledge::starter::base().unwrap());
        assert_eq!(names.proper(words), proper);
    }

    #[test]
    fn a_synonym_an_abbreviation_and_the_name_are_one_condition() {
        for words in ["Pulmonary embolism", "PULMONARY  EMBOLISM.", "PE", "Pulmonary embolism (PE)", "I26"] {
            check(words, "Pulmonary embolism");
        }
    }

    #[test]
    fn an_unknown_name_is_itself() {
        check("Loeffler's  syndrome", "loefflers syndrome");
    }
}
