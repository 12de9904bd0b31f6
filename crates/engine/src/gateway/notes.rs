//! What the layers note on a call as it passes through them, for the record and for each other.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::time::Duration;
use waterjar_core::{ModelError, Usage};

tokio::task_local! {
    static NOTES: Notes;
}

#[derive(Default)]
pub(super) struct Notes {
    pub cached: Cell<bool>,
    pub attempts: Cell<u32>,
    /// Spent waiting for our own limits, which no deadline counts.
    pub queued: Cell<Duration>,
    /// What the total deadline leaves to the attempt under way.
    pub left: Cell<Option<Duration>>,
    pub picodollars: Cell<Option<u64>>,
    /// Others wait to learn from it.
    pub alone: Cell<bool>,
    /// The reply came in a batch, at half the price.
    pub batched: Cell<bool>,
    pub charged: Cell<Charged>,
    /// The key under which the reply is kept.
    pub reply_key: RefCell<Option<String>>,
}

/// What attempts that brought no reply may cost all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Charged {
    /// As the vendor told.
    pub told: Usage,
    /// Attempts whose question was sent and whose reply was lost.
    pub read: u32,
    /// Attempts whose reply came and could not be used, at nobody knows what length.
    pub answered: u32,
}

/// Notes what an error is charged for, and gives the error itself.
pub(super) fn charge(error: ModelError) -> ModelError {
    let ModelError::Charged { error, usage } = error else { return error };
    note(|notes| {
        let mut charged = notes.charged.get();
        match (usage, &*error) {
            (Some(usage), _) => charged.told = charged.told.and(usage),
            (None, ModelError::InvalidOutput(_)) => charged.answered += 1,
            (None, _) => charged.read += 1,
        }
        notes.charged.set(charged);
    });
    *error
}

/// Gives the notes of the call; without any, nothing is done.
pub(super) fn note<T>(write: impl FnOnce(&Notes) -> T) -> Option<T> {
    NOTES.try_with(write).ok()
}

/// Begins new notes, and gives them back filled.
pub(super) async fn noted<T>(call: impl Future<Output = T>) -> (T, Notes) {
    NOTES
        .scope(Notes::default(), async {
            let outcome = call.await;
            let notes = NOTES.with(|notes| Notes {
                cached: notes.cached.clone(),
                attempts: notes.attempts.clone(),
                queued: notes.queued.clone(),
                left: Cell::new(None),
                picodollars: notes.picodollars.clone(),
                alone: notes.alone.clone(),
                batched: notes.batched.clone(),
                charged: notes.charged.clone(),
                reply_key: RefCell::new(notes.reply_key.take()),
            });
            (outcome, notes)
        })
        .await
}

/// Notes for a layer that needs them, whether or not somebody above began them.
pub(super) async fn with_notes<T>(call: impl Future<Output = T>) -> T {
    if NOTES.try_with(|_| ()).is_ok() { call.await } else { noted(call).await.0 }
}
