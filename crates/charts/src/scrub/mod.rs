//! Takes identifiers out of a chart: names, addresses, numbers, links; dates move, intervals stay.
//!
//! It lowers the risk, it does not end it: the README of this crate says what it does not catch.

mod codes;
mod dates;
mod finders;
mod folding;
mod fractions;
mod identity;
mod known;
mod links;
mod names;
mod people;
mod ranges;
mod relatives;
mod temperatures;
mod words;

use crate::import::DateOrder;
use crate::{Chart, Part, Section};
use dates::Shift;
use finders::Finders;
use identity::Identity;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;
use waterjar_core::{CaseId, Seed};

#[derive(Clone, Copy, Debug)]
pub struct ScrubOptions {
    /// Decides, with the chart's id, by how many days its dates move and what it is called.
    pub seed: Seed,
    /// Moves by whole weeks, so that a Monday stays a Monday.
    pub keep_weekday: bool,
    /// How 03/04/2024 in a text is meant.
    pub date_order: DateOrder,
}

impl ScrubOptions {
    pub fn new(seed: Seed) -> Self {
        Self { seed, keep_weekday: false, date_order: DateOrder::default() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scrubbed {
    pub chart: Chart,
    /// What was replaced and where; never what stood there.
    pub replaced: Vec<Replacement>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replacement {
    pub kind: Identifier,
    pub section: Section,
    pub part: Part,
    /// Bytes into the new text of that part; none for the date an entry stands under.
    pub at: Option<usize>,
}

/// In the order that decides where two overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Identifier {
    Email,
    Url,
    RecordNumber,
    Address,
    Phone,
    Name,
    Age,
    Date,
}

impl Identifier {
    /// What stands in its place; dates and ages get a new value instead.
    fn token(self) -> &'static str {
        match self {
            Self::Email => "[EMAIL]",
            Self::Url => "[LINK]",
            Self::RecordNumber => "[NUMBER]",
            Self::Address => "[ADDRESS]",
            Self::Phone => "[PHONE]",
            Self::Name => "[NAME]",
            Self::Age => "90+",
            Self::Date => "[DATE]",
        }
    }
}

/// A stretch of a text and what replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Find {
    range: Range<usize>,
    kind: Identifier,
    with: String,
}

/// Ages above this one are told as 90+ (45 CFR 164.514(b)(2)).
const OLDEST: i16 = 89;

/// What a chart is called afterwards, for what is known of it under its own name.
pub fn scrubbed_id(id: &str, seed: Seed) -> String {
    format!("patient-{:012x}", seed.rank("chart id", id) & 0xffff_ffff_ffff)
}

pub fn scrub(chart: &Chart, options: &ScrubOptions) -> Scrubbed {
    let id = chart.id.as_str();
    let shift = Shift {
        days: days_to_move(options, id),
        order: options.date_order,
        // A date so long before the last entry can only be a birth, and tells an age above the limit.
        last: chart.last_date(),
    };
    let finders = Finders::new(&Identity::of(chart));
    let mut replaced = Vec::new();
    let mut scrubbed = Chart::new(scrubbed_id(id, options.seed));
    scrubbed.notice.clone_from(&chart.notice);
    for (&section, text) in &chart.blocks {
        let place = Place { section, part: Part::Block };
        let mut finds = if section == Section::Demographics { identity::lines(text, &shift) } else { Vec::new() };
        finds.extend(finders.find(text, &shift));
        scrubbed.blocks.insert(section, replace(text, finds, &place, &mut replaced));
    }
    for (number, entry) in chart.entries.iter().enumerate() {
        let place = Place { section: entry.section, part: Part::Entry(number) };
        let mut entry = entry.clone();
        entry.text = replace(&entry.text, finders.find(&entry.text, &shift), &place, &mut replaced);
        if let Some(date) = entry.date {
            entry.date = shift.moved(date);
            let kind = if entry.date.is_some() { Identifier::Date } else { Identifier::Age };
            replaced.push(place.replacement(kind, None));
        }
        scrubbed.entries.push(entry);
    }
    debug_assert_ne!(scrubbed.id, CaseId::new(id));
    Scrubbed { chart: scrubbed, replaced }
}

/// Between one and twelve months, to either side.
fn days_to_move(options: &ScrubOptions, id: &str) -> i32 {
    let mut rng = options.seed.rng("move dates", id);
    let days = rng.random_range(30..365);
    let days = if options.keep_weekday { (days / 7) * 7 } else { days };
    if rng.random_bool(0.5) { days } else { -days }
}

struct Place {
    section: Section,
    part: Part,
}

impl Place {
    fn replacement(&self, kind: Identifier, at: Option<usize>) -> Replacement {
        Replacement { kind, section: self.section, part: self.part, at }
    }
}

/// Where two finds overlap the earlier kind wins, and of one kind the longer. Marks of a former de-identification stay as they are.
fn replace(text: &str, mut finds: Vec<Find>, place: &Place, replaced: &mut Vec<Replacement>) -> String {
    if finds.is_empty() {
        return text.to_owned();
    }
    finds.sort_by_key(|find| (find.kind, std::cmp::Reverse(find.range.len()), find.range.start));
    // Start and end of what is taken; none overlaps another.
    let mut taken: BTreeMap<usize, usize> = finders::protected(text).into_iter().map(|it| (it.start, it.end)).collect();
    let mut chosen: Vec<Find> = Vec::new();
    for find in finds {
        let last_before_its_end = taken.range(..find.range.end).next_back();
        if last_before_its_end.is_none_or(|(_, end)| *end <= find.range.start) {
            taken.insert(find.range.start, find.range.end);
            chosen.push(find);
        }
    }
    chosen.sort_by_key(|find| find.range.start);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for find in chosen {
        out.push_str(&text[at..find.range.start]);
        replaced.push(place.replacement(find.kind, Some(out.len())));
        out.push_str(&find.with);
        at = find.range.end;
    }
    out.push_str(&text[at..]);
    out
}
