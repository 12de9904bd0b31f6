//! Quotes that swallow rows: what is between two of them is one cell, however many lines it has.

use super::open;
use super::separator::{HEAD, SEPARATORS, separator};
use csv::StringRecord;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
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

#[derive(Clone, Copy, PartialEq)]
enum State {
    Beginning,
    Plain,
    Quoted,
    /// Behind a quote within quotes: the end of the cell, or half of a quote that is meant.
    Behind,
}

impl State {
    /// What is read behind one byte more, as `csv` reads it.
    fn behind(self, byte: u8, separator: u8) -> Self {
        match self {
            Self::Quoted if byte == b'"' => Self::Behind,
            Self::Quoted => Self::Quoted,
            Self::Beginning | Self::Behind if byte == b'"' => Self::Quoted,
            _ if byte == separator || ends_line(byte) => Self::Beginning,
            _ => Self::Plain,
        }
    }
}

fn ends_line(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
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
            if state == State::Beginning && byte == b'"' {
                opened = line;
            }
            state = state.behind(byte, separator);
            line += u64::from(ends_line(byte) && !(byte == b'\n' && returned));
            returned = byte == b'\r';
        }
        let read = buffer.len();
        text.consume(read);
    }
}

/// The column of a row whose cell holds other rows of the table: a stray quote opens it, and the next one, rows below, stands at the beginning of
/// the same column. Lines of a cell may look like rows as well (`labs:`, below it `138,4.1,102`), so they are taken for rows only where the quote
/// that ends them is a stray one. What cannot be read a second time is not looked through.
pub fn swallowing(path: &Path, row: &StringRecord) -> Option<usize> {
    let looks = |at: &usize| SEPARATORS.iter().any(|separator| looks_like_rows(&row[*at], *at, row.len(), *separator));
    (0..row.len()).filter(looks).find(|at| path.is_file() && is_closed_astray(path, row, *at).unwrap_or(false))
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

/// Whether the quote that closes a cell of more than one line is not meant to: the text of another cell follows it, or it is all of that cell.
/// Spaces are no text.
fn is_closed_astray(path: &Path, row: &StringRecord, at: usize) -> io::Result<bool> {
    let mut file = BufReader::with_capacity(HEAD, File::open(path)?);
    let separator = separator(file.fill_buf()?);
    if !looks_like_rows(&row[at], at, row.len(), separator) {
        return Ok(false);
    }
    if at > 0 && row[at].ends_with(char::from(separator)) {
        return Ok(true);
    }
    let Some(place) = row.position() else { return Ok(false) };
    file.seek(SeekFrom::Start(place.byte()))?;
    let (mut state, mut column) = (State::Beginning, 0);
    // `csv` takes a row to begin before the ends of lines above it.
    for byte in file.bytes().skip_while(|byte| byte.as_ref().is_ok_and(|byte| ends_line(*byte))) {
        let byte = byte?;
        state = state.behind(byte, separator);
        match state {
            // A cell of more than one line begins with a quote, so what is plain in it is behind the second.
            State::Plain if column == at && byte != b' ' => return Ok(true),
            State::Beginning if column == at => return Ok(false),
            State::Beginning => column += 1,
            _ => {}
        }
    }
    Ok(false)
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
        check("i,a,b,c,d\n0,A,B,A,\"A\n1,A,B,A,\"A\n", Some(4));
        check("\u{feff}i;a;b;c;d\r\n\r\n0;A;B;A;\"A\r\n1;A;B;A;A\r\n2;A;B;A;\"A\r\n", Some(4));
        check("i,a,b\n\"0,A,B\n1,A,B\n\"2,A,B\n", Some(0));
        check("i,a,b,c\n0,A,B,\"A\n1,A,B,\"B\n", Some(3));
        check("i,a,b,c\n\"0\",A,\"x,C\n1,A,B,C\n2,A,\"y,C\n", Some(2));
        check("i,a,b,c\n0,A,\"x,C\n1,A,B,C\n2,A,\"y and z\",C\n", Some(2));
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
