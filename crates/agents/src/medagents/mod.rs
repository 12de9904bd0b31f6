//! `medagents`: consultants of several fields analyse, agree on a report, and the diagnosis is made from it.

mod answers;
mod consultation;
mod templates;

use crate::AgentOpening;
use crate::asking::{Asking, fingerprint, within};
use async_trait::async_trait;
use consultation::Consultation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use waterjar_core::{Agent, AgentError, AgentId, ChatModel, Conclusion, Prompt};

/// Told in the README what each one changed.
const VERSION: u32 = 1;

pub struct MedAgents {
    id: AgentId,
    settings: Settings,
    fingerprint: String,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// Fields whose consultants are called in.
    domains: usize,
    /// Rounds of voting on the report, at most.
    votes: usize,
    /// The key knowledge of a report is lost on the way, as in the released code.
    compat: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { domains: 5, votes: 3, compat: false }
    }
}

impl MedAgents {
    pub fn open(opening: &AgentOpening) -> Result<Box<dyn Agent>, String> {
        let settings: Settings = opening.settings()?;
        within("domains", settings.domains, 1..=9)?;
        within("votes", settings.votes, 1..=10)?;
        let fingerprint = fingerprint(VERSION, &settings, templates::ALL);
        Ok(Box::new(Self { id: "medagents".into(), settings, fingerprint }))
    }
}

#[async_trait]
impl Agent for MedAgents {
    fn id(&self) -> &AgentId {
        &self.id
    }

    fn fingerprint(&self) -> String {
        self.fingerprint.clone()
    }

    async fn answer(&self, model: &dyn ChatModel, prompt: &Prompt, repeat: u32) -> Result<Conclusion, AgentError> {
        let Settings { domains, votes, compat } = self.settings;
        let asking = Asking { model, prompt, repeat };
        Consultation { asking, domains, votes, without_knowledge: compat }.hold().await
    }
}
