//! Subjects that answer elsewhere: another tool asks them, and `waterjar import` brings what they said. A run judges, measures and reports them
//! like any other and never asks them; what was not brought is missing.

use super::{PlannedSubject, PlannedSuite};
use async_trait::async_trait;
use std::sync::Arc;
use waterjar_core::{Agent, AgentError, AgentId, ChatModel, Conclusion, Prompt};

/// What a study names as the `agent` of such a subject.
pub const ELSEWHERE: &str = "elsewhere";

impl PlannedSubject {
    pub fn is_elsewhere(&self) -> bool {
        self.agent.id().as_str() == ELSEWHERE
    }
}

impl PlannedSuite {
    /// The subjects that the run itself asks.
    pub fn asked(&self) -> impl Iterator<Item = &PlannedSubject> {
        self.subjects.iter().filter(|subject| !subject.is_elsewhere())
    }
}

pub(super) fn agent() -> Arc<dyn Agent> {
    Arc::new(Elsewhere(ELSEWHERE.into()))
}

struct Elsewhere(AgentId);

#[async_trait]
impl Agent for Elsewhere {
    fn id(&self) -> &AgentId {
        &self.0
    }

    async fn answer(&self, _: &dyn ChatModel, _: &Prompt, _: u32) -> Result<Conclusion, AgentError> {
        Err(AgentError::InvalidOutput("it answers elsewhere and cannot be asked here".to_owned()))
    }
}
