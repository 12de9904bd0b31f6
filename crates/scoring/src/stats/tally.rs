//! What each family adds to each metric, collected as the verdicts stream past.

use super::StatsError;
use std::collections::BTreeMap;

/// Every metric here is a ratio: the sum of `part` over the sum of `whole`, over families. Several ratios (the metrics of
/// several subjects, say) share one tally, so that one resample of the families serves them all.
///
/// A family may be pushed to many times and in any order: the sums are exact, so the order leaves no trace.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    families: BTreeMap<String, usize>,
    names: Vec<String>,
    ratios: Vec<Sums>,
}

/// Names one ratio of the tally that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ratio(pub(super) usize);

/// By family.
#[derive(Clone, Debug, Default)]
struct Sums {
    /// Not where the family was never pushed to this ratio, as when the subject did not answer.
    known: Vec<bool>,
    parts: Column,
    wholes: Column,
}

/// There may be tens of thousands of families and dozens of ratios, most of them counts: those take four bytes.
#[derive(Clone, Debug)]
enum Column {
    Counts(Vec<i32>),
    Sums(Vec<Fixed>),
}

/// A sum in multiples of 2⁻⁶⁴. Adding floats would make the last digit depend on the order of the pushes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fixed(i128);

impl Tally {
    pub fn new() -> Self {
        Self::default()
    }

    /// The ratio of that name; asked again, the same one.
    pub fn ratio(&mut self, name: &str) -> Ratio {
        if let Some(known) = self.names.iter().position(|n| n == name) {
            return Ratio(known);
        }
        self.names.push(name.to_owned());
        self.ratios.push(Sums::default());
        Ratio(self.names.len() - 1)
    }

    /// Adds `part` of `whole` to the family. Push (0, 0) for a family that was judged but does not count here, such as
    /// one with a wrong control in the trap rate: it is resampled like any other, and it counts as answered when two
    /// subjects are compared.
    pub fn push(&mut self, family: &str, ratio: Ratio, part: f64, whole: f64) -> Result<(), StatsError> {
        let fixed = Fixed::of(part).zip(Fixed::of(whole).filter(|_| whole >= 0.0));
        let Some((fixed_part, fixed_whole)) = fixed else {
            return Err(StatsError::NotANumber {
                family: family.to_owned(),
                ratio: self.names[ratio.0].clone(),
                part,
                whole,
            });
        };
        let row = self.row(family);
        let sums = &mut self.ratios[ratio.0];
        if sums.known.len() <= row {
            sums.known.resize(row + 1, false);
        }
        sums.known[row] = true;
        sums.parts.add(row, fixed_part);
        sums.wholes.add(row, fixed_whole);
        Ok(())
    }

    /// Whether the family adds to the denominator, as far as it was pushed to.
    pub fn counts(&self, family: &str, ratio: Ratio) -> bool {
        let sums = &self.ratios[ratio.0];
        let known = |row: &&usize| sums.known.get(**row).copied().unwrap_or_default();
        self.families.get(family).filter(known).is_some_and(|row| sums.wholes.value(*row) > 0.0)
    }

    pub fn families(&self) -> usize {
        self.families.len()
    }

    pub fn ratios(&self) -> impl Iterator<Item = (Ratio, &str)> {
        let names = self.names.iter().enumerate();
        names.map(|(index, name)| (Ratio(index), name.as_str()))
    }

    pub fn name(&self, ratio: Ratio) -> &str {
        &self.names[ratio.0]
    }

    /// (part, whole) of one ratio for each family in the order of their names, so that the order in which families
    /// arrived changes nothing either.
    pub(super) fn by_family(&self, ratio: Ratio) -> impl Iterator<Item = Option<(f64, f64)>> {
        let sums = &self.ratios[ratio.0];
        self.families.values().map(|&row| {
            let known = sums.known.get(row).copied().unwrap_or_default();
            known.then(|| (sums.parts.value(row), sums.wholes.value(row)))
        })
    }

    fn row(&mut self, family: &str) -> usize {
        if let Some(&row) = self.families.get(family) {
            return row;
        }
        let row = self.families.len();
        self.families.insert(family.to_owned(), row);
        row
    }
}

impl Default for Column {
    fn default() -> Self {
        Self::Counts(Vec::new())
    }
}

impl Column {
    fn add(&mut self, row: usize, value: Fixed) {
        match self {
            Self::Counts(counts) => {
                if counts.len() <= row {
                    counts.resize(row + 1, 0);
                }
                match value.count().and_then(|it| counts[row].checked_add(it)) {
                    Some(sum) => counts[row] = sum,
                    None => {
                        *self = Self::Sums(counts.iter().map(|it| Fixed(i128::from(*it) << 64)).collect());
                        self.add(row, value);
                    }
                }
            }
            Self::Sums(sums) => {
                if sums.len() <= row {
                    sums.resize(row + 1, Fixed::default());
                }
                sums[row].0 += value.0;
            }
        }
    }

