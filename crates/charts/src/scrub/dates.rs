//! Dates inside texts, moved and written the way they were.

use super::{Find, Identifier, OLDEST, codes, links, ranges};
use crate::Date;
use crate::date::MONTHS;
use crate::import::DateOrder;
use regex::{Captures, Regex};
use std::ops::Range;
use std::sync::LazyLock;

pub(super) struct Shift {
    pub days: i32,
    pub order: DateOrder,
    /// The last day of the chart: what is too long before it would tell an age above the limit.
    pub last: Option<Date>,
}

impl Shift {
    /// None where the date itself may not be told.
    pub fn moved(&self, date: Date) -> Option<Date> {
        if self.last.is_some_and(|last| date.years_until(last) > OLDEST) {
            return None;
        }
        date.plus_days(self.days)
    }
}

/// One spelling: how to find it, and the order of its parts.
struct Spelling {
    pattern: Regex,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// 2024-03-09, 2024/3/9, 2024-03
    YearFirst,
    /// 20240309
    Unbroken,
    /// 3/9/2024, 09.03.2024, 3-9-24
    Numbers,
    /// 03/2024, 3/2024, 03-2024
    MonthYear,
    /// 9 March 2024, 09-Mar-2024
    DayMonth,
    /// March 9, 2024, March 2024
    MonthFirst,
    /// 9 MAR 24, Mar 9 '24, Mar-24
    ShortYear,
    /// March 9-12, 2024
    DaysOfMonth,
    /// 3/9-12/2024
    DaysOfNumber,
}

static SPELLINGS: LazyLock<Vec<Spelling>> = LazyLock::new(|| {
    let month = r"(?P<m>(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?))";
    let short_month = r"(?P<m>(?i:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec))";
    let year = r"(?P<y>(?:1[89]|2[01])\d\d)";
    let spell = |kind, text: String| Spelling {
        pattern: Regex::new(&text).expect("the spellings are constants and the tests compile them all"),
        kind,
    };
    let numbers_with = |sign: &str| {
        let text = r"\b(?P<a>\d{1,2})(?P<s>@)(?P<b>\d{1,2})@(?P<y>(?:1[89]|2[01])\d\d|\d\d)\b";
        spell(Kind::Numbers, text.replace('@', sign))
    };
    vec![
        spell(Kind::YearFirst, format!(r"\b{year}(?P<s>[-/])(?P<m>\d{{1,2}})(?:(?P<t>[-/])(?P<d>\d{{1,2}}))?(?:\b|T)")),
        spell(
            Kind::Unbroken,
            r"\b(?P<y>19[2-9]\d|20[0-3]\d)(?P<s>)(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01])(?:\b|T)".to_owned(),
        ),
        // One sign in one date: 3/9-3/12/2024 is none of 9-3-12.
        numbers_with("-"),
        numbers_with("/"),
        numbers_with(r"\."),
        spell(Kind::MonthYear, format!(r"\b(?P<m>\d\d?)(?P<s>/){year}\b")),
        // With one digit these are numbers: 3-2024, 3.2024.
        spell(Kind::MonthYear, format!(r"\b(?P<m>\d\d)(?P<s>[-.]){year}\b")),
        spell(
            Kind::DayMonth,
            format!(r"\b(?P<d>\d{{1,2}})(?P<s>(?:st|nd|rd|th)?(?:[ ]+(?:day[ ]+)?of[ ]+|[ ./-]+)){month}(?P<t>\.?,?[ ]+of[ ]+|\.?,?[ /-]+){year}\b"),
        ),
        // 12MAR2024, 12MAR24, 09-MAR-24
        spell(Kind::DayMonth, format!(r"\b(?P<d>\d{{1,2}})(?P<s>){month}(?P<t>){year}\b")),
        spell(Kind::DayMonth, format!(r"\b(?P<d>\d{{1,2}})(?P<s>){short_month}(?P<t>)(?P<y>\d\d)\b")),
        spell(Kind::DayMonth, format!(r"\b(?P<d>\d{{1,2}})(?P<s>[-/]){month}(?P<t>[-/])(?P<y>\d\d)\b")),
        spell(
            Kind::MonthFirst,
            format!(r"\b{month}(?P<s>\.?[ /-]+(?:the[ ]+|of[ ]+)?)(?:(?P<d>\d{{1,2}})(?P<t>(?:st|nd|rd|th)?(?:,[ ]*|[ ]+of[ ]+|[ /-]+)))?{year}\b"),
        ),
        // Only an apostrophe, two capitals or a dash tell a year of two digits.
        spell(
            Kind::MonthFirst,
            format!(r"\b{month}(?P<s>\.?[ ]+)(?:(?P<d>\d{{1,2}})(?P<t>(?:st|nd|rd|th)?,?[ ]*))?(?P<q>['’])(?P<y>\d\d)\b"),
        ),
        spell(Kind::DayMonth, format!(r"\b(?P<d>\d{{1,2}})(?P<s>[ ]+){month}(?P<t>\.?,?[ ]+['’])(?P<y>\d\d)\b")),
        spell(
            Kind::ShortYear,
            r"\b(?P<d>0?[1-9]|[12]\d|3[01])(?P<s>[ ])(?P<m>JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEPT?|OCT|NOV|DEC|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)(?P<t>[ ])(?P<y>[0-3]\d|[4-9]\d)\b".to_owned(),
        ),
        spell(
            Kind::MonthFirst,
            r"\b(?P<m>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|JAN|FEB|MAR|JUL|AUG|NOV)(?P<s>-)(?P<y>[0-3]\d|[4-9]\d)\b".to_owned(),
        ),
        spell(
            Kind::DaysOfMonth,
            format!(
                r"\b{month}(?P<s>\.?[ ]+(?:the[ ]+)?)(?P<days>{day}(?:{link}{day}){{1,9}})(?P<t>,?[ ]*['’]|,[ ]*|[ ]+(?:of[ ]+)?)(?P<y>(?:1[89]|2[01])\d\d|\d\d)\b",
                day = r"\d{1,2}(?i:st|nd|rd|th)?\b",
                link = links::link(),
            ),
        ),
        spell(
            Kind::DaysOfNumber,
            r"\b(?P<m>\d{1,2})(?P<s>/)(?P<days>\d{1,2}(?:[-–—&,]\d{1,2}){1,9})(?P<t>/)(?P<y>(?:1[89]|2[01])\d\d|\d\d)\b".to_owned(),
        ),
    ]
});

