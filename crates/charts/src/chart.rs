//! One patient's chart: a block of standing facts per section, and what happened, entry by entry.

use crate::{Date, Section};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use waterjar_core::CaseId;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chart {
    /// The case a study makes of it is called the same.
    pub id: CaseId,
    /// One line on what the record is, printed under its id: ours says that it is synthetic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
    /// The header block of each section that has one.
    #[serde(default)]
    pub blocks: BTreeMap<Section, String>,
    /// In the order of the packet, which is time; the undated come last.
    #[serde(default)]
    pub entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub date: Option<Date>,
    pub tag: Tag,
    pub section: Section,
    pub text: String,
}

/// What kind of entry it is: `Procedure`, `Medication`, `Progress Notes`. One line without square brackets.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Tag(String);

impl Chart {
    pub fn new(id: impl Into<String>) -> Self {
        // The id stands on one line of the packet.
        let id = one_line(&id.into());
        Self { id: CaseId::new(id), notice: None, blocks: BTreeMap::new(), entries: Vec::new() }
    }

    /// Puts the entries into the order of time and keeps the order of those of one date.
    pub fn sort(&mut self) {
        self.entries.sort_by_key(|entry| (entry.date.is_none(), entry.date));
    }

    pub fn first_date(&self) -> Option<Date> {
        self.entries.iter().filter_map(|entry| entry.date).min()
    }

    pub fn last_date(&self) -> Option<Date> {
        self.entries.iter().filter_map(|entry| entry.date).max()
    }
}

impl Entry {
    /// In the section its tag belongs to.
    pub fn new(date: Option<Date>, tag: &str, text: impl Into<String>) -> Self {
        let tag = Tag::new(tag);
        Self { date, section: Section::of_tag(tag.as_str()), tag, text: text.into() }
    }

    #[must_use]
    pub fn in_section(mut self, section: Section) -> Self {
        self.section = section;
        self
    }
}

impl Tag {
    /// Square brackets become round ones and line breaks spaces, because a packet writes the tag as `[Tag]`.
    pub fn new(name: &str) -> Self {
        let name = one_line(name).replace('[', "(").replace(']', ")");
        Self(if name.is_empty() { "Note".to_owned() } else { name })
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<String> for Tag {
    fn from(name: String) -> Self {
        Self::new(&name)
    }
}

impl From<Tag> for String {
    fn from(tag: Tag) -> Self {
        tag.0
    }
}

/// Runs of white space become one space.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}
