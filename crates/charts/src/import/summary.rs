//! What an import read and what it left out.

use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use waterjar_core::counted;

/// Complete once the import has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    pub charts: u64,
    pub entries: u64,
    /// How many of each resource type or table became an entry or a line of demographics.
    pub read: BTreeMap<String, u64>,
    /// What was left out, by what it was and why.
    pub skipped: BTreeMap<String, BTreeMap<String, u64>>,
    /// Entries kept without a date because theirs could not be read.
    pub unread_dates: u64,
    /// Charts without a patient resource or row.
    pub undescribed: u64,
    /// Charts renamed because another had the same id.
    pub renamed: u64,
}

impl Summary {
    pub(super) fn read_one(&mut self, what: &str) {
        bump(&mut self.read, what);
    }

    pub(super) fn skip_one(&mut self, what: &str, why: &str) {
        match self.skipped.get_mut(what) {
            Some(reasons) => bump(reasons, why),
            None => bump(self.skipped.entry(what.to_owned()).or_default(), why),
        }
    }

    pub fn skipped_total(&self) -> u64 {
        self.skipped.values().flat_map(BTreeMap::values).sum()
    }
}

/// Without making a string for what is there already.
fn bump(counts: &mut BTreeMap<String, u64>, what: &str) {
    match counts.get_mut(what) {
        Some(count) => *count += 1,
        None => drop(counts.insert(what.to_owned(), 1)),
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let charts = counted(self.charts, "chart", "charts");
        write!(f, "{charts}, {}", counted(self.entries, "entry", "entries"))?;
        for (what, count) in &self.read {
            write!(f, "\n  read     {count:>7}  {what}")?;
        }
        for (what, reasons) in &self.skipped {
            for (why, count) in reasons {
                write!(f, "\n  skipped  {count:>7}  {what}: {why}")?;
            }
        }
        for (count, what) in [
            (self.unread_dates, "entries whose date could not be read; they are undated"),
            (self.undescribed, "charts without a patient record"),
            (self.renamed, "charts renamed, because their id was there already"),
        ] {
            if count > 0 {
                write!(f, "\n  note     {count:>7}  {what}")?;
            }
        }
        Ok(())
    }
}
