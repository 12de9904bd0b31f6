//! Names of the patient behind a label, and whether a name that is a word as well is a name where it stands.

use super::codes::end_of;
use super::words;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// `Patient name: Hargrove, Eleanor M.`, `PATIENT: HARGROVE,ELEANOR M`, `Pt: Eleanor Hargrove`; PT is physiotherapy and a clotting time.
/// `Next of kin: Daughter (Mary Jones)` names Mary Jones.
static LABELLED: LazyLock<Regex> = LazyLock::new(|| {
    let patient = r"(?:patient|pt|client|resident)\.?(?:['’]?s)?[^\S\n]+(?:full[^\S\n]+|legal[^\S\n]+)?name|name[^\S\n]+of[^\S\n]+(?:the[^\S\n]+)?patient";
    let sure = r"(?:full|legal|former|maiden|preferred|first|last|middle|family|given|subscriber|guarantor|contact)[^\S\n]+names?|surname|forenames?";
    let aside = r"[^\S\n]*(?:\([^)\n]{0,40}\)[^\S\n]*)?";
    let kin = format!(
        r"\b(?P<kin>(?i:next[^\S\n]+of[^\S\n]+kin)){aside}[:=]?(?:[^\S\n]*(?i:(?:{})(?:-in-law)?)\b[^\S\n]*[(,:–-]*)?",
        words::kin()
    );
    let label = format!(
        r"(?:\b(?i:{patient}){aside}(?:[:=]|[-–—])?|{kin}|(?:\b(?i:{sure})|\b(?P<others>(?i:(?:physician|provider)['’]?s?[^\S\n]+name))|(?:^|[.;|,(])[^\S\n]*(?P<bare>(?i:name))|\b(?P<loose>(?i:patient)|[Pp]t)){aside}[:=])"
    );
    let word = r"(?:(?:van|von|der|den|de|del|da|di|dos|du|la|le|el|al|bin|ibn|ter|ten)[^\S\n]+){0,2}(?:\p{Lu}\.|\p{Lu}[\w'’-]*)";
    let title = r"(?:(?i:mrs|mr|ms|miss|mx|dr|prof)\b\.?[^\S\n]+)?";
    let text = format!(r"(?m){label}[^\S\n]*{title}(?P<name>{word}(?:(?:[^\S\n]*,[^\S\n]*|[^\S\n]+){word}){{0,4}})");
    Regex::new(&text).expect("a constant")
});

static WORD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\p{L}[\w'’-]*\.?").expect("a constant"));

/// The rest of a heading: `type: blood`
static HEADING: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?:[^\S\n]+\p{Lu}[\w/]*){0,3}[^\S\n]*:").expect("a constant"));

/// Between two columns of a form.
static GAP: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[^\s,](?:[^\S\n]{2,}|\t)").expect("a constant"));

/// What makes a term of the word before it: `White blood cells`, `Child-Pugh`.
static TERM: LazyLock<Regex> = LazyLock::new(|| {
    let nouns = r"disease|syndrome|sign|score|grade|grading|stage|staging|level|index|scale|criteria|classification|system|lymphoma|sarcoma|carcinoma|adenocarcinoma|cancer|tumou?r|polyps?|nodes?|nodules?|blood|cells?|count|matter|ophthalmopathy|orbitopathy|dermopathy|thyrotoxicosis|hyperthyroidism|thyroiditis|procedure|operation|resection|catheter|o?esophagus|ulcer|contracture|thickness|pouch|adults?|wom[ae]n|m[ae]n|males?|females?|patient|race|british|american|skin|tissue|bone|pain|fever|lung|days?|dose|term|acting|standing|rays?|mutations?|panel|expression|test(?:ing)?|ha?ematuria|description|examination|anatomy|palsy|chorea|hernia|fracture|stain|phenomenon|reflex|ma?noeuvre|maneuver|hypertrophy|bowel|exposure|surgery|anemia|ring|body|bodies";
    Regex::new(&format!(r"^(?:-|[^\S\n]+(?i:{nouns})\b)")).expect("a constant")
});

/// What makes a term of a surname: `Wilson's disease`, `Graves' ophthalmopathy`, `Langerhans cells`; Wilson's pain is a patient's.
static OF_SURNAME: LazyLock<Regex> = LazyLock::new(|| {
    let nouns = r"disease|syndrome|sign|palsy|lymphoma|sarcoma|contracture|chorea|phenomenon|reflex|procedure|operation|ring|classification|criteria|score|ophthalmopathy|orbitopathy|dermopathy|thyroiditis|encephalopathy|o?esophagus|hernia|fracture|stain|pouch|ulcer|ma?noeuvre|maneuver|diverticulum|fundoplication|cells?|body|bodies";
    Regex::new(&format!(r"^(?:['’]s?)?(?:-|[^\S\n]+(?i:{nouns})\b)")).expect("a constant")
});

