//! A batch at the vendor's: looked at until it has ended, and its results handed out.

use super::desk::Desk;
use super::notebook::Noted;
use crate::gateway::lock;
use std::sync::Arc;
use tokio::time::Instant;
use waterjar_core::{BatchAnswer, BatchLook, BatchState, ModelError};

impl Desk {
    /// Looks until it has ended, and hands out what came of it.
    pub(super) async fn follow(self: Arc<Self>, mut noted: Noted) {
        let ended = match noted.id.clone() {
            Some(id) => self.wait_for(&id, &noted).await,
            None => self.wait_for_unnamed(&mut noted).await,
        };
        let (rest, is_known) = match ended {
            Ok(BatchState::Cancelled) => (Ok(BatchAnswer::Cancelled), true),
            Ok(BatchState::Failed(why)) => {
                let told =
                    format!("a batch of {} questions to {} was not taken: {why}", noted.keys.len(), self.with.id);
                (Err(ModelError::Closed(told)), true)
            }
            Ok(_) => (Ok(BatchAnswer::Expired), true),
            Err(error) => (Err(error), false),
        };
        if is_known && rest.is_err() {
            // There is nothing to come back for.
            self.forget(&noted).await;
        } else if let Some(batch) = lock(&self.state).batches.get_mut(&noted.name) {
            batch.is_followed = is_known;
        }
        self.give_rest(&noted, &rest);
    }

    /// We ended before the vendor's name for it was noted. It may be one of several, or may never have arrived.
    async fn wait_for_unnamed(&self, noted: &mut Noted) -> Result<BatchState, ModelError> {
        for id in self.found(&noted.sent()).await.map_err(ModelError::uncharged)? {
            let open = |desk: &Self| lock(&desk.state).open_in(noted);
            let before = open(self);
            let ended = self.wait_for(&id, noted).await?;
            let left = open(self);
            if left < before || ended == BatchState::Cancelled {
                noted.id = Some(id);
                // Who has all replies may have struck the batch out meanwhile: noted again, it would stay for ever.
                if left > 0 {
                    self.note(noted).await?;
                }
                return Ok(ended);
            }
        }
        Ok(BatchState::Gone)
    }

    /// How it ended. Where there are results they were handed out.
    async fn wait_for(&self, id: &str, noted: &Noted) -> Result<BatchState, ModelError> {
        let mut failing_since: Option<Instant> = None;
        let mut failures = 0;
        let mut told = 0;
        loop {
            if self.is_over() {
                return Err(ModelError::Stopped);
            }
            let wait = match self.look(id, noted).await.map_err(ModelError::uncharged) {
                Ok(BatchLook { state: BatchState::UnderWay, done }) => {
                    (failing_since, failures) = (None, 0);
                    if done > told {
                        told = done;
                        self.tell(noted, done);
                    }
                    self.with.plan.settings.poll
                }
                Ok(BatchLook { state, .. }) => return Ok(state),
                Err(error) if error.may_pass() => {
                    failures += 1;
                    let since = *failing_since.get_or_insert_with(Instant::now);
                    if since.elapsed() > self.with.retry.deadline() {
                        return Err(error);
                    }
                    self.wait_after(failures, &error).max(self.with.plan.settings.poll)
                }
                Err(error) => return Err(error),
            };
            tokio::time::sleep(wait).await;
        }
    }

    /// Its state; where it has ended, its results are fetched.
    async fn look(&self, id: &str, noted: &Noted) -> Result<BatchLook, ModelError> {
        let looked = self.with.plan.model.look(id).await?;
        if matches!(looked.state, BatchState::Ended | BatchState::Cancelled) {
            let mut hear = |key: String, answer| lock(&self.state).hand_out(&noted.name, key, answer);
            self.with.plan.model.results(id, &mut hear).await?;
        }
        Ok(looked)
    }

    pub(super) async fn forget(&self, noted: &Noted) {
        lock(&self.state).forget(noted);
        if let Some(notebook) = &self.with.notebook {
            // At worst it is looked for once more, and found to be over.
            let _ = notebook.forget(&noted.name).await;
        }
    }

    /// To all whose question has no result.
    fn give_rest(&self, noted: &Noted, rest: &Result<BatchAnswer, ModelError>) {
        match rest {
            Ok(answer) => {
                let mut state = lock(&self.state);
                noted.keys.iter().for_each(|key| state.hand_out(&noted.name, key.clone(), answer.clone()));
            }
            Err(error) => self.fail(&noted.keys, error),
        }
    }

    pub(super) fn fail(&self, keys: &[String], error: &ModelError) {
        let mut state = lock(&self.state);
        for key in keys {
            state.held.remove(key);
            if let Some(tell) = state.waiting.remove(key) {
                // Whoever waited may have left.
                let _ = tell.send(Err(error.clone()));
            }
        }
    }
}
