//! The spread published as "bootstrap" that is not one.

use super::StatsError;
use rand::seq::SliceRandom;
use serde::Serialize;
use waterjar_core::Seed;

/// Mean and sample sd of the means of repeated subsamples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    pub mean: f64,
    pub sd: f64,
}

const SHARE: f64 = 0.8;

/// DyReMe's procedure (specs 2.6): repeatedly take ⌊0.8·n⌋ scores *without* replacement, and report mean and sd of the
/// means. Offered to compare with published tables; it understates the sampling error √5-fold, because subsamples of
/// 80 % share most of their scores. Report [`super::Bootstrap`] beside it. The paper repeats 10 times.
pub fn subsample_spread(seed: Seed, scores: &[f64], repeats: usize) -> Result<Spread, StatsError> {
    let means = subsample_means(seed, scores, repeats)?;
    let mean = means.iter().sum::<f64>() / repeats as f64;
    let variance = means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / (repeats - 1) as f64;
    Ok(Spread { mean, sd: variance.sqrt() })
}

/// The means themselves, which the paper puts into a t-test (specs 3.2).
pub fn subsample_means(seed: Seed, scores: &[f64], repeats: usize) -> Result<Vec<f64>, StatsError> {
    let what = "a subsample spread";
    if repeats < 2 || scores.len() < 2 {
        return Err(StatsError::TooFew { what, needed: 2, given: repeats.min(scores.len()) });
    }
    if scores.iter().any(|score| !score.is_finite()) {
        return Err(StatsError::NotFinite { what });
    }
    let size = (SHARE * scores.len() as f64) as usize;
    let mut rng = seed.rng("subsample", "spread");
    let mut pool = scores.to_vec();
    let mut subsample_mean = || {
        let (drawn, _) = pool.partial_shuffle(&mut rng, size);
        drawn.iter().sum::<f64>() / size as f64
    };
    Ok((0..repeats).map(|_| subsample_mean()).collect())
}

/// The sd that procedure is expected to print for a share p of n answers, whatever the model: √(p(1−p)/0.8n)·√(1−0.8).
pub fn subsample_spread_expected(share: f64, n: u64) -> f64 {
    (share * (1.0 - share) / (SHARE * n as f64)).sqrt() * (1.0 - SHARE).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(right: usize, n: usize) -> Vec<f64> {
        (0..n).map(|i| f64::from(i < right)).collect()
    }

    #[test]
    fn simulation_and_formula_agree() {
        let found = subsample_spread(Seed(7), &shares(1280, 3200), 4_000).unwrap();
        assert!((found.mean - 0.4).abs() < 0.001);
        // The sd of a sd over 4,000 repeats is 1.1 %.
        assert!((found.sd / subsample_spread_expected(0.4, 3200) - 1.0).abs() < 0.04, "{}", found.sd);
    }

    #[test]
    fn the_same_seed_gives_the_same_spread() {
        let spread = |seed| subsample_spread(Seed(seed), &shares(40, 100), 10).unwrap();
        assert_eq!(spread(1), spread(1));
        assert_ne!(spread(1), spread(2));
    }

    #[test]
    fn the_spread_is_the_sample_sd_of_the_means() {
        let scores = shares(40, 100);
        let means = subsample_means(Seed(7), &scores, 3).unwrap();
        let mean = means.iter().sum::<f64>() / 3.0;
        let sd = (means.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / 2.0).sqrt();
        let found = subsample_spread(Seed(7), &scores, 3).unwrap();
        assert!((found.mean - mean).abs() < 1e-15 && (found.sd - sd).abs() < 1e-15 && sd > 0.0, "{found:?}");
    }

    #[test]
    fn one_repeat_or_one_score_has_no_spread_and_two_of_each_have_one() {
        assert!(subsample_spread(Seed(7), &[0.0, 1.0], 1).is_err());
        assert!(subsample_spread(Seed(7), &[1.0], 2).is_err());
        assert!(subsample_spread(Seed(7), &[0.0, f64::NAN], 2).is_err());
        assert!(subsample_spread(Seed(7), &[0.0, 1.0], 2).is_ok());
    }
}
