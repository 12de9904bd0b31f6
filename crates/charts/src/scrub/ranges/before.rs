//! The days before a date that have their year from it: `Mar 9 - Mar 12, 2024`, `9, 10 and 12 March 2024`.

use super::super::codes;
use super::super::dates::{Kind, Told, day_like, month_number};
use super::super::fractions::{self, Longest};
use super::super::links::{BEFORE, Link};
use super::near::Near;
use super::{Lean, MOST, NEAR, Partial, Reader, Series, ends_sentence, month_alone, numbers_like, year_before};
use crate::Date;

/// What stands behind a day and gives it its year.
#[derive(Clone, Copy)]
struct Next {
    date: Date,
    is_led_by_day: bool,
    /// A list that ends with `and`.
    is_list: bool,
}

impl<'t> Reader<'t> {
    pub(super) fn with_days_before(&self, told: Told<'t>, floor: usize) -> Series<'t> {
        let is_led_by_day = match told.kind {
            Kind::DayMonth | Kind::ShortYear => true,
            Kind::Numbers => self.is_day_first(told.sign),
            _ => false,
        };
        let mut series =
            Series { range: told.range.clone(), before: Vec::new(), after: Vec::new(), is_doubtful: false, told };
        let Some(date) = series.told.dates.first().copied() else { return series };
        let mut next = Next { date, is_led_by_day, is_list: false };
        while series.before.len() < MOST {
            let Some(found) = self.before(floor, series.range.start) else { break };
            let link = Link::of(&found.captures);
            match self.leaning_before(&found, link, next, &series.told) {
                Some(Lean::Day(day)) => {
                    series.range.start = day.range.start;
                    let is_list = next.is_list || link == Link::And;
                    next = Next { date: day.date, is_led_by_day: day.is_led_by_day, is_list };
                    series.before.push(day);
                }
                Some(Lean::Doubtful(range)) => {
                    series.range.start = range.start;
                    series.is_doubtful = true;
                    break;
                }
                None => break,
            }
        }
        series
    }

    fn before(&self, floor: usize, start: usize) -> Option<Near<'t>> {
        let from = self.boundary(floor.max(start.saturating_sub(NEAR)));
        let captures = BEFORE.captures(self.text.get(from..start)?)?;
        let at = from + captures.get(0)?.start();
        // A word or a number may have been cut where the window begins.
        let is_whole = !self.text[..at].ends_with(|it: char| it.is_alphanumeric() || it == '_');
        is_whole.then_some(Near { captures, from })
    }