pub(super) fn find(text: &str, shift: &Shift) -> Vec<Find> {
    // Most short entries have no digit behind which a date could hide.
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    let told = told(text, shift.order);
    let mut finds: Vec<_> = told.iter().map(|told| told.find(shift)).collect();
    finds.extend(ranges::find(text, told, shift));
    finds
}

/// All that has its year; some of it lies within longer dates.
fn told(text: &str, order: DateOrder) -> Vec<Told<'_>> {
    let mut all = Vec::new();
    for spelling in &*SPELLINGS {
        for found in spelling.pattern.captures_iter(text) {
            let whole = found.get(0).map(|found| found.range()).unwrap_or_default();
            if codes::is_one(text, &whole, spelling.kind, &found) {
                continue;
            }
            let parts = Parts(&found);
            let sign = parts.separator();
            let Some((dates, write)) = spelling.kind.read(&parts, order) else { continue };
            // The T of a timestamp stays with its clock.
            let range = if text[whole.clone()].ends_with('T') { whole.start..whole.end - 1 } else { whole };
            all.push(Told { range, kind: spelling.kind, sign, dates, write });
        }
    }
    all
}

/// A date with its year, or several days of one month.
pub(super) struct Told<'t> {
    pub range: Range<usize>,
    pub kind: Kind,
    /// Between its first two parts.
    pub sign: &'t str,
    pub dates: Vec<Date>,
    /// One date is written in full.
    write: Write<'t>,
}

impl Told<'_> {
    pub fn write(&self, dates: &[Date]) -> String {
        (self.write)(dates)
    }

    fn find(&self, shift: &Shift) -> Find {
        let moved: Option<Vec<_>> = self.dates.iter().map(|date| shift.moved(*date)).collect();
        Find::of_dates(self.range.clone(), moved.map(|moved| self.write(&moved)))
    }
}

impl Find {
    /// None where the dates may not be told.
    pub fn of_dates(range: Range<usize>, with: Option<String>) -> Self {
        match with {
            Some(with) => Self { range, kind: Identifier::Date, with },
            None => Self { range, kind: Identifier::Age, with: Identifier::Date.token().to_owned() },
        }
    }
}

type Write<'t> = Box<dyn Fn(&[Date]) -> String + 't>;

type Rewrite<'t> = Box<dyn Fn(Date) -> String + 't>;

impl Kind {
    fn read<'t>(self, parts: &Parts<'_, 't>, order: DateOrder) -> Option<(Vec<Date>, Write<'t>)> {
        let (date, write) = match self {
            Self::YearFirst => year_first(parts),
            Self::Numbers => numbers(parts, order),
            Self::MonthYear => month_year(parts),
            Self::DayMonth | Self::ShortYear => day_month(parts),
            Self::MonthFirst => month_first(parts),
            Self::Unbroken => unbroken(parts),
            Self::DaysOfMonth => return days_of_month(parts),
            Self::DaysOfNumber => return days_of_number(parts, order),
        }?;
        Some((vec![date], Box::new(move |dates: &[Date]| dates.first().map(|date| write(*date)).unwrap_or_default())))
    }
}

