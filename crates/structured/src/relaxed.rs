//! JSON as models write it when they are not careful: trailing commas, single or curly quotes, full-width punctuation, bare keys,
//! comments, line breaks in strings. What is cut off stays unread.

use serde_json::{Map, Number, Value};
use std::iter::Peekable;
use std::str::CharIndices;

/// An object or array may begin with one of these.
pub(crate) const OPENS: [char; 4] = ['{', '[', '｛', '［'];

/// Deeper nesting is nothing anybody asked for.
const DEEPEST: usize = 64;

/// The object or array at the beginning of the text, if there is one, and how many bytes were read.
pub(crate) fn parse(text: &str) -> (Option<Value>, usize) {
    let mut parser = Parser { text, rest: text.char_indices().peekable() };
    let value = parser.value(0);
    (value, parser.place())
}

struct Parser<'a> {
    text: &'a str,
    rest: Peekable<CharIndices<'a>>,
}

impl Parser<'_> {
    fn value(&mut self, depth: usize) -> Option<Value> {
        self.skip_space();
        match self.peek()? {
            '{' | '｛' if depth < DEEPEST => self.object(depth),
            '[' | '［' if depth < DEEPEST => self.array(depth),
            quote if closes(quote).is_some() => self.string().map(Value::String),
            c if c.is_ascii_digit() || "+-.－＋．".contains(c) || ('０'..='９').contains(&c) => self.number(),
            c if c.is_ascii_alphabetic() => self.word_value(),
            _ => None,
        }
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.next();
        let mut fields = Map::new();
        loop {
            self.skip_space();
            if self.take(&['}', '｝']) {
                return Some(Value::Object(fields));
            }
            let key = if closes(self.peek()?).is_some() { self.string()? } else { self.word()? };
            self.skip_space();
            if !self.take(&[':', '：']) {
                return None;
            }
            let value = self.value(depth + 1)?;
            fields.insert(key, value);
            self.skip_space();
            if !self.take(&[',', '，', '；']) && !matches!(self.peek(), Some('}' | '｝')) {
                return None;
            }
        }
    }

    fn array(&mut self, depth: usize) -> Option<Value> {
        self.next();
        let mut items = Vec::new();
        loop {
            self.skip_space();
            if self.take(&[']', '］']) {
                return Some(Value::Array(items));
            }
            items.push(self.value(depth + 1)?);
            self.skip_space();
            if !self.take(&[',', '，', '、', '；']) && !matches!(self.peek(), Some(']' | '］')) {
                return None;
            }
        }
    }

    /// A quote ends the string only where something follows that may follow a string; other quotes belong to it.
    fn string(&mut self) -> Option<String> {
        let (_, quote) = self.rest.next()?;
        let closing = closes(quote)?;
        let mut string = String::new();
        loop {
            match self.rest.next()?.1 {
                '\\' => self.escape(&mut string)?,
                c if closing.contains(c) && self.string_may_end() => return Some(string),
                c => string.push(c),
            }
        }
    }

    fn string_may_end(&self) -> bool {
        let mut ahead = self.rest.clone().map(|(_, c)| c).skip_while(|c| c.is_whitespace());
        ahead.next().is_none_or(|c| ",:}]，：｝］、；/".contains(c))
    }

    fn escape(&mut self, string: &mut String) -> Option<()> {
        match self.rest.next()?.1 {
            'n' => string.push('\n'),
            't' => string.push('\t'),
            'r' => string.push('\r'),
            'b' => string.push('\u{8}'),
            'f' => string.push('\u{c}'),
            'u' => string.push(self.unicode()?),
            c @ ('"' | '\'' | '\\' | '/') => string.push(c),
            // No escape at all: `\alpha`.
            c => string.extend(['\\', c]),
        }
        Some(())
    }

    fn unicode(&mut self) -> Option<char> {
        let high = self.four_digits()?;
        if !(0xD800..0xDC00).contains(&high) {
            return char::from_u32(high);
        }
        if self.rest.next()?.1 != '\\' || self.rest.next()?.1 != 'u' {
            return None;
        }
        let low = self.four_digits()?.checked_sub(0xDC00)?;
        char::from_u32(0x10000 + ((high - 0xD800) << 10) + low)
    }

    fn four_digits(&mut self) -> Option<u32> {
        (0..4).try_fold(0, |sum, _| Some(16 * sum + self.rest.next()?.1.to_digit(16)?))
    }

    fn number(&mut self) -> Option<Value> {
        let mut digits = String::new();
        while let Some(c) = self.peek().map(narrow)
            && (c.is_ascii_digit() || "+-.eE".contains(c))
        {
            digits.push(c);
            self.next();
        }
        let digits = digits.strip_prefix('+').unwrap_or(&digits);
        if let Ok(whole) = digits.parse::<i64>() {
            return Some(Value::Number(whole.into()));
        }
        Number::from_f64(digits.parse().ok()?).map(Value::Number)
    }

    fn word_value(&mut self) -> Option<Value> {
        match self.word()?.as_str() {
            "true" | "True" | "TRUE" => Some(Value::Bool(true)),
            "false" | "False" | "FALSE" => Some(Value::Bool(false)),
            "null" | "None" | "NULL" => Some(Value::Null),
            _ => None,
        }
    }

    fn word(&mut self) -> Option<String> {
        let mut word = String::new();
        while let Some(c) = self.peek()
            && (c.is_alphanumeric() || c == '_' || c == '-')
        {
            word.push(c);
            self.next();
        }
        (!word.is_empty()).then_some(word)
    }

    /// And comments.
    fn skip_space(&mut self) {
        loop {
            while self.peek().is_some_and(char::is_whitespace) {
                self.next();
            }
            let rest = &self.text[self.place()..];
            let end = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                return;
            };
            let end = self.place() + end;
            while self.place() < end {
                self.next();
            }
        }
    }

    fn take(&mut self, any: &[char]) -> bool {
        let is_it = self.peek().is_some_and(|c| any.contains(&c));
        if is_it {
            self.next();
        }
        is_it
    }

    fn peek(&mut self) -> Option<char> {
        self.rest.peek().map(|(_, c)| *c)
    }

    fn next(&mut self) {
        self.rest.next();
    }

    fn place(&mut self) -> usize {
        self.rest.peek().map_or(self.text.len(), |(at, _)| *at)
    }
}

