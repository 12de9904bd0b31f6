//! What families add, packed so that the sum over a resample is fast and exact.

use super::{draw::Drawn, flags::Flags};

/// The numerators and denominators of all ratios. Equal columns are kept once: the control-correct count is the
/// numerator of one metric and the denominator of the next.
#[derive(Debug, Default)]
pub(super) struct Columns {
    columns: Vec<Column>,
    flags: Flags,
}

#[derive(Debug, PartialEq)]
enum Column {
    /// Every family adds the same, so every resample does: the denominator of a plain accuracy.
    Constant {
        total: f64,
    },
    /// Every family adds one or nothing; kept among the flags.
    Flag {
        place: usize,
    },
    /// Values that are whole multiples of 1/`parts`. Sums are integers, and the processor multiplies eight at a time.
    Grid {
        codes: Vec<i16>,
        parts: f64,
    },
    Free(Vec<f64>),
}

/// Whole counts, sixtieths (halves, thirds, quarters, fifths, twentieths) and hundredths: the scores that rubrics give.
const PARTS: [f64; 3] = [1.0, 60.0, 100.0];

impl Columns {
    /// The place of these values among the sums.
    pub fn place(&mut self, values: Vec<f64>) -> usize {
        let column = self.pack(values);
        let known = self.columns.iter().position(|known| *known == column);
        known.unwrap_or_else(|| {
            self.columns.push(column);
            self.columns.len() - 1
        })
    }

    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// The sum of each column over the drawn families.
    pub fn sums(&self, drawn: &mut Drawn, into: &mut [f64]) {
        let flags = self.flags.counts(drawn.families());
        for (sum, column) in into.iter_mut().zip(&self.columns) {
            *sum = match column {
                Column::Constant { total } => *total,
                Column::Flag { place } => f64::from(flags[*place]),
                Column::Grid { codes, parts } => f64::from(integer_dot(codes, drawn.counts())) / parts,
                Column::Free(values) => float_dot(values, drawn.counts()),
            };
        }
    }

    fn pack(&mut self, values: Vec<f64>) -> Column {
        if let [first, rest @ ..] = values.as_slice()
            && rest.iter().all(|value| value == first)
        {
            let total = first * values.len() as f64;
            return Column::Constant { total };
        }
        if values.iter().all(|value| *value == 0.0 || *value == 1.0) {
            let place = self.flags.place(values.iter().map(|value| *value == 1.0));
            return Column::Flag { place };
        }
        for parts in PARTS {
            if let Some(codes) = codes(&values, parts) {
                return Column::Grid { codes, parts };
            }
        }
        Column::Free(values)
    }
}

/// The values as multiples of 1/parts, if all are and no resample can overflow an `i32`.
fn codes(values: &[f64], parts: f64) -> Option<Vec<i16>> {
    let largest = f64::from(i16::MAX).min(f64::from(i32::MAX) / values.len() as f64);
    let code = |&value: &f64| {
        let code = (value * parts).round();
        (code.abs() <= largest && code / parts == value).then_some(code as i16)
    };
    values.iter().map(code).collect()
}

// Written so that the compiler makes it one multiply-add of eight pairs.
fn integer_dot(codes: &[i16], counts: &[i16]) -> i32 {
    let pairs = codes.iter().zip(counts);
    pairs.map(|(&c, &n)| i32::from(c) * i32::from(n)).sum()
}

