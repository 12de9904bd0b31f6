//! How many calls at once an endpoint takes, found out by trying. No clock and no waiting in here: only the rule.

use std::time::Duration;

/// Grows while that helps; halves when the endpoint refuses, at most once in a round trip.
///
/// Halving and growing by one, as TCP Reno does, would spend most of the time well below what the endpoint takes. So what was found out is
/// remembered, as BIC-TCP does (Xu, Harfoush, Rhee 2004): after a halving the next limit lies half-way between the largest that
/// went well and the smallest that was refused, then it is held, and tried higher now and then.
///
/// Some endpoints refuse at random, however few calls they get, and halving cannot help there. Refusals far below the limit that was held
/// before are the sign of it: their share is estimated, and as many are let pass.
#[derive(Debug)]
pub(super) struct Adaptive {
    limit: usize,
    most: usize,
    phase: Phase,
    /// Grows with every change of the limit. What was begun before the last change says nothing about it.
    era: u64,
    round: Round,
    /// Rounds to hold a limit that was found; grows each time trying higher was in vain.
    patience: u32,
    growth: Growth,
    noise: Noise,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    /// Doubles with every round trip: nothing is known yet.
    Opening,
    /// Between a limit that went well and one that was refused.
    Searching { good: usize, bad: usize },
    Holding { rounds: u32 },
    Probing { from: usize, step: usize },
}

/// As many good replies as the limit, begun since it last changed.
#[derive(Debug, Default)]
struct Round {
    replies: usize,
    /// Somebody had to wait, so a higher limit would have been used.
    full: bool,
}

/// Replies a second before and after the last doubling.
#[derive(Debug)]
struct Growth {
    from: usize,
    since: Duration,
    replies: usize,
    rate_before: Option<f64>,
}

/// Refusals that have nothing to do with how many calls there are.
#[derive(Debug, Default)]
struct Noise {
    /// The limit as it was lately, at its highest.
    peak: f64,
    /// Calls made at no more than half of that, and how many of them were refused.
    calls: f64,
    refused: f64,
    /// So many refusals may pass.
    allowance: f64,
}

/// Unless the study says how many at once.
const START: usize = 16;
/// With more, the client itself is the limit.
const MOST: usize = 2048;
const LEAST_PATIENCE: u32 = 8;
const MOST_PATIENCE: u32 = 128;
/// A doubling that brings less than this is not worth the queue it makes at the endpoint.
const WORTH: f64 = 1.2;

impl Adaptive {
    /// A stated maximum is also where it starts: who states it knows the endpoint.
    pub fn new(most: Option<usize>, now: Duration) -> Self {
        let limit = most.unwrap_or(START).max(1);
        Self {
            limit,
            most: most.unwrap_or(MOST).max(1),
            phase: Phase::Opening,
            era: 0,
            round: Round::default(),
            patience: LEAST_PATIENCE,
            growth: Growth { from: limit, since: now, replies: 0, rate_before: None },
            noise: Noise::default(),
        }
    }

    pub fn limit(&self) -> usize {
        self.limit
    }

    /// To be kept by a call that begins now, and given back with its outcome.
    pub fn era(&self) -> u64 {
        self.era
    }

    /// A call had to wait for others to end.
    pub fn waited(&mut self) {
        self.round.full = true;
    }

    pub fn replied(&mut self, era: u64, now: Duration) {
        self.growth.replies += 1;
        self.noise.replied(self.limit);
        if self.phase == Phase::Opening {
            self.open_further(now);
        } else if era == self.era {
            self.round.replies += 1;
            if self.round.replies >= self.limit {
                self.end_round(now);
            }
        }
    }

    /// Whether the limit was halved for it.
    pub fn refused(&mut self, era: u64, now: Duration) -> bool {
        if era != self.era || self.noise.lets_pass(self.limit) {
            return false;
        }
        let bad = self.limit;
        let half = (bad / 2).max(1);
        let good = match self.phase {
            Phase::Probing { from, .. } => {
                self.patience = (self.patience * 2).min(MOST_PATIENCE);
                from
            }
            Phase::Searching { good, .. } if good < bad => good,
            Phase::Opening | Phase::Searching { .. } | Phase::Holding { .. } => half,
        };
        self.phase = Phase::Searching { good, bad };
        self.set(half, now);
        true
    }

    fn open_further(&mut self, now: Duration) {
        if !self.round.full {
            return;
        }
        if self.limit >= self.most {
            self.hold(self.most, now);
        } else {
            self.limit += 1;
            self.judge_growth(now);
        }
    }

