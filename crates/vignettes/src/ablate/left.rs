//! Whether what is left around a hole still reads as a sentence: looked at anew, apart from the rules that mended it.
//!
//! Better a sentence too many to read than a broken one that counts as clean.

use super::clause::is_comma;
use super::words::{is_finite, needs_object};
use crate::token::Text;
use crate::words::WordList;
use crate::words::function::{is_determiner, is_possessive, is_preposition, is_subordinator};
use crate::words::verbs::plural;

/// What is wrong at a place of the new text, in words; `old` is the sentence as it was, for what was odd before is no fault of the hole.
pub(super) fn flaw(new: &str, hole: usize, old: &str) -> Option<String> {
    let (text, old) = (Text::new(new), Text::new(old));
    let right = (0..text.len()).find(|&at| text.tokens[at].span.start >= hole).unwrap_or(text.len());
    let opens = right == 0 || !text.same_sentence(right - 1, right) && text.is_mark(right - 1);
    if !opens {
        return at_seam(&text, right - 1, &old).or_else(|| of_sentence(&text, right - 1, &old));
    }
    let word = text.word(right);
    if matches!(word, "and" | "or" | "nor" | "," | ";" | ":" | ")" | "of" | "than") && old.word(0) != word {
        return Some(format!("the sentence now begins with `{word}`"));
    }
    if right < text.len() { of_sentence(&text, right, &old) } else { None }
}

/// The two words that now stand side by side.
fn at_seam(text: &Text<'_>, left: usize, old: &Text<'_>) -> Option<String> {
    let (word, next) = (text.word(left), text.word(left + 1));
    let stops = left + 1 == text.len() || !text.same_sentence(left, left + 1) || text.is_mark(left + 1) && next != "(";
    let stood = has(old, |at| old.word(at) == word && (old.word(at + 1) == next || stops && at + 1 == old.len()));
    if let Some(flaw) = around_nothing(text, left) {
        return Some(flaw);
    }
    if stood || text.is_number(left) {
        return None;
    }
    // `Na [128], K 5.9`
    let had_a_figure = has(old, |at| old.word(at) == word && old.is_number(at + 1)) && !text.is_number(left + 1);
    let named = !text.is_mark(left) && !is_preposition(word) && !is_determiner(word) && !may_be_verb(text, left);
    if had_a_figure && named && (stops || text.written(left).starts_with(char::is_uppercase)) {
        return Some(format!("`{word}` has lost its figure"));
    }
    // `a sodium of [128], a potassium of 5.9`: the figure of another.
    let figure_of_another = |at: usize| text.word(at) == "of" && text.is_number(at + 1) && text.same_sentence(left, at);
    if word == "of" && had_a_figure && (left + 2..left + 5).any(figure_of_another) {
        return Some(format!("`{} of` has lost its figure", text.before(left, 1)));
    }
    // `relieved by [leaning forward] and worsened by coughing`
    let participle = next.len() > 4 && next.ends_with("ed") && is_preposition(text.word(left + 2));
    if LEADS.has(word) && is_preposition(word) && participle {
        return Some(format!("`{word}` leads to nothing"));
    }
    let joins = matches!(next, "and" | "or" | "nor" | "but");
    let in_the_air = stops || joins || LEADS.has(word) && is_finite(text, left + 1);
    if LEADS.has(word) && (in_the_air || is_preposition(next) && ARTICLES.has(word)) {
        return Some(format!("`{word}` leads to nothing"));
    }
    let waits = WAITS.has(word) && (stops || joins)
        || matches!(word, "not" | "does" | "did") && (stops || is_finite(text, left + 1));
    if waits {
        return Some(format!("nothing follows `{word}` any more"));
    }
    let goes_on = is_preposition(next) || is_subordinator(next);
    let lasts = matches!(next, "for" | "since" | "over" | "until");
    let is_alone = matches!(word, "is" | "was" | "are" | "were" | "be" | "been") && (stops || joins || lasts);
    if is_alone || needs_object(word) && (stops || joins || goes_on) {
        return Some(format!("`{word}` has lost what it was for"));
    }
    let twice = word == next && !text.is_number(left) && !matches!(word, "had" | "that" | "." | "-");
    twice.then(|| format!("`{word}` stands twice"))
}

