//! A text as words and marks, each with its place, so that everything between them stays as it is.

use crate::Span;
use crate::words::WordList;

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub span: Span,
    /// In small letters, with a straight apostrophe.
    pub lower: String,
    pub kind: Kind,
    /// Counted from 0.
    pub sentence: usize,
    /// The first token of its sentence.
    pub opening: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Number,
    Mark,
}

pub(crate) struct Text<'t> {
    pub source: &'t str,
    pub tokens: Vec<Token>,
}

impl<'t> Text<'t> {
    pub fn new(source: &'t str) -> Self {
        let mut tokens = split(source);
        number_sentences(source, &mut tokens);
        Self { source, tokens }
    }

    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The word at a place in small letters; empty beyond the ends.
    pub fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.lower.as_str())
    }

    /// The word `back` places before; empty beyond the start.
    pub fn before(&self, at: usize, back: usize) -> &str {
        at.checked_sub(back).map_or("", |at| self.word(at))
    }

    pub fn written(&self, at: usize) -> &'t str {
        self.tokens[at].span.of(self.source)
    }

    pub fn is_mark(&self, at: usize) -> bool {
        self.tokens.get(at).is_none_or(|token| token.kind == Kind::Mark)
    }

    pub fn is_number(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Kind::Number)
    }

    pub fn same_sentence(&self, a: usize, b: usize) -> bool {
        match (self.tokens.get(a), self.tokens.get(b)) {
            (Some(a), Some(b)) => a.sentence == b.sentence,
            _ => false,
        }
    }

    /// No white space between this token and the next.
    pub fn touches_next(&self, at: usize) -> bool {
        match (self.tokens.get(at), self.tokens.get(at + 1)) {
            (Some(this), Some(next)) => this.span.end == next.span.start,
            _ => false,
        }
    }

    pub fn sentence_start(&self, at: usize) -> usize {
        self.tokens[at].opening
    }
}

fn split(source: &str) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(source.len() / 5);
    let mut chars = source.char_indices().peekable();
    while let Some((start, first)) = chars.next() {
        if first.is_whitespace() {
            continue;
        }
        let mut end = start + first.len_utf8();
        let kind = if first.is_alphanumeric() {
            while let Some(&(at, next)) = chars.peek() {
                let joins = next.is_alphanumeric()
                    || (is_apostrophe(next)
                        && source[at + next.len_utf8()..].chars().next().is_some_and(char::is_alphabetic));
                if !joins {
                    break;
                }
                end = at + next.len_utf8();
                chars.next();
            }
            if source[start..end].bytes().all(|byte| byte.is_ascii_digit()) { Kind::Number } else { Kind::Word }
        } else {
            Kind::Mark
        };
        let lower = source[start..end].to_lowercase().replace('\u{2019}', "'");
        tokens.push(Token { span: Span { start, end }, lower, kind, sentence: 0, opening: 0 });
    }
    tokens
}

fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '\u{2019}')
}

fn number_sentences(source: &str, tokens: &mut [Token]) {
    let (mut sentence, mut opening) = (0, 0);
    for at in 0..tokens.len() {
        tokens[at].sentence = sentence;
        tokens[at].opening = opening;
        let Some(next) = tokens.get(at + 1) else { break };
        let gap = &source[tokens[at].span.end..next.span.start];
        if gap.contains('\n') || (!gap.is_empty() && ends_sentence(source, tokens, at)) {
            sentence += 1;
            opening = at + 1;
        }
    }
}

fn ends_sentence(source: &str, tokens: &[Token], at: usize) -> bool {
    let closes = |at: usize| matches!(tokens[at].lower.as_str(), ")" | "\"" | "\u{201d}" | "'");
    let stop = if closes(at) && at > 0 { at - 1 } else { at };
    let next_is_small = tokens[at + 1].span.of(source).chars().next().is_some_and(char::is_lowercase);
    match tokens[stop].lower.as_str() {
        "!" | "?" => true,
        "." => !next_is_small && !stop.checked_sub(1).is_some_and(|before| is_abbreviation(&tokens[before].lower)),
        _ => false,
    }
}

fn is_abbreviation(word: &str) -> bool {
    ABBREVIATION.has(word)
}

static ABBREVIATION: WordList = WordList::new("dr mr mrs ms mx st vs prof approx jr sr fig");

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(source: &str) -> usize {
        Text::new(source).tokens.last().map_or(0, |last| last.sentence + 1)
    }

    #[test]
    fn a_title_ends_no_sentence() {
        assert_eq!(sentences("Mr. Smith saw Dr. Lee. He is well."), 2);
    }

    #[test]
    fn a_decimal_and_a_dotted_abbreviation_end_no_sentence() {
        assert_eq!(sentences("A 28 y.o. woman has a creatinine of 1.2 mg/dL (N: 0.6 to 1.2). She is well."), 2);
    }

    #[test]
    fn a_contraction_is_one_word() {
        let text = Text::new("he\u{2019}s 67-years 'old'");
        let words: Vec<_> = text.tokens.iter().map(|token| token.lower.as_str()).collect();
        assert_eq!(words, ["he's", "67", "-", "years", "'", "old", "'"]);
    }
}
