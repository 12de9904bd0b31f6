//! What answers were made without.

use waterjar_engine::{EngineError, PlannedSuite};
use waterjar_store::Store;

/// A line for each subject and note: `ecr@rules: 12 answers: answered without pubmed: …`
pub async fn lines(store: &Store, planned: &PlannedSuite) -> Result<Vec<String>, EngineError> {
    if !planned.subjects.iter().any(|subject| subject.agent.may_note()) {
        return Ok(Vec::new());
    }
    let notes = store.notes(planned.id()).await?;
    let line = |it: waterjar_store::AnswerNote| {
        let answers = if it.answers == 1 { "answer" } else { "answers" };
        format!("{}, {} {answers}: {}", it.subject, it.answers, it.note)
    };
    let asked = |it: &waterjar_store::AnswerNote| planned.subjects.iter().any(|subject| subject.id == it.subject);
    Ok(notes.into_iter().filter(asked).map(line).collect())
}
