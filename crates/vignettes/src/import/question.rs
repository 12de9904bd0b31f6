//! The question at the end of a story.

use crate::token::Text;
use crate::words::gendered::{gendered, pronoun};

/// Parts the last sentence off where it asks something; else there is no question.
pub(crate) fn split(whole: &str) -> (String, String) {
    let whole = whole.trim().trim_end_matches('"').trim_end();
    let text = Text::new(whole);
    let Some(last) = text.tokens.last() else { return (String::new(), String::new()) };
    let asks = whole.ends_with(['?', ':']) || begins_a_question(&text, text.sentence_start(text.len() - 1));
    let start = text.tokens[text.sentence_start(text.len() - 1)].span.start;
    if !asks || start == 0 || last.span.start == start {
        return (whole.to_owned(), String::new());
    }
    (whole[..start].trim_end().to_owned(), whole[start..].to_owned())
}

/// Whether a text of one sentence asks without telling of anybody: `Which of the following is the most likely diagnosis?`
pub(crate) fn is_all(story: &str) -> bool {
    let text = Text::new(story);
    let one = text.tokens.last().is_some_and(|last| last.sentence == 0);
    let tells = |at: usize| {
        text.is_number(at)
            || pronoun(text.word(at)).is_some()
            || gendered(text.word(at)).is_some()
            || matches!(text.word(at), "a" | "an" | "," | ";")
    };
    one && story.ends_with('?') && begins_a_question(&text, 0) && !(0..text.len()).any(tells)
}

fn begins_a_question(text: &Text<'_>, at: usize) -> bool {
    matches!(text.word(at), "which" | "what" | "why" | "how" | "where" | "when" | "who")
}
