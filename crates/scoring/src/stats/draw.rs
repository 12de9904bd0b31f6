//! Which families a replicate draws.

use rand::Rng;

/// As many families as there are, numbered from zero: each once, until [`Drawn::draw`] draws with replacement.
#[derive(Debug)]
pub(super) struct Drawn {
    families: Vec<u32>,
    counts: Vec<i16>,
    counted: bool,
}

impl Drawn {
    pub fn new(families: usize) -> Self {
        Self { families: (0..families as u32).collect(), counts: vec![0; families], counted: false }
    }

    pub fn draw(&mut self, rng: &mut impl Rng) {
        draw_families(rng, &mut self.families);
        self.counted = false;
    }

    pub fn families(&self) -> &[u32] {
        &self.families
    }

    /// How often each family was drawn. Counted when first asked for.
    pub fn counts(&mut self) -> &[i16] {
        if !self.counted {
            self.counts.fill(0);
            for family in &self.families {
                // Cannot overflow in practice: one family would have to be drawn 32,768 times.
                self.counts[*family as usize] += 1;
            }
            self.counted = true;
        }
        &self.counts
    }
}

/// One 64-bit number yields several draws without bias, by the method of Brackett-Rozinsky and Lemire, "Batched ranged
/// random integer generation" (2024): multiply by n, take the high word as the draw, carry on with the low word, and
/// refuse the number if what is left at the end is below 2⁶⁴ mod nᵏ.
fn draw_families(rng: &mut impl Rng, drawn: &mut [u32]) {
    match drawn.len() {
        0 => {}
        // nᵏ stays below 2⁶⁰, so that fewer than one number in sixteen is refused.
        1..=0x7fff => draw_by::<4>(rng, drawn),
        0x8000..=0x3fff_ffff => draw_by::<2>(rng, drawn),
        _ => draw_by::<1>(rng, drawn),
    }
}

fn draw_by<const K: usize>(rng: &mut impl Rng, drawn: &mut [u32]) {
    let n = drawn.len() as u64;
    let refused_below = remainder_of_two_to_64(n.pow(K as u32));
    let (batches, left) = drawn.as_chunks_mut::<K>();
    for families in batches {
        *families = batch(rng, n, refused_below);
    }
    let last: [u32; K] = batch(rng, n, refused_below);
    left.copy_from_slice(&last[..left.len()]);
}

fn batch<const K: usize>(rng: &mut impl Rng, n: u64, refused_below: u64) -> [u32; K] {
    loop {
        let mut rest = rng.next_u64();
        let mut drawn = [0; K];
        for family in &mut drawn {
            let product = u128::from(rest) * u128::from(n);
            *family = (product >> 64) as u32;
            rest = product as u64;
        }
        if rest >= refused_below {
            return drawn;
        }
    }
}

fn remainder_of_two_to_64(divisor: u64) -> u64 {
    divisor.wrapping_neg() % divisor
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// How often each family comes.
    fn drawn(n: usize, seed: u64) -> Vec<i64> {
        let mut drawn = Drawn::new(n);
        drawn.draw(&mut ChaCha8Rng::seed_from_u64(seed));
        drawn.counts().iter().map(|&count| i64::from(count)).collect()
    }

    #[test]
    fn before_the_first_draw_each_comes_once() {
        assert_eq!(Drawn::new(3).counts(), [1, 1, 1]);
    }

    #[test]
    fn as_many_are_drawn_as_there_are() {
        for n in [0, 1, 2, 3, 4, 5, 103, 5383, 40_000] {
            assert_eq!(drawn(n, 1).iter().sum::<i64>(), n as i64);
        }
    }

    #[test]
    fn every_family_is_drawn_equally_often() {
        let (n, replicates) = (7, 70_000);
        let mut totals = vec![0_i64; n];
        for seed in 0..replicates {
            for (total, count) in totals.iter_mut().zip(drawn(n, seed)) {
                *total += count;
            }
        }
        // Binomial with mean 70,000 and sd 245; five of them.
        assert!(totals.iter().all(|t| (t - 70_000).abs() < 1_225), "{totals:?}");
    }

    #[test]
    fn about_one_family_in_e_is_left_out() {
        let never = drawn(5383, 3).iter().filter(|&&c| c == 0).count() as f64;
        assert!((never / 5383.0 - (-1.0_f64).exp()).abs() < 0.02);
    }

    #[test]
    fn one_number_gives_several_draws() {
        // Powers of two refuse none. What is left over after whole batches takes one more number.
        for (families, numbers) in [(8, 8 / 4 + 1), (0x8000, 0x8000 / 2 + 1)] {
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            Drawn::new(families).draw(&mut rng);
            assert_eq!(rng.get_word_pos(), 2 * numbers);
        }
    }

    #[test]
    fn two_to_the_64_leaves_what_it_leaves() {
        assert_eq!(remainder_of_two_to_64(3), 1);
        assert_eq!(remainder_of_two_to_64(1 << 20), 0);
        assert_eq!(remainder_of_two_to_64(10), 6);
    }
}
