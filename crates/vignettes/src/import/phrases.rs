//! Phrases → places in a text. Case, punctuation and white space may differ; the words may not.

use crate::Span;
use crate::rewrite::patient;
use crate::token::{Kind, Text};
use crate::words::WordList;
use crate::words::function::{
    is_adverb, is_auxiliary, is_conjunction, is_determiner, is_possessive, is_preposition, is_pronoun,
};

/// Where the phrases stand, in order and apart, and which were not found.
pub fn locate(text: &str, phrases: &[&str]) -> (Vec<Span>, Vec<String>) {
    let Located { spans, missing, .. } = located(text, phrases);
    (spans, missing)
}

#[derive(Default)]
pub(super) struct Located {
    pub spans: Vec<Span>,
    pub missing: Vec<String>,
    /// Those that stand where another does already, with the place of that.
    pub on_others: Vec<(String, Span)>,
}

pub(super) fn located(text: &str, phrases: &[&str]) -> Located {
    let words = Words::new(text);
    let mut found = Located::default();
    let mut cursor = 0;
    for phrase in phrases {
        let wanted = Words::new(phrase);
        let Some(at) = words.find(&wanted, cursor).or_else(|| words.find(&wanted, 0)) else {
            found.missing.push((*phrase).to_owned());
            continue;
        };
        let span = whole_words(text, words.span(at, at + wanted.lower.len() - 1));
        cursor = at;
        match found.spans.iter().find(|other| span.end > other.start && other.end > span.start) {
            Some(other) => found.on_others.push(((*phrase).to_owned(), *other)),
            None => found.spans.push(span),
        }
    }
    found.spans.sort();
    found
}

/// How often a phrase stands in a text.
pub(crate) fn times_told(text: &str, phrase: &str) -> usize {
    let (words, wanted) = (Words::new(text), Words::new(phrase));
    let mut from = 0;
    std::iter::from_fn(|| {
        let at = words.find(&wanted, from)?;
        from = at + wanted.lower.len();
        Some(at)
    })
    .count()
}

/// The longest run of words of a statement that the text has too: where a fact told in other words stands. `words` are the text's.
pub(super) fn locate_fact(text: &str, words: &Words, fact: &str) -> Option<Span> {
    let fact = Words::new(fact);
    let mut best: Option<(usize, usize, usize)> = None;
    for at in 0..words.lower.len() {
        for from in 0..fact.lower.len() {
            let run = (0..)
                .take_while(|&n| words.lower.get(at + n).is_some_and(|word| fact.lower.get(from + n) == Some(word)))
                .count();
            let told = (at..at + run).filter(|&place| tells_something(&words.lower[place])).count();
            if told > 0 && best.is_none_or(|(most, ..)| told > most) {
                best = Some((told, at, run));
            }
        }
    }
    let (told, at, run) = best?;
    let whole = fact.lower.iter().filter(|word| tells_something(word)).count();
    if told < 2 && told * 2 < whole {
        return None;
    }
    let idle = |place: &usize| !tells_something(&words.lower[*place]) && words.lower[*place] != "no";
    let first = (at..at + run).find(|place| !idle(place))?;
    let last = (first..at + run).rev().find(|place| !idle(place))?;
    Some(whole_words(text, words.span(first, last)))
}

/// Up to white space, so that `36` of `36.6°C (97.9°F)` or `ray` of `X-ray` is not torn off; brackets are closed.
fn whole_words(text: &str, span: Span) -> Span {
    let start = text[..span.start].trim_end_matches(|letter: char| !letter.is_whitespace()).len();
    let start = start + text[start..span.start].len()
        - text[start..span.start].trim_start_matches(['(', '"', '\'', '\u{201c}']).len();
    let run = text[span.end..].find(char::is_whitespace).unwrap_or(text.len() - span.end);
    let end = span.end
        + text[span.end..span.end + run].trim_end_matches(['.', ',', ';', ':', '?', '!', '"', '\'', '\u{201d}']).len();
    let Span { start, end } = with_its_quotes(text, Span { start, end });
    let open = text[start..end].matches('(').count();
    let closed = text[start..end].matches(')').count();
    if open > closed {
        let close = text[end..].char_indices().take(60).find(|(_, letter)| *letter == ')').map(|(at, _)| end + at + 1);
        let before = text[start..end].rfind('(').map_or(end, |at| start + text[start..start + at].trim_end().len());
        return Span { start, end: close.unwrap_or(before) };
    }
    let torn = open < closed && text[..end].ends_with(')');
    Span { start, end: if torn { end - 1 } else { end } }
}

