//! The question at the end of a story.

use crate::token::Text;

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

fn begins_a_question(text: &Text<'_>, at: usize) -> bool {
    matches!(text.word(at), "which" | "what" | "why" | "how" | "where" | "when" | "who")
}
