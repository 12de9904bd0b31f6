//! Refusals that have nothing to do with how many calls there are.

/// Some endpoints refuse at random, however few calls they get, and halving cannot help there. Refusals far below the limit that was held
/// lately are the sign of it: their share is estimated, and about as many are let pass.
#[derive(Debug, Default)]
pub(super) struct Noise {
    /// The limit as it was lately, at its highest.
    peak: f64,
    /// Calls made at no more than half of that, and how many of them were refused.
    calls: f64,
    refused: f64,
    /// So many refusals may pass.
    allowance: f64,
}

/// About so many calls are remembered.
const MEMORY: f64 = 1_000.0;
/// More refusals than this are never put down to chance.
const MOST: f64 = 0.3;

impl Noise {
    pub fn is_felt(&self) -> bool {
        self.share() > 0.01
    }

    pub fn replied(&mut self, limit: usize) {
        self.count(limit, 0.0);
        // Chance comes in bunches, and refusals come quicker than replies. Hence twice the share, and what may come at once in store.
        let twice = 2.0 * self.share();
        self.allowance = (self.allowance + twice).min(4.0 + twice * limit as f64);
    }

    pub fn lets_pass(&mut self, limit: usize) -> bool {
        self.count(limit, 1.0);
        let passes = self.allowance >= 1.0;
        if passes {
            self.allowance -= 1.0;
        }
        passes
    }

    fn share(&self) -> f64 {
        // One refusal proves nothing.
        ((self.refused - 1.0).max(0.0) / (self.calls + 4.0)).min(MOST)
    }

    fn count(&mut self, limit: usize, refused: f64) {
        let limit = limit as f64;
        self.peak = limit.max(self.peak - (self.peak - limit) / MEMORY);
        if limit <= self.peak / 2.0 {
            let fade = 1.0 - 1.0 / MEMORY;
            self.calls = self.calls * fade + 1.0;
            self.refused = self.refused * fade + refused;
        }
    }
}