/// `Wilms' tumor`; of other surnames these are a patient's.
static OF_EPONYM: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^['’]s?[^\S\n]+(?i:tumou?r|cancer)\b").expect("a constant"));

/// `Gleason 7`, `Child B`, `May 12`
static NUMBERED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[^\S\n]+(?:\d[\d.+]*|[A-D]|[IVX]+)(?:\W|$)").expect("a constant"));

/// `May 03/09/2024` is signed; `May 12` is a term.
static SIGNED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[^\S\n]+\d{1,4}[-/.]\d{1,2}[-/.]\d").expect("a constant"));

/// `April D. Jones`
static INITIAL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[^\S\n]+\p{Lu}\.[^\S\n]+\p{Lu}\w").expect("a constant"));

/// What a person is or does: `Post was seen`, `May is well`.
static ACTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[^\S\n]+(?:is|was|has|had|remains|agree[sd]|den(?:ies|ied)|reports?|reported|states|stated|feels|felt|says|said|understands|lives|wishes|declined)\b")
        .expect("a constant")
});

/// What only a person does: `Cancer agrees`.
static PERSON_ACTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[^\S\n]+(?:agree[sd]|den(?:ies|ied)|reports|reported|states|stated|feels|felt|says|said|understands|lives|wishes|declined|called|came)\b")
        .expect("a constant")
});

/// Openers of which the same is said: `This is`, `She was`.
const SUBJECTS: &[&str] = &[
    "she", "you", "they", "this", "that", "these", "those", "here", "who", "what", "all", "both", "most", "none", "one",
];

/// Behind these dots a sentence goes on.
static SHORTENED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(?:\p{Lu}|Mrs?|Ms|Drs?|Prof)\.$").expect("a constant"));

#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    /// `Patient name:`
    Sure,
    /// `Patient:` and `Name:`, behind which much else stands.
    Loose,
    Kin,
}

/// A name behind a label.
pub(super) struct Labelled {
    pub range: Range<usize>,
    /// `Physician name:` names somebody else.
    pub is_patients: bool,
}

/// Where the texts name somebody behind a label, surname first or last.
pub(super) fn labelled(text: &str) -> Vec<Labelled> {
    let (mut named, mut at) = (Vec::new(), 0);
    while let Some(found) = LABELLED.captures_at(text, at) {
        let Some(name) = found.name("name") else { break };
        let label = match (found.name("loose").or_else(|| found.name("bare")), found.name("kin")) {
            (Some(_), _) => Label::Loose,
            (_, Some(_)) => Label::Kin,
            _ => Label::Sure,
        };
        let run = before_heading(name.as_str(), &text[name.end()..]);
        let length = length_of_name(run, &text[name.start()..], label);
        // Behind the name may stand the next label: `Jane Roe   Physician name:`
        at = name.start() + length.unwrap_or_default();
        if length.is_some() {
            named.push(Labelled { range: name.start()..at, is_patients: found.name("others").is_none() });
        }
    }
    named
}

/// `SMITH, JOHN   Specimen type:`: what leads to a colon behind a gap is the next heading, and so is one word behind a whole name, where it can
/// be none or there are many. `JOHN  SMITH DOB:` has its gap within the name.
fn before_heading<'a>(run: &'a str, after: &str) -> &'a str {
    if !HEADING.is_match(after) {
        return run;
    }
    let count = |part: &str| WORD.find_iter(part).count();
    let words: Vec<_> = WORD.find_iter(run).filter(|word| word.len() > 2).collect();
    let whole = words.len() > 2 && words.last().is_some_and(|last| last.end() == run.len());
    let without_last = || words.last().map_or(run, |last| run[..last.start()].trim_end());
    if let Some(gap) = GAP.find_iter(run).last() {
        let is_within = whole && count(&run[..gap.end()]) == 1 && count(&run[gap.end()..]) > 1;
        return if is_within { without_last() } else { run[..gap.end()].trim_end() };
    }
    let is_heading = || words.len() > 3 || words.last().is_some_and(|last| words::is_never_a_name(last.as_str()));
    if whole && after.trim_start().starts_with(':') && is_heading() { without_last() } else { run }
}

