//! Names of conditions: what makes two of them one, and one of them two.

use super::sentence::whole;
use waterjar_vignettes::Choice;

/// Of any diagnosis alike.
const GENERIC: &[&str] = &[
    "sever",
    "primar",
    "diseas",
    "syndrom",
    "diagnos",
    "like",
    "condition",
    "disorder",
    "answer",
    "option",
    "best",
    "finding",
    "consistent",
    "conclud",
    "explain",
    "picture",
    "pictur",
    "caus",
    "due",
    "secondar",
    "possib",
    "probab",
    "likely",
    "possibl",
    "probabl",
    "case",
    "diagnosi",
    "find",
    "explan",
    "unlike",
    "classic",
    "typical",
    "sided",
    "side",
    "underly",
    "most",
    "mellitus",
];

/// Of each kind a condition has one: two that differ in it are two conditions.
pub const MARKS: &[&[&str]] = &[
    &["left", "left-sided", "right", "right-sided", "bilateral"],
    &["acute", "chronic"],
    &["stable", "unstable"],
    &["upper", "lower"],
    &["bacterial", "viral", "fungal"],
    &["primary", "secondary"],
    &["ischemic", "hemorrhagic", "ischaemic", "haemorrhagic"],
    &["systolic", "diastolic"],
    &["1", "2", "i", "ii", "iii", "iv", "3", "4"],
    &["a", "b", "c", "d", "e"],
];

/// One condition under two names. Both sides are put in the same words.
const SYNONYMS: &[(&str, &str)] = &[
    ("heart attack", "myocardial infarction"),
    ("stemi", "myocardial infarction"),
    ("nstemi", "myocardial infarction"),
    ("gouty arthritis", "gout"),
    ("cerebrovascular accident", "stroke"),
    ("cerebral infarction", "stroke"),
    ("lung embolism", "pulmonary embolism"),
    ("blood clot in the lung", "pulmonary embolism"),
    ("high blood pressure", "hypertension"),
    ("kidney stone", "nephrolithiasis"),
    ("renal colic", "nephrolithiasis"),
    ("acid reflux", "gastroesophageal reflux"),
    ("shingles", "herpes zoster"),
    ("copd", "chronic obstructive pulmonary disease"),
    ("underactive thyroid", "hypothyroidism"),
    ("overactive thyroid", "hyperthyroidism"),
    ("graves'", "graves"),
    ("panic disorder", "panic attack"),
];

pub fn is_generic(stem: &str) -> bool {
    GENERIC.contains(&stem)
}

pub fn is_mark(word: &str) -> bool {
    MARKS.iter().any(|kind| kind.contains(&word))
}

/// Both sides of a comparison in the same words.
pub fn same_words(sentence: &str) -> String {
    SYNONYMS.iter().fold(sentence.to_owned(), |told, (one, other)| match whole(&told, one) {
        Some(at) => format!("{}{other}{}", &told[..at], &told[at + one.len()..]),
        None => told,
    })
}

/// The option whose words are there, where it is one alone: a name within a longer one that is there too does not count.
pub fn option(said: &str, options: &[Choice]) -> Option<String> {
    let names: Vec<(&str, String)> =
        options.iter().map(|it| (it.label.as_str(), same_words(&it.text.to_lowercase()))).collect();
    let there: Vec<&(&str, String)> = names.iter().filter(|(_, name)| whole(said, name).is_some()).collect();
    let within = |name: &str| there.iter().any(|(_, other)| other != name && whole(other, name).is_some());
    let mut alone = there.iter().filter(|(_, name)| !within(name));
    alone.next().filter(|_| alone.next().is_none()).map(|(label, _)| (*label).to_owned())
}
