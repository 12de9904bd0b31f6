//! What the chart itself says of who the patient and the clinicians are.

use super::dates::Shift;
use super::finders::LABELLED_NUMBER;
use super::known::{SPACE, Value};
use super::{Find, Identifier, OLDEST, folding, names, people, words};
use crate::import::draft::label;
use crate::{Chart, Date, Section};
use regex::Regex;
use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

/// It has no `Debug`, so that it cannot be shown by accident.
#[derive(Default)]
pub(super) struct Identity {
    /// What to look for in every text of the chart.
    pub values: BTreeSet<Value>,
    /// Words in small letters of this chart that no name can be.
    used: HashSet<String>,
}

/// The patient is named in small letters too; of others only what is written as a name goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Patients,
    Others,
}

/// A shorter number would be found in lab values.
const SHORTEST_NUMBER: usize = 5;

/// What stands in small letters behind one of these is a word here, whatever the lists know.
static USED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:[Aa]n?|[Tt]he|[Nn]o|[Aa]ny|[Tt]his|[Hh]er|[Hh]is)[^\S\n]+(\p{Ll}[\w'’-]{2,})")
        .expect("a constant")
});

/// `the hargrove family` makes no word of it.
static OF_A_FAMILY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[^\S\n]+(?:family|household|residence|home|couple|brothers|sisters|boys|girls|children|kids)\b")
        .expect("a constant")
});

const NEXT_OF_KIN: &str = "Next of kin";

impl Identity {
    pub fn of(chart: &Chart) -> Self {
        let mut identity = Self::default();
        let texts = || chart.blocks.values().chain(chart.entries.iter().map(|entry| &entry.text));
        for text in texts() {
            let words = USED.captures_iter(text).filter_map(|found| found.get(1));
            let words = words.filter(|word| !OF_A_FAMILY.is_match(&text[word.end()..]));
            identity.used.extend(words.map(|word| word.as_str().to_owned()));
        }
        if let Some(block) = chart.blocks.get(&Section::Demographics) {
            for line in block.lines() {
                identity.learn_line(line);
            }
        }
        for text in texts() {
            identity.learn_text(text);
            identity.learn_numbers(text);
        }
        identity
    }

    fn know(&mut self, kind: Identifier, text: &str) {
        self.values.insert(Value { kind, text: text.to_owned(), any_case: false, doubtful: false });
    }

    /// A whole name, which goes in any case.
    fn know_name(&mut self, text: String) {
        self.values.insert(Value { kind: Identifier::Name, text, any_case: true, doubtful: false });
    }

    fn learn_line(&mut self, line: &str) {
        let Some((label, value)) = line.split_once(": ") else { return };
        match kind_of(label) {
            Some(Identifier::Name) if label.trim().eq_ignore_ascii_case(NEXT_OF_KIN) => {
                let words: Vec<_> = name_words(value).filter(|word| !words::is_kin(word)).collect();
                self.learn_name(&words.join(" "), Whose::Patients);
            }
            Some(Identifier::Name) => self.learn_name(value, Whose::Patients),
            Some(Identifier::Address) => {
                let street = value.split(',').next().unwrap_or_default().trim();
                // A town alone may be a common word; with its street it is not.
                if street.len() > 5 && street.contains(|letter: char| letter.is_ascii_digit()) {
                    self.know(Identifier::Address, street);
                }
                // `CT` alone is a scan in every other place.
                let whole = value.trim();
                let is_long = whole.len() > 2 && !words::is_word(whole) && !words::is_never_a_name(whole);
                if is_long || whole.contains(|letter: char| letter == ',' || letter.is_ascii_digit()) {
                    self.know(Identifier::Address, whole);
                }
            }
            Some(kind) if value.trim().len() >= SHORTEST_NUMBER => self.know(kind, value.trim()),
            _ => {}
        }
    }

    fn learn_text(&mut self, text: &str) {
        for found in names::labelled(text) {
            let whose = if found.is_patients { Whose::Patients } else { Whose::Others };
            self.learn_name(&text[found.range], whose);
        }
        for range in people::named(text) {
            self.learn_name(&text[range], Whose::Others);
        }
    }

    fn learn_numbers(&mut self, text: &str) {
        for found in LABELLED_NUMBER.captures_iter(text) {
            let value = found.name("value").map_or("", |value| value.as_str());
            if value.len() >= SHORTEST_NUMBER {
                self.know(Identifier::RecordNumber, value);
            }
        }
    }

    /// A name as it is told; the patient's in its other spellings too.
    fn learn_name(&mut self, name: &str, whose: Whose) {
        self.learn_spelling(name, whose);
        if whose == Whose::Patients {
            for other in folding::others(name) {
                // What is a word or a heading without its accent is learnt as such a name would be, or not at all.
                self.learn_spelling(&other, whose);
            }
        }
    }

    /// The whole name and each of its words that can stand for it.
    fn learn_spelling(&mut self, name: &str, whose: Whose) {
        // What can be no name and is no surname either was never part of this one.
        let real = |word: &&str| {
            !words::is_title(word)
                && (words::is_word(word) || words::may_be_surname(word) || !words::is_never_a_name(word))
        };
        let of = |part: &'_ str| name_words(part).filter(real).map(str::to_owned).collect::<Vec<_>>();
        let words = of(name);
        if let [first, .., last] = words.as_slice() {
            self.know_name(words.join(" "));
            // Without what stands between.
            self.know_name(format!("{first} {last}"));
        }
        // `Ng, Li` is `Li Ng` elsewhere, and what is too short or a word goes in small letters with the rest only.
        if whose == Whose::Patients {
            let (family, given) = match name.split_once(',') {
                Some((family, given)) => (of(family), of(given)),
                None => {
                    (words.iter().rev().take(1).cloned().collect(), words[..words.len().saturating_sub(1)].to_vec())
                }
            };
            if let ([.., family], [given, ..]) = (family.as_slice(), given.as_slice()) {
                self.know_name(format!("{given} {family}"));
                self.know_name(format!("{family} {given}"));
            }
        }
        for pair in words.windows(2).filter(|pair| whose == Whose::Patients && matches!(pair[0].as_str(), "O" | "D")) {
            // `O Brien`
            self.know_name(format!("{}{}", pair[0], pair[1]));
        }
        for word in words {
            self.learn_part(&word, whose);
            if whose == Whose::Patients {
                self.learn_apostrophes(&word);
            }
            if whose == Whose::Patients && word.contains('-') {
                for part in word.split('-') {
                    self.learn_part(part, whose);
                }
            }
        }
    }

