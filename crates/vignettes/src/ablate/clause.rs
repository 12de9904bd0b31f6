//! Clauses: where they begin and end, and how one goes that has lost what it was for.

use super::repair::Hole;
use crate::token::Text;
use crate::words::function::{is_adverb, is_auxiliary};
use crate::words::verbs::is_clear_singular;

/// Whether a clause with its own subject follows the connector at a place.
pub(super) fn begins(text: &Text<'_>, connector: usize, to: usize) -> bool {
    let mut at = connector;
    while at < to
        && (matches!(text.word(at), "," | "and" | "but" | "or" | "so" | "while" | "although")
            || is_adverb(text.word(at)))
    {
        at += 1;
    }
    if matches!(text.word(at), "he" | "she" | "they" | "it" | "there" | "which" | "who" | "i" | "we") {
        return true;
    }
    // `and his pulse is …`: a verb comes before the next connector.
    let words = (at..to.min(at + 8)).take_while(|&place| !matches!(text.word(place), "," | "and" | "or" | ";" | "."));
    words.skip(1).any(|place| {
        let word = text.word(place);
        matches!(word, "is" | "are" | "was" | "were" | "has" | "had" | "have" | "does")
            || (is_clear_singular(word) && is_auxiliary(text.word(place + 1)))
    })
}

/// `has [fever] for three days and cough`: the connector up to which the finding takes its company along.
pub(super) fn connector_after(hole: &Hole<'_, '_>) -> Option<usize> {
    let text = hole.text;
    let at = (hole.cut.1 + 1..hole.to).find(|&at| matches!(text.word(at), "," | "and" | "or" | ";"))?;
    if text.word(at) == ";" || begins(text, at, hole.to) {
        return None;
    }
    let both = text.word(at) == "," && matches!(text.word(at + 1), "and" | "or");
    Some(if both { at + 1 } else { at })
}

/// Takes out the clause around the hole, or the whole sentence where it is all there is.
pub(super) fn drop_clause(hole: &mut Hole<'_, '_>) {
    let text = hole.text;
    let left = (hole.from..hole.cut.0).rev().find(|&at| {
        text.word(at) == ";"
            || (matches!(text.word(at), "and" | "but" | "so" | "while" | "although" | "because" | "that")
                && begins(text, at, hole.cut.0 + 1))
    });
    let right = (hole.cut.1 + 1..hole.to).find(|&at| {
        text.word(at) == ";"
            || (matches!(text.word(at), "," | "and" | "but" | "while" | "although") && begins(text, at, hole.to))
    });
    match (left, right) {
        (None, None) => hole.cut = (hole.from, hole.to - 1),
        (Some(left), None) => {
            let stop = hole.to - usize::from(text.is_mark(hole.to - 1));
            let comma = usize::from(left > hole.from && text.word(left - 1) == ",");
            hole.cut = (left - comma, stop - 1);
        }
        (None, Some(right)) => {
            let mut end = right;
            while end + 1 < hole.to && matches!(text.word(end + 1), "and" | "but" | "while" | "although") {
                end += 1;
            }
            hole.cut = (hole.from, end);
        }
        (Some(left), Some(right)) => hole.cut = (left, right - 1),
    }
}
