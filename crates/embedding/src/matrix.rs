//! Matrix products. The one place that calls kernels through pointers; everything is checked before.

use gemm_common::Parallelism;

/// A matrix inside a slice: `rows` × `columns`, with the distance from one row to the next and from one column to the next.
#[derive(Clone, Copy)]
pub struct View<'a> {
    data: &'a [f32],
    rows: usize,
    columns: usize,
    row_step: usize,
    column_step: usize,
}

impl<'a> View<'a> {
    /// Row by row, `step` apart.
    pub fn new(data: &'a [f32], rows: usize, columns: usize, step: usize) -> Self {
        let view = Self { data, rows, columns, row_step: step, column_step: 1 };
        view.check();
        view
    }

    pub fn transposed(self) -> Self {
        Self {
            rows: self.columns,
            columns: self.rows,
            row_step: self.column_step,
            column_step: self.row_step,
            ..self
        }
    }

    fn check(&self) {
        if self.rows > 0 && self.columns > 0 {
            let last = (self.rows - 1) * self.row_step + (self.columns - 1) * self.column_step;
            assert!(last < self.data.len(), "a matrix reaches beyond its data");
        }
    }
}

/// What to do with what is in the target already.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Overwrite,
    AddTo,
}

/// `target (+)= left · right`; the target lies row by row, `step` apart.
#[allow(unsafe_code, reason = "the kernels take pointers; all three matrices lie within their slices, and the target is borrowed alone")]
pub fn multiply(left: View<'_>, right: View<'_>, target: &mut [f32], step: usize, mode: Target) {
    assert_eq!(left.columns, right.rows, "the inner sides of a product differ");
    let (m, n, k) = (left.rows, right.columns, left.columns);
    if m == 0 || n == 0 {
        return;
    }
    assert!(n <= step && (m - 1) * step + n <= target.len(), "a product does not fit its target");
    assert!(k > 0, "a product over nothing");
    let steps = |step: usize| isize::try_from(step).expect("a slice is no longer than isize::MAX");
    let kernel = gemm_f32::gemm::f32::get_gemm_fn();
    // SAFETY: `View::check` and the assertions above hold every index below m, n and k inside its slice; f32 has no invalid bits.
    unsafe {
        kernel(
            m,
            n,
            k,
            target.as_mut_ptr(),
            1,
            steps(step),
            mode == Target::AddTo,
            left.data.as_ptr(),
            steps(left.column_step),
            steps(left.row_step),
            right.data.as_ptr(),
            steps(right.column_step),
            steps(right.row_step),
            1.0,
            1.0,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow(left: View<'_>, right: View<'_>) -> Vec<f32> {
        let at = |view: View<'_>, row: usize, column: usize| view.data[row * view.row_step + column * view.column_step];
        let mut product = Vec::new();
        for row in 0..left.rows {
            for column in 0..right.columns {
                product.push((0..left.columns).map(|k| at(left, row, k) * at(right, k, column)).sum());
            }
        }
        product
    }

    fn numbers(n: usize) -> Vec<f32> {
        (0..n).map(|i| ((i * 7919) % 101) as f32 / 50.0 - 1.0).collect()
    }

    #[test]
    fn a_product_is_that_of_the_textbook() {
        let (a, b) = (numbers(37 * 40), numbers(64 * 29));
        for (rows, inner, columns) in [(1, 1, 1), (3, 29, 5), (37, 29, 64), (17, 16, 9)] {
            let left = View::new(&a, rows, inner, 40);
            let right = View::new(&b, columns, inner, 29).transposed();
            let step = columns + 3;
            let mut product = vec![1.0; rows * step];
            multiply(left, right, &mut product, step, Target::Overwrite);
            multiply(left, right, &mut product, step, Target::AddTo);
            for (row, expected) in slow(left, right).chunks(columns).enumerate() {
                for (column, expected) in expected.iter().enumerate() {
                    let found = product[row * step + column];
                    assert!((found - 2.0 * expected).abs() < 1e-3, "{rows}×{inner}×{columns}: {found} {expected}");
                }
                assert!(product[row * step + columns..(row + 1) * step].iter().all(|it| *it == 1.0));
            }
        }
    }

    #[test]
    #[should_panic(expected = "beyond its data")]
    fn a_matrix_larger_than_its_data_is_refused() {
        View::new(&[0.0; 10], 2, 6, 6);
    }

    #[test]
    #[should_panic(expected = "does not fit")]
    fn a_target_too_small_is_refused() {
        let data = [0.0; 16];
        multiply(View::new(&data, 4, 4, 4), View::new(&data, 4, 4, 4), &mut [0.0; 15], 4, Target::Overwrite);
    }
}
