//! A statement in the dialect that SQLite and PostgreSQL share, and what comes of it.

use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use std::borrow::Cow;

/// What a place in a statement is filled with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Text(String),
    Maybe(Option<String>),
    Int(i64),
    Bytes(Vec<u8>),
}

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub sql: Cow<'static, str>,
    pub values: Vec<Value>,
    /// Where it changes nothing, nothing at all is done in its transaction.
    pub must_change: bool,
}

/// What a row is read into, from either database.
pub(crate) trait Read:
    for<'r> sqlx::FromRow<'r, SqliteRow> + for<'r> sqlx::FromRow<'r, PgRow> + Send + Unpin
{
}

impl<T> Read for T where T: for<'r> sqlx::FromRow<'r, SqliteRow> + for<'r> sqlx::FromRow<'r, PgRow> + Send + Unpin {}

/// The places are `$1`, `$2`, …
pub(crate) fn sql(text: impl Into<Cow<'static, str>>) -> Statement {
    Statement { sql: text.into(), values: Vec::new(), must_change: false }
}

impl Statement {
    pub fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    pub fn must_change(mut self) -> Self {
        self.must_change = true;
        self
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<Option<String>> for Value {
    fn from(text: Option<String>) -> Self {
        Self::Maybe(text)
    }
}

impl From<i64> for Value {
    fn from(n: i64) -> Self {
        Self::Int(n)
    }
}

impl From<u32> for Value {
    fn from(n: u32) -> Self {
        Self::Int(n.into())
    }
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}
