//! Matrix products of rows with panels. A panel is a strip of the right-hand matrix, as wide as a core's registers hold, laid out as the
//! kernel reads it; the model's weights are laid out once.

use pulp::{Arch, Simd, WithSimd};

/// Rows of the left-hand matrix worked on together.
const ROWS: usize = 6;
/// Numbers in a line of the cache.
const LINE: usize = 16;

/// A matrix of `inputs` × `outputs` in panels: panel after panel, each `inputs` rows of `width` numbers, the last filled up with zeros.
#[derive(Debug, Default)]
pub struct Panels {
    data: Vec<f32>,
    /// Where the first panel begins: at the beginning of a cache line, so that no vector lies across two.
    begin: usize,
    inputs: usize,
    outputs: usize,
    width: usize,
}

impl Panels {
    /// `at` tells the number in a row and a column. Panels of at most `most` columns: a narrow matrix should not be mostly zeros.
    pub fn lay(&mut self, inputs: usize, outputs: usize, most: usize, at: impl Fn(usize, usize) -> f32) {
        (self.inputs, self.outputs) = (inputs, outputs);
        self.width = widest().min(most);
        let panels = outputs.div_ceil(self.width);
        let numbers = panels * inputs * self.width;
        self.data.clear();
        self.data.resize(numbers + LINE, 0.0);
        self.begin = self.data.as_ptr().align_offset(LINE * size_of::<f32>()).min(LINE);
        if numbers == 0 {
            return;
        }
        let data = &mut self.data[self.begin..self.begin + numbers];
        for (panel, data) in data.chunks_exact_mut(inputs * self.width).enumerate() {
            let first = panel * self.width;
            for (row, data) in data.chunks_exact_mut(self.width).enumerate() {
                for (number, column) in data.iter_mut().zip(first..outputs) {
                    *number = at(row, column);
                }
            }
        }
    }

    /// The outputs, filled up to whole panels: how wide a row of the product is.
    pub fn step(&self) -> usize {
        self.outputs.div_ceil(self.width) * self.width
    }

    fn panels(&self) -> impl Iterator<Item = &[f32]> {
        self.data[self.begin..self.begin + self.step() * self.inputs].chunks_exact(self.inputs * self.width)
    }
}

/// The left-hand matrix: so many rows of `inputs` numbers, `step` apart.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    pub data: &'a [f32],
    pub count: usize,
    pub step: usize,
}

/// Where a product goes: to the rows that begin `first` numbers into the target.
#[derive(Clone, Copy)]
pub struct To {
    pub first: usize,
    pub how: How,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum How {
    Set,
    Add,
    Subtract,
}

impl To {
    /// The whole target is the product.
    pub const ALL: [Self; 1] = [Self { first: 0, how: How::Set }];
}

/// `rows · panels`, to every place it is wanted in. The rows of the target are `step` apart and hold whole panels.
pub fn multiply(rows: Rows<'_>, panels: &Panels, target: &mut [f32], step: usize, to: &[To]) {
    if rows.count == 0 || panels.outputs == 0 || panels.inputs == 0 {
        return;
    }
    assert!((rows.count - 1) * rows.step + panels.inputs <= rows.data.len(), "rows reach beyond their data");
    let last = to.iter().map(|it| it.first).max().unwrap_or(0);
    assert!(last + (rows.count - 1) * step + panels.step() <= target.len(), "a product does not fit its target");
    Arch::new().dispatch(Product { rows, panels, target, step, to });
}

/// How many columns a panel may have on this machine.
fn widest() -> usize {
    struct Widest;
    impl WithSimd for Widest {
        type Output = usize;

        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) -> usize {
            S::F32_LANES * vectors::<S>()
        }
    }
    Arch::new().dispatch(Widest)
}

/// Six rows of so many vectors, with room for what they are made of, fill the registers: 32 of them, or 16 with AVX2.
const fn vectors<S: Simd>() -> usize {
    if S::F32_LANES == 8 { 2 } else { 4 }
}

struct Product<'a> {
    rows: Rows<'a>,
    panels: &'a Panels,
    target: &'a mut [f32],
    step: usize,
    to: &'a [To],
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.panels.width / S::F32_LANES {
            4 => self.run::<S, 4>(simd),
            2 => self.run::<S, 2>(simd),
            1 => self.run::<S, 1>(simd),
            other => unreachable!("no panel is {other} vectors wide"),
        }
    }
}