    /// `OBrien` and `O Brien` of O'Brien; `O'Brien` of OBrien, which only stands where the apostrophe does.
    fn learn_apostrophes(&mut self, word: &str) {
        let Some((first, rest)) = word.split_once(folding::is_apostrophe) else {
            if let Some(rest) = word.strip_prefix(['O', 'D']).filter(|rest| rest.chars().count() > 2) {
                self.know_name(format!("{}'{rest}", &word[..1]));
            }
            return;
        };
        if first.chars().count() > 2 || rest.chars().count() < 2 {
            return;
        }
        let joined = format!("{first}{rest}");
        if !words::is_never_a_name(&joined) {
            self.learn_part(&joined, Whose::Patients);
        }
        // `type O day 3` is nobody's.
        let is_word = |word: &str| words::is_word(word) || words::is_never_a_name(word);
        if !is_short(rest) && !is_word(rest) && !self.used.contains(&rest.to_lowercase()) {
            self.know_name(format!("{first}{SPACE}{rest}"));
        }
    }

    fn learn_part(&mut self, word: &str, whose: Whose) {
        let capital = word.chars().next().is_some_and(char::is_uppercase);
        if !capital || is_short(word) || words::is_particle(word) {
            return;
        }
        let is_eponym = words::is_eponym(word);
        if is_eponym && whose == Whose::Others {
            return;
        }
        // Groß is GROSS in capitals.
        let plain = if word.contains('ß') { folding::without_accents(word) } else { word.to_owned() };
        let is_word = is_eponym || words::is_word(&plain) || self.used.contains(&plain.to_lowercase());
        let any_case = whose == Whose::Patients && !is_word;
        let doubtful = is_word || words::is_surname_of_terms(word);
        let mut spellings = vec![word.to_owned(), names::capitalised(word)];
        // A daughter called Ana has not had her ANA.
        if whose == Whose::Patients || !words::is_abbreviation(word) {
            spellings.push(word.to_uppercase());
        }
        if any_case {
            // No letter without regard to case is both İ and I, or ı and I; in small letters İ leaves its dot behind.
            spellings.extend([word.to_lowercase(), word.to_lowercase().replace('\u{307}', "")]);
        }
        let spelt = spellings.into_iter().map(|text| Value { kind: Identifier::Name, text, any_case, doubtful });
        self.values.extend(spelt);
    }
}

/// The words of a name, without what stands around them.
fn name_words(name: &str) -> impl Iterator<Item = &str> {
    let words = name.split(|letter: char| letter.is_whitespace() || letter == ',');
    words.map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric())).filter(|word| !word.is_empty())
}

/// A part of a name that would be found in much that is none.
fn is_short(word: &str) -> bool {
    word.chars().count() < 3
}

/// Which identifier a line of demographics holds.
fn kind_of(label: &str) -> Option<Identifier> {
    // "Phone 2" is a phone.
    let label = label.trim().trim_end_matches(|letter: char| letter.is_ascii_digit()).trim();
    let is = |known: &str| label.eq_ignore_ascii_case(known);
    if [label::NAME, label::FORMER_NAME, "Mother's maiden name", "Patient name", NEXT_OF_KIN].into_iter().any(is) {
        return Some(Identifier::Name);
    }
    if [label::ADDRESS, label::BIRTHPLACE].into_iter().any(is) {
        return Some(Identifier::Address);
    }
    if is(label::PHONE) {
        return Some(Identifier::Phone);
    }
    if is(label::EMAIL) {
        return Some(Identifier::Email);
    }
    let lower = label.to_ascii_lowercase();
    let numbered = ["number", "licen", "passport", "identifier", "mrn", "ssn", "insurance", "account"];
    (numbered.iter().any(|word| lower.contains(word)) || lower == "id").then_some(Identifier::RecordNumber)
}

/// What has to go from the demographics block, line by line.
pub(super) fn lines(block: &str, shift: &Shift) -> Vec<Find> {
    let mut finds = Vec::new();
    let mut at = 0;
    for line in block.split_inclusive('\n') {
        if let Some((label, value)) = line.trim_end().split_once(": ") {
            let start = at + label.len() + 2;
            let range = start..start + value.len();
            if let Some(kind) = kind_of(label) {
                finds.push(Find { range, kind, with: kind.token().to_owned() });
            } else if label.eq_ignore_ascii_case(label::BORN) {
                finds.extend(value.parse().ok().map(|born: Date| birth(born, range, shift)));
            }
        }
        at += line.len();
    }
    finds
}

fn birth(born: Date, range: std::ops::Range<usize>, shift: &Shift) -> Find {
    match shift.moved(born) {
        Some(moved) => Find { range, kind: Identifier::Date, with: moved.to_string() },
        None => Find { range, kind: Identifier::Age, with: format!("more than {OLDEST} years before the last entry") },
    }
}
