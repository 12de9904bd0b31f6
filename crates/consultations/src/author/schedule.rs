//! How hard a question that failed its checks is refined, as published (specs 1.6).

/// How much of the text may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    Minimal,
    Moderate,
    Large,
}

impl Strategy {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Minimal => "minimal",
            Self::Moderate => "moderate",
            Self::Large => "large",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Intensity {
    pub eta: f64,
    pub strategy: Strategy,
    pub temperature: f64,
}

/// `round` counts from 0; `failed` is how many criteria failed.
pub fn intensity(round: u32, failed: usize) -> Intensity {
    let failed = failed as f64;
    let eta = (0.3 * (1.0 + 0.2 * f64::from(round)) * (1.0 + 0.1 * failed)).min(1.0);
    let (strategy, base) = match eta {
        eta if eta < 0.3 => (Strategy::Minimal, 0.1),
        eta if eta < 0.7 => (Strategy::Moderate, 0.3),
        _ => (Strategy::Large, 0.5),
    };
    Intensity { eta, strategy, temperature: (base + 0.1 * failed).min(0.8) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_grid() {
        // [G-DR-26]
        let grid = [
            [(0.330, 0.4), (0.360, 0.5), (0.390, 0.6), (0.420, 0.7), (0.450, 0.8)],
            [(0.396, 0.4), (0.432, 0.5), (0.468, 0.6), (0.504, 0.7), (0.540, 0.8)],
            [(0.462, 0.4), (0.504, 0.5), (0.546, 0.6), (0.588, 0.7), (0.630, 0.8)],
            [(0.528, 0.4), (0.576, 0.5), (0.624, 0.6), (0.672, 0.7), (0.720, 0.8)],
        ];
        for (round, row) in grid.iter().enumerate() {
            for (failed, (eta, temperature)) in row.iter().enumerate() {
                let found = intensity(round as u32, failed + 1);
                assert!((found.eta - eta).abs() < 1e-9 && (found.temperature - temperature).abs() < 1e-9, "{found:?}");
                let large = (round, failed + 1) == (3, 5);
                assert_eq!(found.strategy, if large { Strategy::Large } else { Strategy::Moderate });
            }
        }
    }
}
