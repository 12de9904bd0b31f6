//! What agents noted beside their answers: a source they had to do without.

use crate::sql::sql;
use crate::{Store, StoreError};
use waterjar_core::{SubjectId, SuiteId};

// Few answers have notes, and a search in the text is quicker than reading every body as JSON. Within a string the quotes would be escaped.
const NOTES: &str = "SELECT r.subject, note.value, COUNT(*) \
    FROM responses r JOIN families f ON f.suite = r.suite AND f.position = r.position, \
        json_each(r.body, '$.ending.ok.record.notes') note \
    WHERE r.suite = $1 AND f.state = 'kept' AND r.state = 'ok' AND instr(r.body, '\"notes\":[') > 0 \
    GROUP BY r.subject, note.value ORDER BY r.subject, note.value";

/// A note, and how many answers of the subject have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerNote {
    pub subject: SubjectId,
    pub note: String,
    pub answers: u64,
}

const NOTES_ON_A_SERVER: &str = "SELECT r.subject, note.value, COUNT(*) \
    FROM responses r JOIN families f ON f.suite = r.suite AND f.position = r.position, \
        json_array_elements_text(r.body::json #> '{ending,ok,record,notes}') AS note (value) \
    WHERE r.suite = $1 AND f.state = 'kept' AND r.state = 'ok' AND strpos(r.body, '\"notes\":[') > 0 \
    GROUP BY r.subject, note.value ORDER BY r.subject, note.value COLLATE \"C\"";

impl Store {
    /// The notes of all answers to the kept families, each once for a subject.
    pub async fn notes(&self, suite: &SuiteId) -> Result<Vec<AnswerNote>, StoreError> {
        let rows: Vec<(String, String, i64)> = self
            .database
            .rows(sql(if self.is_shared() { NOTES_ON_A_SERVER } else { NOTES }).bind(suite.as_str()))
            .await?;
        let note = |(subject, note, answers): (String, String, i64)| AnswerNote {
            subject: SubjectId::new(subject),
            note,
            answers: u64::try_from(answers).unwrap_or(0),
        };
        Ok(rows.into_iter().map(note).collect())
    }
}