    fn end_round(&mut self, now: Duration) {
        let full = std::mem::take(&mut self.round).full;
        match self.phase {
            Phase::Opening => {}
            // What was not used up says nothing about more.
            _ if !full => {}
            Phase::Searching { good, bad } => self.search(good, bad, now),
            Phase::Holding { rounds } if rounds > 1 => self.phase = Phase::Holding { rounds: rounds - 1 },
            Phase::Holding { .. } => self.probe(now),
            Phase::Probing { from, step } => {
                self.patience = LEAST_PATIENCE;
                self.phase = Phase::Probing { from, step: step * 2 };
                self.raise(self.limit + step, now);
            }
        }
    }

    fn search(&mut self, good: usize, bad: usize, now: Duration) {
        let good = good.max(self.limit);
        if good + 1 >= bad {
            self.hold(good, now);
            return;
        }
        self.phase = Phase::Searching { good, bad };
        // Back at once to what went well; from there half-way on.
        let next = if self.limit < good { good } else { good.midpoint(bad) };
        self.set(next, now);
    }

    fn hold(&mut self, limit: usize, now: Duration) {
        // Where refusals come by chance, a refused try proves nothing.
        let patience = if self.noise.share() > 0.01 { LEAST_PATIENCE } else { self.patience };
        self.phase = Phase::Holding { rounds: patience };
        self.set(limit, now);
    }

    fn probe(&mut self, now: Duration) {
        if self.limit >= self.most {
            self.phase = Phase::Holding { rounds: MOST_PATIENCE };
            return;
        }
        let rate = self.growth.rate(now);
        let from = self.limit;
        self.phase = Phase::Probing { from, step: 1 };
        self.raise(from + 1, now);
        self.growth = Growth { from, since: now, replies: 0, rate_before: rate };
    }

    fn raise(&mut self, limit: usize, now: Duration) {
        self.change(limit.min(self.most));
        if self.limit == self.most {
            self.hold(self.most, now);
        } else {
            self.judge_growth(now);
        }
    }

    /// After a doubling: has it helped?
    fn judge_growth(&mut self, now: Duration) {
        if self.limit < 2 * self.growth.from {
            return;
        }
        let rate = self.growth.rate(now);
        let helped = match (self.growth.rate_before, rate) {
            (Some(before), Some(rate)) => rate >= WORTH * before,
            _ => true,
        };
        if helped {
            self.growth = Growth { from: self.limit, since: now, replies: 0, rate_before: rate };
        } else {
            self.patience = (self.patience * 2).min(MOST_PATIENCE);
            self.hold(self.growth.from, now);
        }
    }

    fn set(&mut self, limit: usize, now: Duration) {
        self.change(limit);
        self.growth = Growth { from: self.limit, since: now, replies: 0, rate_before: None };
    }

    fn change(&mut self, limit: usize) {
        if limit != self.limit {
            self.era += 1;
        }
        self.limit = limit;
        self.round = Round::default();
    }
}

impl Growth {
    /// `None` when there is too little to tell.
    fn rate(&self, now: Duration) -> Option<f64> {
        let seconds = now.saturating_sub(self.since).as_secs_f64();
        (seconds > 0.0 && self.replies >= self.from.max(8)).then(|| self.replies as f64 / seconds)
    }
}

impl Noise {
    /// About so many calls are remembered.
    const MEMORY: f64 = 1_000.0;
    /// More refusals than this are never put down to chance.
    const MOST: f64 = 0.3;

    fn share(&self) -> f64 {
        // One refusal proves nothing.
        ((self.refused - 1.0).max(0.0) / (self.calls + 4.0)).min(Self::MOST)
    }

    fn replied(&mut self, limit: usize) {
        self.count(limit, 0.0);
        // Chance comes in bunches, and refusals come quicker than replies. Hence twice the share, and what may come at once in store.
        let twice = 2.0 * self.share();
        self.allowance = (self.allowance + twice).min(4.0 + twice * limit as f64);
    }

    fn lets_pass(&mut self, limit: usize) -> bool {
        self.count(limit, 1.0);
        let passes = self.allowance >= 1.0;
        if passes {
            self.allowance -= 1.0;
        }
        passes
    }

    fn count(&mut self, limit: usize, refused: f64) {
        let limit = limit as f64;
        self.peak = limit.max(self.peak - (self.peak - limit) / Self::MEMORY);
        if limit <= self.peak / 2.0 {
            let fade = 1.0 - 1.0 / Self::MEMORY;
            self.calls = self.calls * fade + 1.0;
            self.refused = self.refused * fade + refused;
        }
    }
}
