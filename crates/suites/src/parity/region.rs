//! The instability region: the pairs about as unlike as the one at the fifth percentile, and a sample of them to look into.

use waterjar_core::Seed;
use waterjar_scoring::stats::quantile;

/// How near the fifth percentile, as published.
pub const WIDTH: f64 = 0.01;
/// How many are looked into, as published.
pub const SAMPLE: usize = 200;

/// What is kept of a pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    pub family: String,
    /// The number of its vignette.
    pub item: u32,
    pub sts: f64,
    /// One bit per divergence, in their order; `None` where nobody could say.
    pub labels: Option<u8>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    pub p5: f64,
    /// How many pairs lie in it.
    pub pairs: u64,
    pub sample: Vec<Pair>,
}

/// `None` of no pairs, and of pairs of which so many are the same that the fifth percentile is 1: nothing is unstable there. The draw depends on the seed and the families, not on their order.
pub fn region(seed: Seed, pairing: &str, pairs: &[Pair]) -> Option<Region> {
    let mut sorted: Vec<f64> = pairs.iter().map(|it| it.sts).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let p5 = quantile(&sorted, 0.05).filter(|it| *it < 1.0 - 1e-9)?;
    // A hair more, so that rounding does not decide at the edge.
    let inside = |pair: &&Pair| (pair.sts - p5).abs() <= WIDTH + 1e-9;
    let mut sample: Vec<&Pair> = pairs.iter().filter(inside).collect();
    let all = sample.len() as u64;
    let purpose = format!("instability region, {pairing}");
    sample.sort_by_cached_key(|it| (seed.rank(&purpose, &it.family), it.family.clone()));
    sample.truncate(SAMPLE);
    Some(Region { p5, pairs: all, sample: sample.into_iter().cloned().collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(n: usize) -> Vec<Pair> {
        (0..n)
            .map(|at| Pair { family: format!("v{at}"), item: at as u32, sts: at as f64 / n as f64, labels: Some(0) })
            .collect()
    }

    #[test]
    fn the_region_lies_around_the_fifth_percentile() {
        let found = region(Seed(7), "x", &pairs(1001)).unwrap();
        assert!((found.p5 - 50.0 / 1001.0).abs() < 1e-12);
        assert!(found.sample.iter().all(|it| (it.sts - found.p5).abs() <= WIDTH + 1e-9));
        assert_eq!(found.pairs, 21);
    }

    #[test]
    fn at_most_two_hundred_are_drawn_whatever_order_they_come_in() {
        let mut many = pairs(30_000);
        let found = region(Seed(7), "x", &many).unwrap();
        assert_eq!((found.pairs, found.sample.len()), (600, 200));
        many.reverse();
        assert_eq!(region(Seed(7), "x", &many).unwrap(), found);
        assert_ne!(region(Seed(8), "x", &many).unwrap(), found);
    }

    #[test]
    fn no_pairs_and_equal_pairs_have_no_region() {
        let same: Vec<Pair> = pairs(50).into_iter().map(|it| Pair { sts: 1.0, ..it }).collect();
        assert_eq!(region(Seed(7), "x", &same), None);
        assert_eq!(region(Seed(7), "x", &[]), None);
    }
}
