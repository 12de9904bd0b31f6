//! A product with weights that never change, with an eighth fewer multiplications (Strassen, 1969): the weights' side of his sums is made once.

use crate::lanes::{combine, finish};
use crate::matrix::{How, Panels, Rows, To, multiply};

/// `outputs` of `inputs`, and what is added to them.
pub struct Dense {
    inputs: usize,
    outputs: usize,
    /// Sums of quarters of the weights, one for each of the seven products.
    sums: [Panels; 7],
    bias: Vec<f32>,
}

/// What becomes of a product.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Then {
    Replaces,
    /// Is added to what is there.
    Joins,
    /// Replaces, after GELU.
    Bends,
}

/// A quarter of a matrix: upper or lower rows, left or right columns.
#[derive(Clone, Copy)]
struct Quarter {
    lower: bool,
    right: bool,
}

const fn quarter(lower: bool, right: bool) -> Quarter {
    Quarter { lower, right }
}

const A11: Quarter = quarter(false, false);
const A12: Quarter = quarter(false, true);
const A21: Quarter = quarter(true, false);
const A22: Quarter = quarter(true, true);

/// One quarter, or a sum or difference of two.
type Terms = (Quarter, Option<(f32, Quarter)>);

type Seventh = (Terms, Terms, &'static [(Quarter, How)]);

/// The seven products: terms of the left side, terms of the weights, and the quarters of the result they go to, with their sign.
const PRODUCTS: [Seventh; 7] = [
    ((A11, Some((1.0, A22))), (A11, Some((1.0, A22))), &[(A11, How::Add), (A22, How::Add)]),
    ((A21, Some((1.0, A22))), (A11, None), &[(A21, How::Add), (A22, How::Subtract)]),
    ((A11, None), (A12, Some((-1.0, A22))), &[(A12, How::Add), (A22, How::Add)]),
    ((A22, None), (A21, Some((-1.0, A11))), &[(A11, How::Add), (A21, How::Add)]),
    ((A11, Some((1.0, A12))), (A22, None), &[(A11, How::Subtract), (A12, How::Add)]),
    ((A21, Some((-1.0, A11))), (A11, Some((1.0, A12))), &[(A22, How::Add)]),
    ((A12, Some((-1.0, A22))), (A21, Some((1.0, A22))), &[(A11, How::Add)]),
];

impl Dense {
    /// `weight` as it is stored: output × input, row by row. Both are even.
    pub fn new(weight: &[f32], bias: Vec<f32>) -> Self {
        let (outputs, inputs) = (bias.len(), weight.len() / bias.len());
        let (half_in, half_out) = (inputs / 2, outputs / 2);
        let sums = PRODUCTS.map(|(_, (first, second), _)| {
            // Seen from the product, inputs are the weights' rows.
            let at = |part: Quarter, input: usize, output: usize| {
                let (input, output) =
                    (input + half_in * usize::from(part.lower), output + half_out * usize::from(part.right));
                weight[output * inputs + input]
            };
            let mut panels = Panels::default();
            panels.lay(half_in, half_out, usize::MAX, |input, output| {
                let more = second.map_or(0.0, |(sign, part)| sign * at(part, input, output));
                at(first, input, output) + more
            });
            assert_eq!(panels.step(), half_out, "half of the outputs are whole panels");
            panels
        });
        Self { inputs, outputs, sums, bias }
    }

    /// Rows of `inputs` numbers to rows of `outputs`. There are as many rows above as below: each is summed with the one half the matrix away,
    /// so both must be of the same text, or a text's numbers would hang on its neighbours'.
    pub fn apply(&self, rows: &[f32], target: &mut [f32], then: Then, scratch: &mut Vec<f32>) {
        let half = rows.len() / self.inputs / 2;
        let width = self.inputs / 2;
        let from = |part: Quarter| usize::from(part.lower) * half * self.inputs + usize::from(part.right) * width;
        let mut begun = [then == Then::Joins; 4];
        for ((terms, _, places), panels) in PRODUCTS.iter().zip(&self.sums) {
            let left = match *terms {
                (part, None) => Rows { data: &rows[from(part)..], count: half, step: self.inputs },
                (part, Some((sign, other))) => {
                    combine(&rows[from(part)..], &rows[from(other)..], sign, (half, width, self.inputs), scratch);
                    Rows { data: scratch, count: half, step: width }
                }
            };
            let to = |(part, how): &(Quarter, How)| {
                let first = usize::from(part.lower) * half * self.outputs + usize::from(part.right) * self.outputs / 2;
                let was_begun =
                    std::mem::replace(&mut begun[usize::from(part.lower) * 2 + usize::from(part.right)], true);
                To { first, how: if was_begun { *how } else { How::Set } }
            };
            let mut places = places.iter().map(to);
            let first = places.next();
            match (first, places.next()) {
                (Some(a), Some(b)) => multiply(left, panels, target, self.outputs, &[a, b]),
                (Some(a), None) => multiply(left, panels, target, self.outputs, &[a]),
                (None, _) => {}
            }
        }
        finish(target, &self.bias, then == Then::Bends);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(n: usize) -> f32 {
        ((n * 7919) % 101) as f32 / 50.0 - 1.0
    }

    #[test]
    fn a_product_by_sums_is_that_of_the_textbook() {
        for (count, inputs, outputs) in [(2, 32, 128), (14, 64, 256), (30, 384, 384)] {
            let weight: Vec<f32> = (0..inputs * outputs).map(number).collect();
            let bias: Vec<f32> = (0..outputs).map(|n| number(n + 3)).collect();
            let rows: Vec<f32> = (0..count * inputs).map(|n| number(n + 7)).collect();
            let dense = Dense::new(&weight, bias.clone());
            let mut target = vec![5.0; count * outputs];
            dense.apply(&rows, &mut target, Then::Replaces, &mut Vec::new());
            dense.apply(&rows, &mut target, Then::Joins, &mut Vec::new());
            for (n, found) in target.into_iter().enumerate() {
                let (row, output) = (n / outputs, n % outputs);
                let sum: f32 = (0..inputs).map(|k| rows[row * inputs + k] * weight[output * inputs + k]).sum();
                let expected = 2.0 * (sum + bias[output]);
                assert!((found - expected).abs() < 2e-3, "{count}×{inputs}×{outputs}: {found} {expected}");
            }
        }
    }
}
