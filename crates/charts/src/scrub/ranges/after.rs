//! The days behind a date that have their year from it: `March 9, 2024 - March 12`, `2024-03-09/12`.

use super::super::dates::{Kind, Told, day_like, month_number};
use super::super::links::{AFTER, ENDS, GOES_ON, Link};
use super::super::{codes, fractions};
use super::near::Near;
use super::{MOST, NEAR, Partial, Reader, Series, month_alone, numbers_like, year_after};
use crate::Date;

impl<'t> Reader<'t> {
    pub(super) fn add_days_after(&self, series: &mut Series<'t>, ceiling: usize) {
        let Some(mut last) = series.told.dates.last().copied() else { return };
        while !series.is_doubtful && series.after.len() < MOST {
            let Some(day) = self.leaning_after(&series.told, last, series.range.end, ceiling) else { break };
            (series.range.end, last) = (day.range.end, day.date);
            series.after.push(day);
        }
    }

    /// `March 9, 2024 - March 12`, `2024-03-09/12`, `3/9/2024-3/12`
    fn leaning_after(&self, told: &Told<'t>, last: Date, end: usize, ceiling: usize) -> Option<Partial<'t>> {
        let to = self.boundary(ceiling.min(end + NEAR));
        let captures = AFTER.captures(self.text.get(end..to)?)?;
        let found = Near { captures, from: end };
        let (parts, range) = (&found.captures, found.range()?);
        let (link, after) = (Link::of(parts), &self.text[range.end..]);
        if range.end == ceiling && ceiling < self.text.len() && !after.starts_with(char::is_whitespace)
            || (link == Link::Comma && !ENDS.is_match(after))
            || GOES_ON.is_match(after)
            || codes::is_counted(after)
            || fractions::is_counted_behind(after)
        {
            return None;
        }
        if let Some(named) = self.named(&found, told) {
            let date = year_after(named.month, named.day, last, link)?;
            let is_name = named.is_month_first || named.name.starts_with(char::is_uppercase);
            let day = named.partial(range, date).with_end(found.text("r1"), found.number("e1"))?;
            return (is_name && link != Link::Slash).then_some(day);
        }
        if parts.name("e2").or_else(|| parts.name("e3")).is_some() {
            return None;
        }
        if let Some(name) = found.text("m4") {
            let is_month = last.day().is_none() && name.starts_with(char::is_uppercase);
            let is_range = is_month && told.kind == Kind::MonthFirst && link != Link::Slash && ENDS.is_match(after);
            let date = year_after(month_number(name)?, 0, last, link)?;
            return is_range.then(|| month_alone(range, date, name, found.text("p4").unwrap_or_default()));
        }
        last.day()?;
        match (told.kind, found.text("s")) {
            (Kind::Numbers, Some(sign)) if sign == told.sign && sign != "-" => {
                self.numbers_after(&found, sign, link, last, told)
            }
            (Kind::YearFirst, sign) => self.after_year_first(&found, sign, link, last),
            (Kind::MonthFirst, None) => self.day_after(&found, link, last),
            _ => None,
        }
    }

    /// `March 9, 2024 - 12`; not `- 12 units`.
    fn day_after(&self, found: &Near<'t>, link: Link, last: Date) -> Option<Partial<'t>> {
        let mut range = found.range()?;
        range.end -= found.text("p3").unwrap_or_default().len();
        let date = Date::from_day(last.year(), last.month()?, found.number("d3")?)?;
        let is_range = link.is_of_range() && date > last && ENDS.is_match(&self.text[range.end..]);
        let ordinal = found.text("o3").is_some();
        let write = Box::new(move |moved: Date| day_like(moved, ordinal));
        is_range.then(|| Partial::alone(range, date, true, write))
    }

    fn numbers_after(
        &self,
        found: &Near<'t>,
        sign: &'t str,
        link: Link,
        last: Date,
        told: &Told<'t>,
    ) -> Option<Partial<'t>> {
        let (range, dot) = (found.range()?, found.text("p").unwrap_or_default());
        let after = &self.text[range.end..];
        let is_day_first = self.is_day_first(sign);
        let (first, second) = (found.number("a")?, found.number("b")?);
        let (month, day) = if is_day_first { (second, first) } else { (first, second) };
        let date = year_after(month, day, last, link)?;
        let is_plain = ENDS.is_match(after) || fractions::is_during(&self.text[..told.range.start]);
        let longest = match (sign, link) {
            (".", _) if dot.is_empty() && !ENDS.is_match(after) => return None,
            ("/", Link::Word | Link::Dash { is_tight: true }) | (".", _) => 183,
            ("/", Link::Dash { .. } | Link::And) if is_plain => 62,
            ("/", Link::Comma) if is_plain && !fractions::is_scale(second) => 62,
            _ => return None,
        };
        // The dot behind 12.3 may end a sentence.
        let dot = if sign == "." { dot } else { "" };
        let range =
            if sign == "." { range } else { range.start..range.end - found.text("p").unwrap_or_default().len() };
        let write = Box::new(move |moved: Date| numbers_like(moved, is_day_first, sign) + dot);
        let length = date.number() - last.number();
        (-31..=longest).contains(&length).then(|| Partial::alone(range, date, false, write))
    }

    /// `2024-03-09/12`, `2024-03-09 to 03-12`
    fn after_year_first(&self, found: &Near<'t>, sign: Option<&'t str>, link: Link, last: Date) -> Option<Partial<'t>> {
        let mut range = found.range()?;
        let after = &self.text[range.end..];
        if let Some(sign) = sign {
            let is_padded = sign != "." && found.text("a")?.len() == 2 && found.text("b")?.len() == 2;
            let date = year_after(found.number("a")?, found.number("b")?, last, link)?;
            range.end -= found.text("p").unwrap_or_default().len();
            let write = Box::new(move |moved: Date| {
                format!("{:02}{sign}{:02}", moved.month().unwrap_or_default(), moved.day().unwrap_or_default())
            });
            let is_near = date.number() - last.number() <= 183;
            return (is_padded && is_near).then(|| Partial::alone(range, date, false, write));
        }
        let day = found.text("d3").filter(|day| day.len() == 2 && found.text("o3").is_none())?;
        let is_linked = match link {
            Link::Dash { is_tight } => is_tight,
            Link::Slash => true,
            Link::Word | Link::And => ENDS.is_match(after),
            Link::Comma => false,
        };
        let date = Date::from_day(last.year(), last.month()?, day.parse().ok()?)?;
        range.end -= found.text("p3").unwrap_or_default().len();
        let write = Box::new(|moved: Date| format!("{:02}", moved.day().unwrap_or_default()));
        (is_linked && date > last).then(|| Partial::alone(range, date, true, write))
    }
}
