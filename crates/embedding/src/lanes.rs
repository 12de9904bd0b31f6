//! What is done number by number: softmax, GELU, layer norm, sums. Plain loops, compiled once for each width of vectors and chosen when the
//! program starts, so that no `target-cpu` is needed.

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

/// e^x for x ≤ 0 or little above, to a few units in the last place (the polynomial of Cephes' expf).
#[inline(always)]
fn exp(x: f32) -> f32 {
    let x = x.clamp(-87.0, 88.0);
    // Adding and taking away 1.5 · 2²³ rounds; a call to `rint` would keep the loop from becoming one of vectors.
    let n = (x * std::f32::consts::LOG2_E + 12_582_912.0) - 12_582_912.0;
    // ln 2 in two parts, so that the difference stays exact.
    let r = x - n * 0.693_359_4 + n * 2.121_944_4e-4;
    let p = 1.987_569_1e-4_f32;
    let p = p * r + 1.398_199_9e-3;
    let p = p * r + 8.333_452e-3;
    let p = p * r + 4.166_579_6e-2;
    let p = p * r + 1.666_666_5e-1;
    let p = p * r + 5e-1;
    let y = p * r * r + r + 1.0;
    y * f32::from_bits(((n as i32 + 127) as u32) << 23)
}

/// The error function, to 1.5e-7 (Abramowitz and Stegun 7.1.26).
#[inline(always)]
fn erf(x: f32) -> f32 {
    let a = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * a);
    let p = 1.061_405_4_f32;
    let p = p * t - 1.453_152;
    let p = p * t + 1.421_413_8;
    let p = p * t - 0.284_496_74;
    let p = p * t + 0.254_829_6;
    (1.0 - p * t * exp(-a * a)).copysign(x)
}

/// x · Φ(x), the exact form BERT was trained with. To be called from a loop that is wide already.
#[inline(always)]
pub fn gelu(value: f32) -> f32 {
    0.5 * value * (1.0 + erf(value * std::f32::consts::FRAC_1_SQRT_2))
}

/// The first `width` numbers of each row, `step` apart, become shares that add up to 1; what is beyond them becomes 0.
pub fn softmax(rows: &mut [f32], width: usize, step: usize) {
    wide(
        #[inline(always)]
        || {
            for row in rows.chunks_exact_mut(step) {
                let (row, beyond) = row.split_at_mut(width);
                beyond.fill(0.0);
                let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                for value in row.iter_mut() {
                    *value = exp(*value - most);
                }
                let scale = 1.0 / sum_of(row, |value| value);
                for value in row.iter_mut() {
                    *value *= scale;
                }
            }
        },
    );
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
pub fn mean_direction(rows: &[f32], width: usize) -> Vec<f32> {
    let mut mean = vec![0.0_f32; width];
    for row in rows.chunks_exact(width) {
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

    #[test]
    fn exp_is_within_a_few_units_in_the_last_place() {
        for i in -8700..=200 {
            let x = i as f32 / 100.0;
            let (found, expected) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((found - expected).abs() <= 4e-7 * expected, "{x}: {found} {expected}");
        }
    }

    #[test]
    fn erf_has_its_known_values() {
        for (x, expected) in [(0.0, 0.0), (0.5, 0.520_499_9), (1.0, 0.842_700_8), (2.0, 0.995_322_3), (4.0, 1.0)] {
            assert!((erf(x) - expected).abs() < 5e-7, "{x}: {}", erf(x));
            assert!((erf(-x) + expected).abs() < 5e-7);
        }
    }

    #[test]
    fn shares_add_up_to_one_and_keep_their_order() {
        let mut rows = vec![1.0, 2.0, 3.0, -100.0, 0.0, 100.0];
        softmax(&mut rows, 3, 3);
        for row in rows.chunks(3) {
            assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-6);
            assert!(row.is_sorted());
        }
        assert!((rows[2] - 0.665_240_9).abs() < 1e-6);
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