    /// Of a row that was added to.
    fn value(&self, row: usize) -> f64 {
        match self {
            Self::Counts(counts) => f64::from(counts[row]),
            Self::Sums(sums) => sums[row].value(),
        }
    }
}

impl Fixed {
    const ONE: f64 = 18_446_744_073_709_551_616.0; // 2⁶⁴

    fn of(value: f64) -> Option<Self> {
        // Below 1e12 (about 2⁴⁰) eight million of the largest fit into 127 bits.
        (value.abs() < 1e12).then_some(Self((value * Self::ONE) as i128))
    }

    /// Where it is whole and small.
    fn count(self) -> Option<i32> {
        (self.0 as u64 == 0).then(|| i32::try_from(self.0 >> 64).ok()).flatten()
    }

    fn value(self) -> f64 {
        // Counts are whole, and converting 128 bits is slow.
        if self.0 as u64 == 0 {
            return (self.0 >> 64) as i64 as f64;
        }
        self.0 as f64 / Self::ONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pushes: &[(&str, f64, f64)], expected: &[Option<(f64, f64)>]) {
        let mut tally = Tally::new();
        let ratio = tally.ratio("share");
        for (family, part, whole) in pushes {
            tally.push(family, ratio, *part, *whole).unwrap();
        }
        assert_eq!(tally.by_family(ratio).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_family_adds_up() {
        check(&[("a", 0.5, 1.0), ("a", 1.0, 1.0)], &[Some((1.5, 2.0))]);
    }

    #[test]
    fn a_family_counts_where_it_adds_to_the_denominator() {
        let mut tally = Tally::new();
        let (share, other) = (tally.ratio("share"), tally.ratio("other"));
        tally.push("idle", share, 0.0, 0.0).unwrap();
        tally.push("counts", share, 0.0, 1.0).unwrap();
        tally.push("idle", other, 1.0, 1.0).unwrap();
        let of = |ratio: Ratio| ["idle", "counts", "unknown"].map(|family| tally.counts(family, ratio));
        assert_eq!((of(share), of(other)), ([false, true, false], [true, false, false]));
    }

    #[test]
    fn families_come_in_the_order_of_their_names() {
        let sorted = [Some((0.0, 1.0)), Some((1.0, 1.0))];
        check(&[("b", 1.0, 1.0), ("a", 0.0, 1.0)], &sorted);
        check(&[("a", 0.0, 1.0), ("b", 1.0, 1.0)], &sorted);
    }

    #[test]
    fn the_order_of_pushes_leaves_no_trace_in_the_last_digit() {
        assert_ne!(0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1, "as floats have it");
        let sum = [Some((0.6, 3.0))];
        check(&[("a", 0.1, 1.0), ("a", 0.2, 1.0), ("a", 0.3, 1.0)], &sum);
        check(&[("a", 0.3, 1.0), ("a", 0.2, 1.0), ("a", 0.1, 1.0)], &sum);
    }

    #[test]
    fn counts_that_turn_into_sums_stay_exact() {
        check(&[("a", 3.0, 4.0), ("b", -2.0, 1.0), ("a", 0.1, 1.0)], &[Some((3.1, 5.0)), Some((-2.0, 1.0))]);
        let most = f64::from(i32::MAX);
        check(
            &[("a", most, most), ("a", 1.0, most), ("b", 0.0, 0.0)],
            &[Some((most + 1.0, 2.0 * most)), Some((0.0, 0.0))],
        );
    }

    #[test]
    fn a_family_known_to_another_ratio_only_is_missing_here() {
        let mut tally = Tally::new();
        let (one, two) = (tally.ratio("one"), tally.ratio("two"));
        tally.push("a", one, 1.0, 1.0).unwrap();
        assert_eq!(tally.by_family(two).collect::<Vec<_>>(), [None]);
    }

    #[test]
    fn what_cannot_be_counted_is_refused() {
        let mut tally = Tally::new();
        let ratio = tally.ratio("share");
        assert!(tally.push("a", ratio, f64::NAN, 1.0).is_err());
        assert!(tally.push("a", ratio, 1.0, f64::INFINITY).is_err());
        assert!(tally.push("a", ratio, 1.0, -1.0).is_err());
        assert_eq!(tally.families(), 0);
    }

    #[test]
    fn the_largest_that_can_be_counted_is_below_a_million_millions() {
        let most = 999_999_999_999.0;
        check(&[("a", most, most)], &[Some((most, most))]);
        let mut tally = Tally::new();
        let ratio = tally.ratio("share");
        assert!(tally.push("a", ratio, 1e12, 1.0).is_err());
        assert!(tally.push("a", ratio, 1.0, 1e12).is_err());
    }

    #[test]
    fn whole_numbers_are_kept_as_counts_and_others_as_sums() {
        let kept = |value: f64| {
            let mut column = Column::default();
            column.add(0, Fixed::of(value).unwrap());
            matches!(column, Column::Counts(_))
        };
        assert!(kept(3.0) && kept(-2.0) && kept(0.0));
        assert!(!kept(0.5) && !kept(3e9));
    }
}
