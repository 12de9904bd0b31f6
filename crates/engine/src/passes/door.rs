//! The way out to models that are not built in. Once it is closed no call goes out any more, and none that waits for its turn does.

use crate::Stop;
use async_trait::async_trait;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use waterjar_core::{ChatModel, ChatReply, ChatRequest, ModelError, ModelId};
use waterjar_store::{StoreError, Writer};

/// Closed by a wish to stop, by an error that ends the pass, and by a store that can keep nothing more: what it cannot keep would
/// have to be paid for again.
pub(super) struct Door {
    stop: Stop,
    closed: AtomicBool,
    writers: Vec<Writer>,
    /// The models that answered in this run before.
    known: HashSet<String>,
    /// What came back through it, by model.
    answers: Mutex<HashMap<String, u64>>,
}

impl Door {
    pub fn new(stop: Stop, writers: Vec<Writer>, known: HashSet<String>) -> Arc<Self> {
        Arc::new(Self { stop, closed: AtomicBool::new(false), writers, known, answers: Mutex::default() })
    }

    pub fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
    }

    /// Why the store keeps nothing more.
    pub fn failure(&self) -> Option<StoreError> {
        self.writers.iter().find_map(Writer::failure)
    }

    /// How often the model has answered since the pass began, well or badly.
    pub fn answers(&self, model: &str) -> u64 {
        self.counts().get(model).copied().unwrap_or(0)
    }

    /// In this pass or before.
    pub fn has_answered(&self, model: &str) -> bool {
        self.known.contains(model) || self.answers(model) > 0
    }

    pub fn count_answer(&self, model: &str) {
        let mut counts = self.counts();
        match counts.get_mut(model) {
            Some(count) => *count += 1,
            None => _ = counts.insert(model.to_owned(), 1),
        }
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The model behind the door. It stands before the vendor itself, so that retries and calls in a queue are held up too.
    pub fn before(self: &Arc<Self>, model: Arc<dyn ChatModel>) -> Arc<dyn ChatModel> {
        Arc::new(Behind { door: Arc::clone(self), model })
    }

    fn is_open(&self) -> bool {
        !self.closed.load(Ordering::SeqCst) && !self.stop.is_requested() && self.failure().is_none()
    }
}

struct Behind {
    door: Arc<Door>,
    model: Arc<dyn ChatModel>,
}

#[async_trait]
impl ChatModel for Behind {
    fn id(&self) -> &ModelId {
        self.model.id()
    }

    fn most_output(&self, request: &ChatRequest) -> Option<u32> {
        self.model.most_output(request)
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        if !self.door.is_open() {
            return Err(ModelError::Stopped);
        }
        let outcome = self.model.chat(request).await;
        if outcome.as_ref().err().is_none_or(|error| !error.is_outage()) {
            self.door.count_answer(self.id().as_str());
        }
        outcome
    }
}
