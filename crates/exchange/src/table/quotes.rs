//! Quotes that swallow rows: what is between two of them is one cell, however many lines it has.

use super::separator::{HEAD, SEPARATORS, separator};
use super::{BYTE_ORDER_MARK, open};
use csv::StringRecord;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use waterjar_core::SourceError;

/// What to do about a quote that swallows rows.
pub const STRAY_QUOTE: &str = "close the cell where it ends, or take the stray quote out; a quote that is meant is doubled (\"\") in a cell within quotes";

/// Refuses a table with a quote that is not closed where its cell ends. What cannot be read a second time is not looked through.
pub fn check_quotes(path: &Path, separator: u8) -> Result<(), SourceError> {
    if !path.is_file() {
        return Ok(());
    }
    let text = BufReader::with_capacity(1 << 16, open(path)?);
    match bad_quote(text, separator).map_err(|error| SourceError::unreadable(path, &error))? {
        None => Ok(()),
        Some(bad) => Err(bad.told(path)),
    }
}

/// A quote that opens a cell and is not closed where the cell ends, as RFC 4180 has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadQuote {
    /// The line on which it opens the cell.
    opened: u64,
    /// Where it is closed and the cell goes on; `None` where the file ends before.
    closed: Option<Closed>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Closed {
    line: u64,
    /// How the cell goes on.
    behind: Vec<u8>,
}

