//! What is done number by number: softmax, GELU, layer norm, sums. Compiled once for each width of vectors and chosen when the program starts,
//! so that no `target-cpu` is needed.

use pulp::{Arch, Simd, WithSimd};

/// Compiles the loop for each width of vectors. A closure given to `dispatch` itself is not always inlined, and then stays narrow.
fn wide(work: impl FnOnce()) {
    struct Wide<F>(F);
    impl<F: FnOnce()> WithSimd for Wide<F> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) {
            (self.0)();
        }
    }
    Arch::new().dispatch(Wide(work));
}

/// Sums run in so many lanes, which lets them be vectors and keeps their rounding the same on every machine.
const LANES: usize = 16;

#[inline(always)]
fn sum_of(values: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0_f32; LANES];
    let mut chunks = values.chunks_exact(LANES);
    for chunk in &mut chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += of(*value);
        }
    }
    lanes.iter().sum::<f32>() + chunks.remainder().iter().map(|value| of(*value)).sum::<f32>()
}

/// c₀ + c₁x + c₂x² …, the last coefficient first.
#[inline(always)]
fn polynomial<S: Simd>(simd: S, x: S::f32s, coefficients: &[f32]) -> S::f32s {
    let (first, rest) = coefficients.split_first().expect("a polynomial has coefficients");
    rest.iter().fold(simd.splat_f32s(*first), |sum, it| simd.mul_add_e_f32s(sum, x, simd.splat_f32s(*it)))
}

/// e^x for x ≤ 0 or little above, to a few units in the last place (the polynomial of Cephes' expf).
#[inline(always)]
fn exp<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    // Adding 1.5 · 2²³ rounds to a whole number, which then stands in the lowest bits.
    const ROUNDS: f32 = 12_582_912.0;
    let splat = |value: f32| simd.splat_f32s(value);
    let x = simd.min_f32s(simd.max_f32s(x, splat(-87.0)), splat(88.0));
    let rounded = simd.mul_add_e_f32s(x, splat(std::f32::consts::LOG2_E), splat(ROUNDS));
    let n = simd.sub_f32s(rounded, splat(ROUNDS));
    // ln 2 in two parts, so that the difference stays exact.
    let r = simd.mul_add_e_f32s(n, splat(-0.693_359_4), x);
    let r = simd.mul_add_e_f32s(n, splat(2.121_944_4e-4), r);
    let p = polynomial(simd, r, &[1.987_569_1e-4, 1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 5e-1]);
    let y = simd.add_f32s(simd.mul_add_e_f32s(simd.mul_f32s(p, r), r, r), splat(1.0));
    let exponent = simd.wrapping_dyn_shl_u32s(simd.transmute_u32s_f32s(rounded), simd.splat_u32s(23));
    simd.mul_f32s(y, simd.transmute_f32s_u32s(simd.add_u32s(exponent, simd.splat_u32s(127 << 23))))
}

/// The error function, to 3e-7: the quotient of two polynomials that Eigen uses, within ±4, beyond which it is ±1.
#[inline(always)]
fn erf<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    let x = simd.min_f32s(simd.max_f32s(x, simd.splat_f32s(-4.0)), simd.splat_f32s(4.0));
    let square = simd.mul_f32s(x, x);
    let above = [
        -2.726_142_3e-10,
        2.770_681_4e-8,
        -2.101_024e-6,
        -5.692_506_4e-5,
        -7.349_906_3e-4,
        -2.954_6e-3,
        -1.609_603_3e-2,
    ];
    let below = [-1.456_607_2e-5, -2.133_740_6e-4, -1.682_827e-3, -7.373_329_2e-3, -1.426_473_9e-2];
    let above = simd.mul_f32s(x, polynomial(simd, square, &above));
    simd.div_f32s(above, polynomial(simd, square, &below))
}

/// x · Φ(x), the exact form BERT was trained with.
#[inline(always)]
fn gelu<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    let half = simd.mul_f32s(x, simd.splat_f32s(0.5));
    simd.mul_add_e_f32s(half, erf(simd, simd.mul_f32s(x, simd.splat_f32s(std::f32::consts::FRAC_1_SQRT_2))), half)
}

/// Adds the bias to every row, and applies GELU where it `bends`.
pub fn finish(rows: &mut [f32], bias: &[f32], bends: bool) {
    struct Finish<'a>(&'a mut [f32], &'a [f32], bool);
    impl WithSimd for Finish<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            let Self(rows, bias, bends) = self;
            assert_eq!(bias.len() % S::F32_LANES, 0, "rows are whole vectors");
            let bias = S::as_simd_f32s(bias).0;
            for row in rows.chunks_exact_mut(bias.len() * S::F32_LANES) {
                for (value, bias) in S::as_mut_simd_f32s(row).0.iter_mut().zip(bias) {
                    let sum = simd.add_f32s(*value, *bias);
                    *value = if bends { gelu(simd, sum) } else { sum };
                }
            }
        }
    }
    Arch::new().dispatch(Finish(rows, bias, bends));
}

