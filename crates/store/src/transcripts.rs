//! What was said to models and by them, and for which piece of work.

use crate::body::{from_body, to_body};
use crate::insert::{Insert, Row};
use crate::sql::{Value, sql};
use crate::{Store, StoreError};
use serde::{Deserialize, Serialize};
use waterjar_core::{ChatReply, ChatRequest, ModelError, ModelId, Usage};

const INSERT: Insert = Insert {
    into: "INSERT INTO transcripts (role, item, sitting, ord, model, state, course, reply_key, body) VALUES",
    columns: 9,
    conflict: "ON CONFLICT DO NOTHING",
};
// Work that was interrupted and begun anew has several sittings; the last one is what counts.
const OF_ITEM: &str = "SELECT t.ord, t.model, t.state, t.course, t.body, r.request, r.reply \
    FROM transcripts t LEFT JOIN replies r ON r.key = t.reply_key \
    WHERE t.role = $1 AND t.item = $2 \
      AND t.sitting = (SELECT MAX(sitting) FROM transcripts WHERE role = $1 AND item = $2) \
    ORDER BY t.ord";

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallRole {
    Author,
    Subject,
    Judge,
    /// Asked outside any known piece of work.
    Other,
}

/// One call of a model as it went. It holds no key of any vendor, because requests, replies and errors hold none.
#[derive(Clone, Copy, Debug)]
pub struct NewCall<'a> {
    pub role: CallRole,
    /// The piece of work it was for.
    pub item: &'a str,
    /// When that work was begun, in milliseconds since 1970.
    pub sitting: i64,
    /// The call's place in the work, counted from 0.
    pub ord: u32,
    pub model: &'a ModelId,
    pub request: &'a ChatRequest,
    pub outcome: Result<&'a ChatReply, &'a ModelError>,
    pub course: &'a Course,
    /// Set when the reply is in `replies`: what was said is then not stored again.
    pub reply_key: Option<&'a str>,
}

/// How a call went, whatever came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Course {
    /// Answered from what was asked before.
    pub cached: bool,
    /// How often the vendor was asked.
    pub attempts: u32,
    /// Milliseconds since 1970.
    pub began: i64,
    /// Milliseconds, waiting included.
    pub took: u64,
    /// Milliseconds of that spent waiting for our own limits.
    pub queued: u64,
    pub usage: Usage,
    /// Millionths of a millionth of a dollar; `None` where the price is unknown.
    pub picodollars: Option<u64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct StoredCall {
    pub ord: u32,
    pub model: ModelId,
    /// `ok` or the kind of error.
    pub state: String,
    pub course: Course,
    pub request: ChatRequest,
    /// The error as it was told, where there is no reply.
    pub outcome: Result<ChatReply, String>,
}

impl CallRole {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Author => "author",
            Self::Subject => "subject",
            Self::Judge => "judge",
            Self::Other => "other",
        }
    }
}

impl Store {
    /// The calls made for a piece of work, in their order.
    pub async fn transcript(&self, role: CallRole, item: &str) -> Result<Vec<StoredCall>, StoreError> {
        let rows: Vec<CallRow> = self.database.rows(sql(OF_ITEM).bind(role.as_str()).bind(item)).await?;
        rows.into_iter().map(|row| read(row, item)).collect()
    }
}

/// What is kept in `body`.
#[derive(Serialize)]
struct Said<'a> {
    request: &'a ChatRequest,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<&'a ChatReply>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Deserialize)]
struct SaidBefore {
    request: ChatRequest,
    reply: Option<ChatReply>,
    error: Option<String>,
}

/// ord, model, state, course, body, and request and reply from `replies`.
type CallRow = (i64, String, String, String, Option<String>, Option<String>, Option<String>);

fn read((ord, model, state, course, body, request, reply): CallRow, item: &str) -> Result<StoredCall, StoreError> {
    let (request, outcome) = match (body, request, reply) {
        (Some(body), _, _) => {
            let said: SaidBefore = from_body("transcripts", item, &body)?;
            (said.request, said.reply.ok_or_else(|| said.error.unwrap_or_default()))
        }
        (None, Some(request), Some(reply)) => {
            (from_body("replies", item, &request)?, Ok(from_body("replies", item, &reply)?))
        }
        _ => {
            let problem = "what was said is not there".to_owned();
            return Err(StoreError::Body { table: "transcripts", id: item.to_owned(), problem });
        }
    };
    let course = from_body("transcripts", item, &course)?;
    let ord = u32::try_from(ord).unwrap_or(u32::MAX);
    Ok(StoredCall { ord, model: ModelId::new(model), state, course, request, outcome })
}

