//! Signing in is limited: whoever guesses is soon made to wait.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Failed attempts by whom they were meant for.
#[derive(Default)]
pub struct Throttle(Mutex<HashMap<String, Failures>>);

struct Failures {
    since: Instant,
    number: u32,
}

const WITHIN: Duration = Duration::from_secs(10 * 60);
const MOST: u32 = 10;
/// Names that somebody tries are anybody's invention: not more of them are remembered.
const REMEMBERED: usize = 10_000;

impl Throttle {
    /// How long to wait, where there were too many failures.
    pub fn wait(&self, account: &str) -> Option<Duration> {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let failures = held.get(account).filter(|it| it.number >= MOST)?;
        WITHIN.checked_sub(failures.since.elapsed()).filter(|left| !left.is_zero())
    }

    pub fn failed(&self, account: &str) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.len() >= REMEMBERED {
            held.retain(|_, it| it.since.elapsed() < WITHIN);
        }
        if held.len() >= REMEMBERED && !held.contains_key(account) {
            return;
        }
        let failures = held.entry(account.to_owned()).or_insert(Failures { since: Instant::now(), number: 0 });
        if failures.since.elapsed() >= WITHIN {
            *failures = Failures { since: Instant::now(), number: 0 };
        }
        failures.number += 1;
    }

    pub fn came_in(&self, account: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(account);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_failures_make_one_account_wait_and_no_other() {
        let throttle = Throttle::default();
        for _ in 0..9 {
            throttle.failed("owner");
        }
        assert!(throttle.wait("owner").is_none());
        throttle.failed("owner");
        assert!(throttle.wait("owner").is_some() && throttle.wait("anna").is_none());
        throttle.came_in("owner");
        assert!(throttle.wait("owner").is_none());
    }
}
