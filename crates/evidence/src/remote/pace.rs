//! No more requests in a second than the service allows.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Requests start at least so far apart, also those of different cases.
#[derive(Debug)]
pub(super) struct Pace {
    apart: Duration,
    next: Mutex<Option<Instant>>,
}

impl Pace {
    pub fn per_second(requests: u32) -> Self {
        Self { apart: Duration::from_secs(1) / requests.max(1), next: Mutex::new(None) }
    }

    pub async fn wait(&self) {
        tokio::time::sleep_until(self.place(Instant::now())).await;
    }

    /// When a request that comes now may start. Its place is taken.
    fn place(&self, now: Instant) -> Instant {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let start = next.map_or(now, |next| next.max(now));
        *next = Some(start + self.apart);
        start
    }

    /// Nobody starts before `pause` is over.
    pub fn pause(&self, pause: Duration) {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let resume = Instant::now() + pause;
        *next = Some(next.map_or(resume, |next| next.max(resume)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_at_once_start_one_after_the_other() {
        let (pace, now) = (Pace::per_second(10), Instant::now());
        let starts: Vec<_> = (0..3).map(|_| pace.place(now) - now).collect();
        assert_eq!(starts, [0, 100, 200].map(Duration::from_millis));
    }

    #[test]
    fn a_request_that_comes_late_starts_at_once() {
        let (pace, now) = (Pace::per_second(3), Instant::now());
        pace.place(now);
        let later = now + Duration::from_secs(5);
        assert_eq!(pace.place(later), later);
    }

    #[test]
    fn a_pause_holds_for_all() {
        let (pace, now) = (Pace::per_second(3), Instant::now());
        pace.pause(Duration::from_secs(7));
        assert!(pace.place(now) >= now + Duration::from_secs(7));
    }
}
