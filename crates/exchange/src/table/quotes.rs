//! Quotes that swallow rows: what is between two of them is one cell, however many lines it has.

use super::open;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use waterjar_core::SourceError;

/// What to do about a quote that swallows rows.
pub const STRAY_QUOTE: &str =
    "take the stray quote out, or close it; a quote that is meant is doubled in a cell within quotes";

/// Refuses a table with a quote that is still open at the end of the file. What cannot be read a second time is not looked through.
pub fn check_quotes(path: &Path, separator: u8) -> Result<(), SourceError> {
    if !path.is_file() {
        return Ok(());
    }
    let text = BufReader::with_capacity(1 << 16, open(path)?);
    match open_quote(text, separator).map_err(|error| SourceError::unreadable(path, &error))? {
        None => Ok(()),
        Some(line) => Err(SourceError::at_line(path, line, UNCLOSED).with_hint(STRAY_QUOTE)),
    }
}

/// What is wrong where a quote is open to the end.
pub const UNCLOSED: &str = "a quote is opened here and not closed before the end of the file";

enum State {
    Beginning,
    Plain,
    Quoted,
    /// Behind a quote within quotes: the end of the cell, or half of a quote that is meant.
    Behind,
}

/// The line of the quote that is open at the end of a text, read as `csv` reads it.
pub fn open_quote(mut text: impl BufRead, separator: u8) -> io::Result<Option<u64>> {
    let (mut state, mut line, mut opened) = (State::Beginning, 1_u64, 1_u64);
    let (mut returned, mut mark) = (false, super::BYTE_ORDER_MARK.as_bytes());
    loop {
        let buffer = text.fill_buf()?;
        if buffer.is_empty() {
            return Ok(matches!(state, State::Quoted).then_some(opened));
        }
        for &byte in buffer {
            // The mark before the text is no part of the first cell.
            if let Some(rest) = mark.strip_prefix(&[byte]) {
                mark = rest;
                continue;
            }
            mark = &[];
            let ends_line = matches!(byte, b'\r' | b'\n');
            state = match state {
                State::Quoted if byte == b'"' => State::Behind,
                State::Quoted => State::Quoted,
                State::Beginning if byte == b'"' => {
                    opened = line;
                    State::Quoted
                }
                State::Behind if byte == b'"' => State::Quoted,
                _ if byte == separator || ends_line => State::Beginning,
                _ => State::Plain,
            };
            line += u64::from(ends_line && !(byte == b'\n' && returned));
            returned = byte == b'\r';
        }
        let read = buffer.len();
        text.consume(read);
    }
}

/// Whether the cell in this column holds rows of the table: a stray quote opens it, and the next one, rows below, stands at the beginning of the
/// same column, whose text follows it. Lines of prose have spaces behind separators and before the first.
pub fn swallows_rows(cell: &str, at: usize, columns: usize) -> bool {
    if columns < 3 || !holds_lines(cell) {
        return false;
    }
    let cell = cell.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<&str> = cell.split('\n').skip(1).collect();
    let Some((last, whole)) = lines.split_last() else { return false };
    let whole: Vec<&str> = whole.iter().copied().filter(|line| !line.is_empty()).collect();
    super::separator::SEPARATORS.iter().map(|byte| char::from(*byte)).any(|separator| {
        let is_part = |line: &str, of: usize| {
            let cells: Vec<&str> = line.split(separator).collect();
            cells.len() == of + 1 && !cells[0].contains(' ') && cells.iter().all(|cell| !cell.starts_with(' '))
        };
        (at > 1 || !whole.is_empty()) && whole.iter().all(|line| is_part(line, columns - 1)) && is_part(last, at)
    })
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
            assert_eq!(open_quote(text.as_bytes(), b',').unwrap(), line, "{text:?}");
        };
        check("", None);
        check("a,b\n1,2\n", None);
        check("a,b\n1,\"2\n3,4\n", Some(2));
        check("a,b\r\n\"1\r\n\",2\r\n\"3,4\r\n", Some(4));
        check("a,b\n1,\"says \"\"yes\"\"\"\n", None);
        check("a,b\n1,\"says \"\"yes\n", Some(2));
        check("a,b\n1,5\" tall\n", None);
        check("a,b\n1,\"x\"y\"\n", None);
        check("\u{feff}\"a,b\n1,2\n", Some(1));
        check("\u{feff}\"a\",b\n1,2", None);
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

    #[test]
    fn rows_inside_a_cell_are_noticed_and_prose_is_not() {
        let check = |cell: &str, at, columns, is_swallowed| {
            assert_eq!(swallows_rows(cell, at, columns), is_swallowed, "{cell}")
        };
        check("A\n1,A,B,A,", 4, 5, true);
        check("A\r\n1;A;B;A;A\r\n2;A;B;A;", 4, 5, true);
        check("0,A,B\n1,A,B\n", 0, 3, true);
        check("A\n1,A,B,B", 3, 4, true);
        check("0,A,B\n1,A,B\n2", 0, 3, true);
        check("A\n1,", 1, 3, false);
        check("He coughs.\nHb 7,5 and Na 128,2", 2, 3, false);
        check("He coughs.\nTemperature 38,5", 1, 3, false);
        check("He coughs,\nlimps, sneezes,", 2, 3, false);
        check("one line, only,", 2, 3, false);
        check("yes\n", 2, 3, false);
    }

    #[test]
    fn empty_lines_below_a_cell_are_not_lines_of_it() {
        for (cell, lines) in [("yes", false), ("yes\n", false), ("\r\n", false), ("a\nb", true), ("\n1", true)] {
            assert_eq!(holds_lines(cell), lines, "{cell:?}");
        }
    }
}
