//! Vectors of length 1, and which of them are nearest. A first look goes over bytes, a quarter of the memory; whatever could be among
//! the nearest by it is then compared exactly, so the answer is the exact one.

#[derive(Default)]
pub(super) struct Vectors {
    exact: Vec<Vec<f32>>,
    /// One after the other, all as long as the first.
    coarse: Vec<i8>,
    /// What a byte stands for, and how far the bytes are from the vector.
    grain: Vec<(f32, f32)>,
}

impl Vectors {
    pub fn push(&mut self, vector: Vec<f32>) {
        let (bytes, grain, off) = coarsened(&vector);
        self.coarse.extend(bytes);
        self.grain.push((grain, off));
        self.exact.push(vector);
    }

    /// Places and cosines of the `most` nearest, nearest first; ties in the order they were pushed.
    pub fn nearest(&self, vector: &[f32], most: usize) -> Vec<(usize, f32)> {
        let most = most.min(self.exact.len());
        if most == 0 || vector.is_empty() {
            return Vec::new();
        }
        let (bytes, grain, off) = coarsened(vector);
        // Widened once, so that the loop below only widens the other side.
        let bytes: Vec<i16> = bytes.into_iter().map(i16::from).collect();
        let bounds: Vec<(f32, f32)> = (self.coarse.chunks_exact(vector.len()).zip(&self.grain))
            .map(|(other, (their_grain, their_off))| {
                let dot = dot_bytes(&bytes, other) as f32 * grain * their_grain;
                // By the triangle inequality, for vectors of length 1; and a hair for rounding.
                (dot, off + (1.0 + off) * their_off + 1e-5)
            })
            .collect();
        let mut least: Vec<f32> = bounds.iter().map(|(dot, error)| dot - error).collect();
        let (_, bar, _) = least.select_nth_unstable_by(most - 1, |a, b| b.total_cmp(a));
        let bar = *bar;
        let mut near: Vec<(usize, f32)> = (bounds.iter().enumerate())
            .filter(|(_, (dot, error))| dot + error >= bar)
            .map(|(at, _)| (at, dot(&self.exact[at], vector)))
            .collect();
        near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        near.truncate(most);
        near
    }
}

/// Bytes, what one of them stands for, and the distance from them to the vector.
fn coarsened(vector: &[f32]) -> (Vec<i8>, f32, f32) {
    let widest = vector.iter().fold(0.0_f32, |widest, x| widest.max(x.abs()));
    let grain = if widest > 0.0 { widest / 127.0 } else { 1.0 };
    let bytes: Vec<i8> = vector.iter().map(|x| (x / grain).round() as i8).collect();
    let off = vector.iter().zip(&bytes).map(|(x, byte)| (x - f32::from(*byte) * grain).powi(2)).sum::<f32>().sqrt();
    (bytes, grain, off)
}

fn dot_bytes(ours: &[i16], theirs: &[i8]) -> i32 {
    ours.iter().zip(theirs).map(|(a, b)| i32::from(*a) * i32::from(i16::from(*b))).sum()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn unit(raw: &[f32]) -> Vec<f32> {
        let length = raw.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-6);
        raw.iter().map(|x| x / length).collect()
    }

    fn plainly(all: &[Vec<f32>], vector: &[f32], most: usize) -> Vec<(usize, f32)> {
        let mut near: Vec<(usize, f32)> = all.iter().map(|it| dot(it, vector)).enumerate().collect();
        near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        near.truncate(most);
        near
    }

    proptest! {
        #[test]
        fn the_nearest_are_those_a_plain_comparison_finds(
            raw in prop::collection::vec(prop::collection::vec(-1.0_f32..1.0, 16), 1..60),
            asked in prop::collection::vec(-1.0_f32..1.0, 16),
            most in 0_usize..8,
        ) {
            let all: Vec<Vec<f32>> = raw.iter().map(|it| unit(it)).collect();
            let mut vectors = Vectors::default();
            all.iter().for_each(|it| vectors.push(it.clone()));
            prop_assert_eq!(vectors.nearest(&unit(&asked), most), plainly(&all, &unit(&asked), most));
        }
    }

    #[test]
    fn equal_vectors_come_in_their_order() {
        let mut vectors = Vectors::default();
        (0..5).for_each(|_| vectors.push(vec![0.6, 0.8]));
        let places: Vec<usize> = vectors.nearest(&[0.6, 0.8], 3).into_iter().map(|(at, _)| at).collect();
        assert_eq!(places, [0, 1, 2]);
    }

    #[test]
    fn a_vector_of_zeros_is_near_to_nothing_and_breaks_nothing() {
        let mut vectors = Vectors::default();
        vectors.push(vec![0.0, 0.0]);
        vectors.push(vec![1.0, 0.0]);
        assert_eq!(vectors.nearest(&[1.0, 0.0], 2), [(1, 1.0), (0, 0.0)]);
    }
}
