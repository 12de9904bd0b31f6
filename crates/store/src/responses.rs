//! What subjects answered, or why they did not.

use crate::body::{from_body, to_body};
use crate::insert::{Insert, Row, Statement};
use crate::page::kept_page;
use crate::{Page, Store, StoreError};
use std::collections::HashSet;
use waterjar_core::{Ending, FailureState, FamilyId, Response, SuiteId};

// The same key again changes nothing. Another key means that what was asked has changed: the old answer is no answer to it.
const INSERT: Insert = Insert {
    into: "INSERT INTO responses (suite, variant, subject, repeat, family, key, state, body) VALUES",
    columns: 8,
    conflict: "ON CONFLICT (suite, variant, subject, repeat) DO UPDATE SET \
        key = excluded.key, state = excluded.state, body = excluded.body \
        WHERE responses.key <> excluded.key",
};
const ANSWERED: &str = "SELECT key FROM responses WHERE key IN";
const PAGE: &str = concat!(
    "SELECT f.position, f.id, r.key, r.body FROM ",
    kept_page!(),
    " JOIN variants v ON v.suite = f.suite AND v.family = f.id \
      LEFT JOIN responses r ON r.suite = v.suite AND r.variant = v.id \
      ORDER BY f.position, v.ord, r.subject, r.repeat"
);

#[derive(Clone, Debug, PartialEq)]
pub struct NewResponse {
    /// A hash of all that was asked: suite, variant, subject, repeat and their content. Two questions never share one.
    pub key: String,
    pub suite: SuiteId,
    pub family: FamilyId,
    pub response: Response,
}

#[derive(Clone, Debug, PartialEq)]
pub struct StoredResponse {
    pub position: i64,
    pub family: FamilyId,
    pub key: String,
    pub response: Response,
}

impl Store {
    /// Those of the keys that have a response, whether an answer or a failure.
    pub async fn answered(&self, keys: &[String]) -> Result<HashSet<String>, StoreError> {
        let mut answered = HashSet::with_capacity(keys.len());
        for chunk in keys.chunks(MOST_KEYS) {
            let mut sql = format!("{ANSWERED} (");
            for n in 1..=chunk.len() {
                sql.push_str(if n == 1 { "$" } else { ", $" });
                sql.push_str(&n.to_string());
            }
            sql.push(')');
            // Safe: a constant and numbered placeholders.
            let mut statement = sqlx::query_scalar(sqlx::AssertSqlSafe(sql));
            for key in chunk {
                statement = statement.bind(key);
            }
            let found: Vec<String> = statement.fetch_all(&self.reading).await.map_err(|error| self.wrong(&error))?;
            answered.extend(found);
        }
        Ok(answered)
    }

    /// All responses to the kept families after a position, ordered by family, variant, subject, repeat. `limit` counts families.
    pub async fn responses_page(
        &self,
        suite: &SuiteId,
        after: i64,
        limit: u32,
    ) -> Result<Page<StoredResponse>, StoreError> {
        let rows: Vec<PageRow> = sqlx::query_as(PAGE)
            .bind(suite.as_str())
            .bind(after)
            .bind(i64::from(limit))
            .fetch_all(&self.reading)
            .await
            .map_err(|error| self.wrong(&error))?;
        let positions: Vec<i64> = rows.iter().map(|row| row.0).collect();
        let items = rows.into_iter().filter_map(read).collect::<Result<_, _>>()?;
        Ok(Page::new(items, &positions, limit))
    }
}

type PageRow = (i64, String, Option<String>, Option<String>);

/// `None` for a variant nobody has answered.
fn read((position, family, key, body): PageRow) -> Option<Result<StoredResponse, StoreError>> {
    let (key, body) = key.zip(body)?;
    let response = from_body("responses", &key, &body);
    Some(response.map(|response| StoredResponse { position, family: FamilyId::new(family), key, response }))
}

const MOST_KEYS: usize = 256;

#[derive(Debug)]
pub(crate) struct ResponseRow {
    suite: String,
    variant: String,
    subject: String,
    repeat: i64,
    family: String,
    key: String,
    state: &'static str,
    body: String,
}

impl ResponseRow {
    pub fn of(new: &NewResponse) -> Result<Self, StoreError> {
        let response = &new.response;
        Ok(Self {
            suite: new.suite.as_str().to_owned(),
            variant: response.variant.as_str().to_owned(),
            subject: response.subject.as_str().to_owned(),
            repeat: i64::from(response.repeat),
            family: new.family.as_str().to_owned(),
            key: new.key.clone(),
            state: state_of(&response.ending),
            body: to_body("responses", response.variant.as_str(), response)?,
        })
    }
}

/// The terminal states of a unit of work, as promised to users.
fn state_of(ending: &Ending) -> &'static str {
    match ending {
        Ending::Ok(_) => "ok",
        Ending::Failed(failure) => match failure.state {
            FailureState::InvalidOutput => "invalid_output",
            FailureState::Refused => "refused",
            FailureState::Timeout => "timeout",
            FailureState::TransportError => "transport_error",
            FailureState::NotApplicable => "not_applicable",
            FailureState::DependencyFailed => "dependency_failed",
        },
    }
}

impl Row for ResponseRow {
    const INSERT: Insert = INSERT;

    fn bind(self, statement: Statement) -> Statement {
        statement
            .bind(self.suite)
            .bind(self.variant)
            .bind(self.subject)
            .bind(self.repeat)
            .bind(self.family)
            .bind(self.key)
            .bind(self.state)
            .bind(self.body)
    }
}
