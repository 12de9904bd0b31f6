//! Tells temperatures in Fahrenheit from the ages of women: `Fever, 101 F` and `Smith, 101 F`.

use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns are constants and the tests compile them all")
}

/// Before a temperature in Fahrenheit.
static FEVER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:temp(?:erature)?|t(?:max|emp|m|c)?|spiked|max|a?febrile|fevers?|vitals?|vs)\b(?:[\s:=<>≥≤~()/-]|\d+(?:\.\d+)?,?|of|is|to|was|up|max|at|over|above|greater|than|around|today|overnight|oral|C\b){0,16}$",
    )
});

/// Before a temperature behind a comma or a dash: `Fever, 101 F`, `febrile, up to 102 F`. A T there is an initial (`Smith, T, 92 F`).
static WARMTH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?P<denied>\b(?:no|not|den(?:y|ies|ied)|without)\b[^.;:\n]{0,60})?\b(?:(?P<fever>t-?max|spik(?:ed|es|ing)|febrile|fevers?|pyrexia)|(?P<none>afebrile)|(?P<temp>temp(?:erature)?s?|tm|tc))\b(?:[^\S\n]|[,():~≥>–—-]|\d{2,3}(?:\.\d)?[^\S\n]?F\b|(?:up|to|as|high|of|at|home|and|chills?|rigors?|sweats|night|overnight|today|yesterday|now|oral(?:ly)?|measured|recorded|low|grade|curve|then)\b){1,16}$",
    )
});

/// Behind an age: `Fever, 101 F who lives alone`.
static OF_A_PERSON: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^[^\S\n]?F[^\S\n]+(?:(?:with|w/)[^\S\n]+)?(?:an?[^\S\n]+)?(?:who|presents|presenting|lives|living|resident|DNR|history|h/o|hx|PMHx?)\b",
    )
});

/// `38.3 C (101 F)`
static CELSIUS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:3[3-9]|4[0-3])\.\d[^\S\n]?°?[^\S\n]?C[^\S\n]*[(/=][^\S\n]*$"));

/// Whether a number before an F is what a thermometer shows.
pub(super) fn is_one(text: &str, range: &Range<usize>) -> bool {
    let (text_before, after) = (&text[..range.start], &text[range.end..]);
    let before = end_of(text_before, NEAR);
    let unit = after.trim_start().strip_prefix('F');
    if unit.is_none_or(|rest| rest.starts_with(char::is_alphanumeric)) {
        return false;
    }
    if FEVER.is_match(before) || CELSIUS.is_match(before) {
        return true;
    }
    let Some(told) = WARMTH.captures(end_of(text_before, FAR)).filter(|_| !OF_A_PERSON.is_match(after)) else {
        return false;
    };
    // Behind the comma may stand an age, too: 91 is no fever, and who is afebrile has no 101.
    let likely = match (told.name("fever"), told.name("none")) {
        (Some(_), _) => 99..=109,
        (_, Some(_)) => 95..=100,
        _ => 93..=109,
    };
    told.name("denied").is_none() && text[range.clone()].parse().is_ok_and(|degrees: u8| likely.contains(&degrees))
}

/// Enough of a text to tell what a number behind it is, and whether that is denied.
const NEAR: usize = 32;
const FAR: usize = 80;

fn end_of(text: &str, letters: usize) -> &str {
    text.char_indices().rev().nth(letters).map_or(text, |(at, _)| &text[at..])
}