#[derive(Debug)]
pub(crate) struct TranscriptRow {
    role: &'static str,
    item: String,
    sitting: i64,
    ord: i64,
    model: String,
    state: &'static str,
    course: String,
    reply_key: Option<String>,
    body: Option<String>,
}

impl TranscriptRow {
    pub fn of(new: &NewCall<'_>) -> Result<Self, StoreError> {
        let reply_key = new.reply_key.filter(|_| new.outcome.is_ok());
        let body = match reply_key {
            Some(_) => None,
            None => {
                let said = Said {
                    request: new.request,
                    reply: new.outcome.ok(),
                    error: new.outcome.err().map(ToString::to_string),
                };
                Some(to_body("transcripts", new.item, &said)?)
            }
        };
        Ok(Self {
            role: new.role.as_str(),
            item: new.item.to_owned(),
            sitting: new.sitting,
            ord: i64::from(new.ord),
            model: new.model.as_str().to_owned(),
            state: new.outcome.map_or_else(state_of, |_| "ok"),
            course: to_body("transcripts", new.item, new.course)?,
            reply_key: reply_key.map(str::to_owned),
            body,
        })
    }
}

fn state_of(error: &ModelError) -> &'static str {
    match error {
        ModelError::InvalidOutput(_) => "invalid_output",
        ModelError::Refused(_) => "refused",
        ModelError::Timeout(_) => "timeout",
        ModelError::Transport(_) => "transport",
        ModelError::RateLimited { .. } => "rate_limited",
        ModelError::Endpoint { .. } => "endpoint",
        ModelError::Rejected { .. } => "rejected",
        ModelError::SchemaUnsupported(_) => "schema_unsupported",
        ModelError::Budget(_) => "budget",
        ModelError::Forbidden(_) => "forbidden",
        ModelError::Stopped => "stopped",
        ModelError::Closed(_) => "closed",
        ModelError::Charged { error, .. } => state_of(error),
    }
}

impl Row for TranscriptRow {
    const INSERT: Insert = INSERT;

    fn long(&self) -> usize {
        self.course.len() + self.body.as_ref().map_or(0, String::len)
    }

    fn values(self, into: &mut Vec<Value>) {
        into.extend([
            self.role.into(),
            self.item.into(),
            self.sitting.into(),
            self.ord.into(),
            self.model.into(),
            self.state.into(),
            self.course.into(),
            self.reply_key.into(),
            self.body.into(),
        ]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NewReply;
    use crate::sample::new_run;

    #[tokio::test]
    async fn a_call_comes_back_as_it_went() {
        let run = new_run().await;
        let (model, request, reply) = (ModelId::from("m"), ChatRequest::new("s", "u", 3), ChatReply::text("yes"));
        let error = ModelError::Rejected { status: 400, message: "too long".to_owned() };
        let usage = Usage { input: 7, output: 5, cached_input: 3, reasoning: 2 };
        let course = Course { cached: true, attempts: 2, began: 9, took: 40, queued: 30, usage, picodollars: Some(12) };
        let call = NewCall {
            role: CallRole::Subject,
            item: "w",
            sitting: 1,
            ord: 0,
            model: &model,
            request: &request,
            outcome: Ok(&reply),
            course: &course,
            reply_key: Some("k"),
        };
        let writer = run.store.writer();
        writer.reply(&NewReply { key: "k", model: &model, request: &request, reply: &reply }).await.unwrap();
        writer.call(&call).await.unwrap();
        writer.call(&NewCall { ord: 1, reply_key: None, ..call }).await.unwrap();
        writer.call(&NewCall { ord: 2, outcome: Err(&error), ..call }).await.unwrap();
        writer.call(&NewCall { role: CallRole::Judge, ..call }).await.unwrap();
        writer.flush().await.unwrap();

        let calls = run.store.transcript(CallRole::Subject, "w").await.unwrap();
        assert_eq!(calls.len(), 3);
        assert!(calls.iter().all(|call| call.course == course && call.request == request && call.model == model));
        assert_eq!(calls[0].outcome, Ok(reply.clone()));
        assert_eq!(calls[1].outcome, Ok(reply.clone()));
        assert_eq!(calls[2].outcome, Err(error.to_string()));
        assert_eq!(calls[2].state, "rejected");

        // Begun anew: the last sitting is the transcript, however short.
        writer.call(&NewCall { sitting: 2, ..call }).await.unwrap();
        writer.flush().await.unwrap();
        assert_eq!(run.store.transcript(CallRole::Subject, "w").await.unwrap().len(), 1);
    }
}
