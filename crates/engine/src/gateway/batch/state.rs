//! What lies on the desk: calls that wait, batches on their way, results nobody has fetched.

use super::notebook::Noted;
use std::collections::{HashMap, HashSet};
use tokio::sync::oneshot;
use tokio::time::Instant;
use waterjar_core::{BatchAnswer, ModelError};

/// What a batch needs beyond its questions, such as commas.
const BETWEEN: usize = 2;

pub(super) type Tell = oneshot::Sender<Result<BatchAnswer, ModelError>>;

#[derive(Default)]
pub(super) struct State {
    pub gathered: Gathered,
    /// When the last call came.
    pub last: Option<Instant>,
    /// Somebody waits for quiet.
    pub is_watched: bool,
    pub waiting: HashMap<String, Tell>,
    pub batches: HashMap<String, Batch>,
    /// The batch of each question whose result has not come.
    pub sent_in: HashMap<String, String>,
    /// Gathered or about to be sent.
    pub held: HashSet<String>,
    /// Results that nobody has asked for yet.
    pub came: HashMap<String, BatchAnswer>,
}

#[derive(Default)]
pub(super) struct Gathered {
    pub keys: Vec<String>,
    pub written: Vec<Vec<u8>>,
    pub bytes: usize,
}

pub(super) struct Batch {
    pub noted: Noted,
    pub is_followed: bool,
}

impl Batch {
    pub fn new(noted: Noted, is_followed: bool) -> Self {
        Self { noted, is_followed }
    }
}

impl Gathered {
    pub fn is_full(&self, requests: usize) -> bool {
        self.keys.len() >= requests
    }

    pub fn fits(&self, written: &[u8], bytes: usize) -> bool {
        self.keys.is_empty() || self.bytes + written.len() + BETWEEN <= bytes
    }

    pub fn add(&mut self, key: &str, written: Vec<u8>) {
        self.bytes += written.len() + BETWEEN;
        self.keys.push(key.to_owned());
        self.written.push(written);
    }
}

impl State {
    pub fn register(&mut self, batch: Batch) {
        let name = &batch.noted.name;
        batch.noted.keys.iter().for_each(|key| _ = self.held.remove(key));
        self.sent_in.extend(batch.noted.keys.iter().map(|key| (key.clone(), name.clone())));
        self.batches.insert(name.clone(), batch);
    }

    pub fn forget(&mut self, noted: &Noted) {
        self.batches.remove(&noted.name);
        noted.keys.iter().for_each(|key| drop(self.sent_in.remove(key)));
    }

    /// To whoever waits for it, or kept until somebody does. What was handed out before, or sent in a later batch, is not meant.
    pub fn hand_out(&mut self, batch: &str, key: String, answer: BatchAnswer) {
        if self.sent_in.get(&key).is_none_or(|name| name != batch) {
            return;
        }
        self.sent_in.remove(&key);
        let unheard = match self.waiting.remove(&key) {
            Some(tell) => tell.send(Ok(answer)).err(),
            None => Some(Ok(answer)),
        };
        // Whoever waited may have left, and may come back. That there is no answer is not worth keeping.
        if let Some(Ok(reply @ BatchAnswer::Reply(_))) = unheard {
            self.came.insert(key, reply);
        }
    }

    /// Whether all its replies were handed out.
    pub fn is_settled(&self, noted: &Noted) -> bool {
        self.open_in(noted) == 0 && !noted.keys.iter().any(|key| self.came.contains_key(key))
    }

    /// Questions of the batch whose result has not come.
    pub fn open_in(&self, noted: &Noted) -> usize {
        noted.keys.iter().filter(|key| self.sent_in.get(*key) == Some(&noted.name)).count()
    }
}