/// What was found, by the names the spellings give.
struct Parts<'a, 't>(&'a Captures<'t>);

impl<'t> Parts<'_, 't> {
    fn text(&self, name: &str) -> Option<&'t str> {
        self.0.name(name).map(|part| part.as_str())
    }

    fn number(&self, name: &str) -> Option<u8> {
        self.text(name)?.parse().ok()
    }

    /// Two digits are of this century unless that were the future.
    fn year(&self) -> Option<i16> {
        match self.text("y")?.parse().ok()? {
            year if !self.is_short() => Some(year),
            year if year <= 30 => Some(2000 + year),
            year => Some(1900 + year),
        }
    }

    fn is_short(&self) -> bool {
        self.text("y").is_some_and(|year| year.len() == 2)
    }

    /// A year as this one is written.
    fn like_the_year(&self) -> impl Fn(Date) -> String + use<> {
        let short = self.is_short();
        move |moved| if short { format!("{:02}", moved.year() % 100) } else { moved.year().to_string() }
    }

    fn separator(&self) -> &'t str {
        self.text("s").unwrap_or_default()
    }

    /// To the day, or to the month where no day is told.
    fn date(&self, month: u8) -> Option<Date> {
        match self.number("d") {
            Some(day) => Date::from_day(self.year()?, month, day),
            None => Date::from_month(self.year()?, month),
        }
    }
}

fn year_first<'t>(parts: &Parts<'_, 't>) -> Option<(Date, Rewrite<'t>)> {
    let separator = parts.separator();
    let date = parts.date(parts.number("m")?)?;
    Some((date, Box::new(move |moved| moved.to_string().replace('-', separator))))
}

fn unbroken<'t>(parts: &Parts<'_, 't>) -> Option<(Date, Rewrite<'t>)> {
    let date = parts.date(parts.number("m")?)?;
    Some((date, Box::new(|moved| moved.to_string().replace('-', ""))))
}

fn numbers<'t>(parts: &Parts<'_, 't>, order: DateOrder) -> Option<(Date, Rewrite<'t>)> {
    let separator = parts.separator();
    let (first, second) = (parts.number("a")?, parts.number("b")?);
    let day_first = order == DateOrder::Dmy || separator == ".";
    let (month, day) = if day_first { (second, first) } else { (first, second) };
    let year = parts.like_the_year();
    let date = Date::from_day(parts.year()?, month, day)?;
    let write = move |moved: Date| {
        let (month, day) = (moved.month().unwrap_or_default(), moved.day().unwrap_or_default());
        let (first, second) = if day_first { (day, month) } else { (month, day) };
        format!("{first}{separator}{second}{separator}{}", year(moved))
    };
    Some((date, Box::new(write)))
}

fn month_year<'t>(parts: &Parts<'_, 't>) -> Option<(Date, Rewrite<'t>)> {
    let (month, separator) = (parts.text("m")?, parts.separator());
    let date = Date::from_month(parts.year()?, parts.number("m")?)?;
    let width = month.len();
    let write = move |moved: Date| format!("{:0width$}{separator}{}", moved.month().unwrap_or_default(), moved.year());
    Some((date, Box::new(write)))
}

fn day_month<'t>(parts: &Parts<'_, 't>) -> Option<(Date, Rewrite<'t>)> {
    let name = parts.text("m")?;
    let date = Date::from_day(parts.year()?, month_number(name)?, parts.number("d")?)?;
    let (ordinal, between) = without_ordinal(parts.separator());
    let (second, year) = (parts.text("t").unwrap_or_default(), parts.like_the_year());
    let write = move |moved: Date| {
        let (day, month) = (day_like(moved, ordinal), month_like(moved, name));
        format!("{day}{between}{month}{second}{}", year(moved))
    };
    Some((date, Box::new(write)))
}

fn month_first<'t>(parts: &Parts<'_, 't>) -> Option<(Date, Rewrite<'t>)> {
    let (name, separator) = (parts.text("m")?, parts.separator());
    let date = parts.date(month_number(name)?)?;
    let (apostrophe, year) = (parts.text("q").unwrap_or_default(), parts.like_the_year());
    let plain = if apostrophe.is_empty() { ", " } else { " " };
    let (ordinal, second) = without_ordinal(parts.text("t").unwrap_or_default());
    let second = if second.contains(['-', '/']) || second.contains("of") { second } else { plain };
    let write = move |moved: Date| {
        let month = month_like(moved, name);
        match moved.day() {
            Some(_) => {
                format!("{month}{separator}{}{second}{apostrophe}{}", day_like(moved, ordinal), year(moved))
            }
            None => format!("{month}{separator}{apostrophe}{}", year(moved)),
        }
    };
    Some((date, Box::new(write)))
}

