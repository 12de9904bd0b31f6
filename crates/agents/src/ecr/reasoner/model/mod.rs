//! A language model at every stage: six questions a case, each for a type, each answer checked before it is used.

mod audit;
mod critic;
mod features;
mod intuition;
mod known;
mod quotes;
mod relations;
mod representation;
mod second_look;
#[cfg(test)]
mod tests;

pub use critic::ModelCritic;

use super::stages::{
    FeatureKind, Intuition, Knowledge, KnowledgeNode, Opinion, Reexamination, Relations, Representation,
};
use super::{Auditing, Differing, Reasoner, Relating, Sight};
use crate::asking::{Asking, fingerprint};
use async_trait::async_trait;
use waterjar_core::AgentError;

/// Told in the README what each one changed.
pub const VERSION: u32 = 1;

const ROLE: &str = include_str!("prompts/role.md");

/// Every prompt, for the fingerprint.
const PROMPTS: &[&str] = &[
    ROLE,
    include_str!("prompts/candidates.md"),
    include_str!("prompts/facts.md"),
    include_str!("prompts/feedback.md"),
    include_str!("prompts/intuition.md"),
    include_str!("prompts/representation.md"),
    include_str!("prompts/features.md"),
    include_str!("prompts/relations.md"),
    include_str!("prompts/second_look.md"),
    include_str!("prompts/audit.md"),
];

/// Asks the subject's model. What breaks a schema or a check is asked again once, quoting the fault; then the case has failed.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModelReasoner;

#[async_trait]
impl Reasoner for ModelReasoner {
    fn fingerprint(&self) -> String {
        format!("model reasoner, {}", fingerprint(VERSION, &(), PROMPTS))
    }

    async fn intuit(&self, sight: &Sight<'_>, most: usize) -> Result<Intuition, AgentError> {
        intuition::ask(sight, most).await
    }

    async fn represent(&self, sight: &Sight<'_>) -> Result<Representation, AgentError> {
        representation::ask(sight).await
    }

    async fn tell_apart(&self, sight: &Sight<'_>, about: &Differing<'_>) -> Result<Knowledge, AgentError> {
        let mut knowledge = features::ask(sight, about).await?;
        if !about.pivots {
            // The ablation holds whatever the model says.
            knowledge.features.iter_mut().for_each(|it| it.kind = FeatureKind::General);
        }
        Ok(knowledge)
    }

    async fn relate(&self, sight: &Sight<'_>, about: &Relating<'_>) -> Result<Relations, AgentError> {
        relations::ask(sight, about).await
    }

    async fn reexamine(&self, sight: &Sight<'_>, expected: &[&KnowledgeNode]) -> Result<Reexamination, AgentError> {
        second_look::ask(sight, expected).await
    }

    async fn audit(&self, sight: &Sight<'_>, about: &Auditing<'_>) -> Result<Opinion, AgentError> {
        audit::ask(sight, about).await
    }
}

/// Every question carries the patient and the repeat.
fn asking<'a>(sight: &Sight<'a>) -> Asking<'a> {
    Asking { model: sight.model, prompt: sight.prompt, repeat: sight.repeat }
}
