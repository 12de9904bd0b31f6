//! Whether a rewrite changed one sentence and nothing else.

/// The old and the new sentence, if exactly one was exchanged for exactly one.
pub(super) fn one_changed<'a>(before: &'a str, after: &'a str) -> Option<(&'a str, &'a str)> {
    let (old, new) = (sentences(before), sentences(after));
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    match (&old[head..old.len() - tail], &new[head..new.len() - tail]) {
        ([old], [new]) => Some((old.trim(), new.trim())),
        _ => None,
    }
}

/// Sentences with the space that follows them, so that they add up to the text.
pub(in super::super) fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((_, c)) = chars.next() {
        let ends =
            c == '\n' || (matches!(c, '.' | '!' | '?') && chars.peek().is_none_or(|(_, next)| next.is_whitespace()));
        // An abbreviation such as "Dr." is followed by a space too; splitting there does no harm, because both texts
        // are split alike.
        if ends {
            while chars.peek().is_some_and(|(_, next)| next.is_whitespace()) {
                chars.next();
            }
            let end = chars.peek().map_or(text.len(), |(at, _)| *at);
            sentences.push(&text[start..end]);
            start = end;
        }
    }
    if start < text.len() {
        sentences.push(&text[start..]);
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    const STORY: &str = "I am a man of 40. My father had clots. I cough. My pain is 7.5 of 10.";

    #[test]
    fn one_sentence_for_one_is_found() {
        let after = "I am a man of 40. I smoke. I cough. My pain is 7.5 of 10.";
        assert_eq!(one_changed(STORY, after), Some(("My father had clots.", "I smoke.")));
    }

    #[test]
    fn a_second_change_is_noticed() {
        assert_eq!(one_changed(STORY, "I am a man of 41. I smoke. I cough. My pain is 7.5 of 10."), None);
    }

    #[test]
    fn nothing_changed_is_no_rewrite() {
        assert_eq!(one_changed(STORY, STORY), None);
    }

    #[test]
    fn a_sentence_more_is_noticed() {
        assert_eq!(one_changed(STORY, &format!("{STORY} I smoke.")), None);
    }

    #[test]
    fn sentences_add_up_to_the_text() {
        assert_eq!(sentences(STORY).concat(), STORY);
        assert_eq!(sentences(STORY).len(), 4);
    }
}
