//! A judge that gives no word, and how suites take that.

use async_trait::async_trait;
use std::sync::Arc;
use waterjar_core::{
    ChatModel, ChatReply, ChatRequest, Family, FamilyVerdict, ModelError, ModelId, Suite, SuiteContext, SuiteError,
};

struct Fails {
    id: ModelId,
    error: ModelError,
}

#[async_trait]
impl ChatModel for Fails {
    fn id(&self) -> &ModelId {
        &self.id
    }

    async fn chat(&self, _: &ChatRequest) -> Result<ChatReply, ModelError> {
        Err(self.error.clone())
    }
}

async fn judged(
    suite: &dyn Suite,
    ctx: &SuiteContext,
    family: &Family,
    error: ModelError,
) -> Result<FamilyVerdict, SuiteError> {
    let judge: Arc<dyn ChatModel> = Arc::new(Fails { id: ModelId::new("other/judge"), error });
    suite.judge(&SuiteContext { judges: vec![judge], ..ctx.clone() }, family).await
}

/// Who is asked no more has said nothing, and there is no verdict.
pub async fn check_over(suite: &dyn Suite, ctx: &SuiteContext, family: &Family) {
    for error in [ModelError::Stopped, ModelError::Closed("until tomorrow".to_owned())] {
        let ended = judged(suite, ctx, family, error.clone()).await;
        assert!(matches!(&ended, Err(SuiteError::Model(it)) if *it == error), "{error}: {ended:?}");
    }
}

/// Who is out is noted, with the reason: an outage can be told from a word that cannot be used.
pub async fn check_out(suite: &dyn Suite, ctx: &SuiteContext, family: &Family) {
    let too_long = ModelError::Rejected { status: 413, message: "too long".to_owned() };
    for (error, of_question) in [(ModelError::Transport("no route".to_owned()), false), (too_long, true)] {
        let verdict = judged(suite, ctx, family, error.clone()).await.unwrap();
        let silent: Vec<_> = verdict.rulings.iter().flat_map(|ruling| &ruling.silent).collect();
        assert!(!silent.is_empty(), "{error}");
        for it in silent {
            assert_eq!((it.judge.as_str(), it.failure.state.as_str()), ("other/judge", "transport_error"));
            assert_eq!((it.failure.detail.as_str(), it.failure.of_question), (error.to_string().as_str(), of_question));
        }
    }
}
