//! Verbs that must follow when he or she becomes they (specs: 8.3).

use crate::token::Text;
use crate::words::WordList;
use crate::words::function::{
    is_adverb, is_conjunction, is_determiner, is_particle, is_possessive, is_preposition, is_pronoun, is_subordinator,
};
use crate::words::gendered::{Pronoun, pronoun};
use crate::words::verbs::{follows_has, is_also_a_noun, is_clear_singular, never_a_verb, plural};

#[derive(Debug, Default)]
pub(crate) struct Agreement {
    /// (token, its new form)
    pub changes: Vec<(usize, String)>,
    /// Places where the rule does not know.
    pub unsure: Vec<(usize, &'static str)>,
}

/// What the verbs of the subject at a place become.
pub(crate) fn agree(text: &Text<'_>, at: usize) -> Agreement {
    let mut found = Agreement::default();
    // `he's`, `she'd`: the verb is in the pronoun itself.
    let contracted = text.word(at).contains('\'');
    let verb = if contracted { Some(at) } else { verb_after(text, at, &mut found) };
    match verb {
        Some(place) if !contracted => {
            let changed = change(text, place, &mut found);
            if !changed {
                invert(text, at, &mut found);
            }
        }
        Some(_) => {}
        None if invert(text, at, &mut found) => {}
        None if matches!(text.before(at, 1), "than" | "as" | "be" | "and" | "or") => {}
        None => found.unsure.push((at, "no verb found for `they`: read the sentence")),
    }
    if let Some(place) = verb {
        // `pain that worsens when he walks and eases when he rests`: what follows may be the verb of what stands before.
        let nested = at.checked_sub(1).is_some_and(|before| is_subordinator(text.word(before)));
        coordinate(text, place, nested, &mut found);
    }
    found
}

/// `they're` or `they've` for `he's`.
pub(crate) fn contraction(text: &Text<'_>, at: usize) -> &'static str {
    let next = (at + 1..text.len()).find(|&place| !is_adverb(text.word(place)));
    if next.is_some_and(|next| follows_has(text.word(next))) { "they've" } else { "they're" }
}

fn change(text: &Text<'_>, at: usize, found: &mut Agreement) -> bool {
    let word = text.word(at);
    if never_a_verb(word) {
        return false;
    }
    match plural(word) {
        Some(new) => {
            found.changes.push((at, new));
            true
        }
        None => false,
    }
}

/// The first word after a subject that can be its verb.
fn verb_after(text: &Text<'_>, at: usize, found: &mut Agreement) -> Option<usize> {
    let mut place = at + 1;
    while text.same_sentence(at, place) {
        let word = text.word(place);
        if matches!(word, "," | "\u{2014}" | "\u{2013}" | "-" | "(") {
            if text.word(place + 1) == "who" && !never_a_verb(text.word(place + 2)) {
                change(text, place + 2, found);
            }
            place = closing(text, place)? + 1;
        } else if text.is_mark(place) {
            return None;
        } else if let Some(verb) = hyphened_verb(text, place) {
            return Some(verb);
        } else if is_adverb(word) || (matches!(word, "who" | "that") && follows_it_is(text, at)) {
            place += 1;
        } else if matches!(word, "and" | "or") || is_preposition(word) {
            return compound(text, at, place);
        } else {
            return Some(skip_stray(text, place));
        }
    }
    None
}

/// `self-medicates`: the last part is the verb.
fn hyphened_verb(text: &Text<'_>, at: usize) -> Option<usize> {
    let mut place = at;
    while place < at + 6 && text.word(place + 1) == "-" && text.touches_next(place) && text.touches_next(place + 1) {
        place += 2;
    }
    let word = text.word(place);
    (place > at && plural(word).is_some() && !never_a_verb(word)).then_some(place)
}

/// `and double-checks.`, `and never binge-drinks`: a first half that verbs have, so that the second is no noun; not `night-sweats`.
fn is_half_of_a_verb(text: &Text<'_>, first: usize, at: usize) -> bool {
    at > first && FIRST_HALF.has(text.word(first)) && is_clear_singular(text.word(at)) && text.word(at + 1) != "of"
}

/// `he and his wife are`: the verb has its number already.
fn compound(text: &Text<'_>, at: usize, from: usize) -> Option<usize> {
    (from..from + 8)
        .take_while(|&place| text.same_sentence(at, place))
        .find(|&place| matches!(text.word(place), "are" | "were" | "have" | "do"))
}

/// An adverb the list does not know, before a verb that is clear.
fn skip_stray(text: &Text<'_>, place: usize) -> usize {
    let next = text.word(place + 1);
    let stray = plural(text.word(place)).is_none() && matches!(next, "is" | "was" | "has" | "does");
    if stray && !matches!(text.word(place), "had" | "did") && !text.word(place).ends_with("ed") {
        place + 1
    } else {
        place
    }
}

/// The mark that ends what the mark at a place began.
fn closing(text: &Text<'_>, open: usize) -> Option<usize> {
    let close = if text.word(open) == "(" { ")" } else { text.word(open) };
    (open + 1..open + 25).take_while(|&place| text.same_sentence(open, place)).find(|&place| text.word(place) == close)
}

/// `does he`, `nor is she`: the auxiliary stands before the subject.
fn invert(text: &Text<'_>, at: usize, found: &mut Agreement) -> bool {
    let Some(place) = at.checked_sub(1).filter(|&place| text.same_sentence(place, at)) else { return false };
    if !matches!(text.word(place), "is" | "was" | "has" | "does" | "isn't" | "wasn't" | "hasn't" | "doesn't") {
        return false;
    }
    if follows_it_is(text, at) {
        return true;
    }
    change(text, place, found)
}

/// `It is she who smokes`: the verb before is that of `it`, the one behind `who` hers.
fn follows_it_is(text: &Text<'_>, at: usize) -> bool {
    text.before(at, 2) == "it" && matches!(text.before(at, 1), "is" | "was" | "isn't" | "wasn't")
}

/// `drinks daily and smokes`: further verbs of the same subject.
fn coordinate(text: &Text<'_>, verb: usize, nested: bool, found: &mut Agreement) {
    let mut place = verb + 1;
    let mut below = false;
    // The last verb of those that stand alone: `runs, walks and hikes`.
    let mut bare = verb;
    while text.same_sentence(verb, place) {
        let word = text.word(place);
        if matches!(word, ";" | ":") || pronoun_subject(word) {
            return;
        }
        if matches!(word, "and" | "or" | "but" | "then" | "nor" | ",") {
            let first = after_adverbs(text, place + 1);
            let next = hyphened_verb(text, first).unwrap_or(first);
            let listed = place == bare + 1 && !nested && !below && ends_an_item(text, next);
            let directly = place == verb + 1 && word != ",";
            // `and so does his brother`
            if text.before(next, 1) == "so" && next > place + 1 {
                return;
            }
            if text.same_sentence(verb, next)
                && (is_verb_here(text, next)
                    || is_verb_by_place(text, next, word, directly)
                    || is_one_of_verbs(text, next)
                    || is_half_of_a_verb(text, first, next)
                    || listed && is_clear_singular(text.word(next)))
            {
                let anothers = nested && !is_clear_singular(text.word(next));
                if anothers || below && word != "but" {
                    found.unsure.push((next, "whose verb this is is not sure: left as it is"));
                    return;
                }
                change(text, next, found);
                bare = next;
                place = next + 1;
                continue;
            }
            let may_be_verb = plural(text.word(next)).is_some() && !never_a_verb(text.word(next));
            if listed && word == "," && may_be_verb && text.same_sentence(verb, next) {
                found.unsure.push((next, "could be a verb of `they`: left as it is"));
            }
            below = below && word != ",";
        } else if is_subordinator(word)
            && !matches!(word, "as" | "than" | "once" | "how" | "what" | "why" | "whether")
            && !is_participle(text.word(place + 1))
        {
            below = true;
        } else if !below && is_clear_singular(word) && !is_also_a_noun(word) && place > verb + 1 {
            // A verb without a conjunction before it has a subject of its own.
            return;
        }
        place += 1;
    }
}

fn ends_an_item(text: &Text<'_>, at: usize) -> bool {
    matches!(text.word(at + 1), "," | ";" | "." | "and" | "or" | "")
}

/// `while walking`, `when asked`: no clause of its own.
fn is_participle(word: &str) -> bool {
    word.len() > 4 && (word.ends_with("ing") || word.ends_with("ed"))
}

fn after_adverbs(text: &Text<'_>, from: usize) -> usize {
    let mut place = from;
    // A dozen of them in a row are no language; and the time stays linear.
    while place < from + 12
        && (matches!(text.word(place), "and" | "or" | "but" | "then" | ",")
            || (is_adverb(text.word(place)) && !text.is_mark(place)))
    {
        place += 1;
    }
    place
}

fn pronoun_subject(word: &str) -> bool {
    pronoun(word).is_some_and(|(kind, _)| kind == Pronoun::Subject)
        || matches!(word, "it" | "it's" | "they" | "we" | "i" | "you")
}

/// A form in -s that no list has: told by what stands around it.
fn is_verb_by_place(text: &Text<'_>, at: usize, conjunction: &str, directly: bool) -> bool {
    let (word, next) = (text.word(at), text.word(at + 1));
    if plural(word).is_none() || never_a_verb(word) || text.is_mark(at) {
        return false;
    }
    let leads =
        is_determiner(next) || matches!(next, "his" | "her" | "their" | "him" | "them" | "it") || is_particle(next);
    matches!(conjunction, "but" | "then") || directly || leads
}

/// `appears tired, sits, and complains`: a bare word in -s between commas, before a verb that is clear.
fn is_one_of_verbs(text: &Text<'_>, at: usize) -> bool {
    let last = after_adverbs(text, at + 1);
    let listed = last > at + 1 && text.same_sentence(at, last);
    let clear = |word: &str| is_clear_singular(word) && !is_also_a_noun(word);
    listed && is_clear_singular(text.word(at)) && clear(text.word(last))
}

fn is_verb_here(text: &Text<'_>, at: usize) -> bool {
    let word = text.word(at);
    if !is_clear_singular(word) {
        return false;
    }
    if !is_also_a_noun(word) {
        return true;
    }
    // `and never exercises`, `and often drinks`; but `fever, often sweats`
    let how_often = text.before(at, 1);
    let joined = matches!(text.before(at, 2), "and" | "or" | "but" | "then");
    if NEVER.has(how_often) || (joined && OFTEN.has(how_often)) {
        return true;
    }
    let next = text.word(at + 1);
    let takes_object = is_determiner(next)
        || is_possessive(next)
        || is_pronoun(next)
        || is_adverb(next)
        || text.is_number(at + 1) && !text.is_mark(at + 1);
    if is_symptom(word) {
        return takes_object;
    }
    let ends = text.is_mark(at + 1)
        || !text.same_sentence(at, at + 1)
        || is_conjunction(next) && next != "that" && next != "as";
    takes_object || !ends && next != "of"
}

/// More often what a patient has than what a patient does.
fn is_symptom(word: &str) -> bool {
    SYMPTOM.has(word)
}

static FIRST_HALF: WordList = WordList::new("double triple cross self chain binge");
static NEVER: WordList = WordList::new("never always rarely seldom");
static OFTEN: WordList = WordList::new("often sometimes usually occasionally frequently");

static SYMPTOM: WordList = WordList::new(
    "sweats coughs sneezes wheezes itches bleeds falls faints collapses scratches bites fears worries cries grunts \
     supplements bruises aches",
);
