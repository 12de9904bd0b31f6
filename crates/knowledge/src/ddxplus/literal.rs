//! Python literals as DDXPlus writes them into CSV cells: `['a', "b"]` and `[['a', 0.12], ['b', 0.1]]`.
//!
//! Every row has two of them, so the parser walks the bytes once and copies a text only when it holds an escape.

use std::borrow::Cow;
use std::fmt;

/// What is wrong with a literal, and how many characters into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiteralError {
    pub character: usize,
    pub problem: String,
}

impl fmt::Display for LiteralError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at character {}", self.problem, self.character)
    }
}

/// `['a', "b"]`: gives each text to `each`, in order.
pub fn strings<'t, E: From<LiteralError>>(
    literal: &'t str,
    mut each: impl FnMut(Cow<'t, str>) -> Result<(), E>,
) -> Result<(), E> {
    let mut cursor = Cursor { text: literal, at: 0 };
    cursor.list(|cursor| {
        let text = cursor.string()?;
        each(text)
    })?;
    cursor.end().map_err(E::from)
}

/// `[['a', 0.12], ('b', 1)]`: gives each pair to `each`, in order.
pub fn pairs<'t, E: From<LiteralError>>(
    literal: &'t str,
    mut each: impl FnMut(Cow<'t, str>, f64) -> Result<(), E>,
) -> Result<(), E> {
    let mut cursor = Cursor { text: literal, at: 0 };
    cursor.list(|cursor| {
        let close = cursor.open()?;
        let name = cursor.string()?;
        cursor.expect(b',', "`,` and a number")?;
        let number = cursor.number()?;
        cursor.skip(b',');
        cursor.expect(close, "the end of the pair")?;
        each(name, number)
    })?;
    cursor.end().map_err(E::from)
}

struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    fn list<E: From<LiteralError>>(&mut self, mut item: impl FnMut(&mut Self) -> Result<(), E>) -> Result<(), E> {
        let close = self.open()?;
        loop {
            if self.skip(close) {
                return Ok(());
            }
            item(self)?;
            if !self.skip(b',') {
                self.expect(close, "`,` or the end of the list")?;
                return Ok(());
            }
        }
    }

    /// A list or a tuple begins; gives what it must end with.
    fn open(&mut self) -> Result<u8, LiteralError> {
        if self.skip(b'[') {
            Ok(b']')
        } else if self.skip(b'(') {
            Ok(b')')
        } else {
            Err(self.expected("`[`"))
        }
    }

    fn string(&mut self) -> Result<Cow<'t, str>, LiteralError> {
        self.blanks();
        let bytes = self.text.as_bytes();
        let quote = match bytes.get(self.at) {
            Some(&quote @ (b'\'' | b'"')) => quote,
            _ => return Err(self.expected("a text in quotes")),
        };
        let start = self.at + 1;
        for (offset, &byte) in bytes[start..].iter().enumerate() {
            if byte == quote {
                self.at = start + offset + 1;
                return Ok(Cow::Borrowed(&self.text[start..start + offset]));
            }
            if byte == b'\\' {
                return self.escaped(quote, start, start + offset).map(Cow::Owned);
            }
        }
        Err(self.problem("the text that begins here is never closed"))
    }

    /// The slow way, from the first backslash on.
    fn escaped(&mut self, quote: u8, start: usize, backslash: usize) -> Result<String, LiteralError> {
        let mut out = self.text[start..backslash].to_owned();
        let mut chars = self.text[backslash..].char_indices();
        while let Some((offset, c)) = chars.next() {
            if c == char::from(quote) {
                self.at = backslash + offset + 1;
                return Ok(out);
            }
            if c != '\\' {
                out.push(c);
                continue;
            }
            match chars.next() {
                None => break,
                Some((_, 'n')) => out.push('\n'),
                Some((_, 't')) => out.push('\t'),
                Some((_, 'r')) => out.push('\r'),
                Some((_, c @ ('\\' | '\'' | '"'))) => out.push(c),
                Some((_, c @ ('x' | 'u' | 'U'))) => {
                    let digits = match c {
                        'x' => 2,
                        'u' => 4,
                        _ => 8,
                    };
                    let mut code = Some(0_u32);
                    for _ in 0..digits {
                        let digit = chars.next().and_then(|(_, c)| c.to_digit(16));
                        code = code.zip(digit).map(|(code, digit)| code.wrapping_mul(16) + digit);
                    }
                    let c = code.and_then(char::from_u32).ok_or_else(|| {
                        self.at = backslash + offset;
                        self.problem("an escape that is no character")
                    })?;
                    out.push(c);
                }
                // As Python does with an escape it does not know.
                Some((_, c)) => out.extend(['\\', c]),
            }
        }
        Err(self.problem("the text that begins here is never closed"))
    }

    fn number(&mut self) -> Result<f64, LiteralError> {
        self.blanks();
        let rest = &self.text[self.at..];
        let length =
            rest.bytes().take_while(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E')).count();
        let number = rest[..length].parse().map_err(|_| self.expected("a number"))?;
        self.at += length;
        Ok(number)
    }

    fn end(&mut self) -> Result<(), LiteralError> {
        self.blanks();
        if self.at == self.text.len() { Ok(()) } else { Err(self.expected("nothing more")) }
    }

    fn blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn skip(&mut self, byte: u8) -> bool {
        self.blanks();
        let there = self.text.as_bytes().get(self.at) == Some(&byte);
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, byte: u8, what: &str) -> Result<(), LiteralError> {
        if self.skip(byte) { Ok(()) } else { Err(self.expected(what)) }
    }

    #[cold]
    fn expected(&self, what: &str) -> LiteralError {
        match self.text[self.at..].chars().next() {
            Some(found) => self.problem(&format!("expected {what} and found `{found}`")),
            None => self.problem(&format!("expected {what} and found the end")),
        }
    }

    #[cold]
    fn problem(&self, problem: &str) -> LiteralError {
        LiteralError { character: self.text[..self.at].chars().count() + 1, problem: problem.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(literal: &str, expected: Result<&[&str], &str>) {
        let mut texts = Vec::new();
        let result: Result<(), LiteralError> = strings(literal, |text| {
            texts.push(text.into_owned());
            Ok(())
        });
        match (result, expected) {
            (Ok(()), Ok(expected)) => assert_eq!(texts, expected),
            (Err(error), Err(expected)) => assert_eq!(error.to_string(), expected),
            (result, expected) => panic!("{literal}: {result:?} {texts:?}, not {expected:?}"),
        }
    }

    fn check_pairs(literal: &str, expected: Option<&[(&str, f64)]>) {
        let mut pairs_read = Vec::new();
        let result: Result<(), LiteralError> = pairs(literal, |name, number| {
            pairs_read.push((name.into_owned(), number));
            Ok(())
        });
        match expected {
            None => assert!(result.is_err(), "{literal}: {pairs_read:?}"),
            Some(expected) => {
                assert_eq!(result, Ok(()), "{literal}");
                let expected: Vec<_> = expected.iter().map(|&(n, p)| (n.to_owned(), p)).collect();
                assert_eq!(pairs_read, expected);
            }
        }
    }

    #[test]
    fn either_quote_will_do() {
        check(r#"['a', "it's"]"#, Ok(&["a", "it's"]));
    }

    #[test]
    fn escapes_read_as_python_reads_them() {
        check(r"['a\'b\\c\n', '\xe9\u00e9\U000000e9\q']", Ok(&["a'b\\c\n", "ééé\\q"]));
    }

    #[test]
    fn a_list_may_be_empty_and_end_with_a_comma() {
        check("[]", Ok(&[]));
        check(" [ 'a' , ] ", Ok(&["a"]));
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        check("['a'", Err("expected `,` or the end of the list and found the end at character 5"));
        check("['é', b]", Err("expected a text in quotes and found `b` at character 7"));
        check("['a", Err("the text that begins here is never closed at character 2"));
        check(r"['\ud800']", Err("an escape that is no character at character 3"));
        check("nan", Err("expected `[` and found `n` at character 1"));
        check("['a'] x", Err("expected nothing more and found `x` at character 7"));
    }

    #[test]
    fn pairs_are_lists_or_tuples() {
        check_pairs("[['a', 0.25], (\"b\", 1e-3,)]", Some(&[("a", 0.25), ("b", 0.001)]));
        check_pairs("[['a']]", None);
        check_pairs("[['a', nan]]", None);
        check_pairs("[['a', 0.1)]", None);
    }
}
