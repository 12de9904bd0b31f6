//! Days that have their year from another one: `Mar 9 - Mar 12, 2024`, `9 to 12 March 2024`, `2024-03-09/12`. All of them move, or all go: one
//! moved beside one that stayed would tell by how many days.

use super::dates::{Kind, Shift, Told, day_like, month_like, month_number};
use super::fractions::Longest;
use super::links::{AFTER, BEFORE, ENDS, GOES_ON, Link};
use super::{Find, Identifier, codes, fractions};
use crate::Date;
use crate::import::DateOrder;
use regex::Captures;
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

/// What stands behind a day and gives it its year.
#[derive(Clone, Copy)]
struct Next {
    date: Date,
    is_led_by_day: bool,
    /// A list that ends with `and`.
    is_list: bool,
}

impl<'t> Reader<'t> {
    fn with_days_before(&self, told: Told<'t>, floor: usize) -> Series<'t> {
        let is_led_by_day = match told.kind {
            Kind::DayMonth | Kind::ShortYear => true,
            Kind::Numbers => told.sign == "." || self.order == DateOrder::Dmy,
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

    fn add_days_after(&self, series: &mut Series<'t>, ceiling: usize) {
        let Some(mut last) = series.told.dates.last().copied() else { return };
        while !series.is_doubtful && series.after.len() < MOST {
            let Some(day) = self.leaning_after(&series.told, last, series.range.end, ceiling) else { break };
            (series.range.end, last) = (day.range.end, day.date);
            series.after.push(day);
        }
    }

    fn before(&self, floor: usize, start: usize) -> Option<Near<'t>> {
        let from = self.boundary(floor.max(start.saturating_sub(NEAR)));
        let captures = BEFORE.captures(self.text.get(from..start)?)?;
        let at = from + captures.get(0)?.start();
        // A word or a number may have been cut where the window begins.
        let is_whole = !self.text[..at].ends_with(|it: char| it.is_alphanumeric() || it == '_');
        is_whole.then_some(Near { captures, from })
    }

    fn boundary(&self, at: usize) -> usize {
        (at..=self.text.len()).find(|at| self.text.is_char_boundary(*at)).unwrap_or(self.text.len())
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
        let day = Partial { range, date, until: None, is_bare: true, is_led_by_day: true, write, in_full: None };
        day.with_end(found.text("s").or_else(|| found.text("r3")), found.number(end)).map(Lean::Day)
    }

    /// `Mar 9`, `9th of March`
    fn named(&self, found: &Near<'t>, told: &Told<'t>) -> Option<Named<'t>> {
        let (parts, order) = (&found.captures, found.captures.name("m1").is_some());
        let (month, day, glue, nth) = if order { ("m1", "d1", "g1", "o1") } else { ("m2", "d2", "g2", "o2") };
        let name = found.text(month)?;
        let glue = found.text(glue)?;
        // SEPT-9 is a gene, unless the other day is written so, too.
        let is_gene = order && glue.contains(['-', '/']) && !told.sign.contains(['-', '/']);
        if is_gene {
            return None;
        }
        Some(Named {
            name,
            month: month_number(name)?,
            day: found.number(day)?,
            glue,
            is_ordinal: parts.name(nth).is_some(),
            is_month_first: order,
            dot: found.text("p2").unwrap_or_default(),
        })
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
        let is_day_first = sign == "." || self.order == DateOrder::Dmy;
        let (month, day) = if is_day_first { (whole, part) } else { (part, whole) };
        let Some(date) = year_before(month, day, next.date) else {
            return (month <= 12 && day <= 31 && link.is_of_range()).then_some(Lean::Doubtful(range));
        };
        let length = next.date.number() - date.number();
        if length > longest.sure {
            return (length <= longest.doubtful).then_some(Lean::Doubtful(range));
        }
        let write = Box::new(move |moved: Date| numbers_like(moved, is_day_first, sign) + dot);
        let day =
            Partial { range, date, until: None, is_bare: false, is_led_by_day: is_day_first, write, in_full: None };
        if is_day_first && found.text("r2").is_some() {
            return None;
        }
        day.with_end(found.text("r2"), found.number("e2")).map(Lean::Day)
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
        is_range.then_some(Partial {
            range,
            date,
            until: None,
            is_bare: true,
            is_led_by_day: false,
            write,
            in_full: None,
        })
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
        let is_day_first = sign == "." || self.order == DateOrder::Dmy;
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
        (-31..=longest).contains(&length).then_some(Partial {
            range,
            date,
            until: None,
            is_bare: false,
            is_led_by_day: false,
            write,
            in_full: None,
        })
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
            return (is_padded && is_near).then_some(Partial {
                range,
                date,
                until: None,
                is_bare: false,
                is_led_by_day: false,
                write,
                in_full: None,
            });
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
        (is_linked && date > last).then_some(Partial {
            range,
            date,
            until: None,
            is_bare: true,
            is_led_by_day: false,
            write,
            in_full: None,
        })
    }
}

/// What was found near a date.
struct Near<'t> {
    captures: Captures<'t>,
    from: usize,
}

impl<'t> Near<'t> {
    fn text(&self, name: &str) -> Option<&'t str> {
        self.captures.name(name).map(|part| part.as_str())
    }

    fn number(&self, name: &str) -> Option<u8> {
        self.text(name)?.parse().ok()
    }

    /// The day without its link.
    fn range(&self) -> Option<Range<usize>> {
        const FIRST: [&str; 5] = ["m1", "d2", "a", "d3", "m4"];
        const LAST: [&str; 14] = ["p4", "m4", "p3", "d3", "p", "b", "p2", "m2", "o1", "d1", "o3", "e1", "e2", "e3"];
        let place = |name: &&str| self.captures.name(name).map(|part| part.range());
        let start = FIRST.iter().find_map(place)?.start;
        let end = LAST.iter().filter_map(place).map(|part| part.end).max()?;
        Some(self.from + start..self.from + end)
    }
}

struct Named<'t> {
    name: &'t str,
    month: u8,
    day: u8,
    glue: &'t str,
    is_ordinal: bool,
    is_month_first: bool,
    dot: &'t str,
}

impl<'t> Named<'t> {
    fn partial(self, range: Range<usize>, date: Date) -> Partial<'t> {
        let is_led_by_day = !self.is_month_first;
        let write = move |moved: Date| {
            let (month, day) = (month_like(moved, self.name), day_like(moved, self.is_ordinal));
            if self.is_month_first {
                format!("{month}{}{day}", self.glue)
            } else {
                format!("{day}{}{month}{}", self.glue, self.dot)
            }
        };
        Partial { range, date, until: None, is_bare: false, is_led_by_day, write: Box::new(write), in_full: None }
    }
}

fn month_alone<'t>(range: Range<usize>, date: Date, name: &'t str, dot: &'t str) -> Partial<'t> {
    let write = Box::new(move |moved: Date| month_like(moved, name) + dot);
    let in_full = Box::new(move |moved: Date| format!("{}{dot} {}", month_like(moved, name), moved.year()));
    Partial { range, date, until: None, is_bare: false, is_led_by_day: false, write, in_full: Some(in_full) }
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
