//! Many questions in one piece, answered within a day at half the price.

use crate::{ChatReply, ChatRequest, ModelError};
use async_trait::async_trait;

/// A vendor's way to take them. It keeps nothing and repeats nothing.
#[async_trait]
pub trait BatchModel: Send + Sync {
    fn bounds(&self) -> BatchBounds;
    /// A question as it stands in a batch. `name` comes back with its answer: letters, digits, `-` and `_`, 64 at most.
    fn written(&self, name: &str, request: &ChatRequest) -> Vec<u8>;
    /// Sends a batch, and tells the vendor's name for it.
    async fn submit(&self, sent: &SentBatch, written: &[Vec<u8>]) -> Result<String, ModelError>;
    /// The vendor's names of batches that may be this one, where the answer to sending it was lost.
    async fn find(&self, sent: &SentBatch) -> Result<Vec<String>, ModelError>;
    async fn look(&self, id: &str) -> Result<BatchLook, ModelError>;
    /// Tells what came of each question, in any order. What is not told of was not answered.
    async fn results(&self, id: &str, hear: &mut (dyn FnMut(String, BatchAnswer) + Send)) -> Result<(), ModelError>;
    /// What an answer says.
    fn read(&self, request: &ChatRequest, answer: &BatchReply) -> Result<ChatReply, ModelError>;
}

/// What one batch may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchBounds {
    pub requests: usize,
    pub bytes: usize,
}

/// What we know of a batch before the vendor does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentBatch {
    /// Ours.
    pub name: String,
    /// Seconds since 1970.
    pub at: u64,
    pub requests: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchLook {
    pub state: BatchState,
    /// So many of its questions have come to an end.
    pub done: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchState {
    UnderWay,
    /// There are results, if not of every question.
    Ended,
    /// Somebody took it back.
    Cancelled,
    /// The vendor did not take it, and says why.
    Failed(String),
    /// The vendor knows nothing of it, or no longer.
    Gone,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchAnswer {
    Reply(BatchReply),
    /// The day was over first.
    Expired,
    Cancelled,
}

/// As it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchReply {
    pub status: u16,
    pub body: Vec<u8>,
}
