//! The control flow of the released code, so that figures published with it can be imitated: every agent is a chat that is
//! told its role twice; a silent turn ends the discussion without final answers; the decision maker reads one report.
//!
//! Replies are read as everywhere here: its parsing by splitting text, and the crashes that come with it, are not imitated.

mod chat;
mod panel;
mod teams;

use super::answers::{self, CaseComplexity, Complexity};
use super::templates::{AnswerAlone, GENERALIST, JudgeComplexity, TRIAGE};
use crate::asking::Asking;
use crate::opinion::{OPINION, Opinion};
use chat::Chat;
use serde_json::json;
use waterjar_core::{AgentError, Conclusion};

pub(super) async fn answer(asking: Asking<'_>, experts: usize, rounds: usize) -> Result<Conclusion, AgentError> {
    let mut triage = Chat::primed(asking, TRIAGE).await?;
    let judged: CaseComplexity = triage.ask(&JudgeComplexity, answers::COMPLEXITY, |_| Ok(())).await?;
    match judged.complexity {
        Complexity::Basic => {
            let mut alone = Chat::primed(asking, GENERALIST).await?;
            let said = alone.ask(&AnswerAlone, OPINION, Opinion::check).await?;
            Ok(said.conclude(json!({ "complexity": "basic", "compat": true })))
        }
        Complexity::Intermediate => panel::answer(asking, experts, rounds).await,
        Complexity::Advanced => teams::answer(asking).await,
    }
}
