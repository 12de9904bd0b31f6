//! Names of other people: behind a title, before a credential, behind a label.

use super::words;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns are constants and the tests compile them all")
}

/// One or two capitalised words, an initial between them.
const PERSON: &str = r"(?P<name>[A-ZÀ-Þ][\w'’-]+(?:\s+[A-Z]\.)?(?:[^\S\n]+[A-ZÀ-Þ][\w'’-]+)?)";

/// `Dr. Miller`, `Mrs Jane Doe`; MR and MS are a scan and a disease, so those are not read in capitals.
static TITLED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(r"\b(?:[Dd]r|DR|Drs|Mr|Mrs|Ms|Miss|Prof|Doctor|Professor)\.?[^\S\n]+(?:[A-Z]\.[^\S\n]+)?{PERSON}"))
});

/// `Olivia Davis, PA`, `Brian M. Harrison, RN`
static CLINICIAN: LazyLock<Regex> = LazyLock::new(|| {
    let clear = r"M\.?D|PA-C|C?NP|FNP(?:-BC)?|APRN|R\.?N|BSN|LPN|PharmD|Ph\.?D|MBBS|FRCS|FRCR|FACS|LCSW|DPT";
    let unclear = r"D\.?O|PA|RD";
    let name = r"[A-ZÀ-Þ][\w'’-]+(?:[^\S\n]+[A-Z]\.?)?(?:[^\S\n]+[A-ZÀ-Þ][\w'’-]+){1,2}";
    pattern(&format!(
        r"\b(?P<name>{name})(?:,?[^\S\n]+(?:{clear})|,[^\S\n]+(?:{unclear})|[^\S\n]+(?P<bare>{unclear}))\b"
    ))
});

/// Behind PA and DO: `XR CHEST, PA AND LATERAL`, `DO NOT RESUSCITATE`.
static NO_CREDENTIAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^[^\S\n]*(?:,|and|&|/|or|\+)?[^\S\n]*(?:lat(?:eral)?|AP|views?|projections?|oblique|not|catheter|pressure)\b",
    )
});

/// `Signed by Jane Doe`, `Attending physician: Jane Doe`
static LABELLED: LazyLock<Regex> = LazyLock::new(|| {
    let label = r"signed by|dictated by|reviewed by|provider|attending|surgeon|pathologist|radiologist|referring physician|authored by";
    let further = r"(?:[^\S\n]+(?:physician|provider|surgeon|doctor|name))?";
    pattern(&format!(r"(?i:\b(?:{label}){further}\b)(?:[^\S\n]*:[^\S\n]*|[^\S\n]+){PERSON}"))
});

static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\w'’-]+\.?"));

/// Where a text names people who are not the patient.
pub(super) fn named(text: &str) -> Vec<Range<usize>> {
    let mut people = Vec::new();
    for found in TITLED.captures_iter(text) {
        people.extend(found.name("name").and_then(|name| name_in(name.range(), text, words::is_untitled)));
    }
    for found in LABELLED.captures_iter(text) {
        people.extend(found.name("name").and_then(|name| name_in(name.range(), text, is_no_name)));
    }
    for found in CLINICIAN.captures_iter(text) {
        let end = found.get(0).map_or(0, |found| found.end());
        let Some(name) = found.name("name") else { continue };
        let unlike = |word: &str| words::is_word(word) || is_no_name(word) || !word.contains(char::is_lowercase);
        let is_view = NO_CREDENTIAL.is_match(&text[end..]);
        let is_other = found.name("bare").is_some() && name.as_str().split_whitespace().any(unlike);
        if !is_view && !is_other {
            people.extend(name_in(name.range(), text, is_no_name));
        }
    }
    people
}

/// From the first word that can be a name to the next that cannot.
fn name_in(run: Range<usize>, text: &str, is_no_name_first: fn(&str) -> bool) -> Option<Range<usize>> {
    let words: Vec<_> = WORD.find_iter(&text[run.clone()]).collect();
    let first = words.iter().position(|word| !is_no_name_first(word.as_str()))?;
    let last = words[first..].iter().skip(1).take_while(|word| !is_no_name(word.as_str())).last();
    let end = last.unwrap_or(&words[first]).end();
    Some(run.start + words[first].start()..run.start + end)
}

/// `Dr. Jane Ward` is one; a new patient is none of Dr. Miller's names.
fn is_no_name(word: &str) -> bool {
    words::is_untitled(word) || (words::is_never_a_name(word) && (words::is_opener(word) || !words::is_word(word)))
}
