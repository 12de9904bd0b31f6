//! A day, a month or a year, as the source knew it. No clock and no time zone: charts speak of days.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Partial dates stay partial: a year is not its first of January. A year sorts before its months, a month before its days.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Date {
    year: i16,
    /// Zero where only the year is known.
    month: u8,
    /// Zero where only the month is known.
    day: u8,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no date: write 2024, 2024-03 or 2024-03-09")]
pub struct NotADate(pub String);

const MONTH_LENGTHS: [u8; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

pub(crate) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl Date {
    pub fn from_year(year: i16) -> Option<Self> {
        (1..=9999).contains(&year).then_some(Self { year, month: 0, day: 0 })
    }

    pub fn from_month(year: i16, month: u8) -> Option<Self> {
        (1..=12).contains(&month).then_some(Self { month, ..Self::from_year(year)? })
    }

    pub fn from_day(year: i16, month: u8, day: u8) -> Option<Self> {
        let whole = Self::from_month(year, month)?;
        (1..=month_length(year, month)).contains(&day).then_some(Self { day, ..whole })
    }

    pub fn year(self) -> i16 {
        self.year
    }

    pub fn month(self) -> Option<u8> {
        (self.month > 0).then_some(self.month)
    }

    pub fn day(self) -> Option<u8> {
        (self.day > 0).then_some(self.day)
    }

    /// Days since 1970-01-01; a partial date counts from its middle, so that shifting it errs least.
    pub fn number(self) -> i32 {
        let month = if self.month == 0 { 7 } else { self.month };
        let day = match (self.month, self.day) {
            (0, _) => 1,
            (_, 0) => 15,
            (_, day) => day,
        };
        day_number(self.year, month, day)
    }

    /// The day of this number; none outside the years 1 to 9999.
    pub fn from_number(number: i32) -> Option<Self> {
        let (year, month, day) = civil(number);
        Self::from_day(i16::try_from(year).ok()?, month, day)
    }

    /// Moved by days and as exact as before: a month stays a month.
    pub fn plus_days(self, days: i32) -> Option<Self> {
        let moved = Self::from_number(self.number().checked_add(days)?)?;
        Some(Self {
            year: moved.year,
            month: if self.month == 0 { 0 } else { moved.month },
            day: if self.day == 0 { 0 } else { moved.day },
        })
    }

    /// 0 is Monday; none for a partial date.
    pub fn weekday(self) -> Option<u8> {
        // Day 0, 1970-01-01, was a Thursday.
        self.day().map(|_| (self.number() + 3).rem_euclid(7) as u8)
    }

    /// Whole years from this date to a later one, as an age is told; one more than certain where a date is partial.
    pub fn years_until(self, later: Date) -> i16 {
        let years = later.year - self.year;
        let before = (later.month, later.day) < (self.month, self.day) && later.month > 0 && self.month > 0;
        if before { years - 1 } else { years }
    }
}

fn month_length(year: i16, month: u8) -> u8 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if month == 2 && leap { 29 } else { MONTH_LENGTHS[usize::from(month) - 1] }
}

/// Days since 1970-01-01 by counting years from March, so that the leap day is the last of its year
/// (H. Hinnant, "chrono-compatible low-level date algorithms").
fn day_number(year: i16, month: u8, day: u8) -> i32 {
    let (year, month, day) = (i32::from(year), i32::from(month), i32::from(day));
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn civil(number: i32) -> (i32, u8, u8) {
    let shifted = i64::from(number) + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let years = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * years + years / 4 - years / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = (of_year - (153 * from_march + 2) / 5 + 1) as u8;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 } as u8;
    ((years + era * 400 + i64::from(month <= 2)) as i32, month, day)
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.month, self.day) {
            (0, _) => write!(f, "{:04}", self.year),
            (month, 0) => write!(f, "{:04}-{month:02}", self.year),
            (month, day) => write!(f, "{:04}-{month:02}-{day:02}", self.year),
        }
    }
}

impl fmt::Debug for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Date {
    type Err = NotADate;

    /// `2024`, `2024-03` or `2024-03-09`, and nothing else: other spellings are the importers' business.
    fn from_str(text: &str) -> Result<Self, NotADate> {
        read(text.as_bytes()).ok_or_else(|| NotADate(text.to_owned()))
    }
}

fn read(text: &[u8]) -> Option<Date> {
    let number = |digits: &[u8]| {
        digits.iter().try_fold(0i16, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + i16::from(digit - b'0')))
    };
    let two = |digits: &[u8]| number(digits).map(|value| value as u8);
    match text.len() {
        4 => Date::from_year(number(text)?),
        7 if text[4] == b'-' => Date::from_month(number(&text[..4])?, two(&text[5..])?),
        10 if text[4] == b'-' && text[7] == b'-' => {
            Date::from_day(number(&text[..4])?, two(&text[5..7])?, two(&text[8..])?)
        }
        _ => None,
    }
}

impl TryFrom<String> for Date {
    type Error = NotADate;

    fn try_from(text: String) -> Result<Self, NotADate> {
        text.parse()
    }
}

impl From<Date> for String {
    fn from(date: Date) -> Self {
        date.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> Date {
        text.parse().unwrap()
    }

    #[test]
    fn a_date_is_as_exact_as_it_was_written() {
        for text in ["2024", "2024-02", "2024-02-29", "0001-01-01", "9999-12-31"] {
            assert_eq!(date(text).to_string(), text);
        }
    }

    #[test]
    fn days_that_do_not_exist_are_refused() {
        for text in
            ["2023-02-29", "2024-13", "2024-00-01", "0000", "24-01-01", "2024-1-1", "2024-01-32", "2024-01-01T", "20é4"]
        {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_and_days_are_inverse_and_follow_the_calendar() {
        assert_eq!(date("1970-01-01").number(), 0);
        assert_eq!(date("2000-03-01").number(), 11_017);
        for number in (-719_162..2_932_896).step_by(37) {
            assert_eq!(Date::from_number(number).map(Date::number), Some(number));
        }
        assert_eq!(Date::from_number(-719_163), None, "the year zero");
        assert_eq!(date("2024-11-15").weekday(), Some(4), "a Friday");
    }

    #[test]
    fn moving_keeps_the_precision() {
        assert_eq!(date("2024-02-28").plus_days(2), Some(date("2024-03-01")));
        assert_eq!(date("2024-02").plus_days(31), Some(date("2024-03")));
        assert_eq!(date("2024").plus_days(-200), Some(date("2023")));
        assert_eq!(date("9999-12-31").plus_days(1), None);
    }

    #[test]
    fn a_year_comes_before_its_months_and_a_month_before_its_days() {
        assert!(
            date("2024") < date("2024-01") && date("2024-01") < date("2024-01-01") && date("2023-12-31") < date("2024")
        );
    }

    #[test]
    fn an_age_counts_birthdays() {
        assert_eq!(date("1960-05-10").years_until(date("2024-05-09")), 63);
        assert_eq!(date("1960-05-10").years_until(date("2024-05-10")), 64);
        assert_eq!(date("1960").years_until(date("2024-05-10")), 64);
    }
}
