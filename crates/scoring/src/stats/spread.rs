//! Standard deviation and quantiles of values that come in clusters, with intervals: clusters are drawn with replacement.

use super::bootstrap::stream;
use super::{Bootstrap, Interval, draw::Drawn, quantile::percentile_95};
use rayon::prelude::*;

/// How clustered values are spread.
#[derive(Clone, Debug, PartialEq)]
pub struct Spreads {
    /// Of a sample; `None` of a single value.
    pub sd: Option<Estimate>,
    /// In the order they were asked for.
    pub quantiles: Vec<Estimate>,
}

/// A figure with its 95 % percentile interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub value: f64,
    pub interval: Option<Interval>,
}

impl Bootstrap {
    /// `values` are ascending, each after the number of its cluster, of which there are `clusters`, from zero. `None` of nothing.
    pub fn spread(&self, values: &[(u32, f64)], clusters: usize, shares: &[f64]) -> Option<Spreads> {
        if values.is_empty() {
            return None;
        }
        let middle = values.iter().map(|(_, value)| value).sum::<f64>() / values.len() as f64;
        let of = |counts: &[i16]| weighted(values, counts, shares, middle);
        let (sd, quantiles) = of(&vec![1; clusters])?;
        let rng = self.seed.rng("bootstrap", "spread");
        let draw = |drawn: &mut Drawn, replicate: usize| {
            drawn.draw(&mut stream(&rng, replicate));
            of(drawn.counts())
        };
        let replicates: Vec<(Option<f64>, Vec<f64>)> =
            (0..self.replicates).into_par_iter().map_init(|| Drawn::new(clusters), draw).flatten_iter().collect();
        let sds = replicates.iter().filter_map(|(sd, _)| *sd).collect();
        let nth = |at: usize| replicates.iter().map(|(_, quantiles)| quantiles[at]).collect();
        Some(Spreads {
            sd: sd.map(|value| Estimate { value, interval: percentile_95(sds) }),
            quantiles: quantiles
                .into_iter()
                .enumerate()
                .map(|(at, value)| Estimate { value, interval: percentile_95(nth(at)) })
                .collect(),
        })
    }
}

/// Each value as often as its cluster counts. `None` where no value is left.
fn weighted(values: &[(u32, f64)], counts: &[i16], shares: &[f64], middle: f64) -> Option<(Option<f64>, Vec<f64>)> {
    let weight = |cluster: u32| counts[cluster as usize] as u64;
    let (mut n, mut sum, mut squares) = (0u64, 0.0, 0.0);
    for (cluster, value) in values {
        let (times, off) = (weight(*cluster), value - middle);
        n += times;
        sum += times as f64 * off;
        squares += times as f64 * off * off;
    }
    let last = n.checked_sub(1)?;
    let variance = (squares - sum * sum / n as f64).max(0.0) / last as f64;
    let quantile = |share: f64| {
        let position = share.clamp(0.0, 1.0) * last as f64;
        let (below, above) = (position.floor() as u64, position.ceil() as u64);
        let (mut seen, mut lower) = (0, None);
        for (cluster, value) in values {
            seen += weight(*cluster);
            if lower.is_none() && seen > below {
                lower = Some(*value);
            }
            if let Some(lower) = lower.filter(|_| seen > above) {
                return lower + (value - lower) * position.fract();
            }
        }
        lower.unwrap_or(middle)
    };
    Some(((last > 0).then(|| variance.sqrt()), shares.iter().map(|share| quantile(*share)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::quantile;
    use waterjar_core::Seed;

    const BOOTSTRAP: Bootstrap = Bootstrap { seed: Seed(7), replicates: 400 };

    fn values(n: u32, clusters: u32) -> Vec<(u32, f64)> {
        (0..n).map(|at| (at % clusters, f64::from(at * at) / f64::from(n * n))).collect()
    }

    #[test]
    fn the_figures_are_those_of_the_values() {
        let values = values(101, 20);
        let found = BOOTSTRAP.spread(&values, 20, &[0.05, 0.5, 0.975]).unwrap();
        let plain: Vec<f64> = values.iter().map(|it| it.1).collect();
        for (found, share) in found.quantiles.iter().zip([0.05, 0.5, 0.975]) {
            assert!((found.value - quantile(&plain, share).unwrap()).abs() < 1e-12);
            let interval = found.interval.unwrap();
            assert!(interval.low <= found.value && found.value <= interval.high && interval.low < interval.high);
        }
        let mean = plain.iter().sum::<f64>() / 101.0;
        let sd = (plain.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / 100.0).sqrt();
        assert!((found.sd.unwrap().value - sd).abs() < 1e-12);
    }

    #[test]
    fn fewer_clusters_make_wider_intervals() {
        let width = |clusters: u32| {
            // Values of one cluster are the same.
            let mut values: Vec<(u32, f64)> = (0..240)
                .map(|at| (at % clusters, f64::from((at % clusters) * 7 % clusters) / f64::from(clusters)))
                .collect();
            values.sort_by(|a, b| a.1.total_cmp(&b.1));
            let interval = BOOTSTRAP.spread(&values, clusters as usize, &[0.5]).unwrap().quantiles[0].interval.unwrap();
            interval.high - interval.low
        };
        assert!(width(8) > 2.0 * width(120));
    }

    #[test]
    fn a_single_value_has_no_spread_and_nothing_has_no_figures() {
        assert_eq!(BOOTSTRAP.spread(&[(0, 0.5)], 1, &[0.5]).unwrap().sd, None);
        assert_eq!(BOOTSTRAP.spread(&[], 0, &[0.5]), None);
    }

    #[test]
    fn each_value_comes_as_often_as_its_cluster() {
        // 1, 1 and 4: their mean is 2, their variance 3.
        let values = [(0, 1.0), (1, 2.0), (2, 4.0)];
        let (sd, quantiles) = weighted(&values, &[2, 0, 1], &[0.5, 0.75], 0.0).unwrap();
        assert!((sd.unwrap() - 3.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!(quantiles, [1.0, 2.5]);
    }

    #[test]
    fn values_far_from_zero_keep_their_spread() {
        let found = BOOTSTRAP.spread(&[(0, 1e8), (1, 1e8 + 1.0), (2, 1e8 + 2.0)], 3, &[]).unwrap();
        assert_eq!(found.sd.unwrap().value, 1.0);
    }
}
