//! Words that leave a name what it is: how sure, how bad, on which side.

use super::words::{is_soft, normalised};

/// Words that leave a name what it is, beside the soft ones.
const HARMLESS: [&str; 60] = [
    "adult",
    "about",
    "approximately",
    "attack",
    "case",
    "cause",
    "certain",
    "child",
    "chronic",
    "clinical",
    "clinically",
    "cm",
    "code",
    "complicated",
    "confidence",
    "confirmed",
    "current",
    "diagnosis",
    "elderly",
    "episode",
    "estimated",
    "etiology",
    "female",
    "first",
    "gradual",
    "group",
    "progressive",
    "sudden",
    "for",
    "high",
    "highly",
    "icd",
    "icd10",
    "illness",
    "is",
    "likelihood",
    "low",
    "male",
    "man",
    "medium",
    "nos",
    "of",
    "origin",
    "pathogen",
    "percent",
    "probability",
    "provisional",
    "recurrent",
    "side",
    "subacute",
    "sure",
    "symptomatic",
    "type",
    "typical",
    "uncertain",
    "uncomplicated",
    "unilateral",
    "unspecified",
    "very",
    "woman",
];

/// Words that say how sure, how bad, on which side or by which code, and nothing else.
pub(super) fn is_harmless(words: &str) -> bool {
    let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let name = normalised(words);
    name.split_whitespace().all(|word| is_soft(word) || HARMLESS.contains(&word) || is_number(word))
}

/// Parts of an organ or a limb. A name is narrowed by them and stays what it is: inferior STEMI is a STEMI.
const PLACES: [&str; 22] = [
    "inferior",
    "superior",
    "anterior",
    "posterior",
    "lateral",
    "medial",
    "septal",
    "anteroseptal",
    "anterolateral",
    "inferolateral",
    "upper",
    "lower",
    "middle",
    "proximal",
    "distal",
    "wall",
    "lobe",
    "canal",
    "limb",
    "leg",
    "extremity",
    "segmental",
];

/// The words without harmless ones at either end: `uncomplicated cystitis`, `viral origin`. A chronic disease is not the acute one, though, and
/// one that is possible, or of a low probability, not a sure one.
pub(super) fn bared(words: &str) -> &str {
    trimmed(words, leaves_a_name)
}

/// The same without places: `inferior wall STEMI`, `right lower lobe pneumonia`.
pub(super) fn unplaced(words: &str) -> &str {
    trimmed(words, |word| leaves_a_name(word) || PLACES.contains(&normalised(word).as_str()))
}

fn leaves_a_name(word: &str) -> bool {
    const TELLING: [&str; 7] =
        ["chronic", "possible", "possibly", "uncertain", "probability", "likelihood", "confidence"];
    let telling = TELLING.contains(&normalised(word).as_str()) || word.contains(|c: char| c.is_ascii_digit());
    is_harmless(word) && !telling
}

/// Without such words at either end; one word stays.
fn trimmed(words: &str, drop: impl Fn(&str) -> bool) -> &str {
    let mut rest = words.trim();
    while let Some((_, after)) = rest.split_once(' ').filter(|(word, _)| drop(word)) {
        rest = after;
    }
    while let Some((before, _)) = rest.rsplit_once(' ').filter(|(_, word)| drop(word)) {
        rest = before;
    }
    rest
}

/// A normalised name without its course and the limb it is in: `CHF exacerbation`, `paroxysmal AF`, `septic arthritis of the knee`. `None` where there
/// is neither.
pub(super) fn course_of(name: &str) -> Option<&str> {
    const BEFORE: [&str; 9] = [
        "massive ",
        "submassive ",
        "paroxysmal ",
        "decompensated ",
        "exacerbation of ",
        "flare of ",
        "relapse of ",
        "relapsing ",
        "acute on chronic ",
    ];
    const AFTER: [&str; 5] = [" exacerbation", " flare", " flare up", " relapse", " attack"];
    const LIMBS: [&str; 15] = [
        "knee",
        "hip",
        "ankle",
        "wrist",
        "elbow",
        "shoulder",
        "foot",
        "hand",
        "finger",
        "toe",
        "leg",
        "arm",
        "calf",
        "thigh",
        "lower leg",
    ];
    let limb = || {
        let (before, limb) = name.rsplit_once(" of the ")?;
        let limb = ["left ", "right ", "big ", "great "]
            .iter()
            .fold(limb, |limb, side| limb.strip_prefix(side).unwrap_or(limb));
        LIMBS.contains(&limb).then_some(before)
    };
    let before = BEFORE.iter().find_map(|it| name.strip_prefix(it));
    let after = || AFTER.iter().find_map(|it| name.strip_suffix(it));
    before.or_else(after).or_else(limb)
}
