//! Answers that were made elsewhere, in the form that compares: `A. Gout`, `(a)`, `The answer is A` and `A` are one option.

use super::announced::{in_field, unboxed};
use std::collections::BTreeMap;

/// `E. coli` is no option E: what follows a letter in the names of germs.
const GERMS: [&str; 24] = [
    "albicans",
    "anthracis",
    "aureus",
    "burgdorferi",
    "cereus",
    "coli",
    "difficile",
    "diphtheriae",
    "epidermidis",
    "falciparum",
    "faecalis",
    "gonorrhoeae",
    "influenzae",
    "jirovecii",
    "marneffei",
    "meningitidis",
    "pallidum",
    "perfringens",
    "pneumoniae",
    "pyogenes",
    "pylori",
    "trachomatis",
    "tuberculosis",
    "vivax",
];

/// The answers of one family: one of them may tell which words belong to a letter that another gives alone.
#[derive(Debug, Default)]
pub struct Labelled {
    letters: BTreeMap<String, String>,
}

impl Labelled {
    pub fn of<'a>(answers: impl Iterator<Item = &'a str>) -> Self {
        let both = |answer: &str| {
            let (letter, words) = taken_apart(answer);
            letter.filter(|_| !words.is_empty()).map(|letter| (words, letter))
        };
        Self { letters: answers.filter_map(both).collect() }
    }

    /// Whether words are those of an option that was given with its letter.
    pub fn has(&self, words: &str) -> bool {
        self.letters.contains_key(&words.trim().to_lowercase())
    }

    /// The letter where there is one; words without one are compared as they are.
    pub fn name(&self, answer: &str) -> String {
        let (letter, words) = taken_apart(answer);
        letter.or_else(|| self.letters.get(&words).cloned()).unwrap_or(words)
    }
}

/// The letter or number of the option, and its words, both in lower case.
fn taken_apart(answer: &str) -> (Option<String>, String) {
    let plain = unboxed(answer).replace(['*', '`', '_'], "");
    let plain = in_field(plain.trim());
    let opened = plain.trim_start_matches(['(', '[', '"', ' ']);
    let words = |text: &str| {
        let edge = |c: char| c.is_whitespace() || "().,[]:\"-–—".contains(c);
        text.trim_matches(edge).to_lowercase()
    };
    let mut letters = opened.chars();
    let (first, next) = (letters.next().filter(|it| it.is_alphanumeric()), letters.next());
    let Some(first) = first.filter(|_| !next.is_some_and(|it| it.is_alphanumeric() || it == '\'')) else {
        return (None, words(plain));
    };
    let after = &opened[first.len_utf8()..];
    let is_letter = match next {
        None | Some(')' | ']' | ':' | '"') => true,
        // `1.5 mg` is a dose.
        Some('.') if after[1..].starts_with(|it: char| it.is_ascii_digit()) => false,
        Some('.') => !GERMS.contains(&words(after).split(|it: char| !it.is_alphabetic()).next().unwrap_or_default()),
        // `B - Gout` and `B Gout`, and not `A fracture` nor `E coli`.
        Some(' ') if first.is_alphabetic() => {
            let rest = after.trim_start();
            rest.starts_with(['-', '–', '—']) || rest.starts_with(|it: char| it.is_uppercase())
        }
        Some(_) => false,
    };
    match is_letter {
        true => (Some(first.to_lowercase().to_string()), words(after)),
        false => (None, words(plain)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(a: &str, b: &str) -> bool {
        let labelled = Labelled::of([a, b].into_iter());
        labelled.name(a) == labelled.name(b)
    }

    #[test]
    fn an_option_is_the_same_however_it_is_said() {
        for said in [
            "b",
            "(B)",
            "B.",
            "B. Gout",
            "B) Gout",
            "b. gout",
            "B - Gout",
            "B Gout",
            "B: Gout",
            "The answer is B.",
            "The answer is (B)",
            "\\boxed{B}",
            "Answer: **B**",
            "**Answer: B. Gout**",
            "Final answer: B",
            "Option B",
            "The correct answer is option B",
            "So my answer would be B",
            "Answer - B",
            "The best option: (B)",
            "The answer is\nB. Gout",
        ] {
            assert!(alike("B", said), "{said}");
            assert!(!alike("C", said), "{said}");
        }
    }

    #[test]
    fn words_are_the_option_that_another_answer_says_they_are() {
        assert!(alike("Gout", "B. Gout"));
        assert!(alike("gout.", "B) Gout"));
        assert!(!alike("Gout", "B. Pseudogout"));
    }

    #[test]
    fn the_letter_of_a_germ_is_no_option() {
        for (germ, letter) in
            [("C. difficile colitis", "C"), ("E. coli infection", "E"), ("E coli infection", "E"), ("A fracture", "A")]
        {
            assert!(!alike(germ, letter), "{germ}");
        }
        assert!(alike("C. difficile colitis", "c. difficile colitis."));
    }

    #[test]
    fn words_without_a_letter_are_compared_as_they_are() {
        assert!(alike("Acute gout", "acute gout."));
        assert!(alike("Acute gout,", "The answer is acute gout,"));
        assert!(!alike("E", "E. coli, ESBL-positive"));
        assert!(!alike("Acute gout", "Chronic gout"));
        assert!(!alike("1.5 mg", "1.7 mg") && !alike("5 Units", "5 mg"));
        assert!(alike("is", "Is"), "nothing but a word that announces");
    }
}
