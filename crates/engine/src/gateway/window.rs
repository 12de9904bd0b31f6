//! So much a minute, in whichever minute one looks, and evenly.

use std::collections::VecDeque;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);
/// What may come at once after a pause: the share of so much time. Not a whole minute's, because vendors check by the second.
const BURST: Duration = Duration::from_secs(3);

/// A bucket that fills at a steady rate, and a log of the last minute that makes the limit exact: the bucket alone would let a minute's
/// share and the burst before it fall into one minute.
#[derive(Debug)]
pub(super) struct Window {
    per_minute: u64,
    log: VecDeque<Entry>,
    used: u64,
    /// When the bucket will be full again.
    level: Duration,
    /// The number of the entry at the front of the log, counted from the first ever.
    first: u64,
}

#[derive(Debug)]
struct Entry {
    at: Duration,
    amount: u64,
}

/// What was taken, to be corrected later.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken(u64);

impl Window {
    pub fn new(per_minute: u64) -> Self {
        Self { per_minute: per_minute.max(1), log: VecDeque::new(), used: 0, level: Duration::ZERO, first: 0 }
    }

    /// Holds from now on, for what is taken next.
    pub fn set_rate(&mut self, per_minute: u64) {
        self.per_minute = per_minute.max(1);
    }

    /// When so much may be taken, if nobody takes anything before.
    pub fn ready(&mut self, amount: u64, now: Duration) -> Duration {
        self.forget(now);
        let amount = amount.min(self.per_minute);
        let spread = self.level.saturating_sub(BURST);
        now.max(spread).max(self.room_for(amount, now))
    }

    /// More than a minute's share counts as all of it: it goes alone.
    pub fn take(&mut self, amount: u64, now: Duration) -> Taken {
        let amount = amount.min(self.per_minute);
        self.level = self.level.max(now) + MINUTE.mul_f64(amount as f64 / self.per_minute as f64);
        self.used += amount;
        self.log.push_back(Entry { at: now, amount });
        Taken(self.first + self.log.len() as u64 - 1)
    }

    /// Now it is known how much it really was.
    pub fn correct(&mut self, taken: Taken, amount: u64) {
        let Some(entry) = taken.0.checked_sub(self.first).and_then(|n| self.log.get_mut(n as usize)) else {
            return;
        };
        let amount = amount.min(self.per_minute);
        let share = |amount: u64| MINUTE.mul_f64(amount as f64 / self.per_minute as f64);
        self.level = (self.level + share(amount)).saturating_sub(share(entry.amount));
        self.used = self.used - entry.amount + amount;
        entry.amount = amount;
    }

    /// When enough of the log will be a minute old.
    fn room_for(&self, amount: u64, now: Duration) -> Duration {
        let mut excess = (self.used + amount).saturating_sub(self.per_minute);
        let mut ready = now;
        for entry in &self.log {
            if excess == 0 {
                break;
            }
            excess = excess.saturating_sub(entry.amount);
            ready = entry.at + MINUTE;
        }
        ready
    }

    fn forget(&mut self, now: Duration) {
        while let Some(entry) = self.log.front()
            && entry.at + MINUTE <= now
        {
            self.used -= entry.amount;
            self.first += 1;
            self.log.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Takes everything as soon as it may be taken.
    fn starts(per_minute: u64, wanted: &[(u64, u64)]) -> Vec<(Duration, u64)> {
        let mut window = Window::new(per_minute);
        let mut now = Duration::ZERO;
        let mut starts = Vec::new();
        for &(pause, amount) in wanted {
            now = window.ready(amount, now + Duration::from_millis(pause));
            assert_eq!(window.ready(amount, now), now, "what is ready stays ready");
            window.take(amount, now);
            starts.push((now, amount));
        }
        starts
    }

    proptest! {
        #[test]
        fn no_minute_holds_more_than_its_share(
            per_minute in 1u64..200,
            wanted in prop::collection::vec((prop_oneof![Just(0u64), 0u64..90_000], 1u64..60), 1..300),
        ) {
            let starts = starts(per_minute, &wanted);
            for (n, &(begin, _)) in starts.iter().enumerate() {
                let minute = starts[n..].iter().take_while(|(at, _)| *at < begin + MINUTE);
                let sum: u64 = minute.map(|(_, amount)| amount.min(&per_minute)).sum();
                prop_assert!(sum <= per_minute, "{sum} of {per_minute} in the minute after {begin:?}");
            }
        }
    }

    #[test]
    fn the_share_is_used_up_and_spread_over_the_minute() {
        let starts = starts(600, &vec![(0, 1); 3000]);
        let last = starts.last().unwrap().0.as_secs_f64();
        // 3000 at 600 a minute are five minutes, less what came at once in the beginning.
        assert!((295.0..=301.0).contains(&last), "{last}");
        for (n, &(begin, _)) in starts.iter().enumerate() {
            let ten = starts[n..].iter().take_while(|(at, _)| *at < begin + Duration::from_secs(10)).count();
            assert!(ten <= 132, "{ten} in ten seconds");
        }
    }

    #[test]
    fn the_rate_can_move() {
        let mut window = Window::new(60);
        let mut now = Duration::ZERO;
        for _ in 0..60 {
            now = window.ready(1, now);
            window.take(1, now);
        }
        assert!(now.as_secs() >= 55);
        window.set_rate(6_000);
        let begun = now;
        for _ in 0..1_000 {
            now = window.ready(1, now);
            window.take(1, now);
        }
        assert!((now - begun).as_secs_f64() < 20.0, "{:?}", now - begun);
    }

    #[test]
    fn what_was_taken_too_much_is_given_back() {
        let mut window = Window::new(1_000);
        let taken = window.take(1_000, Duration::ZERO);
        assert_eq!(window.ready(500, Duration::from_secs(1)), MINUTE);
        window.correct(taken, 100);
        assert!(window.ready(500, Duration::from_secs(1)) < Duration::from_secs(7));
    }
}