/// What may end a string that begins so.
fn closes(quote: char) -> Option<&'static str> {
    Some(match quote {
        '"' => "\"",
        '\'' => "'",
        '“' | '”' => "”“\"",
        '‘' | '’' => "’‘'",
        '＂' => "＂",
        '「' => "」",
        _ => return None,
    })
}

/// Full-width ASCII (U+FF01 to U+FF5E) to plain.
pub(crate) fn narrow(c: char) -> char {
    match c {
        '\u{3000}' => ' ',
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn check(text: &str, value: Value) {
        assert_eq!(parse(text), (Some(value), text.len()), "{text}");
    }

    #[test]
    fn slips_are_read() {
        check("{'a': 'it''s', b: [1, -2.5e1, .5,],}", json!({"a": "it''s", "b": [1, -25.0, 0.5]}));
        check("[True, None, /* sure */ false // end\n]", json!([true, null, false]));
        check(r#"{"a": "\u80f8\ud83d\ude00\n\\ \alpha"}"#, json!({"a": "胸😀\n\\ \\alpha"}));
        check("｛‘a’：［１２，３．５］｝", json!({"a": [12, 3.5]}));
        check("{“病名”：“肺炎”}", json!({"病名": "肺炎"}));
    }

    #[test]
    fn what_is_cut_off_or_nonsense_is_not() {
        for text in [
            "{",
            "[1, 2",
            "{\"a\": \"b",
            "{\"a\": }",
            "{a b}",
            "{smile}",
            "[,]",
            "{\"a\": 1 \"b\": 2}",
            "[1 2]",
            "[--1]",
        ] {
            assert_eq!(parse(text).0, None, "{text}");
        }
        assert_eq!(parse(&"[".repeat(100_000)).0, None);
        assert_eq!(parse(&format!("{}{}", "[".repeat(1000), "]".repeat(1000))).0, None);
    }

    proptest! {
        #[test]
        fn it_never_panics(text in "[\\[{\\]},:\"'“”｛｝，：a-c0-9.\\\\/*\n u]{0,60}") {
            let _ = parse(&text);
        }

        #[test]
        fn good_json_is_read_as_usual(
            numbers in prop::collection::vec(any::<i32>(), 0..5),
            text in "[a-z ,.:\\n\"\\\\胸痛]{0,20}",
        ) {
            let value = json!({"text": text, "numbers": numbers, "more": {"deep": [null, true, {"x": text}]}});
            let written = value.to_string();
            prop_assert_eq!(parse(&written), (Some(value), written.len()));
        }
    }
}