/// `th, ` is an ordinal and what stands behind it.
fn without_ordinal(text: &str) -> (bool, &str) {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    (rest.len() < text.len(), rest)
}

static DAY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b\d{1,2}((?i:st|nd|rd|th))?\b").expect("a constant"));

/// `March 9-12, 2024`, `March 9, 10 and 12, 2024`
fn days_of_month<'t>(parts: &Parts<'_, 't>) -> Option<(Vec<Date>, Write<'t>)> {
    let (name, separator, tail) = (parts.text("m")?, parts.separator(), parts.text("t")?);
    // Only an apostrophe tells a year of two digits.
    if parts.is_short() && !tail.ends_with(['\'', '’']) {
        return None;
    }
    let year = parts.like_the_year();
    let head = move |moved: Date| format!("{}{separator}", month_like(moved, name));
    days_within(parts, month_number(name)?, Box::new(head), Box::new(move |moved| format!("{tail}{}", year(moved))))
}

/// `3/9-12/2024`
fn days_of_number<'t>(parts: &Parts<'_, 't>, order: DateOrder) -> Option<(Vec<Date>, Write<'t>)> {
    let year = parts.like_the_year();
    let head = |moved: Date| format!("{}/", moved.month().unwrap_or_default());
    let tail = move |moved: Date| format!("/{}", year(moved));
    let (dates, write) = days_within(parts, parts.number("m")?, Box::new(head), Box::new(tail))?;
    let rises = dates.windows(2).all(|pair| pair[0] < pair[1]);
    // The 3rd of September to a month, where days come first.
    let is_sure = order == DateOrder::Mdy;
    let token = Box::new(|_: &[Date]| Identifier::Date.token().to_owned());
    rises.then_some((dates, if is_sure { write } else { token }))
}

/// What stands once for all days is written once as long as they are of one month.
fn days_within<'t>(
    parts: &Parts<'_, 't>,
    month: u8,
    head: Rewrite<'t>,
    tail: Rewrite<'t>,
) -> Option<(Vec<Date>, Write<'t>)> {
    let (days, year) = (parts.text("days")?, parts.year()?);
    let found: Vec<_> = DAY.captures_iter(days).collect();
    let places: Vec<_> = found.iter().filter_map(|day| day.get(0)).map(|day| day.range()).collect();
    let ordinals: Vec<_> = found.iter().map(|day| day.get(1).is_some()).collect();
    let number =
        |place: &Range<usize>| days[place.clone()].trim_end_matches(|it: char| it.is_ascii_alphabetic()).parse().ok();
    let dates = places.iter().map(|place| Date::from_day(year, month, number(place)?)).collect::<Option<Vec<_>>>()?;
    let write = move |moved: &[Date]| {
        let is_one =
            moved.windows(2).all(|pair| (pair[0].year(), pair[0].month()) == (pair[1].year(), pair[1].month()));
        let last = moved.len() - 1;
        let mut out = String::new();
        for (number, date) in moved.iter().enumerate() {
            if number > 0 {
                let link = &days[places[number - 1].end..places[number].start];
                out += &if is_one { link.to_owned() } else { ranges::spaced(link, &out) };
            }
            if number == 0 || !is_one {
                out += &head(*date);
            }
            out += &day_like(*date, ordinals.get(number).copied().unwrap_or_default());
            if number == last || !is_one {
                out += &tail(*date);
            }
        }
        out
    };
    Some((dates, Box::new(write)))
}

/// `18`, `21st`
pub(super) fn day_like(date: Date, ordinal: bool) -> String {
    let day = date.day().unwrap_or_default();
    match (ordinal, day) {
        (false, _) => day.to_string(),
        (_, 1 | 21 | 31) => format!("{day}st"),
        (_, 2 | 22) => format!("{day}nd"),
        (_, 3 | 23) => format!("{day}rd"),
        _ => format!("{day}th"),
    }
}

pub(super) fn month_number(name: &str) -> Option<u8> {
    let start = name.get(..3)?.to_ascii_lowercase();
    MONTHS.iter().zip(1..).find(|(month, _)| month.to_ascii_lowercase().starts_with(&start)).map(|(_, number)| number)
}

