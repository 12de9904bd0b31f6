//! A model that is asked in a role of its own, whoever is at work: the committee that votes while an author writes.

use super::purpose::in_role;
use async_trait::async_trait;
use std::sync::Arc;
use waterjar_core::{ChatModel, ChatReply, ChatRequest, ModelError, ModelId};
use waterjar_store::CallRole;

pub struct InRole {
    inner: Arc<dyn ChatModel>,
    role: CallRole,
}

impl InRole {
    pub fn judge(inner: Arc<dyn ChatModel>) -> Self {
        Self { inner, role: CallRole::Judge }
    }
}

#[async_trait]
impl ChatModel for InRole {
    fn id(&self) -> &ModelId {
        self.inner.id()
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        in_role(self.role, self.inner.chat(request)).await
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Fake, request};
    use super::super::{MemorySink, Purpose, Recorded};
    use super::*;

    #[tokio::test]
    async fn a_vote_is_the_judges_word_on_the_authors_work() {
        let sink = Arc::new(MemorySink::default());
        let author: Arc<dyn ChatModel> = Arc::new(Recorded::new(Fake::echo(), sink.clone()));
        let judge = InRole::judge(Arc::clone(&author));
        let work = async {
            for (model, text) in [(&*author, "story"), (&judge as &dyn ChatModel, "vote"), (&*author, "sham")] {
                model.chat(&request(text)).await.unwrap();
            }
        };
        Purpose::author("case").scope(work).await;
        let said = |role| sink.transcript(role, "case").iter().map(|call| call.ord).collect::<Vec<_>>();
        assert_eq!(said(CallRole::Author), [0, 2]);
        assert_eq!(said(CallRole::Judge), [1]);
    }
}
