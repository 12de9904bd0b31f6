//! A chart as text, and where each part of it stands.
//!
//! ```text
//! PACKET breast-01
//! NOTICE Synthetic record, illustrative, not for patient care.
//!
//! == Diagnoses ==
//! Invasive ductal carcinoma of the left breast …
//!
//! == Chronology ==
//! 2024-03-09 [Procedure] Left mastectomy with sentinel node biopsy.
//! 2024-03-12 {biomarkers} [Observation] HER2: positive
//! undated [Note] …
//! ```
//!
//! The section stands in braces where the tag does not tell it. A line inside a text that looks like a heading or like the
//! beginning of an entry is written with a backslash before it, so every chart can be read back exactly.

mod line;
mod read;

pub use read::{PacketError, read};

use crate::chart::one_line;
use crate::{Chart, Entry, Section};
use line::{CHRONOLOGY, looks_like_a_head};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::ops::Range;
use std::sync::LazyLock;

/// The text a model is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packet {
    pub text: String,
    /// In the order of the text, without overlap.
    pub spans: Vec<Span>,
}

/// One part of a packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    pub part: Part,
    pub section: Section,
    /// The part with its heading or date and tag, in bytes.
    pub whole: Range<usize>,
    /// Its text alone.
    pub body: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The header block of the section.
    Block,
    /// The entry at this place in the chart.
    Entry(usize),
}

impl Packet {
    /// The part a byte belongs to; none for the first lines and the chronology's heading.
    pub fn at(&self, byte: usize) -> Option<&Span> {
        let after = self.spans.partition_point(|span| span.whole.start <= byte);
        self.spans[..after].last().filter(|span| span.whole.contains(&byte))
    }

    /// The parts of one section, in the order of the text.
    pub fn of_section(&self, section: Section) -> impl Iterator<Item = &Span> {
        self.spans.iter().filter(move |span| span.section == section)
    }

    /// One section as a reader asks for it: its block, then its entries.
    pub fn section_text(&self, section: Section) -> String {
        let mut text = String::new();
        for span in self.of_section(section) {
            text.push_str(self.text[span.whole.clone()].trim_start_matches('\n'));
        }
        text
    }
}

/// What a packet says before its dated entries.
pub fn blocks(packet: &str) -> &str {
    static HEADING: LazyLock<String> = LazyLock::new(|| format!("\n== {CHRONOLOGY} ==\n"));
    packet.find(HEADING.as_str()).map_or(packet, |at| &packet[..at])
}

/// The canonical text of a chart. The same chart gives the same bytes.
pub fn render(chart: &Chart) -> Packet {
    let long: usize = chart.blocks.values().chain(chart.entries.iter().map(|entry| &entry.text)).map(String::len).sum();
    let mut text = String::with_capacity(long + 48 * (chart.entries.len() + chart.blocks.len() + 4));
    let mut spans = Vec::with_capacity(chart.blocks.len() + chart.entries.len());
    let _ = writeln!(text, "PACKET {}", one_line(chart.id.as_str()));
    if let Some(notice) = &chart.notice {
        let _ = writeln!(text, "NOTICE {}", one_line(notice));
    }
    for (&section, block) in &chart.blocks {
        let start = text.len();
        let _ = writeln!(text, "\n== {} ==", section.title());
        spans.push(finish(&mut text, start, Part::Block, section, block, true));
    }
    if !chart.entries.is_empty() {
        let _ = writeln!(text, "\n== {CHRONOLOGY} ==");
    }
    for (place, entry) in chart.entries.iter().enumerate() {
        let start = text.len();
        write_head(&mut text, entry);
        spans.push(finish(&mut text, start, Part::Entry(place), entry.section, &entry.text, false));
    }
    Packet { text, spans }
}

fn write_head(text: &mut String, entry: &Entry) {
    let written = match entry.date {
        Some(date) => write!(text, "{date} "),
        None => write!(text, "undated "),
    };
    let _ = written;
    if entry.section != Section::of_tag(entry.tag.as_str()) {
        let _ = write!(text, "{{{}}} ", entry.section);
    }
    let _ = write!(text, "[{}]", entry.tag);
    if !entry.text.is_empty() {
        text.push(' ');
    }
}

fn finish(text: &mut String, start: usize, part: Part, section: Section, body: &str, from_line_start: bool) -> Span {
    let body_start = text.len();
    for (number, line) in body.split('\n').enumerate() {
        if number > 0 {
            text.push('\n');
        }
        // The first line of an entry stands behind its head and needs no guard.
        if (number > 0 || from_line_start) && looks_like_a_head(line) {
            text.push('\\');
        }
        text.push_str(line);
    }
    let body_end = text.len();
    text.push('\n');
    Span { part, section, whole: start..text.len(), body: body_start..body_end }
}
