//! Finds identifiers in a text.

use super::dates::{self, Shift};
use super::identity::Identity;
use super::{Find, Identifier, names};
use crate::Date;
use regex::Regex;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

pub(super) struct Finders {
    /// Values known from the chart, the longest first.
    known: Vec<(Identifier, Regex)>,
    /// Names that are words as well.
    doubtful: Option<Regex>,
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns are constants and the tests compile them all")
}

/// One or two capitalised words, an initial between them.
const PERSON: &str = r"(?P<name>[A-ZÀ-Þ][\w'’-]+(?:\s+[A-Z]\.)?(?:[^\S\n]+[A-ZÀ-Þ][\w'’-]+)?)";

/// `Dr. Miller`, `Mrs Jane Doe`; MR and MS are a scan and a disease, so those are not read in capitals.
pub(super) static TITLED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(r"\b(?:[Dd]r|DR|Drs|Mr|Mrs|Ms|Miss|Prof|Doctor|Professor)\.?[^\S\n]+(?:[A-Z]\.[^\S\n]+)?{PERSON}"))
});

/// `Olivia Davis, PA`, `Brian M. Harrison, RN`
pub(super) static CLINICIAN: LazyLock<Regex> = LazyLock::new(|| {
    let credential =
        r"M\.?D|D\.?O|PA(?:-C)?|C?NP|FNP(?:-BC)?|APRN|R\.?N|BSN|LPN|PharmD|Ph\.?D|MBBS|FRCS|FRCR|FACS|LCSW|RD|DPT";
    pattern(&format!(
        r"\b(?P<name>[A-ZÀ-Þ][\w'’-]+(?:[^\S\n]+[A-Z]\.?)?(?:[^\S\n]+[A-ZÀ-Þ][\w'’-]+){{1,2}}),?[^\S\n]+(?:{credential})\b"
    ))
});

/// `Patient name: Jane M. Doe`, `Signed by Jane Doe`
pub(super) static LABELLED_NAME: LazyLock<Regex> = LazyLock::new(|| {
    let label = r"patient(?:'s)? name|name of patient|next of kin|signed by|dictated by|reviewed by|provider|attending|surgeon|pathologist|radiologist|referring physician|electronically signed by|authored by|name";
    pattern(&format!(r"(?i:\b(?:{label})\b)[^\S\n]*:?[^\S\n]+{PERSON}"))
});

/// A number after its label, in groups of digits or in one.
pub(super) static LABELLED_NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    let no = r"[^\S\n]*(?:(?:number|num|no|nr|id)\b\.?|#)";
    // These say alone that a number follows; of the others a number is one thing among many.
    let alone = r"U?MRN|UHID|EMPI|CSN|SSN|NPI|NHS|accession|med(?:ical)?\.? rec(?:ord)?\.?|social security";
    let kinds = r"hosp(?:ital)?\.?|unit|patient|pt|chart|case|account|acct\.?|encounter|visit|admission|episode|file|record|registration|specimen|sample|lab(?:oratory)?|requisition|order|claim|policy|insurance|member(?:ship)?|group|subscriber|beneficiary|certificate|licen[cs]e|passport|medicare|medicaid|health card|health insurance|national insurance|CHI|device|serial";
    let label = format!(r"(?:{alone})(?:{no})?|(?:{kinds})(?:{no})|(?:account|acct\.?|policy)[^\S\n]*:");
    let grouped = r"\d{3}[ -]\d{3}[ -]\d{4}|\d{3}[ -]\d{2}[ -]\d{4}|\d{4}[ -]\d{4}[ -]\d{4}(?:[ -]\d{4})?";
    let plain = r"(?:(?-i:[A-Z]{1,6})[-: ]?|[a-z]{1,2})?\d[A-Z0-9/-]{2,}";
    let national = r"[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b";
    pattern(&format!(r"(?i)\b(?:{label})\s*[:#=]?\s*(?P<value>{grouped}|{national}|{plain})"))
});

