//! What parts the cells of a table that somebody saved. Spreadsheets take commas, semicolons or tabs, by the country they are set to and by what
//! they are asked for.

use super::{check_quotes, open};
use csv::{Reader, ReaderBuilder};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use waterjar_core::{AS_UTF_8, SourceError};

/// Of those that a head has equally often, it is the first.
pub(super) const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// So much of a file is looked at.
pub(super) const HEAD: usize = 1 << 16;

/// A table whose cells are parted by what parts its head; `how` says everything else. One in UTF-16 and one with a quote that is not closed where
/// its cell ends are refused.
pub fn cells(path: &Path, how: &mut ReaderBuilder) -> Result<Reader<BufReader<File>>, SourceError> {
    let mut file = BufReader::with_capacity(HEAD, open(path)?);
    let head = file.fill_buf().map_err(|error| SourceError::unreadable(path, &error))?;
    if is_utf_16(head) {
        return Err(SourceError::at(path, "is written in UTF-16").with_hint(AS_UTF_8));
    }
    let delimiter = separator(head);
    check_quotes(path, delimiter)?;
    Ok(how.delimiter(delimiter).from_reader(file))
}

/// By its mark, or by half of its first letter.
fn is_utf_16(text: &[u8]) -> bool {
    matches!(text, [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, ..] | [_, 0, ..])
}

/// What parts the cells of the first row of a text. What stands in quotes parts nothing.
pub fn separator(text: &[u8]) -> u8 {
    let text = text.strip_prefix(super::BYTE_ORDER_MARK.as_bytes()).unwrap_or(text);
    let mut counts = [0_usize; SEPARATORS.len()];
    let (mut is_quoted, mut is_beginning) = (false, true);
    for byte in text.iter().skip_while(|byte| ends_line(**byte)) {
        // A quote within a cell is a letter; of two within quotes the second opens them again.
        let is_quote = *byte == b'"' && (is_quoted || is_beginning);
        is_quoted ^= is_quote;
        let part = SEPARATORS.iter().position(|it| it == byte).filter(|_| !is_quoted);
        if let Some(at) = part {
            counts[at] += 1;
        } else if !is_quoted && ends_line(*byte) {
            break;
        }
        is_beginning = is_quote || part.is_some();
    }
    let most = (0..SEPARATORS.len()).rev().max_by_key(|at| counts[*at]);
    most.map_or(SEPARATORS[0], |at| SEPARATORS[at])
}

fn ends_line(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, parts: char) {
        assert_eq!(char::from(separator(text.as_bytes())), parts, "{text:?}");
    }

    #[test]
    fn cells_are_parted_by_what_the_head_has_most_of() {
        check("item,story\n1;2;3\n", ',');
        check("item;story\r\n1,2,3\r\n", ';');
        check("item\tstory\r1,2", '\t');
        check("\u{feff}item;Meyer, Anna;Meyer, Ben;note", ';');
        check("\r\n\n\na;b\n", ';');
    }

    #[test]
    fn who_has_none_or_as_many_of_two_has_commas() {
        check("", ',');
        check("\u{feff}", ',');
        check("item\na;b", ',');
        check("a;b,c", ',');
        check("a\tb;c", ';');
    }

    #[test]
    fn what_stands_in_quotes_parts_nothing() {
        check("\"a;b;c\",d\n", ',');
        check("\"a\n,,,\";d\n", ';');
        check("\"says \"\"a,b,c\"\"\";d\n", ';');
        check("\u{feff}\"a,b,c\";d\n", ';');
        check("5\" tall;a\n1,2,3\n", ';');
    }

    #[test]
    fn a_table_is_read_however_it_was_saved() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("table.csv");
        let plain = "item,story\r\n1,\"He coughs,\r\nthen; he \"\"sleeps\"\"\"\r\n2,é 咳嗽\r\n";
        let read = |text: &str| -> Vec<csv::StringRecord> {
            std::fs::write(&path, text).unwrap();
            let mut reader = cells(&path, ReaderBuilder::new().has_headers(false)).unwrap();
            reader.records().map(Result::unwrap).collect()
        };
        let rows = read(plain);
        assert_eq!((rows.len(), &rows[1][1]), (3, "He coughs,\r\nthen; he \"sleeps\""));
        for mark in ["", "\u{feff}"] {
            for parts in [",", ";", "\t"] {
                let text = plain.replacen("m,s", &format!("m{parts}s"), 1).replacen("1,", &format!("1{parts}"), 1);
                assert_eq!(read(&format!("{mark}{}", text.replacen("2,", &format!("2{parts}"), 1))), rows, "{parts:?}");
            }
        }
        let in_16: Vec<u8> = plain.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for mark in [&[][..], &[0xff, 0xfe]] {
            std::fs::write(&path, [mark, &in_16].concat()).unwrap();
            let told = cells(&path, &mut ReaderBuilder::new()).err().unwrap();
            assert!(told.problem == "is written in UTF-16" && told.hint.as_deref() == Some(AS_UTF_8), "{told}");
        }
        assert!(cells(&dir.path().join("none.csv"), &mut ReaderBuilder::new()).is_err());
    }
}
