//! JSON as Python writes it: `NaN` and `Infinity` are numbers there, and nothing here.

use std::io::Read;

/// Passes JSON on, with `null` in place of what is no number.
pub(crate) struct PythonJson<R> {
    from: R,
    read: Vec<u8>,
    passed: Vec<u8>,
    /// How much of what was passed is given.
    given: usize,
    state: State,
}

#[derive(Default)]
struct State {
    /// Letters that are left of a word that was replaced.
    skip: usize,
    in_string: bool,
    escaped: bool,
    /// A minus that may belong to `-Infinity`.
    minus: bool,
}

impl<R: Read> PythonJson<R> {
    pub fn new(from: R) -> Self {
        Self { from, read: vec![0; 64 << 10], passed: Vec::new(), given: 0, state: State::default() }
    }
}

impl<R: Read> Read for PythonJson<R> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        while self.given == self.passed.len() {
            let n = self.from.read(&mut self.read)?;
            if n == 0 {
                return Ok(0);
            }
            self.passed.clear();
            self.given = 0;
            for byte in &self.read[..n] {
                self.state.pass(*byte, &mut self.passed);
            }
        }
        let waiting = &self.passed[self.given..];
        let n = waiting.len().min(to.len());
        to[..n].copy_from_slice(&waiting[..n]);
        self.given += n;
        Ok(n)
    }
}

impl State {
    fn pass(&mut self, byte: u8, to: &mut Vec<u8>) {
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        if self.in_string {
            match (self.escaped, byte) {
                (true, _) => self.escaped = false,
                (false, b'\\') => self.escaped = true,
                (false, b'"') => self.in_string = false,
                _ => {}
            }
            to.push(byte);
            return;
        }
        let after_minus = std::mem::take(&mut self.minus);
        match byte {
            b'N' | b'I' => {
                self.skip = if byte == b'N' { "aN".len() } else { "nfinity".len() };
                to.extend(b"null");
            }
            b'-' => self.minus = true,
            _ => {
                if after_minus {
                    to.push(b'-');
                }
                self.in_string = byte == b'"';
                to.push(byte);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time, so that words are cut everywhere.
    struct Slowly<'a>(&'a [u8]);

    impl Read for Slowly<'_> {
        fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
            let Some((first, rest)) = self.0.split_first() else { return Ok(0) };
            (to[0], self.0) = (*first, rest);
            Ok(1)
        }
    }

    fn check(python: &str, json: &str) {
        let read = std::io::read_to_string(PythonJson::new(python.as_bytes())).unwrap();
        assert_eq!(read, json);
        assert_eq!(std::io::read_to_string(PythonJson::new(Slowly(python.as_bytes()))).unwrap(), json);
    }

    #[test]
    fn what_is_no_number_is_nothing() {
        check(r#"{"a": NaN, "b": [Infinity, -Infinity, -1.5e-3]}"#, r#"{"a": null, "b": [null, null, -1.5e-3]}"#);
    }

    #[test]
    fn words_in_texts_stay() {
        check(r#"["NaN -Infinity \" NaN", "\\", NaN]"#, r#"["NaN -Infinity \" NaN", "\\", null]"#);
    }
}