    fn leaning_before(&self, found: &Near<'t>, link: Link, next: Next, told: &Told<'t>) -> Option<Lean<'t>> {
        let (parts, start) = (&found.captures, found.range()?.start);
        let context = &self.text[..start];
        if let Some(named) = self.named(found, told) {
            let date = year_before(named.month, named.day, next.date);
            let range = found.range()?;
            // No such day, as Feb 30: what was meant is nobody's to know.
            let Some(date) = date else { return Some(Lean::Doubtful(range)) };
            let day = named.partial(range, date).with_end(found.text("r1"), found.number("e1"));
            return day.map(Lean::Day);
        }
        if parts.name("m4").is_some() {
            return self.month_before(found, link, next, told);
        }
        let sign = found.text("s").filter(|sign| *sign != "-" || told.sign == "-" || !next.is_led_by_day);
        if let Some(sign) = sign {
            return self.numbers_before(found, sign, link, next, told);
        }
        // `9-12 and 15-18 March 2024`
        let (first, end) = if parts.name("s").is_some() { ("a", "b") } else { ("d3", "e3") };
        let day = found.number(first)?;
        let (has_dot, is_dotted) = (parts.name("p3").is_some_and(|dot| !dot.is_empty()), told.sign == ".");
        let is_part = context.ends_with(['/', '.', ':', '-', '–', '—', ',']) && !ends_sentence(context)
            || context.ends_with(['#', '$', '€', '£', '<', '>', '=', '~', '+', '×']);
        if is_part
            || (has_dot && !is_dotted)
            || codes::is_measured(context)
            || (link == Link::Slash && fractions::is_counted(context))
            // 4, 12 March 2024 may be a value and its day.
            || (link == Link::Comma && !next.is_list && !fractions::is_during(context))
        {
            return None;
        }
        let range = found.range()?;
        if !next.is_led_by_day {
            // 9-12/3/2024 where months come first is rather a range of days than December.
            let is_odd = told.kind == Kind::Numbers
                && (link.is_tight() || (link == Link::Word && fractions::is_from(context)))
                && next.date.month().is_some_and(|month| day < month)
                && !fractions::is_counted(context);
            return is_odd.then_some(Lean::Doubtful(range));
        }
        let last = next.date.day()?;
        if day >= last {
            let is_range = link.is_tight() || (link.is_of_range() && fractions::is_from(context));
            return (day > last && is_range).then_some(Lean::Doubtful(range));
        }
        let date = Date::from_day(next.date.year(), next.date.month()?, day)?;
        let ordinal = parts.name("o3").is_some();
        let dot = if has_dot { "." } else { "" };
        let write = Box::new(move |moved: Date| format!("{}{dot}", day_like(moved, ordinal)));
        let day = Partial { is_led_by_day: true, ..Partial::alone(range, date, true, write) };
        day.with_end(found.text("s").or_else(|| found.text("r3")), found.number(end)).map(Lean::Day)
    }

    fn month_before(&self, found: &Near<'t>, link: Link, next: Next, told: &Told<'t>) -> Option<Lean<'t>> {
        let name = found.text("m4")?;
        let is_day = told.dates.first()?.day().is_some();
        let is_linked = match link {
            Link::Dash { .. } | Link::Word => true,
            Link::And | Link::Slash => !is_day,
            Link::Comma => !is_day && next.is_list,
        };
        // He may - March 2024; a dash behind it is one between sentences as well.
        let is_name = name.starts_with(char::is_uppercase) && told.kind != Kind::MonthYear;
        if !is_linked || !is_name || self.text[..found.range()?.start].ends_with(['-', '/', '.']) {
            return None;
        }
        let month = month_number(name)?;
        let year = next.date.year() - i16::from(Some(month) > next.date.month());
        let date = Date::from_month(year, month)?;
        Some(Lean::Day(month_alone(found.range()?, date, name, found.text("p4").unwrap_or_default())))
    }

    /// `3/9 - 3/12/2024`, `9.3.-12.3.2024`, `3-9 to 3-12-2024`
    fn numbers_before(
        &self,
        found: &Near<'t>,
        sign: &'t str,
        link: Link,
        next: Next,
        told: &Told<'t>,
    ) -> Option<Lean<'t>> {
        let (range, dot) = (found.range()?, found.text("p").unwrap_or_default());
        let (part, whole) = (found.text("a")?, found.text("b")?);
        let context = &self.text[..range.start];
        let is_part = context.ends_with(['/', '.', '-', '–', '—', ':'])
            && !ends_sentence(context)
            && !(sign == "/" && fractions::is_listed(context));
        let has_clock = found.captures.get(0).is_some_and(|all| all.as_str().contains(':'));
        let longest = match sign {
            "/" if has_clock => Longest::YEAR,
            "/" => fractions::longest_range(context, part, whole, if next.is_list { Link::And } else { link })?,
            // 3.5 - 12.3.2024 is a value and its day.
            "." if told.sign == "." && (!dot.is_empty() || fractions::is_during(context)) => Longest::YEAR,
            "." if told.sign == "." && link != (Link::Dash { is_tight: false }) && !codes::is_measured(context) => {
                Longest::LONG
            }
            "-" if told.sign == "-" && !link.is_tight() && !fractions::is_counted(context) => Longest::LONG,
            _ => return None,
        };
        if is_part
            || (sign == "-" && codes::is_measured(context))
            || (sign != "/" && matches!(link, Link::Comma | Link::Slash))
        {
            return None;
        }
        if told.dates.first()?.day().is_none() {
            // 3/9 - 12/2024: to the 12th or to December.
            return (told.kind == Kind::MonthYear && sign == "/").then_some(Lean::Doubtful(range));
        }
        let (part, whole) = (part.parse().ok()?, whole.parse().ok()?);
        let is_day_first = self.is_day_first(sign);
        let (month, day) = if is_day_first { (whole, part) } else { (part, whole) };
        let Some(date) = year_before(month, day, next.date) else {
            return (month <= 12 && day <= 31 && link.is_of_range()).then_some(Lean::Doubtful(range));
        };
        let length = next.date.number() - date.number();
        if length > longest.sure {
            return (length <= longest.doubtful).then_some(Lean::Doubtful(range));
        }
        let write = Box::new(move |moved: Date| numbers_like(moved, is_day_first, sign) + dot);
        let day = Partial { is_led_by_day: is_day_first, ..Partial::alone(range, date, false, write) };
        if is_day_first && found.text("r2").is_some() {
            return None;
        }
        day.with_end(found.text("r2"), found.number("e2")).map(Lean::Day)
    }
}
