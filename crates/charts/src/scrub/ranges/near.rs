//! What stands near a date, taken apart.

use super::super::dates::{Told, day_like, month_like, month_number};
use super::{Partial, Reader};
use crate::Date;
use regex::Captures;
use std::ops::Range;

/// What was found near a date.
pub(super) struct Near<'t> {
    pub(super) captures: Captures<'t>,
    pub(super) from: usize,
}

impl<'t> Near<'t> {
    pub(super) fn text(&self, name: &str) -> Option<&'t str> {
        self.captures.name(name).map(|part| part.as_str())
    }

    pub(super) fn number(&self, name: &str) -> Option<u8> {
        self.text(name)?.parse().ok()
    }

    /// The day without its link.
    pub(super) fn range(&self) -> Option<Range<usize>> {
        const FIRST: [&str; 5] = ["m1", "d2", "a", "d3", "m4"];
        const LAST: [&str; 14] = ["p4", "m4", "p3", "d3", "p", "b", "p2", "m2", "o1", "d1", "o3", "e1", "e2", "e3"];
        let place = |name: &&str| self.captures.name(name).map(|part| part.range());
        let start = FIRST.iter().find_map(place)?.start;
        let end = LAST.iter().filter_map(place).map(|part| part.end).max()?;
        Some(self.from + start..self.from + end)
    }
}

pub(super) struct Named<'t> {
    pub(super) name: &'t str,
    pub(super) month: u8,
    pub(super) day: u8,
    pub(super) glue: &'t str,
    pub(super) is_ordinal: bool,
    pub(super) is_month_first: bool,
    pub(super) dot: &'t str,
}

impl<'t> Named<'t> {
    pub(super) fn partial(self, range: Range<usize>, date: Date) -> Partial<'t> {
        let is_led_by_day = !self.is_month_first;
        let write = move |moved: Date| {
            let (month, day) = (month_like(moved, self.name), day_like(moved, self.is_ordinal));
            if self.is_month_first {
                format!("{month}{}{day}", self.glue)
            } else {
                format!("{day}{}{month}{}", self.glue, self.dot)
            }
        };
        Partial { is_led_by_day, ..Partial::alone(range, date, false, Box::new(write)) }
    }
}

impl<'t> Reader<'t> {
    /// `Mar 9`, `9th of March`
    pub(super) fn named(&self, found: &Near<'t>, told: &Told<'t>) -> Option<Named<'t>> {
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
}
