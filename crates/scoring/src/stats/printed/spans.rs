//! Whole numbers as ranges. The counts that print as one figure lie side by side, so a million of them are two numbers.

use std::ops::RangeInclusive;

pub(super) type Span = RangeInclusive<u64>;

/// Ranges in order, with a gap between any two.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spans(Vec<Span>);

impl Spans {
    pub fn new(mut spans: Vec<Span>) -> Self {
        spans.retain(|span| !span.is_empty());
        spans.sort_unstable_by_key(|span| *span.start());
        let mut joined: Vec<Span> = Vec::new();
        for span in spans {
            match joined.last_mut() {
                Some(last) if *span.start() <= last.end().saturating_add(1) => {
                    *last = *last.start()..=*last.end().max(span.end());
                }
                _ => joined.push(span),
            }
        }
        Self(joined)
    }

    pub fn one(span: Span) -> Self {
        Self::new(vec![span])
    }

    pub fn none() -> Self {
        Self(Vec::new())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many ranges, not how many numbers.
    pub fn len(&self) -> u64 {
        self.0.len() as u64
    }

    pub fn iter(&self) -> impl Iterator<Item = &Span> {
        self.0.iter()
    }

    pub fn greatest(&self) -> Option<u64> {
        self.0.last().map(|span| *span.end())
    }

    /// What also lies in that range.
    pub fn within(&self, other: &Span) -> Self {
        Self::new(self.iter().map(|span| both(span, other)).collect())
    }

    /// Whether one of first, first + step, … up to last is here.
    pub fn meets(&self, first: u64, step: u64, last: u64) -> bool {
        self.iter().any(|span| {
            let steps = span.start().saturating_sub(first).div_ceil(step.max(1));
            first.saturating_add(steps.saturating_mul(step.max(1))) <= last.min(*span.end())
        })
    }
}

pub(super) fn both(a: &Span, b: &Span) -> Span {
    *a.start().max(b.start())..=*a.end().min(b.end())
}

/// How many numbers lie in it.
pub(super) fn width(span: &Span) -> u64 {
    if span.is_empty() { 0 } else { (span.end() - span.start()).saturating_add(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_are_one() {
        let joined = Spans::new(vec![7..=9, 1..=3, 4..=5, 8..=12]);
        assert_eq!(joined.iter().cloned().collect::<Vec<_>>(), [1..=5, 7..=12]);
        assert_eq!(joined.greatest(), Some(12));
        assert_eq!(joined.within(&(5..=7)).iter().cloned().collect::<Vec<_>>(), [5..=5, 7..=7]);
    }

    #[test]
    #[allow(clippy::reversed_empty_ranges, reason = "a range without numbers")]
    fn a_range_is_as_wide_as_it_has_numbers() {
        assert_eq!([width(&(3..=7)), width(&(4..=4)), width(&(1..=0))], [5, 1, 0]);
        assert_eq!(width(&(0..=u64::MAX)), u64::MAX);
    }

    #[test]
    fn every_step_is_looked_at() {
        let spans = Spans::new(vec![4..=4, 9..=10]);
        assert!(spans.meets(1, 3, 4));
        assert!(!spans.meets(1, 3, 3));
        assert!(spans.meets(0, 5, 100));
        assert!(!spans.meets(11, 1, 100));
        assert!(!Spans::none().meets(0, 1, u64::MAX));
    }
}