/// The sentence with the place as a whole: its verb, and words that come in pairs.
fn of_sentence(text: &Text<'_>, place: usize, old: &Text<'_>) -> Option<String> {
    let from = text.sentence_start(place);
    let to = (place..text.len()).take_while(|&at| text.same_sentence(at, place)).last().map_or(place, |at| at) + 1;
    if ago_twice(text, from, to) && !ago_twice(old, 0, old.len()) {
        return Some("`ago` stands twice".to_owned());
    }
    for (first, second) in [("neither", "nor"), ("both", "and"), ("either", "or"), ("between", "and"), ("only", "but")]
    {
        let pair = |text: &Text<'_>, mut places: std::ops::Range<usize>| {
            places.find(|&at| text.word(at) == first)?;
            // `oedema of both legs, and …` is no pair.
            let near = places.take(6).take_while(|&at| !is_comma(text, at) && !is_finite(text, at));
            Some(near.into_iter().any(|at| text.word(at) == second))
        };
        if pair(text, from..to) == Some(false) && pair(old, 0..old.len()) == Some(true) {
            return Some(format!("`{first}` has lost its `{second}`"));
        }
    }
    let said = (from..to).any(|at| may_be_verb(text, at));
    let was_said = (0..old.len()).any(|at| may_be_verb(old, at));
    (was_said && !said).then(|| "what is left has no verb".to_owned())
}

/// Quotes or brackets with nothing, or nothing but grammar, between them: `"."`, `()`, `(with)`.
fn around_nothing(text: &Text<'_>, left: usize) -> Option<String> {
    let open =
        (left.saturating_sub(1)..=left).rev().find(|&at| matches!(text.word(at), "(" | "[" | "\"" | "\u{201c}"))?;
    let close = match text.word(open) {
        "(" => ")",
        "[" => "]",
        "\"" => "\"",
        _ => "\u{201d}",
    };
    let end = (open + 1..open + 4).find(|&at| text.word(at) == close)?;
    let empty = (open + 1..end).all(|at| text.is_mark(at) || LEADS.has(text.word(at)));
    empty.then(|| format!("`{}` holds nothing any more", text.word(open)))
}

/// `a stroke 3 years ago 2 years ago`
fn ago_twice(text: &Text<'_>, from: usize, to: usize) -> bool {
    let ago = |at: usize| text.word(at) == "ago";
    (from..to).filter(|&at| ago(at)).any(|at| {
        let near = (at + 1..to.min(at + 5)).take_while(|&next| !text.is_mark(next) && text.word(next) != "and");
        near.into_iter().any(ago)
    })
}

/// Forms in -ed, and in -s behind a noun, count wherever they stand: else every verb we do not know would be a false alarm.
fn may_be_verb(text: &Text<'_>, at: usize) -> bool {
    let (word, before) = (text.word(at), text.before(at, 1));
    let behind_noun =
        plural(word).is_some() && !is_determiner(before) && !is_possessive(before) && !is_preposition(before);
    is_finite(text, at)
        || word.len() > 3 && word.ends_with("ed")
        || behind_noun && at > 0 && !text.is_mark(at - 1) && !text.is_number(at - 1)
}

fn has(text: &Text<'_>, is: impl FnMut(usize) -> bool) -> bool {
    (0..text.len()).any(is)
}

static ARTICLES: WordList = WordList::new("a an the no every his their its my our your");

/// Subjects and adverbs that wait for their verb.
static WAITS: WordList = WordList::new(
    "he she they who which when where while recently also always never just only still already primarily mostly mainly usually",
);

/// Words that cannot be the last of a phrase. `in`, `up`, `since`, `her` and the like can.
static LEADS: WordList = WordList::new(
    "a an the no every his their its my our your of with without to from for at by into onto during despite because due until till than \
     between among against per via toward towards including and or nor but although whereas whether if such very",
);
