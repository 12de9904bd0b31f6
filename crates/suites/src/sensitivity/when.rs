//! Days in a chart: the day of its last entry, days after it, and which entries were written before something happened.

use super::catalog::Mutation;
use regex::{Captures, Regex};
use std::ops::Range;
use std::sync::LazyLock;
use waterjar_charts::Date;

/// `{date}` is the day of the last entry, `{date+30}` thirty days later.
static PLACE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\{date(?:\+(\d{1,5}))?\}").expect("a constant"));
/// Where an entry begins, and its date as far as it is known.
static ENTRY: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^(\d{4}(?:-\d{2}){0,2}|undated) [\[{]").expect("a constant"));
static DAY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b\d{4}-\d{2}-\d{2}\b").expect("a constant"));
const CHRONOLOGY: &str = "\n== Chronology ==\n";

/// The day of the last entry of a chart; none where no entry has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LastDay(Option<Date>);

impl LastDay {
    pub fn of(text: &str) -> Self {
        let days = entries(text).filter(|(_, date)| date.len() == 10).map(|(_, date)| date);
        Self(days.max().and_then(|day| day.parse().ok()))
    }

    pub const fn none() -> Self {
        Self(None)
    }

    fn after(self, days: i32) -> Option<Date> {
        self.0?.plus_days(days)
    }

    /// Puts days where a catalog has places for them.
    pub fn fill(self, words: &str) -> String {
        let day = |found: &Captures<'_>| {
            self.after(offset(found)).map_or_else(|| "undated".to_owned(), |date| date.to_string())
        };
        PLACE.replace_all(words, day).into_owned()
    }

    /// The entries from before what the mutations tell of, which cannot know it: they stay as they are. Nothing where nothing has a day.
    pub fn past(self, mutations: &[Mutation], text: &str) -> Range<usize> {
        let told = mutations.iter().filter_map(Mutation::words).flat_map(|words| PLACE.captures_iter(words));
        let Some(from) = told.map(|found| offset(&found)).max().and_then(|days| self.after(days)) else {
            return text.len()..text.len();
        };
        let from = from.to_string();
        let mut entries = entries(text);
        let Some((start, _)) = entries.find(|(_, date)| *date < from.as_str()) else {
            return text.len()..text.len();
        };
        let later = entries.find(|(_, date)| *date >= from.as_str());
        start..later.map_or(text.trim_end().len(), |(at, _)| at)
    }
}

fn offset(found: &Captures<'_>) -> i32 {
    found.get(1).and_then(|days| days.as_str().parse().ok()).unwrap_or(0)
}

pub(super) fn is_dated(words: &str) -> bool {
    PLACE.is_match(words)
}

/// Every entry of the chronology: where it begins, and its date or `undated`.
pub(super) fn entries(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let from = text.find(CHRONOLOGY).map_or(0, |at| at + CHRONOLOGY.len() - 1);
    ENTRY.captures_iter(&text[from..]).filter_map(move |found| {
        let date = found.get(1)?;
        Some((from + date.start(), &text[from + date.start()..from + date.end()]))
    })
}

/// An entry that tells of a day after its own, of those that were put in: when it was written, and the day.
pub(super) fn ahead_of_time<'a>(text: &'a str, put_in: impl Iterator<Item = &'a str>) -> Option<(&'a str, &'a str)> {
    let days: Vec<&str> = put_in.flat_map(|words| DAY.find_iter(words)).map(|found| found.as_str()).collect();
    let latest = days.iter().max()?;
    let entries: Vec<(usize, &str)> = entries(text).collect();
    let ends = entries.iter().skip(1).map(|(at, _)| *at).chain([text.len()]);
    entries.iter().zip(ends).filter(|((_, date), _)| date < latest).find_map(|((at, date), end)| {
        // What is known to the year may have been written at its end.
        let is_ahead = |day: &&&str| **day > *date && !day.starts_with(date) && text[*at..end].contains(**day);
        days.iter().find(is_ahead).map(|day| (*date, *day))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHART: &str = "== Labs ==\neGFR 80\n\n== Chronology ==\n2019 [Condition] Asthma\n2024-01-03 [Note] Seen.\nAgain.\n2024-03-09 {labs} [Note] eGFR 80\nundated [Note] eGFR 80\n";

    #[test]
    fn days_are_counted_from_the_last_entry() {
        let last = LastDay::of(CHART);
        assert_eq!(last.fill("{date} and {date+30}"), "2024-03-09 and 2024-04-08");
        assert_eq!(LastDay::of("nothing").fill("{date+3}"), "undated");
    }

    #[test]
    fn an_entry_that_tells_what_comes_later_is_found() {
        let told = |text: &str| {
            ahead_of_time(text, ["done 2024-02-01"].into_iter()).map(|(at, day)| (at.to_owned(), day.to_owned()))
        };
        assert_eq!(
            told(&CHART.replace("Seen.", "done 2024-02-01")),
            Some(("2024-01-03".to_owned(), "2024-02-01".to_owned()))
        );
        assert_eq!(
            told(&CHART.replace("Again.", "done 2024-02-01")),
            Some(("2024-01-03".to_owned(), "2024-02-01".to_owned()))
        );
        assert_eq!(told(&CHART.replace("[Note] eGFR 80", "[Note] done 2024-02-01")), None);
        assert_eq!(told(&CHART.replace("eGFR 80\n\n", "done 2024-02-01\n\n")), None, "a block is written last");
    }
}
