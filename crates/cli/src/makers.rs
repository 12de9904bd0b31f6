//! What the makers of subjects share: which agents can be asked, and whose model is whose.

use crate::{advisors, letters, readers, vignettes};
use std::sync::Arc;
use waterjar_agents::AgentOpening;
use waterjar_agents::ecr::evidence::Nothing;
use waterjar_core::{Agent, Seed};
use waterjar_engine::plan::WantedAgent;
use waterjar_knowledge::KnowledgeBase;

/// Opens an agent that looks nothing up. `cannot` says of any other than `agents` what it cannot do.
pub fn open_agent(wanted: &WantedAgent, seed: Seed, agents: &[&str], cannot: &str) -> Result<Arc<dyn Agent>, String> {
    if !agents.contains(&wanted.id) {
        return Err(format!("agent: `{}` {cannot}; name one of: {}", wanted.id, agents.join(", ")));
    }
    let kind = waterjar_agents::all().iter().find(|kind| kind.id == wanted.id);
    let kind = kind.ok_or_else(|| format!("agent: no agent is called `{}`", wanted.id))?;
    let opening = AgentOpening {
        settings: wanted.settings,
        rules: false,
        seed,
        folder: wanted.folder,
        asked: wanted.asked,
        base: &Arc::new(KnowledgeBase::nothing()),
        library: &Nothing,
    };
    Ok((kind.open)(&opening)?.into())
}

/// Every built-in model, each once.
pub fn ids() -> Vec<&'static str> {
    [readers::ids(), advisors::ids(), vignettes::ids(), letters::ids()].concat()
}

/// Whether a model is built in, but not for what `own` are for.
pub fn is_anothers(model: &str, own: &[&str]) -> bool {
    ids().contains(&model) && !own.contains(&model)
}

/// For `waterjar show models`: a name that means one thing in one suite and another in the next stands once.
pub fn table() -> Vec<(&'static str, String)> {
    let mut rows: Vec<(&'static str, String)> = Vec::new();
    for (name, about) in [readers::table(), advisors::table(), vignettes::table(), letters::table()].concat() {
        match rows.iter_mut().find(|(known, _)| *known == name) {
            Some((_, told)) => told.push_str(&format!("; or {about}")),
            None => rows.push((name, about)),
        }
    }
    rows
}
