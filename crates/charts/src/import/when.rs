//! Dates as sources write them.

use crate::Date;
use serde::Deserialize;

/// A date, and the second of the day where the source has it: it orders entries and is then forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct When {
    pub date: Date,
    pub second: u32,
}

/// How 03/04/2024 is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DateOrder {
    /// 4 March, as in the United States.
    #[default]
    Mdy,
    /// 3 April.
    Dmy,
}

impl When {
    /// The day as written, whatever the zone behind it: a visit is on the day the patient came.
    pub fn read(text: &str, order: DateOrder) -> Option<Self> {
        let text = text.trim();
        let end = text.find(['T', ' ']).unwrap_or(text.len());
        let date = day(&text[..end], order)?;
        Some(Self { date, second: clock(text.get(end + 1..).unwrap_or_default()) })
    }
}

fn day(text: &str, order: DateOrder) -> Option<Date> {
    if let Ok(date) = text.parse() {
        return Some(date);
    }
    if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Date::from_day(text[..4].parse().ok()?, text[4..6].parse().ok()?, text[6..].parse().ok()?);
    }
    let separator = text.bytes().find(|byte| matches!(byte, b'/' | b'-' | b'.'))?;
    let mut parts = text.split(char::from(separator));
    let (first, second, third) = (parts.next()?, parts.next()?, parts.next());
    if parts.next().is_some() {
        return None;
    }
    match third {
        Some(third) if first.len() == 4 => {
            Date::from_day(first.parse().ok()?, second.parse().ok()?, third.parse().ok()?)
        }
        Some(third) if third.len() == 4 => {
            // Points are written where the day comes first.
            let day_first = order == DateOrder::Dmy || separator == b'.';
            let (month, day) = if day_first { (second, first) } else { (first, second) };
            Date::from_day(third.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
        }
        None if first.len() == 4 => Date::from_month(first.parse().ok()?, second.parse().ok()?),
        None if second.len() == 4 => Date::from_month(second.parse().ok()?, first.parse().ok()?),
        _ => None,
    }
}

/// Seconds of the day in `13:45:10…`; zero where there is no clock.
fn clock(text: &str) -> u32 {
    let mut seconds = 0;
    for (part, unit) in text.split(':').zip([3600, 60, 1]) {
        let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
        seconds += digits.parse::<u32>().unwrap_or(0).min(60) * unit;
    }
    seconds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, order: DateOrder, expected: &str) {
        assert_eq!(When::read(text, order).map(|when| when.date.to_string()).as_deref(), Some(expected), "{text}");
    }

    #[test]
    fn the_spellings_of_real_sources_are_read() {
        check("1923-02-02T02:13:10-05:00", DateOrder::Mdy, "1923-02-02");
        check("2180-05-06 22:23:00", DateOrder::Mdy, "2180-05-06");
        check("2019-11", DateOrder::Mdy, "2019-11");
        check("2019", DateOrder::Mdy, "2019");
        check("20240309", DateOrder::Mdy, "2024-03-09");
        check("1/01/1963", DateOrder::Mdy, "1963-01-01");
        check("12-09-1994", DateOrder::Mdy, "1994-12-09");
        check("12-09-1994", DateOrder::Dmy, "1994-09-12");
        check("9.12.1994", DateOrder::Mdy, "1994-12-09");
        check("2024/3/9", DateOrder::Mdy, "2024-03-09");
        check("03/2024", DateOrder::Mdy, "2024-03");
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in ["", "yesterday", "13/13/2024", "[**2151-7-16**]", "___", "1-2-3-4", "3/4/24"] {
            assert_eq!(When::read(text, DateOrder::Mdy), None, "{text}");
        }
    }

    #[test]
    fn the_clock_orders_and_the_day_is_as_written() {
        let at = |text| When::read(text, DateOrder::Mdy).unwrap();
        assert!(at("2024-03-09T09:05:00Z") < at("2024-03-09T13:00:00-05:00"));
        assert_eq!(at("2024-03-09T23:59:00-05:00").date.to_string(), "2024-03-09");
    }
}
