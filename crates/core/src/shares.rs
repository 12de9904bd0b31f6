//! What each family adds to the metrics that subjects are compared on. There are hundreds of thousands of them in a large run, so that names are
//! kept once and a share is four numbers.

use crate::{FamilyId, metric::Share};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// By metric, in the order they came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares {
    families: Names,
    /// What families belong to, where they do.
    within: Names,
    by_metric: BTreeMap<String, Vec<Row>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    family: u32,
    /// One more than its number; 0 is none.
    within: u32,
    part: f64,
    whole: f64,
}

/// The shares of one metric; written as a list of [`Share`].
#[derive(Clone, Copy, Debug)]
pub struct SharesOf<'a> {
    shares: &'a Shares,
    rows: &'a [Row],
}

impl Shares {
    /// Shares of the same family that come one after the other name it once.
    pub fn push(&mut self, metric: &str, share: &Share) {
        let row = Row {
            family: self.families.number(share.family.as_str()),
            within: share.within.as_ref().map_or(0, |it| self.within.number(it.as_str()) + 1),
            part: share.part,
            whole: share.whole,
        };
        match self.by_metric.get_mut(metric) {
            Some(rows) => rows.push(row),
            None => _ = self.by_metric.insert(metric.to_owned(), vec![row]),
        }
    }

    pub fn metrics(&self) -> impl Iterator<Item = &str> {
        self.by_metric.keys().map(String::as_str)
    }

    /// None where the metric was not pushed to.
    pub fn of(&self, metric: &str) -> SharesOf<'_> {
        SharesOf { shares: self, rows: self.by_metric.get(metric).map_or(&[], Vec::as_slice) }
    }
}

impl<'a> SharesOf<'a> {
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = Share> + use<'a> {
        let Self { shares, rows } = *self;
        rows.iter().map(|row| Share {
            family: FamilyId::from(shares.families.name(row.family)),
            part: row.part,
            whole: row.whole,
            within: row.within.checked_sub(1).map(|it| FamilyId::from(shares.within.name(it))),
        })
    }
}

impl Serialize for SharesOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// Names one after the other in one text.
#[derive(Clone, Debug, Default, PartialEq)]
struct Names {
    text: String,
    ends: Vec<usize>,
}

impl Names {
    /// A name that was the last one already is not kept again.
    fn number(&mut self, name: &str) -> u32 {
        let last = self.ends.len().checked_sub(1).map(|it| it as u32);
        if let Some(last) = last.filter(|it| self.name(*it) == name) {
            return last;
        }
        self.text.push_str(name);
        self.ends.push(self.text.len());
        self.ends.len() as u32 - 1
    }

    fn name(&self, number: u32) -> &str {
        let at = number as usize;
        let begin = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[begin..self.ends[at]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_come_back_as_they_were_pushed() {
        let share = |family: &str, within: Option<&str>, part: f64| Share {
            within: within.map(FamilyId::from),
            ..Share::new(family.into(), part, 1.0)
        };
        let given =
            [share("", None, 0.1), share("a/1", Some("a"), 0.2), share("a/2", Some("a"), 0.3), share("b", None, 0.4)];
        let mut shares = Shares::default();
        for it in &given {
            shares.push("css", it);
            shares.push("cms", it);
        }
        assert_eq!(shares.of("css").iter().collect::<Vec<_>>(), given);
        assert!(shares.of("none").is_empty());
        assert_eq!(shares.metrics().collect::<Vec<_>>(), ["cms", "css"]);
        assert_eq!(shares.families.ends.len(), 4, "a family is named once for both metrics");
        assert_eq!(shares.within.text, "a", "and what families belong to once for its families");
    }

    #[test]
    fn they_are_written_as_a_list_of_shares() {
        let share = Share { within: Some("a".into()), ..Share::new("a/1".into(), 0.5, 1.0) };
        let mut shares = Shares::default();
        shares.push("css", &share);
        assert_eq!(serde_json::to_string(&shares.of("css")).unwrap(), serde_json::to_string(&[share]).unwrap());
    }

    #[test]
    fn a_share_takes_little_room() {
        assert!(size_of::<Row>() <= 24);
    }
}
