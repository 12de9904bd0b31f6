//! What each family adds to the metrics that subjects are compared on. There are hundreds of thousands of them in a large run, so that names are
//! kept once, and a share is two numbers: nearly always one of its whole, which is one.

use crate::{FamilyId, metric::Share};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;

/// By metric, in the order they came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares {
    families: Names,
    /// What each family belongs to: one more than its number; 0 is nothing.
    belong: Vec<u32>,
    within: Names,
    by_metric: BTreeMap<String, Rows>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Rows {
    families: Vec<u32>,
    parts: Vec<f64>,
    /// `None` while all are one.
    wholes: Option<Vec<f64>>,
}

impl Rows {
    fn push(&mut self, family: u32, part: f64, whole: f64) {
        if whole != 1.0 && self.wholes.is_none() {
            self.wholes = Some(vec![1.0; self.parts.len()]);
        }
        self.families.push(family);
        self.parts.push(part);
        self.wholes.iter_mut().for_each(|wholes| wholes.push(whole));
    }
}

/// Takes shares off the hands of who measures.
#[derive(Clone)]
pub struct Taker {
    pub take: Arc<dyn Fn(Shares) + Send + Sync>,
    /// Metrics whose shares are not taken, because all subjects are compared by them in the end.
    pub but: &'static [&'static str],
}

/// So many families are handed on at a time.
const MANY: usize = 1024;

/// Shares on their way: where somebody takes them they are handed on a thousand families at a time, and else they are all held.
#[derive(Default)]
pub struct Sharing {
    held: Shares,
    /// Those that are handed on next.
    passing: Shares,
    taker: Option<Taker>,
}

impl Sharing {
    pub fn new(taker: Option<Taker>) -> Self {
        Self { taker, ..Self::default() }
    }

    pub fn push(&mut self, metric: &str, share: &Share) {
        let Some(taker) = self.taker.as_ref().filter(|taker| !taker.but.contains(&metric)) else {
            self.held.push(metric, share);
            return;
        };
        self.passing.push(metric, share);
        if self.passing.belong.len() > MANY {
            (taker.take)(std::mem::take(&mut self.passing));
        }
    }

    /// What nobody has taken.
    pub fn rest(self) -> Shares {
        let Self { held: mut rest, passing, .. } = self;
        for metric in passing.metrics() {
            passing.of(metric).iter().for_each(|share| rest.push(metric, &share));
        }
        rest
    }
}

/// The shares of one metric, or some of them; written as a list of [`Share`].
#[derive(Clone, Copy, Debug)]
pub struct SharesOf<'a> {
    shares: &'a Shares,
    rows: Option<&'a Rows>,
    begin: usize,
    end: usize,
}

impl Shares {
    /// Shares of the same family that come one after the other name it once.
    pub fn push(&mut self, metric: &str, share: &Share) {
        let family = self.number(share);
        match self.by_metric.get_mut(metric) {
            Some(rows) => rows.push(family, share.part, share.whole),
            None => {
                let mut rows = Rows::default();
                rows.push(family, share.part, share.whole);
                self.by_metric.insert(metric.to_owned(), rows);
            }
        }
    }

    fn number(&mut self, share: &Share) -> u32 {
        let within = share.within.as_ref().map_or(0, |it| self.within.number(it.as_str()) + 1);
        let family = match self.belong.last() {
            Some(last) if *last != within => self.families.add(share.family.as_str()),
            _ => self.families.number(share.family.as_str()),
        };
        self.belong.resize(family as usize + 1, within);
        family
    }

    pub fn metrics(&self) -> impl Iterator<Item = &str> {
        self.by_metric.keys().map(String::as_str)
    }

    /// None where the metric was not pushed to.
    pub fn of(&self, metric: &str) -> SharesOf<'_> {
        let rows = self.by_metric.get(metric);
        SharesOf { shares: self, rows, begin: 0, end: rows.map_or(0, |rows| rows.parts.len()) }
    }
}

impl<'a> SharesOf<'a> {
    pub fn is_empty(&self) -> bool {
        self.begin == self.end
    }

    /// So many at a time.
    pub fn pages(self, size: usize) -> impl Iterator<Item = Self> + use<'a> {
        let begins = (self.begin..self.end).step_by(size.max(1));
        begins.map(move |begin| Self { begin, end: self.end.min(begin + size.max(1)), ..self })
    }

    pub fn iter(&self) -> impl Iterator<Item = Share> + use<'a> {
        let Self { shares, rows, begin, end } = *self;
        rows.into_iter().flat_map(move |rows| (begin..end).map(move |at| shares.share(rows, at)))
    }
}

