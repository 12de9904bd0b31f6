//! How many calls at once an endpoint takes, found out by trying. No clock and no waiting in here: only the rule.

use super::noise::Noise;
use std::time::Duration;

/// Grows while that helps; halves when the endpoint refuses, at most once in a round trip.
///
/// Halving and growing by one, as TCP Reno does, would spend most of the time well below what the endpoint takes. So what was found out is
/// remembered, as BIC-TCP does (Xu, Harfoush, Rhee 2004): after a halving the next limit lies half-way between the largest that went well
/// and the smallest that was refused, then it is held, and tried higher now and then.
#[derive(Debug)]
pub(super) struct Adaptive {
    limit: usize,
    most: usize,
    phase: Phase,
    /// Grows with every change of the limit. What was begun before the last change says nothing about it.
    era: u64,
    /// Good replies to calls begun in this era. As many as the limit make a round.
    round: usize,
    /// Somebody had to wait in this round, so a higher limit would have been used.
    full: bool,
    pace: Pace,
    /// Rounds to hold a limit that was found; grows each time trying higher was in vain.
    patience: u32,
    noise: Noise,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    /// One more with every reply, which doubles it with every round trip: nothing is known yet. `rate` is that of the last doubling.
    Opening {
        rate: Option<f64>,
    },
    /// Between a limit that went well and one that was refused.
    Searching {
        good: usize,
        bad: usize,
    },
    Holding {
        rounds: u32,
    },
    /// Trying more than `from`, which brought `rate` replies a second.
    Probing {
        from: usize,
        step: usize,
        rate: Option<f64>,
    },
}

/// All replies since the limit was `from`.
#[derive(Debug)]
struct Pace {
    from: usize,
    since: Duration,
    replies: usize,
}

/// Unless the study says how many at once.
const START: usize = 16;
/// With more, the client itself is the limit.
const MOST: usize = 2048;
const LEAST_PATIENCE: u32 = 8;
const MOST_PATIENCE: u32 = 128;
/// Growth that brings less than this part of itself only makes a queue at the endpoint.
const WORTH: f64 = 0.25;

impl Adaptive {
    /// A stated maximum is also where it starts: who states it knows the endpoint.
    pub fn new(most: Option<usize>, now: Duration) -> Self {
        let limit = most.unwrap_or(START).max(1);
        Self {
            limit,
            most: most.unwrap_or(MOST).max(1),
            phase: Phase::Opening { rate: None },
            era: 0,
            round: 0,
            full: false,
            pace: Pace { from: limit, since: now, replies: 0 },
            patience: LEAST_PATIENCE,
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
        self.full = true;
    }

    /// `era` is `None` for a call that says nothing about the limit.
    pub fn replied(&mut self, era: Option<u64>, now: Duration) {
        self.pace.replies += 1;
        self.noise.replied(self.limit);
        if let Phase::Opening { rate } = self.phase {
            self.open_further(rate, now);
        } else if era == Some(self.era) {
            self.round += 1;
            if self.round >= self.limit {
                self.end_round(now);
            }
        }
    }

    /// Whether the limit was halved for it.
    pub fn refused(&mut self, era: Option<u64>, now: Duration) -> bool {
        if era != Some(self.era) || self.noise.lets_pass(self.limit) {
            return false;
        }
        let bad = self.limit;
        let half = (bad / 2).max(1);
        let good = match self.phase {
            Phase::Probing { from, .. } => {
                self.was_in_vain();
                from
            }
            Phase::Searching { good, .. } if good < bad => good,
            Phase::Opening { .. } | Phase::Searching { .. } | Phase::Holding { .. } => half,
        };
        self.change(Phase::Searching { good, bad }, half, now);
        true
    }

    fn open_further(&mut self, rate_before: Option<f64>, now: Duration) {
        if !self.full {
            return;
        }
        if self.limit >= self.most {
            return self.hold(self.most, now);
        }
        self.limit += 1;
        if self.limit < 2 * self.pace.from {
            return;
        }
        let rate = self.pace.rate(now);
        if is_worth(2.0, rate_before, rate) {
            self.phase = Phase::Opening { rate };
            self.pace = Pace { from: self.limit, since: now, replies: 0 };
        } else {
            self.was_in_vain();
            self.hold(self.pace.from, now);
        }
    }

    fn end_round(&mut self, now: Duration) {
        self.round = 0;
        // What was not used up says nothing about more.
        if !std::mem::take(&mut self.full) {
            return;
        }
        match self.phase {
            Phase::Opening { .. } => {}
            Phase::Searching { good, bad } => self.search(good.max(self.limit), bad, now),
            Phase::Holding { rounds } if rounds > 1 => self.phase = Phase::Holding { rounds: rounds - 1 },
            Phase::Holding { .. } => self.probe(now),
            Phase::Probing { from, step, rate } => self.probe_further(from, step, rate, now),
        }
    }

    fn search(&mut self, good: usize, bad: usize, now: Duration) {
        if self.limit < good {
            // Back at once to what went well.
            self.change(Phase::Searching { good, bad }, good, now);
        } else if good + 1 >= bad {
            self.hold(good, now);
        } else {
            self.change(Phase::Searching { good, bad }, good.midpoint(bad), now);
        }
    }

    fn hold(&mut self, limit: usize, now: Duration) {
        // Where refusals come by chance, a refused try proves nothing.
        let rounds = if self.noise.is_felt() { LEAST_PATIENCE } else { self.patience };
        self.change(Phase::Holding { rounds }, limit, now);
    }

    fn probe(&mut self, now: Duration) {
        if self.limit >= self.most {
            self.phase = Phase::Holding { rounds: MOST_PATIENCE };
        } else {
            let (from, rate) = (self.limit, self.pace.rate(now));
            self.change(Phase::Probing { from, step: 1, rate }, from + 1, now);
        }
    }

    fn probe_further(&mut self, from: usize, step: usize, rate: Option<f64>, now: Duration) {
        let grown = self.limit as f64 / from as f64;
        if grown > 1.5 && !is_worth(grown, rate, self.pace.rate(now)) {
            self.was_in_vain();
            self.hold(from, now);
        } else if self.limit >= self.most {
            self.hold(self.most, now);
        } else {
            self.patience = LEAST_PATIENCE;
            let limit = (self.limit + step).min(self.most);
            self.change(Phase::Probing { from, step: 2 * step, rate }, limit, now);
        }
    }

    fn was_in_vain(&mut self) {
        self.patience = (2 * self.patience).min(MOST_PATIENCE);
    }

    fn change(&mut self, phase: Phase, limit: usize, now: Duration) {
        self.phase = phase;
        self.limit = limit;
        self.era += 1;
        self.round = 0;
        self.full = false;
        self.pace = Pace { from: limit, since: now, replies: 0 };
    }
}

impl Pace {
    /// `None` when there is too little to tell.
    fn rate(&self, now: Duration) -> Option<f64> {
        let seconds = now.saturating_sub(self.since).as_secs_f64();
        (seconds > 0.0 && self.replies >= self.from.max(8)).then(|| self.replies as f64 / seconds)
    }
}

/// Whether so many times as many calls brought enough more replies.
fn is_worth(grown: f64, rate_before: Option<f64>, rate: Option<f64>) -> bool {
    match (rate_before, rate) {
        (Some(before), Some(rate)) => rate >= before * (1.0 + WORTH * (grown - 1.0)),
        // Too little to tell.
        _ => true,
    }
}
