//! Which words of a sentence stand for what it concludes.

use super::condition::is_generic;
use crate::parity::words::content;

/// A sentence that names the diagnosis comes before one that speaks of what fits it.
pub const NAMES: &[&str] = &[
    "diagnosis is",
    "diagnosis:",
    "diagnosis would be",
    "diagnosis remains",
    "diagnosis of",
    "most likely",
    "answer is",
    "best answer",
    "conclude that",
    "conclusion:",
    "best explained by",
];
pub const FITS: &[&str] = &["speaks for", "points to", "point to", "consistent with", "suggests", "fits"];
/// Before a cue they make it another's: `the differential diagnosis is wide`.
const OTHERS: &[&str] = &["differential", "least", "less", "initial", "alternative", "second", "not the"];

/// What follows is the reason or what is done, not the conclusion.
const REASONS: &[&str] = &[
    " because",
    " given",
    " since ",
    ", as ",
    ", so ",
    "; ",
    ", which",
    ", with",
    ", based",
    " based on",
    ", and i ",
    ", and the ",
    ", supported",
    ", for which",
    " – ",
    " — ",
    ": ",
];
/// The words of a sentence that stand for its conclusion: after its last cue and before the reasons; or before it, `gout is most likely`.
pub fn said<'a>(sentence: &'a str, cues: &[&str]) -> Option<&'a str> {
    let cue = cues.iter().filter_map(|cue| Some((whole(sentence, cue)?, cue.len())));
    let (at, length) = cue.max_by_key(|(at, length)| at + length)?;
    let before = &sentence[..at];
    if OTHERS.iter().any(|it| before.trim_end().ends_with(it)) {
        return None;
    }
    let after = &sentence[at + length..];
    let end = REASONS.iter().filter_map(|it| after.find(it)).filter(|at| *at > 0).min().unwrap_or(after.len());
    let names = |text: &str| content(text).iter().any(|word| !is_generic(word));
    if names(&after[..end]) {
        return Some(&after[..end]);
    }
    let from = [", ", " that ", "therefore ", "thus "].iter().filter_map(|it| Some(before.rfind(it)? + it.len())).max();
    Some(&before[from.unwrap_or(0)..]).filter(|it| names(it))
}

/// Where words stand in a text as whole words.
pub fn whole(text: &str, part: &str) -> Option<usize> {
    let ends = |at: usize| {
        let after = text[at + part.len()..].chars().next();
        part.ends_with(' ') || after.is_none_or(|c| !c.is_alphanumeric())
    };
    let begins = |at: usize| text[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
    text.match_indices(part).map(|(at, _)| at).find(|at| begins(*at) && ends(*at))
}
