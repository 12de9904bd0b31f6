//! Who asks, and for which piece of work: known to the gateway, unknown to those who ask.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;
use waterjar_store::CallRole;

tokio::task_local! {
    static SITTING: Arc<Sitting>;
}

/// Transcripts are found by it. Items that sort in the order they are worked on, such as `einstellung/00000042/1/plain@m/0`, are
/// stored faster than hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Purpose {
    pub role: CallRole,
    pub item: String,
}

/// A purpose being worked on.
pub(super) struct Sitting {
    pub purpose: Purpose,
    /// Milliseconds since 1970.
    pub begun: i64,
    calls: Arc<AtomicU32>,
}

impl Purpose {
    pub fn author(item: impl Into<String>) -> Self {
        Self { role: CallRole::Author, item: item.into() }
    }

    pub fn subject(item: impl Into<String>) -> Self {
        Self { role: CallRole::Subject, item: item.into() }
    }

    pub fn judge(item: impl Into<String>) -> Self {
        Self { role: CallRole::Judge, item: item.into() }
    }

    /// Every call made in `work` is recorded under this purpose. What `work` spawns is not in it; see [`carried`].
    pub async fn scope<F: Future>(self, work: F) -> F::Output {
        SITTING.scope(Arc::new(Sitting::of(self)), work).await
    }
}

/// Takes the purpose of this task along into `work`, which may then be spawned.
pub fn carried<F: Future>(work: F) -> impl Future<Output = F::Output> {
    let sitting = SITTING.try_with(Arc::clone).ok();
    async move {
        match sitting {
            Some(sitting) => SITTING.scope(sitting, work).await,
            None => work.await,
        }
    }
}

/// Every call made in `work` is recorded for the same piece of work, in another role.
pub(super) async fn in_role<F: Future>(role: CallRole, work: F) -> F::Output {
    let sitting = Sitting::current().map_or_else(|| Sitting::unknown().in_role(role), |it| it.in_role(role));
    SITTING.scope(Arc::new(sitting), work).await
}

impl Sitting {
    fn of(purpose: Purpose) -> Self {
        Self { purpose, begun: now_ms(), calls: Arc::default() }
    }

    /// For calls made outside any purpose.
    pub fn unknown() -> Self {
        Self::of(Purpose { role: CallRole::Other, item: String::new() })
    }

    /// The same piece of work in another role: its calls are counted on.
    fn in_role(&self, role: CallRole) -> Self {
        let purpose = Purpose { role, item: self.purpose.item.clone() };
        Self { purpose, begun: self.begun, calls: Arc::clone(&self.calls) }
    }

    pub fn current() -> Option<Arc<Self>> {
        SITTING.try_with(Arc::clone).ok()
    }

    /// The place of the next call.
    pub fn next(&self) -> u32 {
        self.calls.fetch_add(1, Ordering::Relaxed)
    }
}

pub(super) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