impl Product<'_> {
    #[inline(always)]
    fn run<S: Simd, const V: usize>(mut self, simd: S) {
        let whole = self.rows.count - self.rows.count % ROWS;
        for (n, panel) in self.panels.panels().enumerate() {
            let panel = S::as_simd_f32s(panel).0;
            let first = n * self.panels.width;
            for row in (0..whole).step_by(ROWS) {
                self.block::<S, ROWS, V>(simd, panel, row, first);
            }
            // What is left is worked on together, so that the panel is read once for all of it.
            match self.rows.count - whole {
                5 => self.block::<S, 5, V>(simd, panel, whole, first),
                4 => self.block::<S, 4, V>(simd, panel, whole, first),
                3 => self.block::<S, 3, V>(simd, panel, whole, first),
                2 => self.block::<S, 2, V>(simd, panel, whole, first),
                1 => self.block::<S, 1, V>(simd, panel, whole, first),
                _ => {}
            }
        }
    }

    /// R rows from `row` on, with one panel.
    #[inline(always)]
    fn block<S: Simd, const R: usize, const V: usize>(&mut self, simd: S, panel: &[S::f32s], row: usize, first: usize) {
        let rows: [&[f32]; R] =
            std::array::from_fn(|r| &self.rows.data[(row + r) * self.rows.step..][..self.panels.inputs]);
        let sums = sums::<S, R, V>(simd, rows, panel);
        for to in self.to {
            let target = &mut self.target[to.first + row * self.step + first..];
            for (r, sums) in sums.iter().enumerate() {
                let strip = &mut target[r * self.step..][..V * S::F32_LANES];
                for (place, sum) in S::as_mut_simd_f32s(strip).0.iter_mut().zip(sums) {
                    *place = match to.how {
                        How::Set => *sum,
                        How::Add => simd.add_f32s(*place, *sum),
                        How::Subtract => simd.sub_f32s(*place, *sum),
                    };
                }
            }
        }
    }
}

/// The sums of R rows with one panel, all in registers.
#[inline(always)]
fn sums<S: Simd, const R: usize, const V: usize>(simd: S, rows: [&[f32]; R], panel: &[S::f32s]) -> [[S::f32s; V]; R] {
    let mut sums = [[simd.splat_f32s(0.0); V]; R];
    for (k, columns) in panel.as_chunks::<V>().0.iter().enumerate() {
        for (sums, row) in sums.iter_mut().zip(&rows) {
            let value = simd.splat_f32s(row[k]);
            for (sum, column) in sums.iter_mut().zip(columns) {
                *sum = simd.mul_add_e_f32s(value, *column, *sum);
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(n: usize) -> f32 {
        ((n * 7919) % 101) as f32 / 50.0 - 1.0
    }

    #[test]
    fn a_product_is_that_of_the_textbook() {
        for (count, inputs, outputs) in [(1, 1, 1), (3, 29, 5), (37, 29, 64), (17, 16, 100), (6, 384, 70), (14, 3, 32)]
        {
            for most in [32, usize::MAX] {
                let step = inputs + 3;
                let data: Vec<f32> = (0..count * step).map(number).collect();
                let right = |row: usize, column: usize| number(row * outputs + column + 5);
                let mut panels = Panels::default();
                panels.lay(inputs, outputs, most, right);
                let rows = Rows { data: &data, count, step };
                let mut target = vec![1.0; count * (panels.step() + 1)];
                multiply(rows, &panels, &mut target, panels.step() + 1, &To::ALL);
                let more = [How::Add, How::Subtract, How::Add].map(|how| To { first: 0, how });
                multiply(rows, &panels, &mut target, panels.step() + 1, &more);
                for row in 0..count {
                    for column in 0..outputs {
                        let expected: f32 = (0..inputs).map(|k| data[row * step + k] * right(k, column)).sum();
                        let found = target[row * (panels.step() + 1) + column];
                        assert!(
                            (found - 2.0 * expected).abs() < 1e-3,
                            "{count}×{inputs}×{outputs}: {found} {expected}"
                        );
                    }
                    assert_eq!(target[row * (panels.step() + 1) + panels.step()], 1.0);
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "beyond their data")]
    fn rows_longer_than_their_data_are_refused() {
        let mut panels = Panels::default();
        panels.lay(4, 4, usize::MAX, |_, _| 0.0);
        multiply(Rows { data: &[0.0; 15], count: 4, step: 4 }, &panels, &mut [0.0; 400], 64, &To::ALL);
    }
}
