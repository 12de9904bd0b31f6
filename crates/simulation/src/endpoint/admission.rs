//! Who is let in.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// What is beyond the limits is rejected at once with 429.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Admission {
    pub max_concurrent: Option<usize>,
    /// In any sixty seconds.
    pub requests_per_minute: Option<usize>,
    /// Whether a rejection says when to come back. Of the limit per minute that is known; of the other, a second.
    pub says_retry_after: bool,
}

#[derive(Default)]
pub(super) struct Gate {
    admission: Admission,
    admitted: Mutex<VecDeque<Instant>>,
}

const WINDOW: Duration = Duration::from_secs(60);

pub(super) struct Rejected {
    pub why: &'static str,
    pub retry_after: Option<Duration>,
}

impl Gate {
    pub fn new(admission: Admission) -> Self {
        Self { admission, ..Self::default() }
    }

    /// `running` includes the one that asks.
    pub fn admit(&self, running: usize, now: Instant) -> Result<(), Rejected> {
        if self.admission.max_concurrent.is_some_and(|most| running > most) {
            return Err(self.rejected("too many requests at once", Duration::from_secs(1)));
        }
        let Some(most) = self.admission.requests_per_minute else { return Ok(()) };
        let mut admitted = self.admitted.lock().unwrap_or_else(PoisonError::into_inner);
        while admitted.front().is_some_and(|first| now.duration_since(*first) >= WINDOW) {
            admitted.pop_front();
        }
        if admitted.len() >= most {
            let wait = admitted.front().map_or(WINDOW, |first| WINDOW.saturating_sub(now.duration_since(*first)));
            return Err(self.rejected("too many requests per minute", wait));
        }
        admitted.push_back(now);
        Ok(())
    }

    fn rejected(&self, why: &'static str, wait: Duration) -> Rejected {
        Rejected { why, retry_after: self.admission.says_retry_after.then_some(wait) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_later_there_is_room_again() {
        let gate =
            Gate::new(Admission { requests_per_minute: Some(2), says_retry_after: true, ..Admission::default() });
        let start = Instant::now();
        let at = |seconds| gate.admit(1, start + Duration::from_secs(seconds));
        assert!(at(0).is_ok());
        assert!(at(20).is_ok());
        assert_eq!(at(20).err().and_then(|rejected| rejected.retry_after), Some(Duration::from_secs(40)));
        assert!(at(60).is_ok());
        assert!(at(60).is_err());
    }

    #[test]
    fn as_many_as_allowed_run_at_once() {
        let gate = Gate::new(Admission { max_concurrent: Some(40), ..Admission::default() });
        assert!(gate.admit(40, Instant::now()).is_ok());
        assert!(gate.admit(41, Instant::now()).is_err_and(|rejected| rejected.retry_after.is_none()));
    }
}