/// The new month, short where the old one was, in its case.
pub(super) fn month_like(date: Date, written: &str) -> String {
    let name = MONTHS[usize::from(date.month().unwrap_or(1)) - 1];
    let name = if written.len() <= 4 && written.len() < name.len() { &name[..3] } else { name };
    if written.chars().all(|letter| letter.is_ascii_uppercase()) { name.to_ascii_uppercase() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let shift = Shift { days: 40, order: DateOrder::Mdy, last: Date::from_day(2024, 6, 1) };
        let place = super::super::Place { section: crate::Section::Encounters, part: crate::Part::Block };
        assert_eq!(super::super::replace(text, find(text, &shift), &place, &mut Vec::new()), expected);
    }

    #[test]
    fn every_spelling_moves_and_stays_what_it_was() {
        check("on 2024-03-09.", "on 2024-04-18.");
        check("at 2024-03-09T10:00:00Z", "at 2024-04-18T10:00:00Z");
        check("since 2024-03 only", "since 2024-04 only");
        check("since 2024-3, code 2024-03-09", "since 2024-04, code 2024-04-18");
        check("3/9/2024 and 3/9/24", "4/18/2024 and 4/18/24");
        check("am 09.03.2024", "am 18.4.2024");
        check("03/2024, 3/2024, (12/2023); 03-2024, 11.2023.", "04/2024, 4/2024, (01/2024); 04-2024, 12.2023.");
        check("9 March 2024, 09-Mar-2024, 9th March 2024", "18 April 2024, 18-Apr-2024, 18th April 2024");
        check("09-MAR-24, 12MAR2024, 9/Mar/2024", "18-APR-24, 21APR2024, 18/Apr/2024");
        check("March 9,2024; Mar-09-2024", "April 18, 2024; Apr-18-2024");
        check("12MAR24, 9mar24, 12-Mar-24", "21APR24, 18Apr24, 21-Apr-24");
        check("March 9, 2024; MAR 9, 2024; Sept. 2023", "April 18, 2024; APR 18, 2024; Oct. 2023");
    }

    #[test]
    fn both_ends_of_a_range_move_and_fractions_stay() {
        check("3/9-3/12/2024, 3/9–3/12/24", "4/18-4/21/2024, 4/18–4/21/24");
        check(
            "Admitted 3/9 - 3/12/24; away from 3/9 to 3/12/2024",
            "Admitted 4/18 - 4/21/24; away from 4/18 to 4/21/2024",
        );
        check("12/28-1/3/2024, 11/20-11/25/2023", "2/6-2/12/2024, 12/30/2023-1/4/2024");
        check("3/9/2024-3/12/2024, 3/9/24 - 3/12/24", "4/18/2024-4/21/2024, 4/18/24 - 4/21/24");
        check("3/9 - 3/12/24", "4/18 - 4/21/24");
        for fraction in [
            "nodes 3/9 - ",
            "nodes 3/9-",
            "Strength 5/5 - ",
            "strength was 5/5-",
            "2/6 murmur - ",
            "Cycle 3/6 - ",
            "ER 3/8 - ",
            "cores positive 3/12 - ",
            "T 1/3/9-",
            "13/5-",
            "nodes 5/20-",
        ] {
            check(&format!("{fraction}3/12/2024"), &format!("{fraction}4/21/2024"));
        }
        check("pain from 3/10 to 3/12/2024", "pain from 4/19 to 4/21/2024");
        check("5/20-3/12/2024", "[DATE]");
        check("DOB 2/9-3/12/1930", "DOB [DATE]");
    }

    #[test]
    fn what_is_no_date_stays() {
        for text in [
            "pain 3/10",
            "3/9 lymph nodes, 2/6 murmur, 5/5 strength",
            "3/9-3/12, 5/5-4/5, 3/9-3/12/2",
            "5/5 - 45/12/24",
            "12MAR, 32MAR24, 12MAR241, A12MAR24",
            "titer 1/2048",
            "BP 120/80",
            "13/45/2024",
            "13/5/2024",
            "13/2024, 3.2024, 4-2024",
            "SNOMED 10-2024",
            "10.2015.7",
            "dose 2.5.",
            "1-2 weeks",
            "2024",
            "LOINC 21908-9",
            "T4N3",
            "May 12",
            "LOINC 1975-2, 1920-8; race 2106-3",
            "LOINC 1975-10, 2106-03 (LOINC), code: \"1988-05\"",
            "ISO 2019-1, room 2024-2, c.1961-12T>C",
            "urn:oid:2.16.84.1",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn a_birth_long_ago_is_not_moved_but_removed() {
        check("DOB 1/2/1930", "DOB [DATE]");
    }
}
