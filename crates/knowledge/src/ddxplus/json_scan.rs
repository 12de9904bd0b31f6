//! `{"patients": {"1": {…}, "2": {…}}}` one patient at a time: finds where each begins and ends, and keeps only that one.

use std::io::{BufRead, Error};

/// Reads bytes and counts lines. `serde_json` alone would have to hold the whole object.
#[derive(Debug)]
pub(super) struct Scan<R> {
    from: R,
    pub line: u64,
    begun: bool,
}

/// What stands in the way, at `Scan::line`.
#[derive(Debug)]
pub(super) enum Broken {
    Io(Error),
    Syntax(String),
}

impl<R: BufRead> Scan<R> {
    pub fn new(from: R) -> Self {
        Self { from, line: 1, begun: false }
    }

    /// Puts the next patient's key and object into the buffers and gives the line the object begins on; None at the end.
    pub fn next(&mut self, key: &mut Vec<u8>, object: &mut Vec<u8>) -> Result<Option<u64>, Broken> {
        if !self.begun {
            self.begin(key)?;
            if self.peek()? == Some(b'}') {
                return self.end();
            }
            self.begun = true;
        } else {
            match self.token()? {
                b',' => {}
                b'}' => return self.rest(),
                other => return Err(unexpected(other, "`,` or `}` after a patient")),
            }
        }
        self.string(key)?;
        self.need(b':', "`:` after a patient's key")?;
        self.need(b'{', "a patient in braces")?;
        let line = self.line;
        self.object(object)?;
        Ok(Some(line))
    }

    fn begin(&mut self, key: &mut Vec<u8>) -> Result<(), Broken> {
        self.need(b'{', "`{`")?;
        self.string(key)?;
        if key != b"\"patients\"" {
            return Err(Broken::Syntax("expected the key \"patients\"".to_owned()));
        }
        self.need(b':', "`:` after \"patients\"")?;
        self.need(b'{', "an object of patients")
    }

    fn end(&mut self) -> Result<Option<u64>, Broken> {
        self.need(b'}', "`}`")?;
        self.rest()
    }

    /// After the last patient.
    fn rest(&mut self) -> Result<Option<u64>, Broken> {
        self.need(b'}', "`}` after the patients")?;
        match self.peek()? {
            None => Ok(None),
            Some(other) => Err(unexpected(other, "the end of the file")),
        }
    }

    /// From after the opening brace to the closing one; braces within texts do not count.
    fn object(&mut self, out: &mut Vec<u8>) -> Result<(), Broken> {
        out.clear();
        out.push(b'{');
        let (mut depth, mut in_text, mut escaped) = (1_u32, false, false);
        while depth > 0 {
            let byte = self.byte()?.ok_or_else(cut_off)?;
            out.push(byte);
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_text => escaped = true,
                b'"' => in_text = !in_text,
                b'{' if !in_text => depth += 1,
                b'}' if !in_text => depth -= 1,
                _ => {}
            }
        }
        Ok(())
    }

    /// With its quotes, as JSON.
    fn string(&mut self, out: &mut Vec<u8>) -> Result<(), Broken> {
        out.clear();
        self.need(b'"', "a key in quotes")?;
        out.push(b'"');
        let mut escaped = false;
        loop {
            let byte = self.byte()?.ok_or_else(cut_off)?;
            out.push(byte);
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => return Ok(()),
                _ => {}
            }
        }
    }

    fn need(&mut self, byte: u8, what: &str) -> Result<(), Broken> {
        match self.token()? {
            found if found == byte => Ok(()),
            other => Err(unexpected(other, what)),
        }
    }

    fn token(&mut self) -> Result<u8, Broken> {
        self.peek()?.ok_or_else(cut_off)?;
        self.byte()?.ok_or_else(cut_off)
    }

    /// The next byte that is no blank, left where it is.
    fn peek(&mut self) -> Result<Option<u8>, Broken> {
        loop {
            match self.from.fill_buf().map_err(Broken::Io)?.first() {
                Some(blank) if blank.is_ascii_whitespace() => self.byte()?,
                other => return Ok(other.copied()),
            };
        }
    }

    fn byte(&mut self) -> Result<Option<u8>, Broken> {
        let byte = self.from.fill_buf().map_err(Broken::Io)?.first().copied();
        if let Some(byte) = byte {
            self.from.consume(1);
            self.line += u64::from(byte == b'\n');
        }
        Ok(byte)
    }
}

fn unexpected(found: u8, expected: &str) -> Broken {
    Broken::Syntax(format!("expected {expected} and found `{}`", char::from(found).escape_default()))
}

fn cut_off() -> Broken {
    Broken::Syntax("the file ends in the middle".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Key, object and line.
    type Found = (String, String, u64);

    fn read(text: &str) -> Result<Vec<Found>, (String, u64)> {
        let mut scan = Scan::new(text.as_bytes());
        let (mut key, mut object, mut found) = (Vec::new(), Vec::new(), Vec::new());
        let owned = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        loop {
            match scan.next(&mut key, &mut object) {
                Ok(None) => return Ok(found),
                Ok(Some(line)) => found.push((owned(&key), owned(&object), line)),
                Err(Broken::Syntax(problem)) => return Err((problem, scan.line)),
                Err(Broken::Io(error)) => panic!("{error}"),
            }
        }
    }

    #[test]
    fn each_patient_comes_by_itself() {
        let text = "{\"patients\": {\n \"1\": {\"a\": \"}\\\"\"},\n \"2\": {\"b\": {}}\n}}\n";
        let expected = vec![
            ("\"1\"".to_owned(), "{\"a\": \"}\\\"\"}".to_owned(), 2),
            ("\"2\"".to_owned(), "{\"b\": {}}".to_owned(), 3),
        ];
        assert_eq!(read(text), Ok(expected));
        assert_eq!(read("{\"patients\": {}}"), Ok(vec![]));
    }

    #[test]
    fn a_file_that_is_cut_off_says_where() {
        let whole = "{\"patients\": {\n \"1\": {\"a\": 1}\n}}";
        for end in 0..whole.len() {
            assert!(read(&whole[..end]).is_err(), "{}", &whole[..end]);
        }
        assert_eq!(read("{\"patients\": {\n\"1\": {"), Err(("the file ends in the middle".to_owned(), 2)));
        assert_eq!(read("[]").map_err(|error| error.1), Err(1));
    }
}
