//! Built-in readers of charts: they answer with recommendations.

use async_trait::async_trait;
use std::sync::Arc;
use waterjar_agents::AgentOpening;
use waterjar_agents::ecr::evidence::Nothing;
use waterjar_charts::advice::{self, Advisor, Reading};
use waterjar_core::{Agent, ChatModel, ChatReply, ChatRequest, ModelError, ModelId, Seed};
use waterjar_engine::plan::{SubjectMaker, WantedAgent};
use waterjar_knowledge::KnowledgeBase;

/// Agents that can be asked about a chart.
const AGENTS: [&str; 3] = ["plain", "react", "retrieved"];

pub struct Advisors {
    seed: Seed,
    nothing: Arc<KnowledgeBase>,
}

impl Advisors {
    pub fn new(seed: Seed) -> Self {
        Self { seed, nothing: Arc::new(KnowledgeBase::nothing()) }
    }
}

impl SubjectMaker for Advisors {
    fn agent(&self, wanted: &WantedAgent) -> Result<Arc<dyn Agent>, String> {
        if !AGENTS.contains(&wanted.id) {
            let known = AGENTS.join(", ");
            return Err(format!(
                "agent: `{}` names diagnoses and cannot be asked about a chart; name one of: {known}",
                wanted.id
            ));
        }
        let is_other_reader =
            crate::readers::ids().contains(&wanted.model) || crate::vignettes::ids().contains(&wanted.model);
        if is_other_reader {
            let known = ids().join(", ");
            return Err(format!(
                "model: `{}` reads no charts; for them there are {known}, or a language model",
                wanted.model
            ));
        }
        if wanted.id != "plain" && Advisor::named(wanted.model).is_some() {
            return Err(format!(
                "model: `{}` reads a whole chart and calls no tool; ask it with `plain`",
                wanted.model
            ));
        }
        let kind = waterjar_agents::all().iter().find(|kind| kind.id == wanted.id);
        let kind = kind.ok_or_else(|| format!("agent: no agent is called `{}`", wanted.id))?;
        let opening = AgentOpening {
            settings: wanted.settings,
            rules: false,
            seed: self.seed,
            folder: wanted.folder,
            asked: wanted.asked,
            base: &self.nothing,
            library: &Nothing,
        };
        Ok((kind.open)(&opening)?.into())
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