/// `a + sign · b` of so many rows of so many numbers, which lie `step` apart; the sums lie back to back.
pub fn combine(a: &[f32], b: &[f32], sign: f32, (rows, width, step): (usize, usize, usize), sums: &mut Vec<f32>) {
    sums.resize(rows * width, 0.0);
    wide(
        #[inline(always)]
        || {
            for (row, sums) in sums.chunks_exact_mut(width).enumerate() {
                let (a, b) = (&a[row * step..][..width], &b[row * step..][..width]);
                for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
                    *sum = a + sign * b;
                }
            }
        },
    );
}

/// The first `width` numbers of each row, `step` apart, become shares that add up to 1; what is beyond them becomes 0.
pub fn softmax(rows: &mut [f32], width: usize, step: usize) {
    struct Softmax<'a>(&'a mut [f32], usize, usize);
    impl WithSimd for Softmax<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            let Self(rows, width, step) = self;
            assert_eq!(step % S::F32_LANES, 0, "rows are whole vectors");
            for row in rows.chunks_exact_mut(step) {
                row[width..].fill(f32::NEG_INFINITY);
                let row = S::as_mut_simd_f32s(row).0;
                let most = row.iter().fold(simd.splat_f32s(f32::NEG_INFINITY), |most, it| simd.max_f32s(most, *it));
                let most = simd.splat_f32s(simd.reduce_max_f32s(most));
                for value in row.iter_mut() {
                    *value = exp(simd, simd.sub_f32s(*value, most));
                }
            }
            for row in rows.chunks_exact_mut(step) {
                row[width..].fill(0.0);
                let scale = 1.0 / sum_of(&row[..width], |value| value);
                for value in &mut row[..width] {
                    *value *= scale;
                }
            }
        }
    }
    Arch::new().dispatch(Softmax(rows, width, step));
}

/// Each row gets mean 0 and variance 1, then `gain` and `shift`.
pub fn layer_norm(rows: &mut [f32], gain: &[f32], shift: &[f32]) {
    const EPSILON: f32 = 1e-12;
    let width = gain.len();
    wide(
        #[inline(always)]
        || {
            for row in rows.chunks_exact_mut(width) {
                let mean = sum_of(row, |value| value) / width as f32;
                let variance = sum_of(row, |value| (value - mean) * (value - mean)) / width as f32;
                let scale = 1.0 / (variance + EPSILON).sqrt();
                for ((value, gain), shift) in row.iter_mut().zip(gain).zip(shift) {
                    *value = (*value - mean) * scale * gain + shift;
                }
            }
        },
    );
}

/// The mean of the rows, scaled to length 1.
pub fn mean_direction<'a>(rows: impl Iterator<Item = &'a [f32]>, width: usize) -> Vec<f32> {
    let mut mean = vec![0.0_f32; width];
    for row in rows {
        for (sum, value) in mean.iter_mut().zip(row) {
            *sum += value;
        }
    }
    to_length_one(&mut mean);
    mean
}

/// What has no direction stays as it is.
pub fn to_length_one(vector: &mut [f32]) {
    let length = sum_of(vector, |value| value * value).sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|value| *value /= length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function of vectors on one number.
    fn one(of: impl Fn(pulp::Scalar, f32) -> f32, x: f32) -> f32 {
        of(pulp::Scalar::new(), x)
    }

    #[test]
    fn exp_is_within_a_few_units_in_the_last_place() {
        for i in -8700..=200 {
            let x = i as f32 / 100.0;
            let (found, expected) = (f64::from(one(exp, x)), f64::from(x).exp());
            assert!((found - expected).abs() <= 4e-7 * expected, "{x}: {found} {expected}");
        }
    }

    #[test]
    fn erf_has_its_known_values() {
        for (x, expected) in [(0.0, 0.0), (0.5, 0.520_499_9), (1.0, 0.842_700_8), (2.0, 0.995_322_3), (4.0, 1.0)] {
            let (plus, minus) = (one(erf, x), one(erf, -x));
            assert!((plus - expected).abs() < 5e-7 && (minus + expected).abs() < 5e-7, "{x}: {plus} {minus}");
        }
    }

    #[test]
    fn shares_add_up_to_one_and_keep_their_order() {
        let mut rows = vec![7.0; 2 * LANES];
        rows[..3].copy_from_slice(&[1.0, 2.0, 3.0]);
        rows[LANES..LANES + 3].copy_from_slice(&[-100.0, 0.0, 100.0]);
        softmax(&mut rows, 3, LANES);
        for row in rows.chunks(LANES) {
            assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-6);
            assert!(row[..3].is_sorted() && row[3..].iter().all(|it| *it == 0.0));
        }
        assert!((rows[2] - 0.665_240_9).abs() < 1e-6);
    }

    #[test]
    fn what_is_bent_is_gelu_of_the_sum() {
        let mut rows = vec![0.5; 2 * LANES];
        finish(&mut rows, &[0.5; LANES], true);
        assert!(rows.iter().all(|it| (it - 0.841_344_7).abs() < 1e-6), "{rows:?}");
    }

    #[test]
    fn a_normed_row_has_mean_0_and_variance_1() {
        let mut row: Vec<f32> = (0..40).map(|i| (i * i) as f32).collect();
        layer_norm(&mut row, &[1.0; 40], &[0.0; 40]);
        let mean = row.iter().sum::<f32>() / 40.0;
        let variance = row.iter().map(|it| it * it).sum::<f32>() / 40.0;
        assert!(mean.abs() < 1e-5 && (variance - 1.0).abs() < 1e-4);
    }
}
