//! Words that name nothing known: of what kind a disease is, or why it is thought of, or what it is not.

use super::harmless::is_harmless;
use super::labels::code;
use super::piece::Joint;
use super::words::{is_soft, normalised};

/// Words that end like these tell of what kind something is; a complaint is a noun.
const KINDS: [&str; 10] = ["ic", "al", "ous", "ary", "ar", "oid", "ive", "induced", "related", "mediated"];
const DISEASES: [&str; 13] = [
    "disease",
    "diseases",
    "failure",
    "syndrome",
    "cancer",
    "malignancy",
    "disorder",
    "infection",
    "hemorrhage",
    "bleed",
    "deficiency",
    "itis",
    "opathy",
];

/// What such a clause says is not what the patient has.
const DENIALS: [&str; 22] = [
    "not",
    "no",
    "non",
    "less",
    "least",
    "unlikely",
    "without",
    "exclude",
    "excluded",
    "ruled",
    "rule",
    "rather",
    "versus",
    "vs",
    "cannot",
    "unless",
    "if",
    "pending",
    "negative",
    "consider",
    "differential",
    "ddx",
];

/// More words than this in brackets are a reason, not a kind.
const LONGEST_KIND: usize = 4;

/// Whether words that name nothing known tell of what kind the disease is, rather than why it is thought of.
pub(super) fn is_kind(joint: Joint, words: &str) -> bool {
    let name = normalised(words);
    let parts: Vec<&str> = name.split(' ').collect();
    let ends = |word: &str, endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    let disease = parts.last().is_some_and(|last| ends(last, &DISEASES)) && parts.len() <= LONGEST_KIND;
    let last = parts.len() - 1;
    let kind = parts.len() < LONGEST_KIND
        && ends(parts[last], &KINDS)
        && parts[..last].iter().all(|word| ends(word, &KINDS) || is_soft(word) || parts[last].ends_with("ed"));
    match joint {
        Joint::Cause => true,
        Joint::Apposition { .. } | Joint::Comma | Joint::Hedge | Joint::Perhaps => disease || kind || holds_code(words),
        Joint::In => disease,
        Joint::Reason | Joint::Not => false,
    }
}

/// A code with its detail, or one that stands alone: low B12 is a finding.
fn holds_code(words: &str) -> bool {
    let (codes, others): (Vec<&str>, Vec<&str>) = words.split([' ', ',', ':']).partition(|word| code(word).is_some());
    codes.iter().any(|code| code.contains('.')) || (!codes.is_empty() && is_harmless(&others.join(" ")))
}

pub(super) fn denies(words: &str) -> bool {
    let rules_out = words.split_whitespace().any(|word| word.eq_ignore_ascii_case("r/o"));
    rules_out || normalised(words).split(' ').any(|word| DENIALS.contains(&word))
}

/// `(influenza, COVID-19 and strep excluded)`
pub(super) fn ends_denied(rest: &str) -> bool {
    let inside = normalised(rest.split(')').next().unwrap_or_default());
    ["excluded", "ruled out", "unlikely", "less likely", "negative"].iter().any(|denial| inside.ends_with(denial))
}
