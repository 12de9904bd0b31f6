//! Built-in readers of vignettes: they reason and choose an option.

use crate::makers;
use std::sync::Arc;
use waterjar_core::{Agent, ChatModel, Seed};
use waterjar_engine::plan::{SubjectMaker, WantedAgent};
use waterjar_models::embedded::vignette::{self, Habit, VignetteReader};

/// Agents that can be asked for a reasoning and an option.
const AGENTS: [&str; 2] = ["plain", "warned"];

pub struct VignetteReaders {
    seed: Seed,
}

impl VignetteReaders {
    pub fn new(seed: Seed) -> Self {
        Self { seed }
    }
}

impl SubjectMaker for VignetteReaders {
    fn agent(&self, wanted: &WantedAgent) -> Result<Arc<dyn Agent>, String> {
        let own = Habit::ALL.map(Habit::id);
        if makers::is_anothers(wanted.model, &own) {
            return Err(format!(
                "model: `{}` reads no vignettes; for them there are {}, or a language model. A subject may name the `suites` it answers",
                wanted.model,
                own.join(", ")
            ));
        }
        makers::open_agent(wanted, self.seed, &AGENTS, "cannot be asked for a reasoning about a vignette")
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
