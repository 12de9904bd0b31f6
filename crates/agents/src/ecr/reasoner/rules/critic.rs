//! The rules' critic: it compares what the patient says with the illness graphs of the right condition and of the one that was answered.

use crate::ecr::reasoner::stages::{Feedback, Status};
use crate::ecr::reasoner::{Critic, Criticising, Sight};
use async_trait::async_trait;
use waterjar_core::AgentError;

#[derive(Clone, Copy, Debug, Default)]
pub struct RulesCritic;

#[async_trait]
impl Critic for RulesCritic {
    fn fingerprint(&self) -> String {
        "rules critic v1".to_owned()
    }

    async fn feedback(&self, _: &Sight<'_>, about: &Criticising<'_>) -> Result<Feedback, AgentError> {
        let share =
            |graph: Option<&crate::ecr::memory::IllnessGraph>, content: &str| graph.map(|graph| graph.share(content));
        let mut feedback = Feedback::default();
        for node in about.patient.nodes.iter().filter(|node| node.status == Status::Present) {
            let right = share(about.illness_of_right, &node.content);
            let wrong = share(about.illness_of_answered, &node.content);
            match (right, wrong) {
                (Some(right), Some(wrong)) if right > 2.0 * wrong => feedback.ignored.push(node.content.clone()),
                (Some(right), Some(wrong)) if wrong > 2.0 * right => feedback.misleading.push(node.content.clone()),
                _ => {}
            }
        }
        feedback.advice = match feedback.ignored.first() {
            Some(first) => format!("“{first}” should have decided, and {} more like it.", feedback.ignored.len() - 1),
            None => "No known feature tells the right condition from the answer yet.".to_owned(),
        };
        Ok(feedback)
    }
}
