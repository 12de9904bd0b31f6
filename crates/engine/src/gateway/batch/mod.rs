//! Calls gathered into batches: sent in one piece, answered within a day, at half the price.
//!
//! ```text
//! call ─gather▶ batch ─note, then send▶ vendor ─look, again and again▶ results ─▶ call
//! ```
//!
//! A call waits here for hours, so this layer stands in place of `Retried`, `Limited` and `Timed`: it holds no place at the endpoint and
//! runs into no deadline. What a batch does not answer goes through those three, one by one.
//!
//! What is sent is noted in the store before it is sent. Whoever starts again finds the note, and the batch, and sends nothing twice.

mod desk;
mod follow;
mod notebook;
mod send;
mod state;

use super::cache::ReplyKeys;
use super::notes::note;
use async_trait::async_trait;
use std::sync::Arc;
use std::time::Duration;
use waterjar_core::{BatchAnswer, BatchModel, ChatModel, ChatReply, ChatRequest, ModelError, ModelId};

pub(super) use desk::{Desk, Opening};
pub(super) use notebook::Notebook;

/// A batch that ran out of its day is sent once more; after that its questions are asked one by one.
const ROUNDS: usize = 2;

/// How a model is asked in batches.
#[derive(Clone)]
pub struct BatchPlan {
    pub model: Arc<dyn BatchModel>,
    pub settings: BatchSettings,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchSettings {
    /// In one batch at most; the vendor may allow fewer.
    pub requests: usize,
    /// A batch is sent when no call has come for so long.
    pub quiet: Duration,
    /// Between two looks at a batch.
    pub poll: Duration,
}

/// What stands between us and the outside, and may be closed.
pub trait Gate: Send + Sync {
    fn is_open(&self) -> bool;
    fn before(&self, model: Arc<dyn ChatModel>) -> Arc<dyn ChatModel>;

    /// The same where somebody before it stands behind the gate too and counts its calls.
    fn inside(&self, model: Arc<dyn ChatModel>) -> Arc<dyn ChatModel>;
}

pub struct Batched {
    one_by_one: Arc<dyn ChatModel>,
    desk: Arc<Desk>,
    keys: ReplyKeys,
}

impl Batched {
    pub(super) fn new(one_by_one: Arc<dyn ChatModel>, desk: Arc<Desk>, fingerprint: &str) -> Self {
        Self { keys: ReplyKeys::new(one_by_one.id(), fingerprint), one_by_one, desk }
    }

    async fn in_batches(&self, request: &ChatRequest) -> Result<Option<ChatReply>, ModelError> {
        let key = self.keys.of(request)?.to_hex();
        for _ in 0..ROUNDS {
            match self.desk.ask(&key, request).await? {
                BatchAnswer::Reply(reply) => match self.desk.read(request, &reply) {
                    // What went wrong on the way may go well by itself.
                    Err(error) if error.is_outage() => return Ok(None),
                    answered => {
                        note(|notes| {
                            notes.batched.set(true);
                            notes.attempts.set(notes.attempts.get() + 1);
                        });
                        return answered.map(Some);
                    }
                },
                BatchAnswer::Expired => {}
                BatchAnswer::Cancelled => {
                    let told =
                        "somebody cancelled the batch; started again, what it did not answer is sent in a new one";
                    return Err(ModelError::Closed(told.to_owned()));
                }
            }
        }
        Ok(None)
    }
}

#[async_trait]
impl ChatModel for Batched {
    fn id(&self) -> &ModelId {
        self.one_by_one.id()
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        // Others wait to learn from this one how long replies are.
        let urgent = note(|notes| notes.alone.get()).unwrap_or(false);
        match urgent {
            true => self.one_by_one.chat(request).await,
            false => match self.in_batches(request).await? {
                Some(reply) => Ok(reply),
                None => self.one_by_one.chat(request).await,
            },
        }
    }

    fn most_output(&self, request: &ChatRequest) -> Option<u32> {
        self.one_by_one.most_output(request)
    }
}

impl Drop for Batched {
    fn drop(&mut self) {
        self.desk.leave();
    }
}

#[cfg(test)]
mod tests;
