//! Words that name nothing known: of what kind a disease is, or why it is thought of, or what it is not.

use super::harmless::is_harmless;
use super::labels::code;
use super::piece::Joint;
use super::words::{core, is_soft, normalised};

/// Words that end like these tell of what kind something is; a complaint is a noun.
const KINDS: [&str; 10] = ["ic", "al", "ous", "ary", "ar", "oid", "ive", "induced", "related", "mediated"];
/// What ends like these is a disease, and perhaps the wide one in other words: lower urinary tract infection (UTI).
const DISEASES: [&str; 10] = [
    "diseases",
    "failure",
    "syndrome",
    "cancer",
    "malignancy",
    "disorder",
    "infection",
    "deficiency",
    "opathy",
    "itis",
];
/// What ends like these is always another one than the name it stands beside.
const OTHERS: [&str; 10] = [
    "disease",
    "hemorrhage",
    "bleed",
    "hematoma",
    "leukemia",
    "thalassemia",
    "thalassemia minor",
    "thalassemia major",
    "thalassemia trait",
    "sickle cell trait",
];
/// So is one of these alone; with other words it came before: `stroke (PMH of TIA)`.
const ALONE: [&str; 4] = ["transient ischemic attack", "tia", "ich", "sickle cell"];

/// What such a clause says is not what the patient has.
const DENIALS: [&str; 25] = [
    "not",
    "no",
    "non",
    "less",
    "least",
    "unlikely",
    "without",
    "against",
    "exclude",
    "excluded",
    "excludes",
    "excluding",
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

/// A disease told with these is what the patient had before, what it is compared with, or of low probability.
const NOT_NOW: [&str; 7] = ["history", "hx", "prior", "previous", "past", "than", "low"];

/// More words than this in brackets are a reason, not a kind.
const LONGEST_KIND: usize = 4;

/// Whether words that name nothing known tell of what kind the disease is, rather than why it is thought of.
pub(super) fn is_kind(joint: Joint, words: &str) -> bool {
    let name = normalised(words);
    let parts: Vec<&str> = name.split(' ').collect();
    let last = parts.len() - 1;
    let disease = parts.len() <= LONGEST_KIND && (ends(&name, &DISEASES) || ends(&name, &OTHERS)) && !is_not_now(words);
    let alone = ALONE.contains(&core(&name));
    let kind = parts.len() < LONGEST_KIND
        && ends(parts[last], &KINDS)
        && parts[..last].iter().all(|word| ends(word, &KINDS) || is_soft(word) || parts[last].ends_with("ed"));
    match joint {
        Joint::Cause => true,
        Joint::Apposition { .. } | Joint::Comma | Joint::Hedge | Joint::Perhaps => {
            disease || alone || kind || holds_code(words)
        }
        Joint::In => disease,
        Joint::Reason | Joint::Not => false,
    }
}

/// Whether words that name nothing known are of another disease, and not a wide name in other words.
pub(super) fn is_another_disease(words: &str) -> bool {
    let name = normalised(words);
    let is_last = |other: &&str| name.strip_suffix(other).is_some_and(|rest| rest.is_empty() || rest.ends_with(' '));
    ends(&name, &OTHERS) || ALONE.iter().any(is_last) || name.ends_with("bleeding")
}

fn ends(name: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| name.ends_with(ending))
}

/// A code with its detail, or one that stands alone: low B12 is a finding.
fn holds_code(words: &str) -> bool {
    let (codes, others): (Vec<&str>, Vec<&str>) = words.split([' ', ',', ':']).partition(|word| code(word).is_some());
    codes.iter().any(|code| code.contains('.')) || (!codes.is_empty() && is_harmless(&others.join(" ")))
}

/// `History of migraine`, `prior TIA`
pub(super) fn is_not_now(words: &str) -> bool {
    normalised(words).split(' ').any(|word| NOT_NOW.contains(&word))
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

/// `Streptococcus` → `streptococcal`, `allergies` → `allergic`, as diseases are called by their agents.
pub(super) fn adjective(agent: &str) -> Option<String> {
    const ENDINGS: [(&str, &str); 7] =
        [("uses", "al"), ("us", "al"), ("cci", "ccal"), ("ia", "ial"), ("ium", "ial"), ("ies", "ic"), ("y", "ic")];
    let agent = agent.to_lowercase();
    ENDINGS.iter().find_map(|(noun, adjective)| Some(format!("{}{adjective}", agent.strip_suffix(noun)?)))
}
