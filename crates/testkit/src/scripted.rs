//! A model that says what a test tells it to.

use async_trait::async_trait;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use waterjar_core::{ChatModel, ChatReply, ChatRequest, ModelError, ModelId};

/// Answers from a list or a closure and keeps what it was asked.
pub struct ScriptedModel {
    id: ModelId,
    says: Box<Says>,
    asked: Mutex<Vec<ChatRequest>>,
}

type Says = dyn Fn(&ChatRequest) -> Result<ChatReply, ModelError> + Send + Sync;

impl ScriptedModel {
    pub fn new(
        id: impl Into<ModelId>,
        says: impl Fn(&ChatRequest) -> Result<ChatReply, ModelError> + Send + Sync + 'static,
    ) -> Self {
        Self { id: id.into(), says: Box::new(says), asked: Mutex::default() }
    }

    /// One reply after the other. Asked once more, it fails in a way that is not retried.
    pub fn list(id: impl Into<ModelId>, replies: impl IntoIterator<Item = Result<ChatReply, ModelError>>) -> Self {
        let left: Mutex<VecDeque<_>> = Mutex::new(replies.into_iter().collect());
        Self::new(id, move |_| {
            let next = left.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            next.unwrap_or_else(|| {
                Err(ModelError::Rejected { status: 410, message: "the script is at its end".into() })
            })
        })
    }

    pub fn texts<'a>(id: impl Into<ModelId>, texts: impl IntoIterator<Item = &'a str>) -> Self {
        Self::list(id, texts.into_iter().map(|text| Ok(ChatReply::text(text))).collect::<Vec<_>>())
    }

    pub fn always(id: impl Into<ModelId>, text: &str) -> Self {
        let reply = ChatReply::text(text);
        Self::new(id, move |_| Ok(reply.clone()))
    }

    /// What it was asked so far, in order.
    pub fn requests(&self) -> Vec<ChatRequest> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn calls(&self) -> usize {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

#[async_trait]
impl ChatModel for ScriptedModel {
    fn id(&self) -> &ModelId {
        &self.id
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
        (self.says)(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(text: &str) -> ChatRequest {
        ChatRequest::new("", text, 0)
    }

    #[tokio::test]
    async fn a_list_is_said_in_order_and_then_it_is_at_its_end() {
        let model = ScriptedModel::texts("scripted", ["one", "two"]);
        assert_eq!(model.chat(&ask("a")).await.unwrap().text, "one");
        assert_eq!(model.chat(&ask("b")).await.unwrap().text, "two");
        let error = model.chat(&ask("c")).await.unwrap_err();
        assert!(!error.may_pass(), "{error}");
        assert_eq!(model.calls(), 3);
        assert_eq!(model.requests()[1].last_user_text(), "b");
    }

    #[tokio::test]
    async fn a_closure_sees_the_request() {
        let model = ScriptedModel::new("echo", |request| Ok(ChatReply::text(request.last_user_text())));
        assert_eq!(model.chat(&ask("hello")).await.unwrap().text, "hello");
        assert_eq!(model.id().as_str(), "echo");
    }
}
