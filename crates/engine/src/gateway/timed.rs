//! No attempt waits for ever.

use super::notes::note;
use async_trait::async_trait;
use std::sync::Arc;
use std::time::Duration;
use waterjar_core::{ChatModel, ChatReply, ChatRequest, ModelError, ModelId};

/// Ends an attempt after a time of its own, or when the total deadline of the call is reached.
pub struct Timed {
    inner: Arc<dyn ChatModel>,
    timeout: Duration,
}

impl Timed {
    pub fn new(inner: Arc<dyn ChatModel>, timeout: Duration) -> Self {
        Self { inner, timeout }
    }
}

#[async_trait]
impl ChatModel for Timed {
    fn id(&self) -> &ModelId {
        self.inner.id()
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let left = note(|notes| notes.left.get()).flatten();
        let limit = left.map_or(self.timeout, |left| left.min(self.timeout));
        match tokio::time::timeout(limit, self.inner.chat(request)).await {
            Ok(outcome) => outcome,
            // It was sent, and a vendor that goes on answering charges for it.
            Err(_) => {
                Err(ModelError::Timeout(format!("nothing came within {:.1} s", limit.as_secs_f64())).charged(None))
            }
        }
    }

    fn most_output(&self, request: &ChatRequest) -> Option<u32> {
        self.inner.most_output(request)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Fake, request};
    use super::*;
    use tokio::time::Instant;

    #[tokio::test(start_paused = true)]
    async fn a_stalled_attempt_ends_as_a_timeout() {
        let model = Timed::new(Fake::slow(Duration::from_secs(3600)), Duration::from_secs(5));
        let begun = Instant::now();
        let error = model.chat(&request("x")).await.unwrap_err();
        assert_eq!(error.uncharged(), ModelError::Timeout("nothing came within 5.0 s".to_owned()));
        assert_eq!(begun.elapsed(), Duration::from_secs(5));
    }
}
