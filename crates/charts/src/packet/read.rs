//! A packet's text back to its chart.

use super::line::{CHRONOLOGY, entry_head, heading, looks_like_a_head};
use super::{Packet, Part, Span};
use crate::chart::{Tag, one_line};
use crate::{Chart, Entry, Section};

/// What is wrong with a packet, and in which line.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct PacketError {
    pub line: usize,
    pub problem: String,
}

/// Reads what [`render`](super::render) wrote, edited or not: the chart, and where its parts stand in this very text.
pub fn read(text: &str) -> Result<(Chart, Packet), PacketError> {
    let mut reading = Reading::begin(text)?;
    while let Some(line) = reading.next_line() {
        reading.take(&line)?;
    }
    Ok(reading.end())
}

struct Line<'a> {
    start: usize,
    text: &'a str,
    number: usize,
}

struct Reading<'a> {
    text: &'a str,
    at: usize,
    number: usize,
    chart: Chart,
    spans: Vec<Span>,
    /// Whether the lines now read belong to a part.
    open: bool,
    in_chronology: bool,
}

impl<'a> Reading<'a> {
    fn begin(text: &'a str) -> Result<Self, PacketError> {
        let mut reading = Self {
            text,
            at: 0,
            number: 0,
            chart: Chart::new(""),
            spans: Vec::new(),
            open: false,
            in_chronology: false,
        };
        let id = reading.next_line().and_then(|line| line.text.strip_prefix("PACKET "));
        let Some(id) = id else {
            let problem = "a packet begins with `PACKET` and the id of the chart".to_owned();
            return Err(PacketError { line: 1, problem });
        };
        reading.chart = Chart::new(id);
        let before = (reading.at, reading.number);
        match reading.next_line().and_then(|line| line.text.strip_prefix("NOTICE ")) {
            Some(notice) => reading.chart.notice = Some(one_line(notice)),
            None => (reading.at, reading.number) = before,
        }
        Ok(reading)
    }

    fn next_line(&mut self) -> Option<Line<'a>> {
        if self.at >= self.text.len() {
            return None;
        }
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest.find('\n').unwrap_or(rest.len());
        self.at = (start + length + 1).min(self.text.len());
        self.number += 1;
        Some(Line { start, text: &rest[..length], number: self.number })
    }

    fn take(&mut self, line: &Line<'a>) -> Result<(), PacketError> {
        let wrong = |problem: String| PacketError { line: line.number, problem };
        if let Some(title) = heading(line.text) {
            if title == CHRONOLOGY {
                self.close(line.start);
                self.in_chronology = true;
                return Ok(());
            }
            // A heading nobody knows would hide what follows it.
            let section: Section = title.parse().map_err(|error| wrong(format!("{error}")))?;
            let start = self.close(line.start);
            if self.in_chronology || self.chart.blocks.contains_key(&section) {
                return Err(wrong(format!("the block `{title}` comes twice, or after the chronology")));
            }
            self.chart.blocks.insert(section, String::new());
            self.begin_part(Part::Block, section, start, self.at);
        } else if let Some(head) = entry_head(line.text).filter(|_| self.in_chronology) {
            self.close(line.start);
            let section = head.section.unwrap_or_else(|| Section::of_tag(head.tag));
            let (date, tag) = (head.date, Tag::new(head.tag));
            let place = self.chart.entries.len();
            self.chart.entries.push(Entry { date, tag, section, text: String::new() });
            let body = line.start + line.text.len() - head.rest.len();
            self.begin_part(Part::Entry(place), section, line.start, body);
        } else if !self.open && !line.text.is_empty() {
            return Err(wrong("text before the first heading or entry".to_owned()));
        }
        Ok(())
    }

    fn begin_part(&mut self, part: Part, section: Section, start: usize, body: usize) {
        self.spans.push(Span { part, section, whole: start..start, body: body..body });
        self.open = true;
    }

    /// Ends the open part before the line at `next` and tells where the line's own part begins: the blank line before a
    /// heading belongs to the heading.
    fn close(&mut self, next: usize) -> usize {
        let heading = self.text[next..].starts_with("== ");
        let blank = heading && self.text[..next].ends_with("\n\n");
        let end = if blank { next - 1 } else { next };
        self.end_part(end);
        end
    }

    fn end_part(&mut self, end: usize) {
        if !self.open {
            return;
        }
        self.open = false;
        let Some(span) = self.spans.last_mut() else { return };
        span.whole.end = end;
        let body = span.body.start;
        let body_end = if end > body && self.text[..end].ends_with('\n') { end - 1 } else { end.max(body) };
        span.body.end = body_end;
        let text = unguarded(&self.text[body..body_end], span.part == Part::Block);
        match span.part {
            Part::Block => drop(self.chart.blocks.insert(span.section, text)),
            Part::Entry(place) => self.chart.entries[place].text = text,
        }
    }

    fn end(mut self) -> (Chart, Packet) {
        self.end_part(self.text.len());
        (self.chart, Packet { text: self.text.to_owned(), spans: self.spans })
    }
}

/// The text without the backslashes that guard its lines. The first line of an entry has none.
fn unguarded(body: &str, from_line_start: bool) -> String {
    if !body.contains('\\') {
        return body.to_owned();
    }
    let lines = body.split('\n').enumerate().map(|(number, line)| match line.strip_prefix('\\') {
        Some(bare) if (number > 0 || from_line_start) && looks_like_a_head(line) => bare,
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}
