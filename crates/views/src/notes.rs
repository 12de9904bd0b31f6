//! What answers were made without, and who was asked no further.

use waterjar_engine::passes::stopping::{Reach, reaches};
use waterjar_engine::{EngineError, Plan, PlannedSuite};
use waterjar_store::Store;

/// A line for each subject and note: `ecr@rules: 12 answers: answered without pubmed: …`
pub async fn lines(plan: &Plan, store: &Store, planned: &PlannedSuite) -> Result<Vec<String>, EngineError> {
    let mut lines = stopped(plan, store, planned).await?;
    if !planned.subjects.iter().any(|subject| subject.agent.may_note()) {
        return Ok(lines);
    }
    let notes = store.notes(planned.id()).await?;
    let line = |it: waterjar_store::AnswerNote| {
        let answers = if it.answers == 1 { "answer" } else { "answers" };
        format!("{}, {} {answers}: {}", it.subject, it.answers, it.note)
    };
    let asked = |it: &waterjar_store::AnswerNote| planned.subjects.iter().any(|subject| subject.id == it.subject);
    lines.extend(notes.into_iter().filter(asked).map(line));
    Ok(lines)
}

/// A line for each subject that was asked no further, as the study declares.
pub async fn stopped(plan: &Plan, store: &Store, planned: &PlannedSuite) -> Result<Vec<String>, EngineError> {
    let reaches = reaches(plan, planned, store).await?;
    let all = if reaches.is_empty() { 0 } else { store.counts(planned.id()).await?.kept };
    let line = |(subject, reach): (_, Reach)| {
        let why = reach.stopped?;
        Some(format!("{subject}: stopped after {} of {all} families, as the study declares: {why}", reach.families))
    };
    Ok(reaches.into_iter().filter_map(line).collect())
}