/// Of `said "help"` the last quote is no less a part than the first; around all of it they belong to nobody.
fn with_its_quotes(text: &str, Span { mut start, mut end }: Span) -> Span {
    let behind = |end: usize, close: char| {
        let rest = &text[end..];
        let quote = rest.trim_start_matches(['.', ',', ';', ':', '?', '!']);
        quote.starts_with(close).then(|| end + rest.len() - quote.len() + close.len_utf8())
    };
    for (open, close) in [('"', '"'), ('\u{201c}', '\u{201d}'), ('\'', '\'')] {
        let within = &text[start..end];
        // Within a word it is an apostrophe.
        let opens = |(at, _): &(usize, &str)| within[..*at].ends_with([' ', '(']) || *at == 0;
        let closes =
            |(at, _): &(usize, &str)| *at > 0 && !within[at + close.len_utf8()..].starts_with(char::is_alphanumeric);
        let opened = within.match_indices(open).filter(opens).count();
        let closed = within.match_indices(close).filter(|it| !opens(it)).filter(closes).count();
        if opened > closed {
            end = behind(end, close).unwrap_or(end);
        } else if opened < closed && close != '\'' && text[..start].ends_with(open) {
            start -= open.len_utf8();
        }
    }
    Span { start, end }
}

/// Without the words that say who the patient is: they are nobody's finding.
pub(crate) fn without_introduction(text: &str, mut spans: Vec<Span>) -> Vec<Span> {
    let words = Text::new(text);
    let named = patient::find(&words).named;
    if let (Some(first), Some(last)) =
        (words.tokens.get(named.start), named.end.checked_sub(1).and_then(|last| words.tokens.get(last)))
        && !named.is_empty()
    {
        spans.retain(|span| span.end <= first.span.start || last.span.end <= span.start);
    }
    spans
}

/// Phrases a story could do without: only function words, or words every story has.
pub(crate) fn says_little(phrase: &str) -> bool {
    Words::new(phrase).lower.iter().all(|word| !tells_something(word))
}

/// Keeps the longest where there are too many.
pub(crate) fn at_most(mut spans: Vec<Span>, max: Option<usize>) -> Vec<Span> {
    if let Some(max) = max {
        spans.sort_by_key(|span| (std::cmp::Reverse(span.end - span.start), span.start));
        spans.truncate(max);
        spans.sort();
    }
    spans
}

fn tells_something(word: &str) -> bool {
    let function = is_preposition(word)
        || is_conjunction(word)
        || is_determiner(word)
        || is_pronoun(word)
        || is_auxiliary(word)
        || is_possessive(word)
        || is_adverb(word);
    let general = TELLS_SOMETHING.has(word);
    !function && !general && word.len() > 1
}

pub(super) struct Words {
    lower: Vec<String>,
    spans: Vec<Span>,
}

impl Words {
    pub(super) fn new(text: &str) -> Self {
        let tokens = Text::new(text).tokens;
        let kept = tokens.into_iter().filter(|token| token.kind != Kind::Mark);
        let (lower, spans) = kept.map(|token| (token.lower, token.span)).unzip();
        Self { lower, spans }
    }

    fn find(&self, wanted: &Self, from: usize) -> Option<usize> {
        let n = wanted.lower.len();
        if n == 0 {
            return None;
        }
        (from..=self.lower.len().checked_sub(n)?).find(|&at| self.lower[at..at + n] == wanted.lower[..])
    }

    fn span(&self, first: usize, last: usize) -> Span {
        Span { start: self.spans[first].start, end: self.spans[last].end }
    }
}

static TELLS_SOMETHING: WordList = WordList::new(
    "patient patient's physician doctor examination following comes presents brought shows reveals reports history \
     year years old man woman boy girl male female likely diagnosis medical past emergency department clinic hospital \
     most states studies laboratory period attends returned",
);
