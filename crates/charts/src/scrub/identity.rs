//! What the chart itself says of who the patient and the clinicians are.

use super::dates::Shift;
use super::finders::{CLINICIAN, LABELLED_NAME, LABELLED_NUMBER, TITLED};
use super::{Find, Identifier, OLDEST, names};
use crate::import::draft::label;
use crate::{Chart, Date, Section};
use std::collections::{BTreeMap, BTreeSet};

/// Values to look for in every text of the chart. It has no `Debug`, so that it cannot be shown by accident.
#[derive(Default)]
pub(super) struct Identity {
    pub known: BTreeMap<Identifier, BTreeSet<String>>,
    /// Parts of the patient's name: they go however they are written.
    pub parts: BTreeSet<String>,
    /// Names that are words as well, with a capital: they go where they are no part of a term.
    pub doubtful: BTreeSet<String>,
}

/// The patient is named in small letters too; of others only what is written as a name goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Patients,
    Others,
}

/// A shorter number would be found in lab values.
const SHORTEST_NUMBER: usize = 5;

/// Words that follow a title or a label without being a name.
const NO_NAMES: &[&str] = &[
    "And",
    "Appointment",
    "Attending",
    "Clinic",
    "Consult",
    "Department",
    "For",
    "From",
    "Has",
    "He",
    "Hospital",
    "Imaging",
    "Is",
    "Nurse",
    "Oncologist",
    "Oncology",
    "Patient",
    "Pathology",
    "Pharmacy",
    "Phone",
    "Plan",
    "Primary",
    "Radiology",
    "Reason",
    "She",
    "Stage",
    "Surgery",
    "Surgical",
    "The",
    "Their",
    "They",
    "Was",
    "Will",
    "With",
    "Medical",
    "Medicine",
    "Radiation",
];

const TITLES: &[&str] = &["mr", "mrs", "ms", "miss", "dr", "drs", "prof", "jr", "sr", "ii", "iii", "md", "phd"];

impl Identity {
    pub fn of(chart: &Chart) -> Self {
        let mut identity = Self::default();
        if let Some(block) = chart.blocks.get(&Section::Demographics) {
            for line in block.lines() {
                identity.learn_line(line);
            }
        }
        for text in chart.blocks.values().chain(chart.entries.iter().map(|entry| &entry.text)) {
            identity.learn_text(text);
            identity.learn_numbers(text);
        }
        identity
    }

    fn know(&mut self, kind: Identifier, value: &str) {
        self.known.entry(kind).or_default().insert(value.to_owned());
    }

    fn learn_line(&mut self, line: &str) {
        let Some((label, value)) = line.split_once(": ") else { return };
        match kind_of(label) {
            Some(Identifier::Name) => self.learn_name(value, Whose::Patients),
            Some(Identifier::Address) => {
                let street = value.split(',').next().unwrap_or_default().trim();
                // A town alone may be a common word; with its street it is not.
                if street.len() > 5 && street.contains(|letter: char| letter.is_ascii_digit()) {
                    self.know(Identifier::Address, street);
                }
                self.know(Identifier::Address, value.trim());
            }
            Some(kind) if value.trim().len() >= SHORTEST_NUMBER => self.know(kind, value.trim()),
            _ => {}
        }
    }

    fn learn_text(&mut self, text: &str) {
        for range in names::labelled(text) {
            self.learn_name(&text[range], Whose::Patients);
        }
        for pattern in [&*LABELLED_NAME, &*CLINICIAN, &*TITLED] {
            for found in pattern.captures_iter(text) {
                if let Some(name) = found.name("name") {
                    self.learn_name(name.as_str(), Whose::Others);
                }
            }
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

    /// The whole name and each of its words that can stand for it.
    fn learn_name(&mut self, name: &str, whose: Whose) {
        let apart = |letter: char| letter.is_whitespace() || letter == ',';
        let words: Vec<&str> = name.split(apart).map(|word| word.trim_matches(['.', ';'])).collect();
        let real = |word: &&str| {
            !TITLES.contains(&word.to_ascii_lowercase().as_str()) && !NO_NAMES.contains(word) && !word.is_empty()
        };
        let words: Vec<&str> = words.into_iter().filter(real).collect();
        if let [first, .., last] = words.as_slice() {
            self.know(Identifier::Name, &words.join(" "));
            // Without what stands between.
            self.know(Identifier::Name, &format!("{first} {last}"));
            // `Ng, Li` is `Li Ng` elsewhere, and each alone is too short to be looked for.
            if whose == Whose::Patients && [first, last].into_iter().any(|word| is_short(word)) {
                self.know(Identifier::Name, &format!("{last} {first}"));
            }
        }
        for word in words {
            self.learn_part(word, whose);
            if whose == Whose::Patients && word.contains('-') {
                for part in word.split('-') {
                    self.learn_part(part, whose);
                }
            }
        }
    }

    fn learn_part(&mut self, word: &str, whose: Whose) {
        let capital = word.chars().next().is_some_and(char::is_uppercase);
        if !capital || is_short(word) || names::is_particle(word) {
            return;
        }
        match whose {
            Whose::Others if names::is_eponym(word) => {}
            _ if names::is_eponym(word) || names::is_word(word) => self.doubtful.extend(names::capitalised(word)),
            Whose::Patients => {
                self.parts.insert(word.to_lowercase());
                // No pattern without regard to case takes İ for i, or ı for I; in small letters İ leaves its dot behind.
                if !word.is_ascii() {
                    let dotless = word.to_lowercase().replace('\u{307}', "");
                    self.parts.extend([word.to_owned(), word.to_uppercase(), dotless]);
                }
            }
            Whose::Others => self.know(Identifier::Name, word),
        }
    }
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
    if [label::NAME, label::FORMER_NAME, "Mother's maiden name", "Patient name", "Next of kin"].into_iter().any(is) {
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

/// Whether a capitalised word after a title or a label is no name.
pub(super) fn is_no_name(word: &str) -> bool {
    NO_NAMES.contains(&word) || TITLES.contains(&word.to_ascii_lowercase().as_str())
}
