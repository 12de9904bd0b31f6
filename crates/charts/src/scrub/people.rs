//! Names of other people: behind a title, before a credential, behind a label.

use super::words;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns are constants and the tests compile them all")
}

/// One or two capitalised words, an initial between them: `Jane Q. Doe`, `van den Berg`.
const PERSON: &str = r"(?P<name>(?:(?:van|von|der|den|de|del|da|di|dos|du|la|le|el|al|bin|ibn|ter|ten)[^\S\n]+){0,3}\p{Lu}[\w'’-]+(?:[^\S\n]+[A-Z]\.)?(?:[^\S\n]+\p{Lu}[\w'’-]+)?)";

/// `Dr. Miller`, `Mrs Jane Doe`; MR and MS are a scan and a disease, so those are not read in capitals.
static TITLED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"\b(?:[Dd]r|DR|Drs|Mr|Mrs|Ms|Miss|Prof|Doctor|Professor)\.?[^\S\n]+(?:(?:[A-Z]\.[^\S\n]*){{1,3}})?{PERSON}"
    ))
});

/// `MR. SMITH`, with its dot.
static IN_CAPITALS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\bMRS?\.[^\S\n]+(?:[A-Z]\.[^\S\n]*)?(?P<name>\p{Lu}[\p{Lu}'’-]+)\b"));

/// `Drs. Smith, Miller and Jones`
static SEVERAL: LazyLock<Regex> = LazyLock::new(|| {
    let word = r"\p{Lu}[\w'’-]+";
    pattern(&format!(r"\bDrs\.?[^\S\n]+(?P<names>{word}(?:,[^\S\n]+{word}){{0,4}},?[^\S\n]+(?:and|&)[^\S\n]+{word})"))
});

/// `Olivia Davis, PA`, `Brian M. Harrison, RN`
static CLINICIAN: LazyLock<Regex> = LazyLock::new(|| {
    let clear = r"M\.?D|PA-C|PharmD|Ph\.?D|MBBS|FRCS|FRCR|FACS|LCSW|DPT";
    let nurse = r"C?NP|FNP(?:-BC)?|APRN|R\.?N|BSN|LPN";
    let unclear = r"D\.?O|PA|RD";
    let name = r"\p{Lu}[\w'’-]+(?:[^\S\n]+[A-Z]\.?)?(?:[^\S\n]+\p{Lu}[\w'’-]+){1,2}";
    pattern(&format!(
        r"\b(?P<name>{name})(?:,[^\S\n]+(?:{clear}|{nurse}|{unclear})|[^\S\n]+(?:{clear}|(?P<nurse>{nurse})|(?P<bare>{unclear})))\b"
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
    let by = r"(?P<by>(?:signed|dictated|reviewed|authored)[^\S\n]+by)";
    let label = r"provider|attending|surgeon|pathologist|radiologist|referring physician";
    let further = r"(?:[^\S\n]+(?:physician|provider|surgeon|doctor|name))?";
    pattern(&format!(r"(?i:\b(?:{by}|{label}){further}\b)(?:[^\S\n]*(?P<colon>:)[^\S\n]*|[^\S\n]+){PERSON}"))
});

static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\w'’-]+\.?"));

/// Where a text names people who are not the patient.
pub(super) fn named(text: &str) -> Vec<Range<usize>> {
    let mut people = Vec::new();
    for found in TITLED.captures_iter(text) {
        people.extend(found.name("name").and_then(|name| name_in(name.range(), text, words::is_untitled)));
    }
    for found in IN_CAPITALS.captures_iter(text) {
        // MR. is a scan at the end of a sentence too; MRS. is none.
        let is_scan = |name: &str| !found[0].starts_with("MRS") && words::is_word(name);
        let name = found.name("name").filter(|name| !is_scan(name.as_str()) && !is_no_name(name.as_str()));
        people.extend(name.map(|name| name.range()));
    }
    for names in SEVERAL.captures_iter(text).filter_map(|found| found.name("names")) {
        let words = WORD.find_iter(names.as_str()).filter(|word| word.as_str() != "and" && !is_no_name(word.as_str()));
        people.extend(words.map(|word| names.start() + word.start()..names.start() + word.end()));
    }
    for found in LABELLED.captures_iter(text) {
        let said = found.name("by").is_some() || found.name("colon").is_some();
        if !said && found.name("name").is_some_and(|name| may_be_other(name.as_str())) {
            continue;
        }
        people.extend(found.name("name").and_then(|name| name_in(name.range(), text, is_no_name)));
    }
    for found in CLINICIAN.captures_iter(text) {
        let end = found.get(0).map_or(0, |found| found.end());
        let Some(name) = found.name("name") else { continue };
        let unlike = |word: &str| words::is_word(word) || is_no_name(word) || !word.contains(char::is_lowercase);
        let is_view = NO_CREDENTIAL.is_match(&text[end..]);
        let words = || name.as_str().split_whitespace();
        let is_other = (found.name("bare").is_some() && words().any(unlike))
            || (found.name("nurse").is_some() && is_service(name.as_str()));
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

/// `Wound Care RN` and `Night Shift RN` are no nurse's name; `Nurse Jane Baker RN` and `Jack White RN` are.
fn is_service(run: &str) -> bool {
    const SHIFTS: [&str; 6] = ["wound", "night", "day", "shift", "clinic", "charge"];
    let is_of_one = |word: &str| is_no_name(word) || SHIFTS.contains(&word.to_lowercase().as_str());
    run.split_whitespace().skip_while(|word| is_no_name(word)).any(is_of_one)
}

/// Behind a label without its colon: `Surgeon Case Review`; `Attending Jane Ward` and `Surgeon Mark Ruiz` are people.
fn may_be_other(name: &str) -> bool {
    let is_plain = |word: &str| words::is_word(word) || is_no_name(word);
    let mut words = name.split_whitespace();
    words.next().is_some_and(|word| is_no_name(word) || words::is_word(word) && words.next().is_none_or(is_plain))
}

/// `Dr. Jane Ward` is one; a new patient is none of Dr. Miller's names.
fn is_no_name(word: &str) -> bool {
    words::is_untitled(word) || (words::is_never_a_name(word) && (words::is_opener(word) || !words::is_word(word)))
}
