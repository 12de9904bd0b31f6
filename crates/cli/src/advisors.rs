//! Built-in readers of charts: they answer with recommendations.

use crate::makers;
use async_trait::async_trait;
use std::sync::Arc;
use waterjar_charts::advice::{self, Advisor, Reading};
use waterjar_core::{Agent, ChatModel, ChatReply, ChatRequest, ModelError, ModelId, Seed};
use waterjar_engine::plan::{SubjectMaker, WantedAgent};

/// Agents that can be asked about a chart.
const AGENTS: [&str; 3] = ["plain", "react", "retrieved"];

pub struct Advisors {
    seed: Seed,
}

impl Advisors {
    pub fn new(seed: Seed) -> Self {
        Self { seed }
    }
}

impl SubjectMaker for Advisors {
    fn agent(&self, wanted: &WantedAgent) -> Result<Arc<dyn Agent>, String> {
        if makers::is_anothers(wanted.model, &ids()) {
            let known = ids().join(", ");
            return Err(format!(
                "model: `{}` reads no charts; for them there are {known}, or a language model",
                wanted.model
            ));
        }
        if ["react", "retrieved"].contains(&wanted.id) && Advisor::named(wanted.model).is_some() {
            return Err(format!(
                "model: `{}` reads a whole chart and calls no tool; ask it with `plain`",
                wanted.model
            ));
        }
        makers::open_agent(wanted, self.seed, &AGENTS, "names diagnoses and cannot be asked about a chart")
    }

    fn model(&self, model: &str) -> Result<Arc<dyn ChatModel>, String> {
        let advisor = Advisor::named(model).ok_or_else(|| format!("no reader of charts is called `{model}`"))?;
        Ok(Arc::new(ChartReader { id: model.into(), advisor }))
    }

    fn fingerprint(&self, model: &str) -> String {
        format!("{model} v{}", advice::VERSION)
    }
}

pub fn ids() -> Vec<&'static str> {
    Advisor::ALL.map(Advisor::id).into()
}

/// For `waterjar show models`.
pub fn table() -> Vec<(&'static str, String)> {
    Advisor::ALL.map(|advisor| (advisor.id(), format!("{} (charts)", advisor.about()))).into()
}

/// Asked for a summary it says what it read; asked for a list, what it recommends.
struct ChartReader {
    id: ModelId,
    advisor: Advisor,
}

#[async_trait]
impl ChatModel for ChartReader {
    fn id(&self) -> &ModelId {
        &self.id
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let text = request.last_user_text();
        let cannot = |why: String| ModelError::InvalidOutput(format!("{}: {why}", self.id));
        // A summary of its own is a reading already.
        let reading = serde_json::from_str(text).unwrap_or_else(|_| Reading::of(text));
        if request.schema.is_none() {
            let told = serde_json::to_string(&reading).map_err(|error| cannot(error.to_string()))?;
            return Ok(ChatReply::text(told));
        }
        let list = self.advisor.recommend(&reading).map_err(|error| cannot(error.to_string()))?;
        Ok(ChatReply::text(serde_json::to_string(&list).map_err(|error| cannot(error.to_string()))?))
    }
}