static GENERAL: LazyLock<Vec<(Identifier, Regex)>> = LazyLock::new(|| {
    let street = "Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Court|Ct|Boulevard|Blvd|Way|Place|Pl|Terrace|Square|Sq|Parkway|Pkwy|Highway|Hwy|Close|Crescent|Row";
    // CT, ST and DR in capitals are a scan, a segment of an ECG and a title.
    let capitals = "STREET|AVENUE|ROAD|LANE|DRIVE|COURT|BOULEVARD|TERRACE|SQUARE|PARKWAY|HIGHWAY|CRESCENT";
    let postcode = r"[A-Z]{1,2}\d[A-Z\d]?[^\S\n]?\d[ABD-HJLNP-UW-Z]{2}";
    vec![
        (Identifier::Email, pattern(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b")),
        (Identifier::Url, pattern(r"(?i)\b(?:https?://|www\.)[^\s<>()]+[^\s<>().,;]")),
        (Identifier::RecordNumber, LABELLED_NUMBER.clone()),
        (Identifier::RecordNumber, pattern(r"\b\d{3}-\d{2}-\d{4}\b")),
        (Identifier::RecordNumber, pattern(r"(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")),
        (
            Identifier::Address,
            pattern(&format!(
                r"\b\d{{1,5}}[^\S\n]+(?:[A-Z][\w'’.-]+[^\S\n]+){{1,4}}(?:{street}|{capitals})\b\.?(?:,?[^\S\n]*(?:Apt|Apartment|Suite|Ste|Unit|Floor|#)\.?[^\S\n]*[\w-]+)?(?:,[^\S\n]*[A-Z][\w'’ -]+){{0,2}}(?:,?[^\S\n]+[A-Z]{{2}})?(?:[^\S\n]+\d{{5}}(?:-\d{{4}})?)?"
            )),
        ),
        (
            Identifier::Address,
            pattern(r"\b\d{1,5}[^\S\n]+(?:[A-Z][\w'’-]+[^\S\n]+){1,4}(?:Apt|Suite|Unit)[^\S\n]+\d+\b"),
        ),
        (Identifier::Address, pattern(r"\b[A-Z]{2}[^\S\n]+\d{5}(?:-\d{4})?\b")),
        (Identifier::Address, pattern(r"\bP\.?O\.? Box \d+\b")),
        (Identifier::Address, pattern(r"\b[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}\b")),
        (
            Identifier::Address,
            pattern(&format!(
                r"(?i)\b(?:post ?code|zip(?: code)?)[^\S\n]*:?[^\S\n]*(?P<value>{postcode}|\d{{5}}(?:-\d{{4}})?)\b"
            )),
        ),
        (
            Identifier::Address,
            pattern(
                r"(?i:\b(?:home|postal|mailing|street|patient(?:'s)?)[^\S\n]+address)[^\S\n]*:?[^\S\n]*(?P<value>[^\n;.\d]{0,40}\d[^\n;.]{3,100})",
            ),
        ),
        (
            Identifier::Address,
            pattern(r"(?i:\baddress)[^\S\n]*:[^\S\n]*(?P<value>\d{1,5}[A-Za-z]?,?[^\S\n]+[A-Z][^\n;.]{3,100})"),
        ),
        (Identifier::Phone, pattern(r"\b0\d{2,4}[ -]\d{3,4}[ -]?\d{3,4}\b")),
        (
            Identifier::Phone,
            pattern(r"(?:\+?1[ .-])?\(?\b\d{3}\)?[ .-]\d{3}[ .-]\d{4}\b(?:[^\S\n]*(?:x|ext\.?)[^\S\n]*\d+)?"),
        ),
        (Identifier::Phone, pattern(r"\+\d{1,3}(?:[ .-]?\(?\d{1,4}\)?){2,5}\b")),
        (
            Identifier::Phone,
            pattern(
                r"(?i)\b(?:phone|tel|telephone|fax|pager|bleep|cell|mobile|contact (?:number|no))\b\.?\s*(?:number|no\.?)?\s*[:#]?\s*(?P<value>\+?[\d(][\d ().-]{5,}\d)",
            ),
        ),
        (
            Identifier::Age,
            pattern(
                r"(?i)\b(?P<value>9\d|1[0-2]\d)(?:[- ]?years?[- ]old|[- ]?y\.?/?o\b|[- ]year[- ]?old|[- ]years? of age)",
            ),
        ),
        (Identifier::Age, pattern(r"(?i)\b(?:age|aged|age:|aged:)[^\S\n]+(?P<value>9\d|1[0-2]\d)\b")),
    ]
});

static PROTECTED: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[\*\*.*?\*\*\]|_{3,}"));

/// Marks of a former de-identification, `___` and `[** **]`.
pub(super) fn protected(text: &str) -> Vec<Range<usize>> {
    PROTECTED.find_iter(text).map(|found| found.range()).collect()
}

impl Finders {
    pub fn new(identity: &Identity) -> Self {
        let known = identity.known.iter().map(|(&kind, values)| {
            let any: Vec<String> = longest_first(values).flat_map(|value| spellings(kind, value)).collect();
            (kind, whole_words("", &any))
        });
        let mut known: Vec<(Identifier, Regex)> = known.collect();
        let escaped = |values: &BTreeSet<String>| -> Vec<String> {
            longest_first(values).map(|value| regex::escape(value)).collect()
        };
        if !identity.parts.is_empty() {
            known.push((Identifier::Name, whole_words("(?i)", &escaped(&identity.parts))));
        }
        let doubtful = (!identity.doubtful.is_empty()).then(|| whole_words("", &escaped(&identity.doubtful)));
        Self { known, doubtful }
    }

    pub fn find(&self, text: &str, shift: &Shift) -> Vec<Find> {
        let mut finds = Vec::new();
        let mut push = |range: Range<usize>, kind: Identifier| {
            finds.push(Find { range, kind, with: kind.token().to_owned() });
        };
        for (kind, pattern) in self.known.iter().chain(&*GENERAL) {
            for found in pattern.captures_iter(text) {
                // Where a label leads to the value, only the value goes.
                let range = found.name("value").or_else(|| found.get(0)).map(|found| found.range()).unwrap_or_default();
                if *kind != Identifier::Phone || !begins_with_a_date(&text[range.clone()]) {
                    push(range, *kind);
                }
            }
        }
        for pattern in [&*TITLED, &*CLINICIAN, &*LABELLED_NAME] {
            for found in pattern.captures_iter(text) {
                if let Some(name) = found.name("name").filter(|name| !identity_stop(name.as_str())) {
                    push(name.range(), Identifier::Name);
                }
            }
        }
        for range in names::labelled(text) {
            push(range, Identifier::Name);
        }
        for found in self.doubtful.iter().flat_map(|pattern| pattern.find_iter(text)) {
            if !names::is_term(text, &found.range()) {
                push(found.range(), Identifier::Name);
            }
        }
        finds.extend(dates::find(text, shift));
        finds
    }
}

/// `Phone (2022-05-31)` is an answer and its date.
fn begins_with_a_date(value: &str) -> bool {
    value.trim_start_matches('(').get(..10).is_some_and(|start| start.parse::<Date>().is_ok())
}

fn longest_first(values: &BTreeSet<String>) -> impl Iterator<Item = &String> {
    let mut values: Vec<&String> = values.iter().collect();
    values.sort_by_key(|value| (std::cmp::Reverse(value.len()), value.as_str()));
    values.into_iter()
}

fn whole_words(flags: &str, any: &[String]) -> Regex {
    Regex::new(&format!(r"{flags}(?:^|\b)(?:{})(?:\b|$)", any.join("|"))).expect("escaped words make a pattern")
}

/// A whole name in any case and spacing, a word of it as written or in capitals: `will` is no name, `Will` and `WILL` are.
fn spellings(kind: Identifier, value: &str) -> Vec<String> {
    if kind != Identifier::Name {
        return vec![regex::escape(value)];
    }
    let words: Vec<_> = value.split(' ').map(regex::escape).collect();
    match words.as_slice() {
        [word] if value.to_uppercase() != value => vec![word.clone(), regex::escape(&value.to_uppercase())],
        [word] => vec![word.clone()],
        words => vec![format!("(?i:{})", words.join(r"\.?[\s,]+"))],
    }
}

fn identity_stop(name: &str) -> bool {
    super::identity::is_no_name(name.split_whitespace().next().unwrap_or_default())
}
