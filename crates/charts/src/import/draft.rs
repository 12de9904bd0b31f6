//! One patient's chart while its rows and resources come in, in any order.

use super::summary::Summary;
use super::when::{DateOrder, When};
use crate::chart::one_line;
use crate::{Chart, Date, Entry, Section};
use indexmap::IndexMap;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The labels every importer writes and the scrubber looks for.
pub(crate) mod label {
    pub const NAME: &str = "Name";
    pub const FORMER_NAME: &str = "Former name";
    pub const BORN: &str = "Born";
    pub const DIED: &str = "Died";
    pub const SEX: &str = "Sex";
    pub const ADDRESS: &str = "Address";
    pub const BIRTHPLACE: &str = "Birthplace";
    pub const PHONE: &str = "Phone";
    pub const EMAIL: &str = "E-mail";
    pub const RECORD: &str = "Record number";
}

/// What an importer has to say of one thing that happened.
#[derive(Debug)]
pub(super) struct Item {
    /// As the source writes it.
    pub date: String,
    pub tag: String,
    pub section: Section,
    pub text: String,
    /// The line it gets in its section's block; the latest of a name stands there.
    pub headline: Option<Headline>,
}

#[derive(Debug)]
pub(super) struct Headline {
    pub name: String,
    pub text: String,
}

#[derive(Debug, Default)]
pub(super) struct Draft {
    demographics: IndexMap<String, String>,
    entries: Vec<(Option<When>, Entry)>,
    headlines: BTreeMap<Section, IndexMap<String, Standing>>,
}

/// A headline over all its mentions.
#[derive(Debug)]
struct Standing {
    text: String,
    first: Option<Date>,
    last: Option<When>,
    times: u32,
}

impl Draft {
    /// A line of the demographics block; what is empty is not said.
    pub fn state(&mut self, label: &str, value: &str) {
        let value = one_line(value);
        if !value.is_empty() {
            self.demographics.insert(label.to_owned(), value);
        }
    }

    pub fn is_described(&self) -> bool {
        !self.demographics.is_empty()
    }

    pub fn add(&mut self, item: Item, order: DateOrder, summary: &mut Summary) {
        let when = When::read(&item.date, order);
        let mut text = item.text;
        if when.is_none() && !item.date.trim().is_empty() {
            // The entry stays, without a date it could be sorted by, and its date as the source wrote it.
            summary.unread_dates += 1;
            let _ = write!(text, " (date as written: {})", one_line(&item.date));
        }
        if let Some(headline) = item.headline {
            self.stand(item.section, headline, when);
        }
        let entry = Entry::new(when.map(|when| when.date), &item.tag, text).in_section(item.section);
        self.entries.push((when, entry));
    }

    fn stand(&mut self, section: Section, headline: Headline, when: Option<When>) {
        let date = when.map(|when| when.date);
        match self.headlines.entry(section).or_default().entry(headline.name) {
            indexmap::map::Entry::Vacant(place) => {
                place.insert(Standing { text: headline.text, first: date, last: when, times: 1 });
            }
            indexmap::map::Entry::Occupied(mut place) => {
                let standing = place.get_mut();
                standing.times += 1;
                standing.first = [standing.first, date].into_iter().flatten().min();
                if when >= standing.last {
                    (standing.text, standing.last) = (headline.text, when);
                }
            }
        }
    }

    pub fn finish(mut self, id: &str) -> Chart {
        let mut chart = Chart::new(id);
        self.entries.sort_by_key(|(when, _)| (when.is_none(), *when));
        chart.entries = self.entries.into_iter().map(|(_, entry)| entry).collect();
        let overview = overview(&self.demographics, &chart);
        for (section, lines) in self.headlines {
            let mut lines: Vec<_> = lines.into_values().collect();
            lines.sort_by_key(|standing| (standing.first.is_none(), standing.first));
            let block: Vec<String> = lines.iter().map(|standing| standing.line(section)).collect();
            chart.blocks.insert(section, block.join("\n"));
        }
        if !self.demographics.is_empty() {
            let lines: Vec<_> = self.demographics.iter().map(|(label, value)| format!("{label}: {value}")).collect();
            chart.blocks.insert(Section::Demographics, lines.join("\n"));
        }
        chart.blocks.insert(Section::Overview, overview);
        chart
    }
}

impl Standing {
    fn line(&self, section: Section) -> String {
        let last = self.last.map(|when| when.date);
        let dates = match (section, self.first, last) {
            (Section::Labs | Section::Vitals | Section::Biomarkers, _, Some(last)) => last.to_string(),
            (_, Some(first), Some(last)) if self.times > 1 && first != last => {
                format!("{first} to {last}, {} times", self.times)
            }
            (_, Some(first), _) => first.to_string(),
            _ => return self.text.clone(),
        };
        format!("{} ({dates})", self.text)
    }
}

/// Who, how long a record, and what is in it: a few lines over everything.
fn overview(demographics: &IndexMap<String, String>, chart: &Chart) -> String {
    let mut lines = Vec::new();
    let born: Option<Date> = demographics.get(label::BORN).and_then(|text| text.parse().ok());
    let age = born.zip(chart.last_date()).map(|(born, last)| format!("{}-year-old", born.years_until(last)));
    let sex = demographics.get(label::SEX).map(|sex| sex.to_lowercase());
    let who: Vec<_> = [age, sex].into_iter().flatten().collect();
    if !who.is_empty() {
        lines.push(format!("{}.", who.join(" ")));
    }
    if let (Some(first), Some(last)) = (chart.first_date(), chart.last_date()) {
        lines.push(format!("{} entries from {first} to {last}.", chart.entries.len()));
    }
    let mut kinds: BTreeMap<&str, u32> = BTreeMap::new();
    for entry in &chart.entries {
        *kinds.entry(entry.tag.as_str()).or_default() += 1;
    }
    let kinds: Vec<_> = kinds.into_iter().map(|(tag, count)| format!("{tag} {count}")).collect();
    if !kinds.is_empty() {
        lines.push(format!("By kind: {}.", kinds.join(", ")));
    }
    lines.join("\n")
}
