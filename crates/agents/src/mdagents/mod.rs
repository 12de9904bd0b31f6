//! `mdagents`: decides how hard the case is, and has it answered by one physician, a panel, or teams.

mod answers;
mod compat;
mod panel;
mod recruit;
mod teams;
mod templates;

use crate::AgentOpening;
use crate::asking::{Asking, fingerprint, within};
use crate::names::Names;
use crate::opinion::{OPINION, Opinion};
use answers::{CaseComplexity, Complexity};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use templates::{AnswerAlone, GENERALIST, JudgeComplexity, TRIAGE};
use waterjar_core::{Agent, AgentError, AgentId, ChatModel, Conclusion, Prompt};

/// Told in the README what each one changed.
const VERSION: u32 = 1;

pub struct MdAgents {
    id: AgentId,
    settings: Settings,
    names: Names,
    fingerprint: String,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// On a panel.
    experts: usize,
    /// Of discussion, at most.
    rounds: usize,
    /// As the released code goes, its slips included.
    compat: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { experts: 5, rounds: 5, compat: false }
    }
}

impl MdAgents {
    pub fn open(opening: &AgentOpening) -> Result<Box<dyn Agent>, String> {
        let settings: Settings = opening.settings()?;
        within("experts", settings.experts, 2..=9)?;
        within("rounds", settings.rounds, 1..=10)?;
        let names = Names::of(opening.base);
        let fingerprint = fingerprint(VERSION, &(&settings, names.fingerprint()), templates::ALL);
        Ok(Box::new(Self { id: "mdagents".into(), settings, names, fingerprint }))
    }
}

#[async_trait]
impl Agent for MdAgents {
    fn id(&self) -> &AgentId {
        &self.id
    }

    fn fingerprint(&self) -> String {
        self.fingerprint.clone()
    }

    async fn answer(&self, model: &dyn ChatModel, prompt: &Prompt, repeat: u32) -> Result<Conclusion, AgentError> {
        let asking = Asking { model, prompt, repeat };
        let Settings { experts, rounds, compat } = self.settings;
        if compat {
            return compat::answer(asking, experts, rounds).await;
        }
        let judged: CaseComplexity = asking.ask(TRIAGE, &JudgeComplexity, answers::COMPLEXITY, |_| Ok(())).await?;
        match judged.complexity {
            Complexity::Basic => {
                let alone = asking.ask(GENERALIST, &AnswerAlone, OPINION, Opinion::check).await?;
                Ok(alone.conclude(json!({ "complexity": "basic" })))
            }
            Complexity::Intermediate => panel::answer(asking, &self.names, experts, rounds).await,
            Complexity::Advanced => teams::answer(asking).await,
        }
    }
}
