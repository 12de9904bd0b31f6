//! Days that have their year from another one: `Mar 9 - Mar 12, 2024`, `9 to 12 March 2024`, `2024-03-09/12`. All of them move, or all go: one
//! moved beside one that stayed would tell by how many days.

mod after;
mod before;
mod near;

use super::dates::{Shift, Told, day_like, month_like};
use super::links::Link;
use super::{Find, Identifier};
use crate::Date;
use crate::import::DateOrder;
use std::collections::BTreeMap;
use std::ops::Range;

/// As far as a day can stand from the one that has its year, with its clock and weekday.
const NEAR: usize = 80;

/// No list of days is longer; it keeps the work for a text in step with its length.
const MOST: usize = 16;

type Write<'t> = Box<dyn Fn(Date) -> String + 't>;

/// A day whose year is told elsewhere.
struct Partial<'t> {
    range: Range<usize>,
    date: Date,
    /// Where it is a range itself: what stands before its end, and that end.
    until: Option<(&'t str, Date)>,
    /// Its month is told elsewhere, too.
    is_bare: bool,
    /// Whether a number alone before it may be a day of its month: `9, 10 March - 2 April 2024`.
    is_led_by_day: bool,
    write: Write<'t>,
    /// With its year, where that is not as the whole date is written.
    in_full: Option<Write<'t>>,
}

impl<'t> Partial<'t> {
    /// One that is no range itself, and leads no day before it.
    fn alone(range: Range<usize>, date: Date, is_bare: bool, write: Write<'t>) -> Self {
        Self { range, date, until: None, is_bare, is_led_by_day: false, write, in_full: None }
    }

    /// None where it may not be told.
    fn moved_end(&self, shift: &Shift) -> Option<Option<(&'t str, Date)>> {
        match self.until {
            Some((dash, end)) => shift.moved(end).map(|end| Some((dash, end))),
            None => Some(None),
        }
    }

    /// With its own end, a later day of its month, if it has one.
    fn with_end(self, dash: Option<&'t str>, day: Option<u8>) -> Option<Self> {
        let (Some(dash), Some(day)) = (dash, day) else { return Some(self) };
        let end = Date::from_day(self.date.year(), self.date.month()?, day).filter(|end| *end > self.date)?;
        Some(Self { until: Some((dash, end)), ..self })
    }
}

enum Lean<'t> {
    Day(Partial<'t>),
    /// A range that cannot be read with certainty goes whole.
    Doubtful(Range<usize>),
}

/// A date with its year and the days that lean on it, the nearest first.
struct Series<'t> {
    told: Told<'t>,
    before: Vec<Partial<'t>>,
    after: Vec<Partial<'t>>,
    range: Range<usize>,
    is_doubtful: bool,
}

pub(super) fn find(text: &str, told: Vec<Told<'_>>, shift: &Shift) -> Vec<Find> {
    let reader = Reader { text, order: shift.order };
    let mut all: Vec<Series<'_>> = Vec::new();
    for told in longest(told) {
        let floor = all.last().map_or(0, |series| series.range.end);
        all.push(reader.with_days_before(told, floor));
    }
    let mut ceiling = text.len();
    for series in all.iter_mut().rev() {
        reader.add_days_after(series, ceiling);
        ceiling = series.range.start;
    }
    let widened = all.iter().filter(|series| series.range != series.told.range);
    widened.map(|series| Find::of_dates(series.range.clone(), series.moved(text, shift))).collect()
}