impl BadQuote {
    pub fn told(&self, path: &Path) -> SourceError {
        let problem = match &self.closed {
            None => "a quote is opened here and not closed before the end of the file".to_owned(),
            Some(Closed { line, behind }) => {
                let behind = String::from_utf8_lossy(behind);
                let cut = if behind.len() < SHOWN { "" } else { "…" };
                let behind = behind.trim_end_matches('\u{fffd}').trim();
                let place = if *line == self.opened { String::new() } else { format!(" in line {line}") };
                format!("a quote is opened here and closed{place} before `{behind}{cut}`, where no cell ends")
            }
        };
        SourceError::at_line(path, self.opened, problem).with_hint(STRAY_QUOTE)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Beginning,
    Plain,
    Quoted,
    /// Behind a quote within quotes: the end of the cell, or half of a quote that is meant.
    Behind,
    /// Blanks between the quote that closes a cell and its end.
    Closed,
}

impl State {
    /// What is read behind one byte more, as `csv` reads it.
    fn behind(self, byte: u8, separator: u8) -> Self {
        match self {
            Self::Quoted if byte == b'"' => Self::Behind,
            Self::Quoted => Self::Quoted,
            Self::Beginning | Self::Behind if byte == b'"' => Self::Quoted,
            _ if byte == separator || ends_line(byte) => Self::Beginning,
            Self::Behind | Self::Closed if matches!(byte, b' ' | b'\t') => Self::Closed,
            _ => Self::Plain,
        }
    }
}

fn ends_line(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// So much is shown of how a cell goes on behind its quote.
const SHOWN: usize = 24;

/// Reads a text as `csv` reads it, piece by piece, for the first quote that is bad.
#[derive(Debug)]
pub struct QuoteScan {
    separator: u8,
    state: State,
    line: u64,
    opened: u64,
    /// The last byte was a carriage return: a line feed after it ends no other line.
    returned: bool,
    /// What is left of the mark before the text, which is no part of the first cell.
    mark: &'static [u8],
    closed: Option<Closed>,
    /// How the cell goes on has been seen.
    is_over: bool,
    only_of_lines: bool,
}

impl QuoteScan {
    pub fn new(separator: u8) -> Self {
        Self {
            separator,
            state: State::Beginning,
            line: 1,
            opened: 1,
            returned: false,
            mark: BYTE_ORDER_MARK.as_bytes(),
            closed: None,
            is_over: false,
            only_of_lines: false,
        }
    }

    /// Where programs write quotes without doubling them, only those that take in lines are bad.
    #[must_use]
    pub fn only_of_lines(mut self) -> Self {
        self.only_of_lines = true;
        self
    }

    pub fn read(&mut self, text: &[u8]) {
        for &byte in text {
            if self.is_over {
                return;
            }
            if let Some(rest) = self.mark.strip_prefix(&[byte]) {
                self.mark = rest;
                continue;
            }
            self.mark = &[];
            self.byte(byte);
        }
    }

    fn byte(&mut self, byte: u8) {
        if let Some(closed) = &mut self.closed {
            self.is_over = ends_line(byte) || byte == self.separator || closed.behind.len() >= SHOWN;
            if !self.is_over {
                closed.behind.push(byte);
            }
            return;
        }
        if self.state == State::Beginning && byte == b'"' {
            self.opened = self.line;
        }
        let was_closed = matches!(self.state, State::Behind | State::Closed);
        self.state = self.state.behind(byte, self.separator);
        if was_closed && self.state == State::Plain && (self.line > self.opened || !self.only_of_lines) {
            self.closed = Some(Closed { line: self.line, behind: vec![byte] });
        }
        self.line += u64::from(ends_line(byte) && !(byte == b'\n' && self.returned));
        self.returned = byte == b'\r';
    }

    /// The first one, once all of the text is read.
    pub fn bad(&self) -> Option<BadQuote> {
        // The last line may have an end or none.
        let takes_in_lines = self.line > self.opened + 1;
        let is_open = self.state == State::Quoted && (takes_in_lines || !self.only_of_lines);
        (is_open || self.closed.is_some()).then(|| BadQuote { opened: self.opened, closed: self.closed.clone() })
    }
}

/// The first quote of a text that is not closed where its cell ends.
pub fn bad_quote(mut text: impl BufRead, separator: u8) -> io::Result<Option<BadQuote>> {
    let mut scan = QuoteScan::new(separator);
    loop {
        let buffer = text.fill_buf()?;
        if buffer.is_empty() || scan.is_over {
            return Ok(scan.bad());
        }
        scan.read(buffer);
        let read = buffer.len();
        text.consume(read);
    }
}

/// The column of a row whose cell holds other rows of the table: a stray quote opens it, and the next one, rows below, is all of a cell of the same
/// column. Lines of a cell may look like rows as well (`labs:`, below it `138,4.1,102`), so they are taken for rows only where nothing stands
/// before the quote that ends them. What cannot be read a second time is not looked through.
pub fn swallowing(path: &Path, row: &StringRecord) -> Option<usize> {
    let looks = |at: usize, parts: u8| {
        at > 0 && row[at].ends_with(char::from(parts)) && looks_like_rows(&row[at], at, row.len(), parts)
    };
    let parts_of_file = || -> io::Result<u8> {
        let mut file = BufReader::with_capacity(HEAD, File::open(path)?);
        Ok(separator(file.fill_buf()?))
    };
    let at = (0..row.len()).find(|at| SEPARATORS.iter().any(|parts| looks(*at, *parts)))?;
    (path.is_file() && parts_of_file().is_ok_and(|parts| looks(at, parts))).then_some(at)
}

/// Whether a cell reads like the rest of its row, whole rows below, and one that goes up to its column. Lines of prose have spaces behind
/// separators and before the first.
fn looks_like_rows(cell: &str, at: usize, columns: usize, separator: u8) -> bool {
    if columns < 3 || !holds_lines(cell) {
        return false;
    }
    let cell = cell.replace("\r\n", "\n").replace('\r', "\n");
    let mut lines = cell.split('\n').map(|line| line.split(char::from(separator)).collect::<Vec<&str>>());
    let (Some(first), Some(last)) = (lines.next(), lines.next_back()) else { return false };
    let whole: Vec<Vec<&str>> = lines.filter(|cells| *cells != [""]).collect();
    let is_part = |cells: &Vec<&str>, of: usize| {
        cells.len() == of && !cells[0].contains(' ') && cells.iter().all(|cell| !cell.starts_with(' '))
    };
    (at > 1 || !whole.is_empty())
        && first.len() == columns - at
        && whole.iter().all(|cells| is_part(cells, columns))
        && is_part(&last, at + 1)
}

/// Whether a cell has more than one line. Empty ones below it do not count.
pub fn holds_lines(cell: &str) -> bool {
    cell.trim().contains(['\n', '\r']) || (cell.starts_with(['\n', '\r']) && !cell.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_that_is_open_at_the_end_is_told_with_its_line() {
        let check = |text: &str, line: Option<u64>| {
            let bad = bad_quote(text.as_bytes(), b',').unwrap();
            assert_eq!(bad, line.map(|opened| BadQuote { opened, closed: None }), "{text:?}");
        };
        check("", None);
        check("a,b\n1,2\n", None);
        check("a,b\n1,\"2\n3,4\n", Some(2));
        check("a,b\r\n\"1\r\n\",2\r\n\"3,4\r\n", Some(4));
        check("a,b\n1,\"says \"\"yes\"\"\"\n", None);
        check("a,b\n1,\"says \"\"yes\n", Some(2));
        check("a,b\n1,5\" tall\n", None);
        check("\u{feff}\"a,b\n1,2\n", Some(1));
        check("\u{feff}\"a\",b\n1,2", None);
        check("a,b\n1,\"one,\r\n\"\"two\"\"\" \n", None);
    }

    #[test]
    fn a_quote_that_ends_inside_a_cell_is_told_with_what_stands_behind_it() {
        let check = |text: &str, told: &str| {
            let bad = bad_quote(text.as_bytes(), b',').unwrap().unwrap();
            let error = bad.told(Path::new("t.csv")).to_string();
            assert_eq!(error, format!("t.csv, {told}, where no cell ends"), "{text:?}");
        };
        let mut text = "id,story\nc3,\"A man has pain.,q\nc1,\"A woman, 54, has pain.\",q\n".to_owned();
        check(&text, "line 2: a quote is opened here and closed in line 3 before `A woman`");
        text.insert(0, '\u{feff}');
        check(&text.replace('\n', "\r\n"), "line 2: a quote is opened here and closed in line 3 before `A woman`");
        check(
            "a,b\n1,\"He \"who says\" hello\"\n",
            "line 2: a quote is opened here and closed before `who says\" hello\"`",
        );
        check("a,b\n1,\"x\" \"y\"\n\"", "line 2: a quote is opened here and closed before `\"y\"`");
        check(
            &format!("a\n\"x\"{}\n", "é".repeat(30)),
            &format!("line 2: a quote is opened here and closed before `{}…`", "é".repeat(12)),
        );
    }

    #[test]
    fn a_table_with_an_open_quote_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("table.csv");
        std::fs::write(&path, "a;b\n1;2\n3;\"4\n5;6\n").unwrap();
        let refused = super::super::cells(&path, &mut csv::ReaderBuilder::new()).err().unwrap();
        assert!(refused.to_string().contains("table.csv, line 3: a quote is opened here"), "{refused}");
        assert_eq!(refused.hint.as_deref(), Some(STRAY_QUOTE));
    }

    /// The column in which the first row of a table swallows others.
    fn check(text: &str, column: Option<usize>) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("table.csv");
        std::fs::write(&path, text).unwrap();
        let mut table = super::super::cells(&path, &mut csv::ReaderBuilder::new()).unwrap();
        let row = table.records().next().unwrap().unwrap();
        assert_eq!(swallowing(&path, &row), column, "{text}");
    }

    #[test]
    fn rows_inside_a_cell_are_noticed() {
        check("i,a,b,c,d\n0,A,B,A,\"A\n1,A,B,A,\"\n", Some(4));
        check("\u{feff}i;a;b;c;d\r\n\r\n0;A;B;A;\"A\r\n1;A;B;A;A\r\n2;A;B;A;\"\r\n", Some(4));
    }

    #[test]
    fn prose_inside_a_cell_is_no_row() {
        check("i,a,b\n0,\"A\n1,\",B\n", None);
        check("i,a,b\n0,A,\"He coughs.\nHb 7,5 and Na 128,2\"\n", None);
        check("i,a,b\n0,A,\"He coughs.\nTemperature 38,5\"\n", None);
        check("i,a,b\n0,A,\"He coughs,\nlimps, sneezes,\"\n", None);
        check("i,a,b\n0,A,\"one line, only,\"\n", None);
        check("i,a,b\n0,A,\"yes\n\"\n", None);
    }

    #[test]
    fn lines_that_look_like_rows_are_none_where_the_quote_is_meant() {
        check("id,age,note\n1,50,\"labs:\n138,4.1,102\"\n2,60,none\n", None);
        check("id,age,note\r\n1,50,\"labs:\r\n138,4.1,102\r\n140,4.0,101\" \r\n", None);
        check("id;note;age;sex\n1;\"labs;Na;K\n138;4.1;102;1\n140;4\";50;f\n", None);
        check("note,id,age\n\"Na,K,Cl\n138,4.1,102\n\",1,50\n", None);
        check("id,age,note\n1,50,\"says \"\"labs\"\":\n138,4.1,\"\"high\"\"\"\n", None);
        check("id,age,note\n1,50,\"labs:\nNa;K;\"\n", None);
    }

    #[test]
    fn empty_lines_below_a_cell_are_not_lines_of_it() {
        for (cell, lines) in [("yes", false), ("yes\n", false), ("\r\n", false), ("a\nb", true), ("\n1", true)] {
            assert_eq!(holds_lines(cell), lines, "{cell:?}");
        }
    }
}
