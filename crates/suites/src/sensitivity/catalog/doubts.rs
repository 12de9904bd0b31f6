//! Names in a catalog that no table knows and that look like a slip: answers would be searched for the misspelling, and nobody would find it.

use super::{Catalog, Entry};
use crate::sensitivity::names::TABLE;
use std::collections::BTreeSet;
use waterjar_core::slip;

/// Shorter words are too near to others.
const SHORTEST: usize = 5;

impl Catalog {
    /// In sentences, in the order of the file.
    pub fn doubts(&self) -> Vec<String> {
        let known = known();
        self.entries.iter().flat_map(|entry| told(entry, &known)).collect()
    }
}

/// The words of all names that treatments have.
fn known() -> BTreeSet<String> {
    let names = TABLE.names.iter().map(|(called, _)| called).chain(TABLE.drugs.keys()).chain(TABLE.classes.values());
    names.flat_map(|name| words(name)).collect()
}

fn told(entry: &Entry, known: &BTreeSet<String>) -> Vec<String> {
    let shift = &entry.shift;
    let moved = shift.timing.iter().filter_map(|it| it.treatment.as_ref());
    let named =
        shift.must_drop.iter().map(|it| ("must_drop", it)).chain(shift.must_add.iter().map(|it| ("must_add", it)));
    let named = named.chain(moved.map(|it| ("timing_must_shift", it)));
    let slips =
        named.flat_map(|(key, text)| words(text).filter_map(move |word| Some((key, meant(&word, known)?, word))));
    let (line, id) = (entry.line, &entry.id);
    slips
        .map(|(key, meant, word)| {
            format!(
                "the catalog, line {line}: `{word}` in `{key}` of `{id}` is no treatment that is known here, and answers are searched for just this \
                 word. Did you mean `{meant}`?"
            )
        })
        .collect()
}

fn meant<'a>(word: &str, known: &'a BTreeSet<String>) -> Option<&'a str> {
    let is_known = |word: &str| known.contains(word) || known.contains(&format!("{word}s"));
    if is_known(word) || word.strip_suffix('s').is_some_and(is_known) {
        return None;
    }
    slip::misspelt(word, known.iter().map(String::as_str))
}

/// In lower case.
fn words(name: &str) -> impl Iterator<Item = String> {
    let words = name.split(|letter: char| !letter.is_alphanumeric()).filter(|it| it.chars().count() >= SHORTEST);
    words.map(str::to_lowercase).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expected: &str, doubts: &[&str]) {
        let text = format!(
            "- id: x\n  family: A\n  applicability: {{ positive: [a] }}\n  mutation: [{{ delete: a }}]\n  expected_change: {expected}\n  \
             scoring_rule: x\n"
        );
        let found = Catalog::parse("x", &text).unwrap().doubts();
        assert_eq!(found.len(), doubts.len(), "{found:?}");
        for (found, told) in found.iter().zip(doubts) {
            assert!(found.contains(told), "{found}");
        }
    }

    #[test]
    fn a_misspelt_drug_is_told_with_the_one_that_was_meant() {
        check("{ must_drop: [trastuzumb] }", &["line 1: `trastuzumb` in `must_drop` of `x`"]);
        check("{ must_add: [FOLFOX | oxaliplatn] }", &["`oxaliplatn` in `must_add` of `x` is no treatment"]);
        check("{ must_add: [no fluoropyrimidin] }", &["Did you mean `fluoropyrimidine`?"]);
        check("{ must_drop: [trastuzumab deruxtecn] }", &["Did you mean `deruxtecan`?"]);
        check(
            "{ timing_must_shift: { treatment: cistectomy, from: adjuvant, to: primary } }",
            &["`cistectomy` in `timing"],
        );
    }

    #[test]
    fn what_is_known_or_a_stranger_is_no_slip() {
        check("{ must_drop: [Herceptin], must_add: [PD-1 inhibitors | INR monitoring | no platinum] }", &[]);
        check("{ must_add: [hydroxyquixotib | a change of course] }", &[]);
        assert_eq!(Catalog::ours().doubts(), [""; 0]);
    }
}
