//! The word lists of the scrubber.

use super::folding;
use crate::boards::Formulary;
use regex::Regex;
use serde::Deserialize;
use std::collections::HashSet;
use std::sync::LazyLock;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    words: String,
    openers: String,
    eponyms: String,
    surnames: String,
    numbered: String,
    given: String,
    offices: String,
    particles: String,
    kin: String,
    never: String,
    behind: String,
    both: String,
    untitled: String,
    abbreviations: String,
    titles: String,
}

/// Words in small letters.
struct List(HashSet<String>);

impl List {
    fn of(words: &str) -> Self {
        Self(words.split_whitespace().map(str::to_owned).collect())
    }

    fn has(&self, word: &str) -> bool {
        self.0.contains(&word.to_lowercase())
    }
}

struct Lists {
    words: List,
    openers: List,
    eponyms: List,
    surnames: List,
    numbered: List,
    given: List,
    offices: List,
    particles: List,
    kin: List,
    kin_pattern: String,
    never: List,
    behind: List,
    both: List,
    untitled: List,
    abbreviations: List,
    titles: List,
    drugs: List,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let written: Written = toml::from_str(include_str!("../../scrub/words.toml")).expect("the tests read it");
    Lists {
        words: List::of(&written.words),
        openers: List::of(&written.openers),
        eponyms: List::of(&written.eponyms),
        surnames: List::of(&written.surnames),
        numbered: List::of(&written.numbered),
        given: List::of(&written.given),
        offices: List::of(&written.offices),
        particles: List::of(&written.particles),
        kin: List::of(&written.kin),
        kin_pattern: written.kin.split_whitespace().collect::<Vec<_>>().join("|"),
        never: List::of(&written.never),
        behind: List::of(&written.behind),
        both: List::of(&written.both),
        untitled: List::of(&written.untitled),
        abbreviations: List::of(&written.abbreviations),
        titles: List::of(&written.titles),
        drugs: List(formulary()),
    }
});

fn formulary() -> HashSet<String> {
    let Ok(formulary) = Formulary::get() else { return HashSet::new() };
    let names = formulary.drugs().flat_map(|(name, _)| formulary.names(name));
    names.map(str::to_lowercase).collect()
}

/// Endings of international nonproprietary names (WHO's stem book), of those that end no surname we know.
static STEMS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^[a-z-]{3,}(?:mab|nib|ciclib|parib|sartan|olol|statin|formin|cillin|mycin|oxacin|cycline|azole|platin|taxel|rubicin|dipine|gliptin|gliflozin|glutide|tidine|xaban|parin|semide|thiazide|azepam|azolam|codone|morphone|dronate|ciclovir|navir|setron|oxetine|triptyline|limus|isone|olone|profen|pril|thyroxine)$")
        .expect("a constant")
});

/// Endings of what is done, studied and treated; no surname we know has them.
static OF_SCIENCE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^\p{L}{3,}(?:olog(?:y|ies|ists?|ic|ical)|iatr(?:y|ists?|ics?)|pa?edics?|ectomy|scopy|tions?|ical|ional|onary|cular)$")
        .expect("a constant")
});

/// Endings of findings.
static OF_FINDINGS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^\p{L}{2,}(?:itis|osis|\p{L}{4}oma|a?emia|uria|pathy|algia|sclerosis|plasia|trophy|plegia|rrh?ea|ectasia|penia|monia)$")
        .expect("a constant")
});

/// Endings of words in headings: they end some surnames, too, so no first name that we know stands before what is asked.
static OF_HEADINGS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^\p{L}{2,}(?:ed|ing|ments?|ance|ence|ness|ity|ous|ive|able|ible|[a-z]{2}ic|ics|onal|atal|inal|ial|eral|ernal|[ou]lar|ship|sions?|ly|ism|ure)$")
        .expect("a constant")
});

