//! What subjects answered, or why they did not.

use crate::body::{from_body, to_body};
use crate::insert::{Insert, Row};
use crate::page::kept_page;
use crate::sql::{Read, Value, sql};
use crate::{Page, Store, StoreError};
use std::collections::HashSet;
use waterjar_core::{Ending, FamilyId, Response, SubjectId, SuiteId};

// The same key again changes nothing. Another key means that what was asked has changed: the old answer is no answer to it.
const INSERT: Insert = Insert {
    into: "INSERT INTO responses (suite, position, ord, subject, repeat, variant, key, state, body) VALUES",
    columns: 9,
    conflict: "ON CONFLICT (suite, position, ord, subject, repeat) DO UPDATE SET \
        variant = excluded.variant, key = excluded.key, state = excluded.state, body = excluded.body \
        WHERE responses.key <> excluded.key",
};
const ANSWERED: &str = concat!(
    "SELECT r.key FROM ",
    kept_page!(),
    " JOIN responses r ON r.suite = f.suite AND r.position = f.position AND r.subject = $4"
);
const PAGE: &str = concat!(
    "SELECT f.position, f.id, r.key, r.body FROM ",
    kept_page!(),
    " LEFT JOIN responses r ON r.suite = f.suite AND r.position = f.position \
      ORDER BY f.position, r.ord, r.subject, r.repeat"
);

// One row for the page: a row of its own for each response would cost more than what is in it.
macro_rules! lines {
    ($together:literal) => {
        concat!(
            "SELECT COUNT(DISTINCT f.position), MAX(f.position), ",
            $together,
            " FROM ",
            kept_page!(),
            " LEFT JOIN responses r ON r.suite = f.suite AND r.position = f.position"
        )
    };
}

const LINES: &str = lines!("group_concat(r.body, char(10) ORDER BY f.position, r.ord, r.subject, r.repeat)");
const LINES_ON_A_SERVER: &str = lines!("string_agg(r.body, chr(10) ORDER BY f.position, r.ord, r.subject, r.repeat)");

#[derive(Clone, Debug, PartialEq)]
pub struct NewResponse {
    pub suite: SuiteId,
    /// The family's.
    pub position: i64,
    /// Which of the family's variants it answers, counted from 0.
    pub ord: u32,
    /// A hash of all that was asked.
    pub key: String,
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
    /// The keys of all that one subject has answered or failed at, in the page of families that `families_page` gives.
    ///
    /// By page and not by key, because an index on keys, which are in no order, makes storing a response four times slower.
    pub async fn answered(
        &self,
        suite: &SuiteId,
        subject: &SubjectId,
        after: i64,
        limit: u32,
    ) -> Result<HashSet<String>, StoreError> {
        let query = sql(ANSWERED).bind(suite.as_str()).bind(after).bind(limit).bind(subject.as_str());
        let keys: Vec<(String,)> = self.database.rows(query).await?;
        Ok(keys.into_iter().map(|(key,)| key).collect())
    }

    /// All responses to the kept families after a position, ordered by family, variant, subject, repeat. `limit` counts families.
    pub async fn responses_page(
        &self,
        suite: &SuiteId,
        after: i64,
        limit: u32,
    ) -> Result<Page<StoredResponse>, StoreError> {
        let rows: Vec<PageRow> = self.rows_of(PAGE, suite, after, limit).await?;
        let positions: Vec<i64> = rows.iter().map(|row| row.0).collect();
        let items = rows.into_iter().filter_map(read).collect::<Result<_, _>>()?;
        Ok(Page::new(items, &positions, limit))
    }

    /// The same responses as they are stored, a line of JSON each; one text for all of the page.
    pub async fn response_lines(&self, suite: &SuiteId, after: i64, limit: u32) -> Result<Page<String>, StoreError> {
        let lines = if self.is_shared() { LINES_ON_A_SERVER } else { LINES };
        let rows: Vec<(i64, Option<i64>, Option<String>)> = self.rows_of(lines, suite, after, limit).await?;
        let page = |(families, last, lines): (i64, Option<i64>, Option<String>)| Page {
            items: Vec::from_iter(lines),
            next: last.filter(|_| families >= i64::from(limit)),
        };
        Ok(rows.into_iter().next().map_or(Page { items: Vec::new(), next: None }, page))
    }

    async fn rows_of<T: Read>(
        &self,
        text: &'static str,
        suite: &SuiteId,
        after: i64,
        limit: u32,
    ) -> Result<Vec<T>, StoreError> {
        self.database.rows(sql(text).bind(suite.as_str()).bind(after).bind(limit)).await
    }
}

type PageRow = (i64, String, Option<String>, Option<String>);

/// `None` for a family nobody has answered.
fn read((position, family, key, body): PageRow) -> Option<Result<StoredResponse, StoreError>> {
    let (key, body) = key.zip(body)?;
    let response = from_body("responses", &key, &body);
    Some(response.map(|response| StoredResponse { position, family: FamilyId::new(family), key, response }))
}

#[derive(Debug)]
pub(crate) struct ResponseRow {
    suite: String,
    position: i64,
    ord: i64,
    subject: String,
    repeat: i64,
    variant: String,
    key: String,
    state: &'static str,
    body: String,
}

impl ResponseRow {
    pub fn of(new: &NewResponse) -> Result<Self, StoreError> {
        let response = &new.response;
        Ok(Self {
            suite: new.suite.as_str().to_owned(),
            position: new.position,
            ord: i64::from(new.ord),
            subject: response.subject.as_str().to_owned(),
            repeat: i64::from(response.repeat),
            variant: response.variant.as_str().to_owned(),
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
        Ending::Failed(failure) => failure.state.as_str(),
    }
}

impl Row for ResponseRow {
    const INSERT: Insert = INSERT;

    fn long(&self) -> usize {
        self.body.len()
    }

    fn values(self, into: &mut Vec<Value>) {
        into.extend([
            self.suite.into(),
            self.position.into(),
            self.ord.into(),
            self.subject.into(),
            self.repeat.into(),
            self.variant.into(),
            self.key.into(),
            self.state.into(),
            self.body.into(),
        ]);
    }
}
