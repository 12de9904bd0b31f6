//! A run that many processes work on: one plans it and waits, others take parts of it from the queue on the server that holds the run.

pub(crate) mod plan;

mod desk;

pub use desk::Desk;

use std::time::Duration;
use waterjar_store::Queue;

/// The other processes at work on a run.
#[derive(Clone)]
pub struct Others {
    pub queue: Queue,
    /// Of this process, among those who share an endpoint's limits.
    pub me: String,
    /// How long a process may be silent before others take what it had.
    pub lease: Duration,
    /// They ask and judge, and this process only plans and waits.
    pub instead: bool,
}