/// A name that is a word as well.
pub(super) fn is_word(word: &str) -> bool {
    LISTS.words.has(word) || LISTS.openers.has(word)
}

/// A word that opens many a sentence, and has its capital from that.
pub(super) fn is_opener(word: &str) -> bool {
    LISTS.openers.has(word)
}

pub(super) fn is_eponym(word: &str) -> bool {
    LISTS.eponyms.has(&folding::without_accents(word))
}

/// A surname that is no word, but makes terms.
pub(super) fn is_surname_of_terms(word: &str) -> bool {
    LISTS.surnames.has(&folding::without_accents(word))
}

pub(super) fn takes_a_number(word: &str) -> bool {
    LISTS.numbered.has(word)
}

/// A first name; of those that are words as well, only what no finding or service begins with.
pub(super) fn is_given(word: &str) -> bool {
    LISTS.given.has(word)
}

/// What ends the name of a service: `Quality Assurance`.
pub(super) fn is_office(word: &str) -> bool {
    LISTS.offices.has(word)
}

pub(super) fn is_particle(word: &str) -> bool {
    LISTS.particles.has(word)
}

/// The words for relatives, as one pattern.
pub(super) fn kin() -> &'static str {
    &LISTS.kin_pattern
}

pub(super) fn is_kin(word: &str) -> bool {
    LISTS.kin.has(word.strip_suffix("-in-law").unwrap_or(word))
}

/// What stands behind a label or a name and is neither: a heading, a finding, a drug.
pub(super) fn is_never_a_name(word: &str) -> bool {
    LISTS.never.has(word) || is_drug(word)
}

/// Of these, what may be a surname where it is written as one: `Ward, Jane`. Bartolone only ends as a drug does.
pub(super) fn may_be_surname(word: &str) -> bool {
    LISTS.both.has(word) || (!LISTS.never.has(word) && !LISTS.drugs.has(word))
}

/// A word of medicine that is a surname where a first name stands beside it: `Jane Cancer`.
pub(super) fn may_be_clinical_surname(word: &str) -> bool {
    LISTS.never.has(word) && !LISTS.behind.has(word) && !LISTS.both.has(word)
}

/// What stands behind a title and is no name.
pub(super) fn is_untitled(word: &str) -> bool {
    LISTS.untitled.has(word) || is_title(word)
}

/// A first name that is a test or a diagnosis in capitals.
pub(super) fn is_abbreviation(word: &str) -> bool {
    LISTS.abbreviations.has(word)
}

pub(super) fn is_title(word: &str) -> bool {
    LISTS.titles.has(word.trim_end_matches('.'))
}

/// `Cardiology`, `Attestation`
pub(super) fn is_of_science(word: &str) -> bool {
    !is_word(word) && OF_SCIENCE.is_match(word)
}

/// `Recognition`; Station is a surname.
pub(super) fn is_deed(word: &str) -> bool {
    is_of_science(word) && (word.ends_with("tion") || word.ends_with("TION"))
}

/// `Arthropathy`, `Melanoma`
pub(super) fn is_of_findings(word: &str) -> bool {
    OF_FINDINGS.is_match(word)
}

/// `Interventional`, `Documented`
pub(super) fn is_of_headings(word: &str) -> bool {
    is_of_science(word) || is_of_findings(word) || OF_HEADINGS.is_match(word)
}

fn is_drug(word: &str) -> bool {
    LISTS.drugs.has(word) || STEMS.is_match(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_drugs_and_names_are_told_apart() {
        for word in ["Walker", "POST", "her"] {
            assert!(is_word(word), "{word}");
        }
        for drug in ["Metformin", "lisinopril", "Pembrolizumab", "Keytruda"] {
            assert!(is_never_a_name(drug), "{drug}");
        }
        for name in ["Hargrove", "April", "Jasvir", "Smith", "Wilson"] {
            assert!(!is_never_a_name(name), "{name}");
        }
    }
}
