//! How long an answer takes.

use super::Content;
use crate::clinician::gauss;
use std::time::Duration;
use waterjar_core::Seed;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Latency {
    #[default]
    None,
    Fixed(Duration),
    /// Half of the answers come within the median; sigma is the spread of the logarithm.
    LogNormal {
        median: Duration,
        sigma: f64,
    },
}

impl Latency {
    pub(super) fn draw(self, seed: Seed, content: Content, attempt: u32) -> Duration {
        match self {
            Self::None => Duration::ZERO,
            Self::Fixed(latency) => latency,
            Self::LogNormal { median, sigma } => {
                let z = gauss(&mut seed.rng("latency", &content.attempt(attempt)));
                // Three sigma: one stray draw must not decide how long a test runs.
                median.mul_f64((sigma * z.clamp(-3.0, 3.0)).exp())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_answers_come_within_the_median() {
        let latency = Latency::LogNormal { median: Duration::from_millis(100), sigma: 0.5 };
        let drawn = |n: u32| latency.draw(Seed(1), Content::of("/", &n.to_le_bytes()), 0);
        let fast = (0..2000).filter(|&n| drawn(n) < Duration::from_millis(100)).count();
        assert!((900..1100).contains(&fast), "{fast}");
        assert_eq!(drawn(3), drawn(3));
        assert_ne!(drawn(3), latency.draw(Seed(2), Content::of("/", &3u32.to_le_bytes()), 0));
    }
}