impl Shares {
    fn share(&self, rows: &Rows, at: usize) -> Share {
        let family = rows.families[at];
        Share {
            family: FamilyId::from(self.families.name(family)),
            part: rows.parts[at],
            whole: rows.wholes.as_ref().map_or(1.0, |wholes| wholes[at]),
            within: self.belong[family as usize].checked_sub(1).map(|it| FamilyId::from(self.within.name(it))),
        }
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
        self.add(name)
    }

    fn add(&mut self, name: &str) -> u32 {
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
    use std::sync::Mutex;

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
    fn a_whole_that_is_not_one_is_kept_too() {
        let given = [(1.0, 1.0), (0.5, 2.0), (1.0, 1.0), (0.0, 0.0)];
        let given = given.map(|(part, whole)| Share::new("a".into(), part, whole));
        let mut shares = Shares::default();
        given.iter().for_each(|it| shares.push("css", it));
        assert_eq!(shares.of("css").iter().collect::<Vec<_>>(), given);
    }

    #[test]
    fn the_same_name_elsewhere_is_another_family() {
        let share =
            |within: Option<&str>| Share { within: within.map(FamilyId::from), ..Share::new("a".into(), 1.0, 1.0) };
        let given = [share(None), share(Some("x")), share(Some("y")), share(Some("y"))];
        let mut shares = Shares::default();
        given.iter().for_each(|it| shares.push("css", it));
        assert_eq!(shares.of("css").iter().collect::<Vec<_>>(), given);
    }

    #[test]
    fn pages_hold_them_all_in_order() {
        let mut shares = Shares::default();
        (0..5).for_each(|n| shares.push("css", &Share::new(n.to_string().as_str().into(), 1.0, 1.0)));
        let pages: Vec<usize> = shares.of("css").pages(2).map(|page| page.iter().count()).collect();
        assert_eq!(pages, [2, 2, 1]);
        let all: Vec<Share> = shares.of("css").pages(2).flat_map(|page| page.iter()).collect();
        assert_eq!(all, shares.of("css").iter().collect::<Vec<_>>());
        assert_eq!(shares.of("none").pages(2).count(), 0);
    }

    #[test]
    fn who_takes_shares_gets_them_in_parts_and_in_order() {
        let (taken, taker) = shelf(&[]);
        let all = many();
        let mut sharing = Sharing::new(Some(taker));
        let mut held = Sharing::default();
        for share in &all {
            sharing.push("css", share);
            held.push("css", share);
        }
        assert_eq!(held.rest().of("css").iter().collect::<Vec<_>>(), all, "without anybody they are all held");
        let rest = sharing.rest();
        let mut parts = taken.lock().unwrap().clone();
        assert_eq!(parts.iter().map(|it| it.of("css").iter().count()).collect::<Vec<_>>(), [MANY + 1, MANY + 1]);
        parts.push(rest);
        assert_eq!(parts.iter().flat_map(|it| it.of("css").iter().collect::<Vec<_>>()).collect::<Vec<_>>(), all);
    }

    #[test]
    fn what_subjects_are_compared_by_stays_and_the_rest_is_taken() {
        let (taken, taker) = shelf(&["css"]);
        let mut sharing = Sharing::new(Some(taker));
        for share in &many() {
            sharing.push("css", share);
            sharing.push("cms", share);
        }
        let rest = sharing.rest();
        assert_eq!(rest.of("css").iter().collect::<Vec<_>>(), many());
        let mut parts = taken.lock().unwrap().clone();
        assert!(parts.len() == 2 && parts.iter().all(|it| it.of("css").is_empty()));
        parts.push(rest);
        assert_eq!(parts.iter().flat_map(|it| it.of("cms").iter().collect::<Vec<_>>()).collect::<Vec<_>>(), many());
    }

    fn many() -> Vec<Share> {
        (0..2500).map(|n| Share::new(n.to_string().as_str().into(), 1.0, 1.0)).collect()
    }

    /// What was taken, and who takes it.
    fn shelf(but: &'static [&'static str]) -> (Arc<Mutex<Vec<Shares>>>, Taker) {
        let taken = Arc::new(Mutex::new(Vec::new()));
        let shelf = Arc::clone(&taken);
        (taken, Taker { take: Arc::new(move |some| shelf.lock().unwrap().push(some)), but })
    }
}
