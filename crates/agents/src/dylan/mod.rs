//! `dylan`: agents debate in rounds and score each other; the best two go on; two thirds in agreement end it.

mod answers;
mod importance;
mod network;
mod templates;

use crate::AgentOpening;
use crate::asking::{Asking, fingerprint, within};
use crate::names::Names;
use async_trait::async_trait;
use network::Network;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use waterjar_core::{Agent, AgentError, AgentId, ChatModel, Conclusion, Prompt, Seed};

/// Told in the README what each one changed.
const VERSION: u32 = 1;

pub struct Dylan {
    id: AgentId,
    settings: Settings,
    names: Names,
    seed: Seed,
    fingerprint: String,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// Who debates: a role each.
    agents: Vec<String>,
    rounds: usize,
    /// The two that go on are drawn by lot, as in the released code.
    compat: bool,
}

impl Default for Settings {
    /// Two generalists and two specialists.
    fn default() -> Self {
        let agents = ["general practitioner", "emergency physician", "cardiologist", "pulmonologist"];
        Self { agents: agents.map(str::to_owned).to_vec(), rounds: 3, compat: false }
    }
}

impl Dylan {
    pub fn open(opening: &AgentOpening) -> Result<Box<dyn Agent>, String> {
        let settings: Settings = opening.settings()?;
        within("agents", settings.agents.len(), 2..=9)?;
        within("rounds", settings.rounds, 1..=6)?;
        for (at, role) in settings.agents.iter().enumerate() {
            let same = |other: &String| other.trim().eq_ignore_ascii_case(role.trim());
            if role.trim().is_empty() || settings.agents[..at].iter().any(same) {
                return Err(format!("agents: `{role}` must be a role of its own"));
            }
        }
        let names = Names::of(opening.base);
        let seed = opening.seed;
        let fingerprint = fingerprint(VERSION, &(&settings, names.fingerprint(), seed), templates::ALL);
        Ok(Box::new(Self { id: "dylan".into(), settings, names, seed, fingerprint }))
    }
}

#[async_trait]
impl Agent for Dylan {
    fn id(&self) -> &AgentId {
        &self.id
    }

    fn fingerprint(&self) -> String {
        self.fingerprint.clone()
    }

    async fn answer(&self, model: &dyn ChatModel, prompt: &Prompt, repeat: u32) -> Result<Conclusion, AgentError> {
        let network = Network {
            asking: Asking { model, prompt, repeat },
            names: &self.names,
            seed: self.seed,
            roles: &self.settings.agents,
            rounds: self.settings.rounds,
            random_pair: self.settings.compat,
        };
        network.debate().await
    }
}
