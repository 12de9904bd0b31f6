//! How much two different categories agree.

/// Full agreement counts 1; how much a near miss counts depends on the scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    Identity,
    /// 1 − |a−b| / range
    Linear,
    /// 1 − (a−b)² / range²
    Quadratic,
}

impl Weights {
    /// The weight of each pair of categories with these values.
    pub fn matrix(self, values: &[f64]) -> Vec<Vec<f64>> {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weight = |a: f64, b: f64| match self {
            _ if a == b => 1.0,
            Self::Identity => 0.0,
            Self::Linear => 1.0 - (a - b).abs() / (high - low),
            Self::Quadratic => 1.0 - ((a - b) / (high - low)).powi(2),
        };
        // Two names may have one value (`007` and `7`) and are two categories all the same.
        let apart = |a: usize, b: usize| self == Self::Identity && a != b;
        let between = |a, b| if apart(a, b) { 0.0 } else { weight(values[a], values[b]) };
        (0..values.len()).map(|a| (0..values.len()).map(|b| between(a, b)).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(weights: Weights, first_row: [f64; 3]) {
        assert_eq!(weights.matrix(&[1.0, 2.0, 3.0])[0], first_row);
    }

    #[test]
    fn identity_knows_no_near_miss() {
        check(Weights::Identity, [1.0, 0.0, 0.0]);
    }

    #[test]
    fn linear_falls_with_the_distance() {
        check(Weights::Linear, [1.0, 0.5, 0.0]);
    }

    #[test]
    fn quadratic_forgives_a_near_miss() {
        check(Weights::Quadratic, [1.0, 0.75, 0.0]);
    }

    #[test]
    fn one_category_agrees_with_itself() {
        assert_eq!(Weights::Linear.matrix(&[4.0]), [[1.0]]);
    }
}