/// Eight running sums, always in the same order, so that the compiler may use wide registers and the result is one number.
fn float_dot(values: &[f64], counts: &[i16]) -> f64 {
    let mut lanes = [0.0; 8];
    let (values8, values_left) = values.as_chunks::<8>();
    let (counts8, counts_left) = counts.as_chunks::<8>();
    for (value, count) in values8.iter().zip(counts8) {
        for lane in 0..8 {
            lanes[lane] += value[lane] * f64::from(count[lane]);
        }
    }
    let left = values_left.iter().zip(counts_left);
    let left: f64 = left.map(|(v, &n)| v * f64::from(n)).sum();
    lanes.iter().sum::<f64>() + left
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// Families 0, 1, … add these values; each comes once.
    fn check(values: &[f64], expected: f64) {
        let mut columns = Columns::default();
        let place = columns.place(values.to_vec());
        let mut sums = vec![0.0; columns.len()];
        columns.sums(&mut Drawn::new(values.len()), &mut sums);
        assert!((sums[place] - expected).abs() < 1e-12 * expected, "{}", sums[place]);
    }

    #[test]
    fn flags_add_up() {
        check(&[1.0, 0.0, 1.0], 2.0);
    }

    #[test]
    fn whole_counts_add_up() {
        check(&[3.0, 0.0, 1.0], 4.0);
    }

    #[test]
    fn what_all_families_share_adds_up() {
        check(&[0.7, 0.7, 0.7], 2.1);
    }

    #[test]
    fn half_points_and_thirds_add_up_exactly() {
        check(&[0.5, 1.0 / 3.0, 2.0 / 3.0, 0.5], 2.0);
    }

    #[test]
    fn any_number_adds_up() {
        let values: Vec<f64> = (0..19).map(|i| f64::from(i).sqrt()).collect();
        check(&values, values.iter().sum());
    }

    #[test]
    fn large_values_do_not_overflow() {
        check(&[1e9, 2e9, 3e9], 6e9);
        check(&[32_767.0, 32_767.0, 1.0], 65_535.0);
    }

    #[test]
    fn a_family_drawn_twice_adds_twice() {
        let packed = |values: &[f64]| {
            let mut columns = Columns::default();
            let place = columns.place(values.to_vec());
            let mut drawn = Drawn::new(values.len());
            drawn.draw(&mut ChaCha8Rng::seed_from_u64(1));
            let mut sums = vec![0.0; columns.len()];
            columns.sums(&mut drawn, &mut sums);
            let counts = drawn.counts().iter();
            let plain: f64 = counts.zip(values).map(|(&count, value)| f64::from(count) * value).sum();
            assert!((sums[place] - plain).abs() < 1e-9, "{} {plain}", sums[place]);
        };
        let scores = |step: f64, of: u16| (0..103_u16).map(move |i| f64::from(i * 7 % of) * step).collect::<Vec<_>>();
        packed(&scores(1.0, 2));
        packed(&scores(0.5, 3));
        packed(&scores(0.123, 11));
    }

    #[test]
    fn scores_of_rubrics_are_summed_as_whole_numbers() {
        for (values, parts) in [([3.0, 0.0, 1.0], 1.0), ([0.5, 1.0 / 3.0, 1.0], 60.0), ([0.37, 0.5, 0.01], 100.0)] {
            let codes = values.map(|value: f64| (value * parts).round() as i16).to_vec();
            assert_eq!(Columns::default().pack(values.to_vec()), Column::Grid { codes, parts });
        }
        assert_eq!(Columns::default().pack(vec![0.123, 0.5]), Column::Free(vec![0.123, 0.5]));
    }

    #[test]
    fn right_and_wrong_are_kept_as_flags() {
        assert_eq!(Columns::default().pack(vec![1.0, 0.0, 1.0]), Column::Flag { place: 0 });
    }

    #[test]
    fn what_a_resample_could_make_too_large_is_not_summed_as_whole_numbers() {
        // 70,000 times 32,767 is more than 2³¹.
        assert_eq!(codes(&vec![32_767.0; 70_000], 1.0), None);
        assert_eq!(codes(&[32_767.0, -32_767.0], 1.0), Some(vec![32_767, -32_767]));
        assert_eq!(codes(&[32_768.0, 0.0], 1.0), None);
    }

    #[test]
    fn equal_columns_are_kept_once() {
        let mut columns = Columns::default();
        let first = columns.place(vec![1.0, 0.0]);
        assert_eq!(columns.place(vec![1.0, 0.0]), first);
        assert_ne!(columns.place(vec![0.0, 1.0]), first);
        assert_eq!(columns.len(), 2);
    }
}
