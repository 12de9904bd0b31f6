//! The instability region: the pairs about as unlike as the one at the fifth percentile, and a sample of them to look into.

use waterjar_core::Seed;
use waterjar_scoring::stats::quantile;

/// How near the fifth percentile, as published.
pub const WIDTH: f64 = 0.01;
/// How many are looked into, as published.
pub const SAMPLE: usize = 200;

/// What is kept of a pair. There may be a hundred thousand of them, so it is no more than percentiles and the sample need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// Where its family stands in the draw of the sample; it stands for the family's name.
    pub rank: i32,
    /// The number of its vignette.
    pub item: u32,
    /// As exact as the embedder's own numbers.
    pub sts: f32,
    /// One bit per divergence, in their order; `None` where nobody could say.
    pub labels: Option<u8>,
}

impl Pair {
    /// The draw depends on the seed, the pairing and the family. The first half of a rank tells nearly all families apart.
    pub fn rank(seed: Seed, pairing: &str, family: &str) -> i32 {
        (seed.rank(&format!("instability region, {pairing}"), family) >> 32) as i32
    }

    pub fn sts(&self) -> f64 {
        f64::from(self.sts)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    pub p5: f64,
    /// How many pairs lie in it.
    pub pairs: u64,
    pub sample: Vec<Pair>,
}

/// Of pairs in ascending order. `None` of no pairs, and where so many are the same that the fifth percentile is 1: nothing is unstable there.
pub fn region(pairs: &[Pair]) -> Option<Region> {
    let sorted: Vec<f64> = pairs.iter().map(Pair::sts).collect();
    let p5 = quantile(&sorted, 0.05).filter(|it| *it < 1.0 - 1e-9)?;
    // A hair more, so that rounding does not decide at the edge.
    let edge = WIDTH + 1e-6;
    let mut sample: Vec<Pair> = pairs.iter().filter(|it| (it.sts() - p5).abs() <= edge).copied().collect();
    let all = sample.len() as u64;
    // Stable: those of one rank stay in the order of their likeness, whatever order families came in.
    sample.sort_by_key(|it| it.rank);
    sample.truncate(SAMPLE);
    Some(Region { p5, pairs: all, sample })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(seed: Seed, n: usize) -> Vec<Pair> {
        let pair = |at: usize| Pair {
            rank: Pair::rank(seed, "x", &format!("v{at}")),
            item: at as u32,
            sts: at as f32 / n as f32,
            labels: Some(0),
        };
        (0..n).map(pair).collect()
    }

    #[test]
    fn the_region_lies_around_the_fifth_percentile() {
        let found = region(&pairs(Seed(7), 1001)).unwrap();
        assert!((found.p5 - 50.0 / 1001.0).abs() < 1e-6);
        assert!(found.sample.iter().all(|it| (it.sts() - found.p5).abs() <= WIDTH + 1e-6));
        assert_eq!(found.pairs, 21);
    }

    #[test]
    fn at_most_two_hundred_are_drawn_by_the_seed() {
        let found = region(&pairs(Seed(7), 30_000)).unwrap();
        assert_eq!((found.pairs, found.sample.len()), (600, 200));
        let items = |region: &Region| region.sample.iter().map(|it| it.item).collect::<Vec<_>>();
        assert_ne!(items(&region(&pairs(Seed(8), 30_000)).unwrap()), items(&found));
    }

    #[test]
    fn no_pairs_and_equal_pairs_have_no_region() {
        let same: Vec<Pair> = pairs(Seed(7), 50).into_iter().map(|it| Pair { sts: 1.0, ..it }).collect();
        assert_eq!(region(&same), None);
        assert_eq!(region(&[]), None);
    }

    #[test]
    fn a_pair_takes_little_room() {
        assert!(size_of::<Pair>() <= 16, "{}", size_of::<Pair>());
    }
}
