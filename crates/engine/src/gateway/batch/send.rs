//! A batch on its way to the vendor: noted, sent, named.

use super::desk::Desk;
use super::notebook::Noted;
use super::state::{Batch, Gathered};
use crate::gateway::lock;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use waterjar_core::{ModelError, SentBatch};
use waterjar_store::StoreError;

/// Whatever the study says, nobody waits longer between two tries.
const LONGEST_WAIT: Duration = Duration::from_secs(300);

impl Desk {
    /// Notes the batch, sends it, notes its name, and waits for it.
    pub(super) async fn carry(self: Arc<Self>, gathered: Gathered) {
        let Gathered { keys, written, .. } = self.still_wanted(gathered);
        if keys.is_empty() {
            return;
        }
        if self.is_over() {
            return self.fail(&keys, &ModelError::Stopped);
        }
        let mut noted = Noted { name: name_of(&keys), at: now(), id: None, keys };
        if let Err(error) = self.note(&noted).await {
            return self.fail(&noted.keys, &error);
        }
        lock(&self.state).register(Batch::new(noted.clone(), true));
        match self.submit(&noted.sent(), &written).await {
            Ok(id) => noted.id = id,
            Err(error) => return self.unsent(&noted, &error).await,
        }
        drop(written);
        if let Err(error) = self.note(&noted).await {
            return self.fail(&noted.keys, &error);
        }
        self.tell(&noted, 0);
        self.follow(noted).await;
    }

    /// Without what was broken off meanwhile.
    fn still_wanted(&self, gathered: Gathered) -> Gathered {
        let mut state = lock(&self.state);
        let mut wanted = Gathered::default();
        for (key, written) in gathered.keys.iter().zip(gathered.written) {
            if state.waiting.get(key).is_some_and(|tell| !tell.is_closed()) {
                wanted.add(key, written);
            } else {
                state.held.remove(key);
            }
        }
        wanted
    }

    pub(super) async fn note(&self, noted: &Noted) -> Result<(), ModelError> {
        if let Some(notebook) = &self.with.notebook {
            notebook.put(noted).await.map_err(|error| unremembered(&error))?;
        }
        if let Some(batch) = lock(&self.state).batches.get_mut(&noted.name) {
            batch.noted.id.clone_from(&noted.id);
        }
        Ok(())
    }

    /// The vendor's name for it. An answer that is lost does not mean that the batch was: it is looked for before it is sent again. What is found
    /// may be another's of the same size, so it gets no name until its results show that it is ours.
    async fn submit(&self, sent: &SentBatch, written: &[Vec<u8>]) -> Result<Option<String>, ModelError> {
        let mut failures = 0;
        let mut is_lost = false;
        loop {
            let tried = match is_lost {
                true => self.found(sent).await.map(|found| (!found.is_empty()).then_some(None)),
                false => self.with.plan.model.submit(sent, written).await.map(|id| Some(Some(id))),
            };
            match tried.map_err(ModelError::uncharged) {
                Ok(Some(id)) => return Ok(id),
                Ok(None) => is_lost = false,
                Err(error) if error.may_pass() && failures + 1 < self.with.retry.attempts.get() => {
                    failures += 1;
                    is_lost = true;
                    tokio::time::sleep(self.wait_after(failures, &error)).await;
                    if self.is_over() {
                        // Whoever comes back looks for it.
                        return Err(error);
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn wait_after(&self, failures: u32, error: &ModelError) -> Duration {
        let doubled = self.with.retry.first_wait().saturating_mul(1 << failures.min(16));
        error.retry_after().unwrap_or(doubled.min(self.with.retry.longest_wait())).min(LONGEST_WAIT)
    }

    /// The likeliest first.
    pub(super) async fn found(&self, sent: &SentBatch) -> Result<Vec<String>, ModelError> {
        let mut candidates = self.with.plan.model.find(sent).await?;
        let state = lock(&self.state);
        candidates.retain(|id| !state.batches.values().any(|batch| batch.noted.id.as_ref() == Some(id)));
        Ok(candidates)
    }

    /// Whether it arrived is known, or it is looked for when it is asked for again.
    async fn unsent(&self, noted: &Noted, error: &ModelError) {
        if error.may_pass() {
            if let Some(batch) = lock(&self.state).batches.get_mut(&noted.name) {
                batch.is_followed = false;
            }
        } else {
            self.forget(noted).await;
        }
        self.fail(&noted.keys, error);
    }
}

pub(super) fn unremembered(error: &StoreError) -> ModelError {
    ModelError::Closed(format!("no batch is sent that the run could not remember: {error}"))
}

pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Two batches of the same questions are two batches.
fn name_of(keys: &[String]) -> String {
    let mut hash = blake3::Hasher::new();
    keys.iter().for_each(|key| _ = hash.update(key.as_bytes()));
    let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    hash.update(&at.to_le_bytes());
    format!("wj-{}", &hash.finalize().to_hex()[..24])
}
