//! How many times as much the whole study is as what was rehearsed: making goes by candidates, asking by variants, judging
//! by families.

use super::ledger::{Heard, Line};
use super::play::{Scope, Size};
use waterjar_engine::Pass;
use waterjar_scoring::stats::Z95;

pub struct Factors<'a> {
    pub scopes: &'a [Scope],
    pub heard: &'a Heard,
}

/// How large the study is taken to be, where that is a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    Low,
    Likely,
    High,
}

impl Factors<'_> {
    pub fn scaled(&self, extent: Extent) -> Vec<Line> {
        self.heard.lines.iter().map(|line| line.times(self.factor(line, extent))).collect()
    }

    fn factor(&self, line: &Line, extent: Extent) -> f64 {
        let Some(scope) = self.scopes.iter().find(|scope| scope.made.suite == line.suite) else { return 1.0 };
        let (rehearsed, whole) = (scope.rehearsed, extent.of(scope));
        match line.pass {
            Pass::Screen | Pass::Vary => {
                let (n, more) = (rehearsed.candidates, whole.candidates.saturating_sub(rehearsed.candidates));
                1.0 + ratio(more, n) * (1.0 + extent.sign() * self.off(scope, more))
            }
            Pass::Answer => ratio(whole.variants, rehearsed.variants),
            Pass::Judge | Pass::Measure => ratio(whole.families, rehearsed.families),
        }
    }

    /// By which part the mean number of calls for a case may be off, over so many more cases: some are lost at once, some
    /// after much work, and chance decides how many of which were seen and will be.
    fn off(&self, scope: &Scope, more: u64) -> f64 {
        let n = scope.rehearsed.candidates as f64;
        let calls = self.heard.cases.iter().filter(|(suite, _)| *suite == scope.made.suite).map(|(_, n)| f64::from(*n));
        let (sum, squares) = calls.fold((0.0, 0.0), |(sum, squares), calls| (sum + calls, squares + calls * calls));
        if more == 0 || sum == 0.0 {
            return 0.0;
        }
        let mean = sum / n;
        let variance = (squares / n - mean * mean).max(0.0);
        let off = Z95 * (variance * (1.0 / n + 1.0 / more as f64)).sqrt() / mean;
        off.min(1.0)
    }
}

impl Extent {
    fn of(self, scope: &Scope) -> Size {
        match (self, scope.between) {
            (Self::Low, Some((low, _))) => low,
            (Self::High, Some((_, high))) => high,
            _ => scope.whole,
        }
    }

    fn sign(self) -> f64 {
        match self {
            Self::Low => -1.0,
            Self::Likely => 0.0,
            Self::High => 1.0,
        }
    }
}

fn ratio(of: u64, part: u64) -> f64 {
    if part == 0 { 0.0 } else { of as f64 / part as f64 }
}
