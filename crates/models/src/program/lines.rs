//! A stream of bytes → lines of bounded length.

use std::io::{self, Read};

/// Why no more lines are read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unread {
    End,
    /// It began so.
    TooLong(String),
    /// So much of nothing but empty lines.
    Nothing,
    /// Whoever heard the line wants no more.
    Refused(String),
}

/// Gives each line to `hear` until the stream ends, a line is longer than `longest`, or one is refused. Holds no more than that.
pub(super) fn read(mut from: impl Read, longest: usize, mut hear: impl FnMut(&[u8]) -> Result<(), String>) -> Unread {
    let mut held: Vec<u8> = Vec::new();
    let mut piece = vec![0; 64 << 10];
    let mut empty = 0;
    loop {
        let some = match from.read(&mut piece) {
            Ok(0) => return Unread::End,
            Ok(some) => some,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return Unread::End,
        };
        let mut rest = &piece[..some];
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, after) = (&rest[..end], &rest[end + 1..]);
            rest = after;
            if held.len() + line.len() > longest {
                held.extend_from_slice(line);
                return Unread::TooLong(beginning(&held));
            }
            // Most lines come in one piece, and are heard where they lie.
            let heard = if held.is_empty() {
                line
            } else {
                held.extend_from_slice(line);
                &held
            };
            if heard.trim_ascii().is_empty() {
                empty += heard.len() + 1;
                if empty > longest {
                    return Unread::Nothing;
                }
            } else {
                empty = 0;
                if let Err(why) = hear(heard) {
                    return Unread::Refused(why);
                }
            }
            held.clear();
        }
        if held.len() + rest.len() > longest {
            held.extend_from_slice(rest);
            return Unread::TooLong(beginning(&held));
        }
        held.extend_from_slice(rest);
    }
}

/// The first two hundred characters.
pub(super) fn beginning(line: &[u8]) -> String {
    // No character has more than four bytes.
    let text = String::from_utf8_lossy(&line[..line.len().min(4 * 201)]);
    let text = text.trim().replace(char::is_control, " ");
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(stream: &str, longest: usize, heard: &[&str], end: Unread) {
        let mut lines = Vec::new();
        let ended = read(stream.as_bytes(), longest, |line| {
            lines.push(String::from_utf8_lossy(line).into_owned());
            if line == b"no" { Err("it said no".to_owned()) } else { Ok(()) }
        });
        assert_eq!((lines, ended), (heard.iter().map(|line| (*line).to_owned()).collect(), end));
    }

    #[test]
    fn lines_are_heard_until_one_is_too_long_or_refused() {
        check("a\n\nbc\r\n", 3, &["a", "bc\r"], Unread::End);
        check("a\nlonger", 3, &["a"], Unread::TooLong("longer".into()));
        check("a\nlonger\nb\n", 3, &["a"], Unread::TooLong("longer".into()));
        check("a\nno\nb\n", 9, &["a", "no"], Unread::Refused("it said no".into()));
        check("a\nunfinished", 99, &["a"], Unread::End);
        check(&"\n".repeat(99), 9, &[], Unread::Nothing);
    }

    #[test]
    fn a_line_may_come_in_many_pieces() {
        let long = "é".repeat(200_000);
        check(&format!("a\n{long}\nb\n"), 1 << 20, &["a", &long, "b"], Unread::End);
    }

    #[test]
    fn a_beginning_is_short_and_one_line() {
        assert_eq!(beginning(b"  Loading\tmodel \xff\n"), "Loading model \u{fffd}");
        assert_eq!(beginning("é".repeat(1000).as_bytes()).chars().count(), 201);
    }
}
