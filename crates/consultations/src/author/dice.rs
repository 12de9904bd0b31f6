//! Chance for one question: every draw depends on seed, edition, question and purpose, never on what was drawn before.

use waterjar_core::Seed;

#[derive(Clone, Debug)]
pub struct Dice {
    seed: Seed,
    thing: String,
}

impl Dice {
    pub fn new(seed: Seed, thing: impl Into<String>) -> Self {
        Self { seed, thing: thing.into() }
    }

    pub fn index(&self, purpose: &str, len: usize) -> Option<usize> {
        (len > 0).then(|| (self.rank(purpose) % len as i64) as usize)
    }

    pub fn pick<'a, T>(&self, purpose: &str, of: &'a [T]) -> Option<&'a T> {
        self.index(purpose, of.len()).map(|at| &of[at])
    }

    /// Whether it happens, so many times of a hundred.
    pub fn happens(&self, purpose: &str, percent: i64) -> bool {
        self.rank(purpose) % 100 < percent
    }

    /// The numbers below `len` in an order of chance.
    pub fn order(&self, purpose: &str, len: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..len).collect();
        order.sort_by_cached_key(|at| self.rank(&format!("{purpose} {at}")));
        order
    }

    fn rank(&self, purpose: &str) -> i64 {
        self.seed.rank(purpose, &self.thing)
    }
}
