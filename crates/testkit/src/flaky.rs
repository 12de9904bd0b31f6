//! A model that fails before it answers.

use async_trait::async_trait;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use waterjar_core::{ChatModel, ChatReply, ChatRequest, ModelError, ModelId};

/// Fails the first `failures` times, then lets the inner model answer.
pub struct FlakyModel<M> {
    inner: M,
    error: ModelError,
    failures: u32,
    each_request: bool,
    failed: Mutex<HashMap<String, u32>>,
}

impl<M: ChatModel> FlakyModel<M> {
    pub fn new(inner: M, failures: u32, error: ModelError) -> Self {
        Self { inner, error, failures, each_request: false, failed: Mutex::default() }
    }

    /// Counts per request rather than over all: every request fails `failures` times.
    #[must_use]
    pub fn for_each_request(mut self) -> Self {
        self.each_request = true;
        self
    }

    pub fn inner(&self) -> &M {
        &self.inner
    }

    pub fn failed(&self) -> u32 {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }

    fn fails(&self, request: &ChatRequest) -> bool {
        let key = if self.each_request {
            serde_json::to_string(request).expect("a request holds nothing JSON cannot")
        } else {
            String::new()
        };
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        let failed = failed.entry(key).or_default();
        let fails = *failed < self.failures;
        *failed += u32::from(fails);
        fails
    }
}

#[async_trait]
impl<M: ChatModel> ChatModel for FlakyModel<M> {
    fn id(&self) -> &ModelId {
        self.inner.id()
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        if self.fails(request) { Err(self.error.clone()) } else { self.inner.chat(request).await }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ScriptedModel;

    async fn outcomes(model: &FlakyModel<ScriptedModel>, asked: &[&str]) -> Vec<bool> {
        let mut outcomes = Vec::new();
        for text in asked {
            outcomes.push(model.chat(&ChatRequest::new("", *text, 0)).await.is_ok());
        }
        outcomes
    }

    fn flaky() -> FlakyModel<ScriptedModel> {
        FlakyModel::new(ScriptedModel::always("m", "ok"), 2, ModelError::Timeout("slow".into()))
    }

    #[tokio::test]
    async fn it_fails_twice_over_all_and_then_answers() {
        let model = flaky();
        assert_eq!(outcomes(&model, &["a", "b", "a", "b"]).await, [false, false, true, true]);
        assert_eq!((model.failed(), model.inner().calls()), (2, 2));
    }

    #[tokio::test]
    async fn it_fails_twice_for_each_request() {
        let model = flaky().for_each_request();
        assert_eq!(outcomes(&model, &["a", "a", "b", "a", "b", "b"]).await, [false, false, false, true, false, true]);
    }
}
