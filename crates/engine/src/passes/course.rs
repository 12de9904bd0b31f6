//! Work under way: more of it is begun while nothing speaks against it; what was begun is waited for and kept.

use super::door::Door;
use crate::{EngineError, Stop};
use futures::{Stream, StreamExt};
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::task::{AbortHandle, JoinError};
use tokio::time::Instant;
use waterjar_core::{ModelError, SuiteError};

/// How long a wish to stop waits for what is under way. It is paid for; but whoever wants to stop wants to stop.
const GRACE: Duration = Duration::from_secs(10);
/// How soon a wish to stop is heard.
const LOOK: Duration = Duration::from_millis(200);

pub(super) struct Course {
    stop: Stop,
    door: Arc<Door>,
    ended: Mutex<Option<EngineError>>,
    /// The end of the grace, once a wish to stop was heard.
    until: OnceLock<Instant>,
}

impl Course {
    pub fn new(stop: &Stop, door: &Arc<Door>) -> Self {
        Self { stop: stop.clone(), door: Arc::clone(door), ended: Mutex::default(), until: OnceLock::new() }
    }

    pub fn goes_on(&self) -> bool {
        !self.stop.is_requested() && self.reason().is_none()
    }

    /// Nothing more is begun, and no more calls go out. The first reason counts.
    pub fn end(&self, error: impl Into<EngineError>) {
        self.door.close();
        self.reason().get_or_insert(error.into());
    }

    /// The next that is done; after a wish to stop, only what is done within the grace.
    pub async fn next<S: Stream + Unpin>(&self, work: &mut S) -> Option<S::Item> {
        loop {
            if self.stop.is_requested() {
                self.until.get_or_init(|| Instant::now() + GRACE);
            }
            let until = self.until.get().copied();
            let wake = until.unwrap_or_else(|| Instant::now() + LOOK);
            match tokio::time::timeout_at(wake, work.next()).await {
                Ok(done) => return done,
                Err(_) if until.is_some() => return None,
                Err(_) => {}
            }
        }
    }

    /// How it ended: by the first reason, by a wish to stop, by a store that keeps nothing, or well.
    pub fn result(&self) -> Result<(), EngineError> {
        if let Some(error) = self.reason().take() {
            return Err(error);
        }
        if let Some(error) = self.door.failure() {
            return Err(error.into());
        }
        if self.stop.is_requested() { Err(EngineError::Interrupted) } else { Ok(()) }
    }

    fn reason(&self) -> MutexGuard<'_, Option<EngineError>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the suite was told that nothing more is asked: the work it was at stays open.
pub(super) fn is_stopped(error: &SuiteError) -> bool {
    matches!(error, SuiteError::Model(error) | SuiteError::Unanswered { error, .. } if *error == ModelError::Stopped)
}

/// Work in a task of its own, which ends with whoever waits for it: nothing is asked behind the back of a run that has stopped.
pub(super) async fn apart<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> Result<T, JoinError> {
    struct Ends(AbortHandle);
    impl Drop for Ends {
        fn drop(&mut self) {
            self.0.abort();
        }
    }
    // Boxed, because a task keeps its work within itself, on lines of the cache of its own: such large, aligned pieces are slow to allocate.
    let task = tokio::spawn(Box::pin(work));
    let _ends = Ends(task.abort_handle());
    task.await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documents_say_how_long_what_is_under_way_is_waited_for() {
        let told = format!("waits {} seconds for what it has asked", GRACE.as_secs());
        assert!(include_str!("../../../../docs/study-file.md").contains(&told), "{told}");
    }
}
