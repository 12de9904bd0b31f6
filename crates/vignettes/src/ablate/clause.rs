//! Clauses: where they begin and end, and how one goes that has lost what it was for.

use super::repair::Hole;
use super::words::is_finite;
use crate::rewrite::patient::age_at;
use crate::token::Text;
use crate::words::function::{is_adverb, is_determiner, is_possessive};
use crate::words::gendered::gendered;

/// A comma between words; not the one in 15,200.
pub(super) fn is_comma(text: &Text<'_>, at: usize) -> bool {
    text.word(at) == "," && !text.touches_next(at)
}

pub(super) fn is_comma_or_word(text: &Text<'_>, at: usize) -> bool {
    !text.is_mark(at) || is_comma(text, at)
}

/// Whether a clause with its own subject follows the connector at a place.
pub(super) fn begins(text: &Text<'_>, connector: usize, to: usize) -> bool {
    let mut at = connector;
    while at < to && (is_connector(text.word(at)) || is_adverb(text.word(at))) {
        at += 1;
    }
    if matches!(text.word(at), "he" | "she" | "they" | "it" | "there" | "which" | "who" | "i" | "we") {
        return true;
    }
    if is_finite(text, at) {
        return false;
    }
    // `and his pulse is …`: a verb comes before the next connector; `her eyes and nose itch` is one subject.
    let mut subjects = usize::from(is_possessive(text.word(at)) || is_determiner(text.word(at)));
    let words = (at..to.min(at + 12)).take_while(|&place| {
        let joins = text.word(place) == "and" && subjects > 0;
        subjects -= usize::from(joins);
        joins
            || !is_comma(text, place)
                && !matches!(
                    text.word(place),
                    "and"
                        | "or"
                        | ";"
                        | "."
                        | "when"
                        | "that"
                        | "which"
                        | "who"
                        | "while"
                        | "because"
                        | "since"
                        | "after"
                        | "if"
                )
    });
    words.collect::<Vec<_>>().into_iter().skip(1).any(|place| is_finite(text, place) && text.before(place, 1) != "and")
}

fn is_connector(word: &str) -> bool {
    matches!(word, "," | "and" | "but" | "or" | "so" | "while" | "although" | "because")
}

/// Where the clause of the hole begins.
pub(super) fn start(hole: &Hole<'_, '_>) -> usize {
    boundary_left(hole).map_or(hole.from, |at| at + 1)
}

fn boundary_left(hole: &Hole<'_, '_>) -> Option<usize> {
    let text = hole.text;
    (hole.from..hole.cut.0).rev().find(|&at| match text.word(at) {
        ";" | "because" | "while" | "although" => true,
        "and" | "but" => begins(text, at, hole.cut.1 + 1),
        // `Her temperature is 37.9°C, her respirations are [58/min]`
        "," => is_comma(text, at) && is_possessive(text.word(at + 1)) && begins(text, at, hole.cut.1 + 1),
        _ => false,
    })
}

/// `has [fever] for three days and cough`: the connector up to which the finding takes its company along.
pub(super) fn connector_after(hole: &Hole<'_, '_>) -> Option<usize> {
    let text = hole.text;
    let at = (hole.cut.1 + 1..hole.to).find(|&at| is_comma(text, at) || matches!(text.word(at), "and" | "or" | ";"))?;
    if text.word(at) == ";" || begins(text, at, hole.to) {
        return None;
    }
    let both = text.word(at) == "," && matches!(text.word(at + 1), "and" | "or");
    let connector = if both { at + 1 } else { at };
    (!is_finite(text, connector + 1) && !is_adverb(text.word(connector + 1))).then_some(connector)
}

/// Takes out the clause around the hole, or the whole sentence where it is all there is.
pub(super) fn drop_clause(hole: &mut Hole<'_, '_>) {
    let text = hole.text;
    let left = boundary_left(hole);
    let right = (hole.cut.1 + 1..hole.to).find(|&at| {
        text.word(at) == ";"
            || ((is_comma(text, at) || matches!(text.word(at), "and" | "but" | "while" | "although"))
                && begins(text, at, hole.to))
    });
    // The sentence that says who the patient is stays.
    let introduces =
        hole.from == 0 && (0..hole.cut.0).any(|at| age_at(text, at).is_some() || gendered(text.word(at)).is_some());
    let left = left.or_else(|| if introduces { attached(hole) } else { None });
    match (left, right) {
        (None, _) if introduces => {}
        (None, None) => hole.cut = (hole.from, hole.to - 1),
        (Some(left), None) => {
            let stop = hole.to - usize::from(text.is_mark(hole.to - 1));
            let comma = usize::from(left > hole.from && text.word(left - 1) == ",");
            hole.cut = (left - comma, stop - 1);
        }
        (None, Some(right)) => hole.cut = (hole.from, last_connector(text, right, hole.to)),
        // `because [he coughs] and he wheezes`: the first connector leads to what is left.
        (Some(left), Some(right)) if text.word(left) == "because" => {
            hole.cut = (left + 1, last_connector(text, right, hole.to))
        }
        (Some(left), Some(right)) => hole.cut = (left, right - 1),
    }
}

/// `…, who found that [he could not move]`: where the part with the hole is attached.
fn attached(hole: &Hole<'_, '_>) -> Option<usize> {
    let text = hole.text;
    (hole.from..hole.cut.0)
        .rev()
        .find(|&at| matches!(text.word(at), "who" | "which" | "with" | "because" | "after" | "for"))
}

fn last_connector(text: &Text<'_>, from: usize, to: usize) -> usize {
    let mut end = from;
    while end + 1 < to && matches!(text.word(end + 1), "and" | "but" | "while" | "although") {
        end += 1;
    }
    end
}
