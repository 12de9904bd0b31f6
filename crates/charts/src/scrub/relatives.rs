//! Names of relatives behind their label: `Sons: Tim and Bob Jones`. Findings stand there as often, so a first name we know must begin them.

use super::{names, words};
use regex::{Match, Regex};
use std::ops::Range;
use std::sync::LazyLock;

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns are constants and the tests compile them all")
}

/// One name: `Tim`, `Ann M. Jones`, `Ana van den Berg`
const PERSON: &str = r"\p{Lu}[\w'’-]+(?:[^\S\n]+\p{Lu}\.)?(?:[^\S\n]+(?:(?:van|von|der|den|de|del|da|la|al|bin|Van|Von|De|Mac|[OÓ])[^\S\n]+){0,3}\p{Lu}[\w'’-]+){0,2}";

const ASIDE: &str = r"(?:[^\S\n]*\([^)\n]{0,30}\)|[^\S\n]+\d{1,2}\b)?";

/// `Sons:`, `Daughter(s):`, `Children (2):`
static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    let kin = words::kin();
    pattern(&format!(r"\b(?i-u:{kin})(?:-in-law)?{ASIDE}[^\S\n]*:[^\S\n]*"))
});

/// What stands directly behind a label. It is too large to be looked for everywhere.
static NAMES: LazyLock<Regex> = LazyLock::new(|| {
    let between = r"(?:[^\S\n]*[,&/][^\S\n]*(?:and[^\S\n]+)?|[^\S\n]+and[^\S\n]+)";
    pattern(&format!(r"^{PERSON}(?:{ASIDE}{between}{PERSON}){{0,11}}"))
});

/// `Wife Mary Quist`, without a colon.
static BESIDE: LazyLock<Regex> = LazyLock::new(|| {
    let kin = words::kin();
    let last = r"(?:(?:van|von|der|den|de|del|da|la|al|bin|Van|Von|De|Mac|[OÓ])[^\S\n]+){0,3}\p{Lu}[\w'’-]+";
    let person = format!(r"\p{{Lu}}[\w'’-]+(?:[^\S\n]+\p{{Lu}}\.)?[^\S\n]+{last}");
    pattern(&format!(r"\b(?i-u:{kin})(?:-in-law)?[^\S\n]+(?P<name>{person})\b"))
});

/// How a relative is, or what she has: `Mother Carla Diabetes`.
static STATE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:diabetes|diabetic|healthy|alive|well|dead|died|deceased|hypertension|stroke|asthma|eczema|copd|cad|chf|dementia|depression|epilepsy|seizures?|lupus|gout|migraines?|obesity|glaucoma|cataracts?|autism|anxiety|alcohol\p{L}*|smok\p{L}*|adopted|unknown|aged?|bedside|called|visits?|says|will|can|bring|brings|drove|helps|lives|works|speaks|wants|wishes|worried|aware|updated|informed|shunt|splint|clamp|filter|drain|institute|infirmary|project|fibroids?|injection|saline|procedure|test|storz)$",
    )
});

/// `Sister Mary Joseph nodule`, `Mother Teresa Maria Hospital`
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:['’]s)?[^\S\n]+(?:nod(?:ul)?es?|sign|scale|score|test|disease|syndrome|hospital|clinic|cent(?:er|re)|school|church|house|home|hospice|ward|unit|foundation)\b",
    )
});

static NAME: LazyLock<Regex> = LazyLock::new(|| pattern(PERSON));

static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\w'’-]+\.?"));

/// Where a text names relatives.
pub(super) fn named(text: &str) -> Vec<Range<usize>> {
    let mut people = Vec::new();
    for label in LABEL.find_iter(text) {
        let Some(names) = NAMES.find(&text[label.end()..]) else { continue };
        let each = NAME.find_iter(names.as_str()).map(|name| label.end() + name.start()..label.end() + name.end());
        people.extend(each.filter_map(|run| name_in(run, text)));
    }
    for found in BESIDE.captures_iter(text) {
        let Some(run) = found.name("name") else { continue };
        let is_place = PLACE.is_match(&text[run.end()..]);
        let name = name_in(run.range(), text).filter(|name| is_whole(&text[name.clone()]) && !is_place);
        people.extend(name);
    }
    people
}

/// `Wife Mary Quist`; `Wife Mary Reports` is none, nor `WIFE MARY QUIST`, behind which anything may stand.
fn is_whole(name: &str) -> bool {
    let words: Vec<_> = name.split_whitespace().filter(|word| !word.ends_with('.')).collect();
    let is_plain = |word: &str| words::is_never_a_name(word) || words::is_of_headings(word) || words::is_kin(word);
    matches!(words.as_slice(), [first, .., last] if !words::is_word(first) && !is_plain(last) && !STATE.is_match(last) && last.contains(char::is_lowercase))
}

/// The first name with the words behind it that can be names; none where they are a finding: `Lou Gehrig's disease`.
fn name_in(run: Range<usize>, text: &str) -> Option<Range<usize>> {
    let words: Vec<_> = WORD.find_iter(&text[run.clone()]).collect();
    let (first, rest) = words.split_first()?;
    let known = rest.iter().take_while(|word| may_be_of_name(word.as_str())).count();
    let last = rest[..known].last().unwrap_or(first);
    let end = run.start + last.end();
    // `ANA` is a test, too, and Mark a word.
    let is_small = |word: &Match<'_>| word.as_str().contains(char::is_lowercase);
    let is_sure = match rest[..known].first() {
        Some(second) => is_small(first) || !is_small(second),
        None => is_small(first) && !words::is_word(first.as_str()),
    };
    let is_finding = || words.iter().any(|word| names::makes_a_finding(&text[run.start + word.end()..]));
    (is_sure && words::is_given(first.as_str()) && !is_finding()).then_some(run.start + first.start()..end)
}

fn may_be_of_name(word: &str) -> bool {
    let is_none = words::is_untitled(word) || (words::is_never_a_name(word) && !words::may_be_surname(word));
    !is_none && !words::is_eponym(word) && !words::is_of_findings(word) && !words::is_of_science(word)
}
