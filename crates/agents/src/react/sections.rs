//! A chart by its sections, as a tool hands them out.

use std::collections::BTreeMap;
use waterjar_charts::{Section, read};

/// The text of every section: its block, then its entries in time.
pub(crate) struct Sections {
    texts: BTreeMap<Section, String>,
}

impl Sections {
    /// The error says that the text is no packet.
    pub fn of(packet: &str) -> Result<Self, String> {
        let (chart, _) = read(packet).map_err(|error| format!("the text is no chart: {error}"))?;
        let mut texts: BTreeMap<Section, String> = chart.blocks;
        for entry in &chart.entries {
            let date = entry.date.map_or_else(|| "undated".to_owned(), |date| date.to_string());
            let text = texts.entry(entry.section).or_default();
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&format!("{date} [{}] {}", entry.tag, entry.text));
        }
        Ok(Self { texts })
    }

    pub fn names() -> Vec<&'static str> {
        Section::ALL.iter().map(|section| section.name()).collect()
    }

    /// At most so many bytes of a section, and whether it was cut. A section without text is empty.
    pub fn part(&self, section: Section, most: usize) -> (&str, bool) {
        let text = self.texts.get(&section).map_or("", String::as_str);
        let end = text.floor_char_boundary(most);
        (&text[..end], end < text.len())
    }
}
