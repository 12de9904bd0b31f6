//! Do several groups spread over the same categories alike?

use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF};

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ChiSquare {
    pub statistic: f64,
    pub df: u64,
    pub p: f64,
}

/// Pearson's test of homogeneity, one row of counts per group. Empty rows and columns carry no information and no
/// degree of freedom. `None` if fewer than two rows or columns remain, or if rows differ in length.
pub fn chi_square_homogeneity(groups: &[Vec<u64>]) -> Option<ChiSquare> {
    let width = groups.first()?.len();
    if groups.iter().any(|group| group.len() != width) {
        return None;
    }
    let rows: Vec<f64> = groups.iter().map(|g| g.iter().sum::<u64>() as f64).collect();
    let columns: Vec<f64> = (0..width).map(|k| groups.iter().map(|g| g[k]).sum::<u64>() as f64).collect();
    let total: f64 = rows.iter().sum();

    let mut statistic = 0.0;
    for (group, row) in groups.iter().zip(&rows) {
        for (&observed, column) in group.iter().zip(&columns) {
            let expected = row * column / total;
            if expected > 0.0 {
                statistic += (observed as f64 - expected).powi(2) / expected;
            }
        }
    }
    let filled = |sums: &[f64]| sums.iter().filter(|sum| **sum > 0.0).count() as u64;
    let df = filled(&rows).checked_sub(1)? * filled(&columns).checked_sub(1)?;
    // Zero degrees of freedom are no distribution.
    let distribution = ChiSquared::new(df as f64).ok()?;
    Some(ChiSquare { statistic, df, p: distribution.sf(statistic) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_groups_do_not_differ() {
        let found = chi_square_homogeneity(&[vec![10, 20], vec![20, 40]]).unwrap();
        assert!(found.statistic.abs() < 1e-12 && (found.p - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_label_nobody_got_costs_no_degree_of_freedom() {
        let with = chi_square_homogeneity(&[vec![10, 0, 20], vec![25, 0, 15]]);
        assert_eq!(with, chi_square_homogeneity(&[vec![10, 20], vec![25, 15]]));
    }

    #[test]
    fn one_group_cannot_differ() {
        assert_eq!(chi_square_homogeneity(&[vec![10, 20]]), None);
        assert_eq!(chi_square_homogeneity(&[]), None);
        assert_eq!(chi_square_homogeneity(&[vec![0, 0], vec![0, 0]]), None);
    }
}
