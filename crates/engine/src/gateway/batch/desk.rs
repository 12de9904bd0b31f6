//! Where calls are gathered, batches are sent and followed, and replies are handed out.

use super::notebook::{Notebook, Noted};
use super::send::{now, unremembered};
use super::state::{Batch, State};
use super::{BatchPlan, Gate};
use crate::gateway::events::{GatewayEvent, GatewayEvents};
use crate::gateway::lock;
use crate::gateway::settings::RetrySettings;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::{OnceCell, oneshot};
use tokio::time::Instant;
use waterjar_core::{BatchAnswer, BatchReply, ChatReply, ChatRequest, ModelError, ModelId};
use waterjar_store::StoreError;

/// No vendor keeps results for longer, in seconds.
const KEPT: u64 = 30 * 86_400;

pub(in crate::gateway) struct Opening {
    pub id: ModelId,
    pub plan: BatchPlan,
    /// `None` where nothing outlives the process.
    pub notebook: Option<Notebook>,
    pub retry: RetrySettings,
    pub gate: Arc<dyn Gate>,
    pub events: Arc<dyn GatewayEvents>,
}

pub(in crate::gateway) struct Desk {
    pub(super) with: Opening,
    pub(super) state: Mutex<State>,
    /// Whether what was noted before is known.
    read: OnceCell<()>,
    left: AtomicBool,
}

impl Desk {
    pub fn new(with: Opening) -> Arc<Self> {
        Arc::new(Self { with, state: Mutex::default(), read: OnceCell::new(), left: AtomicBool::new(false) })
    }

    /// What the batch says to a question, however long it takes.
    pub async fn ask(self: &Arc<Self>, key: &str, request: &ChatRequest) -> Result<BatchAnswer, ModelError> {
        self.read.get_or_try_init(|| self.read_notes()).await?;
        let told = self.enter(key, request);
        told.await.unwrap_or(Err(ModelError::Stopped))
    }

    pub fn read(&self, request: &ChatRequest, reply: &BatchReply) -> Result<ChatReply, ModelError> {
        self.with.plan.model.read(request, reply)
    }

    /// Nobody asks any more.
    pub fn leave(&self) {
        self.left.store(true, Ordering::SeqCst);
    }

    /// Forgets the batches whose every reply was handed out. Only once the replies are kept.
    pub async fn tidy(&self) -> Result<(), StoreError> {
        let Some(notebook) = &self.with.notebook else { return Ok(()) };
        let settled: Vec<String> = {
            let state = lock(&self.state);
            let noted = state.batches.values().map(|batch| &batch.noted);
            noted.filter(|it| state.is_settled(it) || it.at + KEPT < now()).map(|it| it.name.clone()).collect()
        };
        for name in settled {
            notebook.forget(&name).await?;
            lock(&self.state).batches.remove(&name);
        }
        Ok(())
    }

    pub(super) fn is_over(&self) -> bool {
        self.left.load(Ordering::SeqCst) || !self.with.gate.is_open()
    }

    async fn read_notes(&self) -> Result<(), ModelError> {
        let Some(notebook) = &self.with.notebook else { return Ok(()) };
        let noted = notebook.read().await.map_err(|error| unremembered(&error))?;
        let mut state = lock(&self.state);
        for noted in noted {
            state.register(Batch::new(noted, false));
        }
        Ok(())
    }

    fn enter(self: &Arc<Self>, key: &str, request: &ChatRequest) -> oneshot::Receiver<Result<BatchAnswer, ModelError>> {
        let (tell, told) = oneshot::channel();
        let mut state = lock(&self.state);
        if let Some(answer) = state.came.remove(key) {
            // Whoever asks is there.
            let _ = tell.send(Ok(answer));
            return told;
        }
        state.waiting.insert(key.to_owned(), tell);
        if let Some(batch) = state.sent_in.get(key).cloned().and_then(|name| state.batches.get_mut(&name)) {
            if !std::mem::replace(&mut batch.is_followed, true) {
                let (desk, noted) = (Arc::clone(self), batch.noted.clone());
                tokio::spawn(async move { desk.follow(noted).await });
            }
            return told;
        }
        if !state.held.insert(key.to_owned()) {
            // It is gathered already, for somebody who left.
            return told;
        }
        let bounds = self.with.plan.model.bounds();
        let requests = self.with.plan.settings.requests.min(bounds.requests).max(1);
        let written = self.with.plan.model.written(key, request);
        if !state.gathered.fits(&written, bounds.bytes) {
            self.send(&mut state);
        }
        state.gathered.add(key, written);
        state.last = Some(Instant::now());
        if state.gathered.is_full(requests) {
            self.send(&mut state);
        } else if !std::mem::replace(&mut state.is_watched, true) {
            let desk = Arc::clone(self);
            tokio::spawn(async move { desk.watch().await });
        }
        told
    }

    /// Sends what is gathered when no more has come for a while.
    async fn watch(self: Arc<Self>) {
        loop {
            let quiet = {
                let mut state = lock(&self.state);
                let quiet = state.last.unwrap_or_else(Instant::now) + self.with.plan.settings.quiet;
                if quiet <= Instant::now() {
                    state.is_watched = false;
                    self.send(&mut state);
                    return;
                }
                quiet
            };
            tokio::time::sleep_until(quiet).await;
        }
    }

    fn send(self: &Arc<Self>, state: &mut State) {
        let gathered = std::mem::take(&mut state.gathered);
        if !gathered.keys.is_empty() {
            let desk = Arc::clone(self);
            tokio::spawn(async move { desk.carry(gathered).await });
        }
    }

    pub(super) fn tell(&self, noted: &Noted, done: usize) {
        let (model, requests) = (self.with.id.clone(), noted.keys.len());
        let batch = noted.id.clone().unwrap_or_default();
        self.with.events.on(GatewayEvent::Batch { model, batch, done, requests });
    }
}