/// Of dates within each other the longest, in their order.
fn longest(mut told: Vec<Told<'_>>) -> Vec<Told<'_>> {
    told.sort_by_key(|told| (std::cmp::Reverse(told.range.len()), told.range.start));
    let mut chosen: BTreeMap<usize, Told<'_>> = BTreeMap::new();
    for told in told {
        let last = chosen.range(..told.range.end).next_back();
        if last.is_none_or(|(_, other)| other.range.end <= told.range.start) {
            chosen.insert(told.range.start, told);
        }
    }
    chosen.into_values().collect()
}

impl Series<'_> {
    fn moved(&self, text: &str, shift: &Shift) -> Option<String> {
        let moved = self.told.dates.iter().map(|date| shift.moved(*date)).collect::<Option<Vec<_>>>()?;
        if self.is_doubtful {
            return Some(Identifier::Date.token().to_owned());
        }
        let (first, last) = (*moved.first()?, *moved.last()?);
        let mut out = self.told.write(&moved);
        let (mut beside, mut at) = (first, self.told.range.start);
        for day in &self.before {
            let date = shift.moved(day.date)?;
            let until = day.moved_end(shift)?;
            let (piece, is_full) = self.piece(day, date, until, beside);
            let link = &text[day.range.end..at];
            let link = if is_full { spaced(link, &piece) } else { link.to_owned() };
            out = piece + &link + &out;
            (beside, at) = (date, day.range.start);
        }
        (beside, at) = (last, self.told.range.end);
        for day in &self.after {
            let date = shift.moved(day.date)?;
            let until = day.moved_end(shift)?;
            let (piece, is_full) = self.piece(day, date, until, beside);
            let link = &text[at..day.range.start];
            out += &if is_full { spaced(link, &piece) } else { link.to_owned() };
            out += &piece;
            (beside, at) = (date, day.range.end);
        }
        Some(out)
    }

    /// What its neighbour told of it is written out where the neighbour is of another month or year now.
    fn piece(&self, day: &Partial<'_>, date: Date, until: Option<(&str, Date)>, beside: Date) -> (String, bool) {
        let is_full = date.year() != beside.year() || (day.is_bare && date.month() != beside.month());
        let write = |date: Date, is_full: bool| match (&day.in_full, is_full) {
            (_, false) => (day.write)(date),
            (Some(in_full), true) => in_full(date),
            (None, true) => self.told.write(&[date]),
        };
        let Some((dash, end)) = until else { return (write(date, is_full), is_full) };
        let is_one = (date.year(), date.month()) == (end.year(), end.month());
        let piece = match (is_one, is_full) {
            (true, false) => write(date, false) + dash + &day_like(end, false),
            _ => {
                let start = write(date, true);
                let dash = spaced(dash, &start);
                start + &dash + &write(end, true)
            }
        };
        (piece, is_full || !is_one)
    }
}

/// `30 March 2024-2 April 2024` reads badly.
pub(super) fn spaced(link: &str, beside: &str) -> String {
    let is_lost = beside.contains(' ') || (beside.contains('-') && link != "/");
    match link {
        _ if link.contains(char::is_whitespace) || !is_lost => link.to_owned(),
        "," => ", ".to_owned(),
        _ => format!(" {link} "),
    }
}

struct Reader<'t> {
    text: &'t str,
    order: DateOrder,
}

impl Reader<'_> {
    /// With dots the day comes first everywhere.
    fn is_day_first(&self, sign: &str) -> bool {
        sign == "." || self.order == DateOrder::Dmy
    }

    pub(super) fn boundary(&self, at: usize) -> usize {
        (at..=self.text.len()).find(|at| self.text.is_char_boundary(*at)).unwrap_or(self.text.len())
    }
}

fn month_alone<'t>(range: Range<usize>, date: Date, name: &'t str, dot: &'t str) -> Partial<'t> {
    let write = Box::new(move |moved: Date| month_like(moved, name) + dot);
    let in_full = Box::new(move |moved: Date| format!("{}{dot} {}", month_like(moved, name), moved.year()));
    Partial { in_full: Some(in_full), ..Partial::alone(range, date, false, write) }
}

fn numbers_like(date: Date, is_day_first: bool, sign: &str) -> String {
    let (month, day) = (date.month().unwrap_or_default(), date.day().unwrap_or_default());
    let (first, second) = if is_day_first { (day, month) } else { (month, day) };
    format!("{first}{sign}{second}")
}

/// `ended. 9-12 March 2024`: no number stands before the dot.
fn ends_sentence(context: &str) -> bool {
    !context[..context.len() - context.chars().next_back().map_or(0, char::len_utf8)]
        .ends_with(|it: char| it.is_ascii_digit())
}

/// In the year of what follows, or the one before: Dec 30 - Jan 2, 2025.
fn year_before(month: u8, day: u8, next: Date) -> Option<Date> {
    let is_later = (month, day) > (next.month()?, next.day().unwrap_or(31));
    Date::from_day(next.year() - i16::from(is_later), month, day)
}

/// In the year of what goes before, or the next; of a list, in the nearest. Without a day it is a month.
fn year_after(month: u8, day: u8, last: Date, link: Link) -> Option<Date> {
    let of_year = |year| if day == 0 { Date::from_month(year, month) } else { Date::from_day(year, month, day) };
    let is_earlier = (month, if day == 0 { 31 } else { day }) < (last.month()?, last.day().unwrap_or_default());
    if link.is_of_range() {
        return of_year(last.year() + i16::from(is_earlier));
    }
    let years = [last.year(), last.year() - 1, last.year() + 1];
    years.into_iter().filter_map(of_year).min_by_key(|date| (date.number() - last.number()).abs())
}