/// How much of a run of capitalised words is one name. One word alone behind `Patient:` is none.
fn length_of_name(run: &str, text: &str, label: Label) -> Option<usize> {
    let least = usize::from(label == Label::Loose);
    let (mut length, mut words, mut commas) = (0, 0, 0);
    let mut is_given = false;
    for word in WORD.find_iter(run) {
        let comma = run[length..word.start()].contains(',');
        commas += usize::from(comma);
        // One comma divides the surname from the rest; behind a whole name comes something else.
        let over = commas > 1 || (comma && words > if label == Label::Loose { 1 } else { 2 });
        let plain = word.as_str().trim_end_matches('.');
        // `Ward, Jane` and `Jane Ward`
        let is_surname = match words {
            0 => run[word.end()..].trim_start().starts_with(',') && words::may_be_surname(plain),
            1 => commas == 0 && words::may_be_surname(plain) && words::is_word(plain) && !words::is_opener(plain),
            _ => false,
        };
        // `Patient: Jane Cancer`, `Patient: Cancer, Jane`
        let is_clinical_surname = || {
            let (rest, after) = (run[word.end()..].trim_start(), &text[word.end()..]);
            let next = rest.strip_prefix(',').and_then(|rest| WORD.find(rest));
            let is_before_given = next.is_some_and(|next| words::is_given(next.as_str().trim_end_matches('.')));
            let is_behind = (is_given || (words == 1 && words::is_word(plain))) && commas == 0;
            let is_heading = after.trim_start().starts_with(':');
            let is_counted = words::takes_a_number(plain) && NUMBERED.is_match(after);
            let is_told = if words == 0 { is_before_given } else { is_behind && words < 3 };
            is_told && !is_heading && !is_counted && words::may_be_clinical_surname(plain)
        };
        let is_none = words::is_never_a_name(plain) && !is_surname && !is_clinical_surname();
        if over || is_none || (label == Label::Kin && words::is_kin(plain)) {
            break;
        }
        length = word.end();
        is_given = (words == 0 || is_given) && (words::is_given(plain) || plain.chars().count() == 1);
        words += usize::from(word.as_str().starts_with(char::is_uppercase));
    }
    (words > least).then_some(length)
}

/// Whether a name that is a word or makes terms is a name where it stands.
pub(super) fn is_meant(text: &str, range: &Range<usize>) -> bool {
    let word = &text[range.clone()];
    // Of a patient called Cancer, `Breast Cancer` says nothing.
    if words::may_be_clinical_surname(word) {
        return PERSON_ACTS.is_match(&text[range.end..]);
    }
    let says_nothing = || is_in_capitals(word) || opens_sentence(&text[..range.start]);
    let acts = || !SUBJECTS.contains(&word.to_lowercase().as_str()) && ACTS.is_match(&text[range.end..]);
    !is_term(text, range) && (!words::is_opener(word) || !says_nothing() || acts())
}

fn is_in_capitals(word: &str) -> bool {
    !word.contains(char::is_lowercase)
}

fn opens_sentence(before: &str) -> bool {
    let before = before.trim_end_matches(|letter: char| letter != '\n' && letter.is_whitespace());
    before.is_empty()
        || (before.ends_with(|end| "\n.!?:;([\"“*•-".contains(end)) && !SHORTENED.is_match(end_of(before)))
}

/// Whether it is part of a term, or the answer to a question of race.
fn is_term(text: &str, range: &Range<usize>) -> bool {
    let is_space = |letter: char| letter != '\n' && letter.is_whitespace();
    let asked = text[..range.start].trim_end_matches(is_space).trim_end_matches(':');
    let after = &text[range.end..];
    let is_name = || SIGNED.is_match(after) || INITIAL.is_match(after);
    let counted = words::takes_a_number(&text[range.clone()]) && NUMBERED.is_match(after) && !is_name();
    counted
        || makes_term(&text[range.clone()], after)
        || ends_with_word(asked, "race")
        || ends_with_word(asked, "ethnicity")
}

/// Whether what stands behind a name makes a finding of it: `'s disease`, ` syndrome`.
pub(super) fn makes_a_finding(after: &str) -> bool {
    OF_SURNAME.is_match(after)
}

fn makes_term(name: &str, after: &str) -> bool {
    let (is_eponym, is_surname) = (words::is_eponym(name), words::is_surname_of_terms(name));
    // `Johnson lung nodule` is Johnson's; `White blood cells` are nobody's.
    let is_word = is_eponym || !is_surname;
    (is_word && TERM.is_match(after))
        || ((is_eponym || is_surname) && OF_SURNAME.is_match(after))
        || (is_eponym && OF_EPONYM.is_match(after))
}

/// In any case. Grace is no question of race.
fn ends_with_word(text: &str, word: &str) -> bool {
    let Some(start) = text.len().checked_sub(word.len()) else { return false };
    let is_there = text.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(word));
    is_there && !text[..start].ends_with(char::is_alphanumeric)
}

/// `Graves`
pub(super) fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    first + &letters.as_str().to_lowercase()
}
