//! `her` before a noun or as an object, `his` before a noun or alone, without a parser (specs: 8.4).

use crate::token::Text;
use crate::words::function::{
    is_adverb, is_auxiliary, is_conjunction, is_determiner, is_particle, is_possessive, is_preposition, is_pronoun,
    is_time_adverb,
};
use crate::words::her::{
    A_NOUN, A_TIME, BARE_VERB, CHANGED, DITRANSITIVE, HANDED_OVER, MEETS, ONES_OWN, REVEALS, SEES, SIDE, STATE,
    VERB_AND_NOUN,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Her {
    /// him, them
    Object,
    /// his, their
    Possessive,
}

/// The reading, and why it is not sure where it is not.
pub(crate) fn her(text: &Text<'_>, at: usize) -> (Her, Option<&'static str>) {
    let (before, next, after) = (text.before(at, 1), text.word(at + 1), text.word(at + 2));
    if !text.same_sentence(at, at + 1) {
        return (Her::Object, None);
    }
    if text.is_mark(at + 1) {
        let opens = matches!(next, "\"" | "\u{201c}" | "\u{2018}" | "'" | "[" | "<");
        return (if opens { Her::Possessive } else { Her::Object }, None);
    }
    if shares_possession(text, at) {
        return (Her::Possessive, None);
    }
    // `her over-the-counter medications`, `her 2-week history`
    if text.is_number(at + 1) && matches!(before, "take" | "takes" | "took" | "taken") {
        return (Her::Object, None);
    }
    let compound = text.touches_next(at + 1) && matches!(after, "-" | "\u{2013}" | "\u{2010}" | "\u{2011}");
    if compound && !is_ditransitive(before) {
        return (Her::Possessive, None);
    }
    let ends = is_function_word(after) || text.is_mark(at + 2);
    if matches!(next, "most" | "best" | "least" | "well" | "badly" | "enough") && ends && after != "being" {
        return (Her::Object, None);
    }
    if is_plain_object(text, at) {
        return (Her::Object, None);
    }
    if leads_a_noun(next) {
        return (Her::Possessive, None);
    }
    if text.is_number(at + 1) || is_number_word(next) {
        let object = is_ditransitive(before) || matches!(before, "take" | "takes" | "took" | "taken");
        return (if object { Her::Object } else { Her::Possessive }, None);
    }
    if matches!(next, "back" | "home" | "right" | "left") {
        return (side(before, next, after), None);
    }
    if changes_or_sees(before)
        && let Some(reading) = changed(text, at)
    {
        return (reading, None);
    }
    if is_function_word(next) {
        return (Her::Object, None);
    }
    if next.ends_with("ly") && is_adverb(next) && (is_function_word(after) || text.is_mark(at + 2)) {
        return (Her::Object, None);
    }
    if is_giving(text, at) && !is_ones_own(next) && !is_ones_own(after) {
        return (Her::Object, Some("`her` is read as the one who is given something"));
    }
    if is_ditransitive(before) && is_handed_over(next) && before != "given" {
        return (Her::Object, Some("`her` is read as the one who is given something"));
    }
    if is_ditransitive(before)
        && matches!(before, "show" | "shows" | "showed" | "send" | "sent" | "bring" | "brings" | "brought")
    {
        return (Her::Possessive, Some("`her` is read as possessive; it could be the one who is given something"));
    }
    (Her::Possessive, None)
}

/// Whether `his` stands alone (hers, theirs).
pub(crate) fn his_stands_alone(text: &Text<'_>, at: usize) -> bool {
    let next = text.word(at + 1);
    if !text.same_sentence(at, at + 1) {
        return true;
    }
    if text.is_mark(at + 1) {
        return matches!(next, "." | "," | ";" | ":" | "?" | "!" | ")" | "\u{2014}");
    }
    if text.touches_next(at + 1) && text.word(at + 2) == "-" {
        return false;
    }
    if is_auxiliary(next) && next != "being" && next != "having" {
        return true;
    }
    if matches!(next, "and" | "or" | "but") {
        return !shares_possession(text, at);
    }
    text.before(at, 1) == "of" && (is_preposition(next) || is_conjunction(next)) && next != "like"
}

/// `her and her husband's diet`
fn shares_possession(text: &Text<'_>, at: usize) -> bool {
    text.word(at + 1) == "and"
        && is_possessive(text.word(at + 2))
        && (at + 3..at + 6).any(|place| text.word(place).ends_with("'s"))
}

/// `examination of her reveals`, `wished her luck`, `saw her last week`, `considers her smart`.
fn is_plain_object(text: &Text<'_>, at: usize) -> bool {
    let (before, next, after) = (text.before(at, 1), text.word(at + 1), text.word(at + 2));
    match before {
        "of" => REVEALS.has(next),
        "wish" | "wishes" | "wished" | "wishing" => {
            matches!(next, "luck" | "happiness" | "success") || next == "good" && after == "luck"
        }
        "considers" | "considering" => is_state(next) && closes_or_goes_on(text, at + 2),
        // Not `saw her last year of school`.
        _ => {
            let ends = closes_or_goes_on(text, at + 3) && text.word(at + 3) != "of" && !is_auxiliary(text.word(at + 3));
            matches!(next, "last" | "next") && A_TIME.has(after) && MEETS.has(before) && ends
        }
    }
}

fn is_function_word(word: &str) -> bool {
    is_preposition(word)
        || is_conjunction(word)
        || is_pronoun(word)
        || is_determiner(word)
        || is_auxiliary(word)
        || is_particle(word)
        || is_time_adverb(word)
        || is_possessive(word) && !word.ends_with('s')
}

fn leads_a_noun(word: &str) -> bool {
    A_NOUN.has(word)
}

fn is_number_word(word: &str) -> bool {
    matches!(word, "one" | "two" | "three" | "four" | "five" | "six" | "seven" | "eight" | "nine" | "ten" | "twelve")
}

fn side(before: &str, next: &str, after: &str) -> Her {
    let brings = SIDE.has(before);
    if matches!(next, "right" | "left") && !(brings && is_function_word(after)) {
        return Her::Possessive;
    }
    let closes = is_function_word(after) || after.is_empty() || !after.starts_with(char::is_alphanumeric);
    if brings && closes { Her::Object } else { Her::Possessive }
}

/// Verbs after which a person is changed or perceived: `made her dizzy`, `found her lying`.
fn changes_or_sees(word: &str) -> bool {
    SEES.has(word)
}

/// What follows such a verb and `her`; `None` where the usual rules decide.
fn changed(text: &Text<'_>, at: usize) -> Option<Her> {
    let (before, next, after) = (text.before(at, 1), text.word(at + 1), text.word(at + 2));
    let closes = text.is_mark(at + 2) || is_function_word(after) || !text.same_sentence(at, at + 2);
    if matches!(before, "causing" | "caused" | "causes" | "cause") {
        let suffered = matches!(
            next,
            "distress"
                | "discomfort"
                | "difficulty"
                | "problems"
                | "embarrassment"
                | "significant"
                | "severe"
                | "great"
                | "considerable"
                | "trouble"
                | "much"
        );
        return suffered.then_some(Her::Object);
    }
    if is_bare_verb(next) && !matches!(before, "had" | "has" | "have") {
        return Some(Her::Object);
    }
    if closes_or_goes_on(text, at + 2)
        && is_verb_and_noun(next)
        && !matches!(before, "had" | "has" | "have" | "get" | "gets" | "describe" | "describes")
    {
        return Some(Her::Object);
    }
    if matches!(before, "had" | "has" | "have") {
        return None;
    }
    if next.ends_with("ing") && next.len() > 4 && !CHANGED.has(next) {
        return Some(Her::Object);
    }
    if matches!(next, "awake" | "alive" | "asleep" | "unable" | "afraid" | "alone") {
        return Some(Her::Object);
    }
    if matches!(next, "more" | "less" | "very" | "extremely" | "so" | "too" | "unable" | "somewhat" | "increasingly") {
        return Some(Her::Object);
    }
    let participle =
        next.ends_with("ed") && matches!(before, "found" | "find" | "finds" | "keep" | "kept" | "keeps" | "left");
    (closes && (is_state(next) || participle)).then_some(Her::Object)
}

fn is_bare_verb(word: &str) -> bool {
    BARE_VERB.has(word)
}

fn closes_or_goes_on(text: &Text<'_>, at: usize) -> bool {
    text.is_mark(at) || is_function_word(text.word(at))
}

/// `makes her cough.`, but `makes her cough worse`.
fn is_verb_and_noun(word: &str) -> bool {
    VERB_AND_NOUN.has(word)
}

/// Adjectives that say how somebody is.
fn is_state(word: &str) -> bool {
    STATE.has(word)
}

fn is_ditransitive(word: &str) -> bool {
    DITRANSITIVE.has(word)
}

/// `gave her`, `has given her`, `offered her`; not `given her history`.
fn is_giving(text: &Text<'_>, at: usize) -> bool {
    match text.before(at, 1) {
        "give" | "gives" | "gave" | "giving" | "offer" | "offers" | "offered" | "offering" | "prescribe"
        | "prescribes" | "prescribed" | "prescribing" => true,
        "given" => matches!(text.before(at, 2), "has" | "have" | "had" | "ever" | "never"),
        _ => false,
    }
}

/// What one gives that is one's own, and people of one's own.
fn is_ones_own(word: &str) -> bool {
    ONES_OWN.has(word)
}

/// Bare nouns that are given to somebody rather than being theirs.
fn is_handed_over(word: &str) -> bool {
    HANDED_OVER.has(word)
}
