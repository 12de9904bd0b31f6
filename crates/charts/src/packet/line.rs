//! What the lines of a packet can be.

use crate::{Date, Section};

pub(super) const CHRONOLOGY: &str = "Chronology";
const UNDATED: &str = "undated";

/// The beginning of an entry, read: what is left is the first line of its text.
pub(super) struct EntryHead<'a> {
    pub date: Option<Date>,
    pub section: Option<Section>,
    pub tag: &'a str,
    pub rest: &'a str,
}

/// The title inside `== … ==`.
pub(super) fn heading(line: &str) -> Option<&str> {
    line.strip_prefix("== ")?.strip_suffix(" ==")
}

pub(super) fn entry_head(line: &str) -> Option<EntryHead<'_>> {
    // Most lines are ruled out by their first byte.
    if !line.as_bytes().first().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'u') {
        return None;
    }
    let (when, rest) = line.split_once(' ')?;
    let date = if when == UNDATED { None } else { Some(when.parse().ok()?) };
    let (section, rest) = match rest.strip_prefix('{') {
        Some(rest) => {
            let (name, rest) = rest.split_once("} ")?;
            (Some(name.parse().ok()?), rest)
        }
        None => (None, rest),
    };
    let (tag, rest) = rest.strip_prefix('[')?.split_once(']')?;
    if tag.is_empty() {
        return None;
    }
    // Exactly one space belongs to the head; more belong to the text.
    let rest = if rest.is_empty() { rest } else { rest.strip_prefix(' ')? };
    Some(EntryHead { date, section, tag, rest })
}

/// True of any line a reader could take for a heading or an entry, and of such a line already guarded.
pub(super) fn looks_like_a_head(line: &str) -> bool {
    match line.as_bytes().first() {
        Some(b'=' | b'\\' | b'u' | b'0'..=b'9') => {
            let bare = line.trim_start_matches('\\');
            heading(bare).is_some() || entry_head(bare).is_some()
        }
        _ => false,
    }
}
