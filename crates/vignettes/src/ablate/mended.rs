//! A repair that somebody else made: accepted where it takes the finding out and leaves all but its sentence as it is.

use super::{Ablated, ablate};
use crate::rewrite::Edit;
use crate::token::{Kind, Text};
use crate::words::function::{is_auxiliary, is_conjunction, is_determiner, is_possessive, is_preposition, is_pronoun};
use crate::{Span, Vignette};
use std::collections::HashMap;

/// So many words that carry meaning may go beyond those the rules would take.
const SPARE: usize = 2;

/// The vignette without span `n` (from 0) in the words of `text`, its whole story; the error says what is wrong with them.
///
/// # Panics
/// Where the vignette has no such span.
pub fn mended(vignette: &Vignette, n: usize, text: &str) -> Result<Ablated, String> {
    let source = vignette.text.as_str();
    let span = vignette.spans[n];
    let place = sentence_of(source, span);
    let (head, tail) = (&source[..place.start], &source[place.end..]);
    let middle = text.trim().strip_prefix(head.trim()).and_then(|rest| rest.strip_suffix(tail.trim()));
    let sentence = middle.ok_or("a sentence other than that of the finding was changed")?.trim();
    let removed = span.of(source);
    if find(sentence, removed, 0).is_some() {
        return Err(format!("“{removed}” is still there"));
    }
    let new = match sentence {
        "" => format!("{}{}", if tail.trim().is_empty() { head.trim_end() } else { head }, tail.trim_start()),
        sentence => format!("{head}{sentence}{tail}"),
    };
    let outside = format!("{} {}", &source[place.start..span.start], &source[span.end..place.end]);
    if let Some(word) = added(&outside, sentence) {
        return Err(format!("“{word}” was put in, which the sentence did not say"));
    }
    let by_rule = ablate(vignette, n);
    let (kept, kept_by_rule) = (telling(&new), telling(&by_rule.vignette.text));
    if kept + SPARE < kept_by_rule {
        return Err(format!("{} words more than need be are gone", kept_by_rule - kept));
    }
    let mut spans = Vec::new();
    let mut from = 0;
    for other in vignette.spans.iter().copied().filter(|other| *other != span) {
        spans.push(if other.end <= place.start {
            other
        } else if other.start >= place.end {
            let back = |at: usize| new.len() + at - source.len();
            Span { start: back(other.start), end: back(other.end) }
        } else {
            let finding = other.of(source);
            let at = find(sentence, finding, from).ok_or_else(|| format!("“{finding}” must stay as it is"))?;
            from = at + finding.len();
            Span { start: head.len() + at, end: head.len() + from }
        });
    }
    let repairs = vec![Edit { at: place, from: place.of(source).to_owned(), to: sentence.to_owned() }];
    let vignette = Vignette { text: new, spans, ..vignette.clone() };
    Ok(Ablated { vignette, removed: removed.to_owned(), repairs, warnings: Vec::new() })
}

/// The sentence the finding stands in; several where it reaches over their ends.
fn sentence_of(source: &str, span: Span) -> Span {
    let text = Text::new(source);
    let touched: Vec<_> =
        text.tokens.iter().filter(|token| token.span.start < span.end && token.span.end > span.start).collect();
    let (Some(first), Some(last)) = (touched.first(), touched.last()) else { return span };
    let end = text.tokens.iter().rfind(|token| token.sentence == last.sentence).map_or(span.end, |it| it.span.end);
    Span { start: text.tokens[first.opening].span.start, end }
}

/// Small and large letters are the same.
fn find(text: &str, phrase: &str, from: usize) -> Option<usize> {
    let here = |at: &usize| text.get(*at..at + phrase.len()).is_some_and(|it| it.eq_ignore_ascii_case(phrase));
    (from..=text.len().saturating_sub(phrase.len())).find(here)
}

/// The first word that carries meaning and is not, or not as often, among the old ones.
fn added(old: &str, new: &str) -> Option<String> {
    let mut left: HashMap<String, usize> = HashMap::new();
    for token in Text::new(old).tokens {
        *left.entry(token.lower).or_default() += 1;
    }
    let text = Text::new(new);
    let words = text.tokens.iter().filter(|token| token.kind != Kind::Mark && carries(&token.lower));
    let missing = |word: &&str| match left.get_mut(*word) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    words.map(|token| token.lower.as_str()).find(missing).map(str::to_owned)
}

/// How many words carry meaning.
fn telling(text: &str) -> usize {
    Text::new(text).tokens.iter().filter(|token| token.kind != Kind::Mark && carries(&token.lower)).count()
}

fn carries(word: &str) -> bool {
    !(is_determiner(word)
        || is_pronoun(word)
        || is_possessive(word)
        || is_auxiliary(word)
        || is_preposition(word)
        || is_conjunction(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tagged::unmark;

    const STORY: &str = "A man came yesterday. He has <CSC_start>a fever<CSC_end>, <CSC_start>a stiff neck<CSC_end> and a headache. He smokes.";

    fn check(n: usize, text: &str) -> Result<Vec<String>, String> {
        let (story, spans) = unmark(STORY).unwrap();
        let made = mended(&Vignette { text: story, spans, ..Vignette::default() }, n, text)?.vignette;
        assert_eq!(made.text, text);
        Ok(made.spans.iter().map(|span| span.of(&made.text).to_owned()).collect())
    }

    #[test]
    fn a_repair_within_the_sentence_is_accepted_and_the_other_findings_are_found_again() {
        let mended = check(0, "A man came yesterday. He has a stiff neck and a headache. He smokes.");
        assert_eq!(mended, Ok(vec!["a stiff neck".to_owned()]));
        let mended = check(1, "A man came yesterday. He has a fever and also the headache. He smokes.");
        assert!(mended.unwrap_err().contains("“also”"));
        assert!(check(1, "A man came yesterday. He has a fever with a headache. He smokes.").is_ok());
    }

    #[test]
    fn what_changes_more_is_told_and_refused() {
        for (text, told) in [
            ("A man came today. He has a stiff neck and a headache. He smokes.", "another sentence|other than"),
            ("A man came yesterday. He has a fever, a stiff neck and a headache. He smokes.", "still there"),
            ("A man came yesterday. He has a headache. He smokes.", "“a stiff neck” must stay"),
            ("A man came yesterday. He has a stiff neck, a rash and a headache. He smokes.", "“rash” was put in"),
        ] {
            let problem = check(0, text).unwrap_err();
            assert!(told.split('|').any(|it| problem.contains(it)), "{text}: {problem}");
        }
    }

    #[test]
    fn a_sentence_of_which_nothing_is_left_may_go() {
        let (text, spans) = unmark("He is well. There is <CSC_start>a murmur<CSC_end>.\nHe smokes.").unwrap();
        let vignette = Vignette { text, spans, ..Vignette::default() };
        assert_eq!(mended(&vignette, 0, "He is well. He smokes.").unwrap().vignette.text, "He is well. He smokes.");
    }
}
