//! How often the paired bootstrap calls two subjects different that are not, by the number of families: why `ENOUGH_FAMILIES` is 20.
//! `cargo run --release -p waterjar-scoring --example few_families`
//!
//! 2,000 comparisons for each number of families. The differences are normal with mean zero, so that every p ≤ 0.05 is a false alarm, and
//! of a sound test there are 5 % of them. The same seed gives the same figures.

#![allow(clippy::print_stdout, reason = "an example prints")]

use rand::RngExt;
use rayon::prelude::*;
use std::f64::consts::TAU;
use waterjar_core::Seed;
use waterjar_scoring::stats::{Bootstrap, ENOUGH_FAMILIES, StatsError, Tally};

const COMPARISONS: usize = 2_000;
/// As where subjects are compared.
const REPLICATES: usize = 10_000;
const SEED: Seed = Seed(7);

fn main() -> Result<(), StatsError> {
    for families in [5, 10, ENOUGH_FAMILIES] {
        let found: Result<Vec<f64>, StatsError> =
            (0..COMPARISONS).into_par_iter().map(|at| p_of_nothing(families, at)).collect();
        let alarms = found?.into_iter().filter(|p| *p <= 0.05).count();
        println!("{families:>2} families: p ≤ 0.05 in {:.1} %", 100.0 * alarms as f64 / COMPARISONS as f64);
    }
    Ok(())
}

/// The p of one comparison of two subjects that do not differ.
fn p_of_nothing(families: usize, comparison: usize) -> Result<f64, StatsError> {
    let mut rng = SEED.rng("few families", &format!("{families} {comparison}"));
    let mut tally = Tally::new();
    let (first, second) = (tally.ratio("first"), tally.ratio("second"));
    for family in 0..families {
        let family = format!("{family:02}");
        // Box and Muller's. Nothing has no logarithm, and u may be nothing, while 1 − u is not.
        let (u, v): (f64, f64) = (rng.random(), rng.random());
        let normal = (-2.0 * (1.0 - u).ln()).sqrt() * (TAU * v).cos();
        tally.push(&family, first, normal, 1.0)?;
        tally.push(&family, second, 0.0, 1.0)?;
    }
    let bootstrap = Bootstrap { seed: Seed(comparison as u64), replicates: REPLICATES };
    Ok(bootstrap.difference(&tally, first, second)?.p)
}
