//! Built-in readers of vignettes: they reason and choose an option.

use std::sync::Arc;
use waterjar_agents::AgentOpening;
use waterjar_agents::ecr::evidence::Nothing;
use waterjar_core::{Agent, ChatModel, Seed};
use waterjar_engine::plan::{SubjectMaker, WantedAgent};
use waterjar_knowledge::KnowledgeBase;
use waterjar_models::embedded::vignette::{self, Habit, VignetteReader};

/// Agents that can be asked for a reasoning and an option.
const AGENTS: [&str; 2] = ["plain", "warned"];

pub struct VignetteReaders {
    seed: Seed,
    nothing: Arc<KnowledgeBase>,
}

impl VignetteReaders {
    pub fn new(seed: Seed) -> Self {
        Self { seed, nothing: Arc::new(KnowledgeBase::nothing()) }
    }
}

impl SubjectMaker for VignetteReaders {
    fn agent(&self, wanted: &WantedAgent) -> Result<Arc<dyn Agent>, String> {
        if !AGENTS.contains(&wanted.id) {
            let known = AGENTS.join(", ");
            return Err(format!(
                "agent: `{}` cannot be asked for a reasoning about a vignette; name one of: {known}",
                wanted.id
            ));
        }
        let others = crate::readers::ids().into_iter().chain(crate::advisors::ids());
        if Habit::named(wanted.model).is_none() && others.into_iter().any(|it| it == wanted.model) {
            let known = Habit::ALL.map(Habit::id).join(", ");
            return Err(format!(
                "model: `{}` reads no vignettes; for them there are {known}, or a language model. A subject may name the `suites` it answers",
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
        let habit = Habit::named(model).ok_or_else(|| format!("no reader of vignettes is called `{model}`"))?;
        Ok(Arc::new(VignetteReader::new(habit)))
    }

    fn fingerprint(&self, model: &str) -> String {
        format!("{model} of vignettes v{}", vignette::VERSION)
    }
}

/// Those that other suites do not have.
pub fn ids() -> Vec<&'static str> {
    vec![Habit::Stereotype.id()]
}

/// For `waterjar show models`.
pub fn table() -> Vec<(&'static str, String)> {
    Habit::ALL.map(|habit| (habit.id(), format!("{} (vignettes)", habit.about()))).into()
}
