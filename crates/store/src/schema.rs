//! Which version of the tables a file holds, and bringing it up to date.

use crate::StoreError;
use sqlx::sqlite::SqliteConnection;
use std::path::Path;

/// The tables of one kind of file: in order, the first step brings version 0 (an empty file) to version 1. What was released is never
/// edited, only added to.
pub(crate) struct Schema(&'static [&'static str]);

pub(crate) const RUN: Schema =
    Schema(&[include_str!("../migrations/sqlite/0001_run.sql"), include_str!("../migrations/sqlite/0002_gateway.sql")]);

pub(crate) const RATINGS: Schema = Schema(&[include_str!("../migrations/ratings/0001_ratings.sql")]);

const TABLES: &str = "SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 100";
const READ_VERSION: &str = "SELECT value FROM meta WHERE key = 'schema_version'";
const WRITE_VERSION: &str = "INSERT INTO meta (key, value) VALUES ('schema_version', $1) \
    ON CONFLICT (key) DO UPDATE SET value = excluded.value";

impl Schema {
    pub(crate) fn version(&self) -> u32 {
        self.0.len() as u32
    }

    /// The version of the file, 0 when it is empty. Refuses what is not ours or is newer, without having changed it.
    pub(crate) async fn inspect(&self, connection: &mut SqliteConnection, path: &Path) -> Result<u32, StoreError> {
        let wrong = |error: sqlx::Error| StoreError::from_sqlx(path, &error);
        let foreign = || StoreError::NotARun {
            path: path.to_owned(),
            problem: "it is a SQLite database of another program".to_owned(),
        };
        let tables: Vec<String> = sqlx::query_scalar(TABLES).fetch_all(&mut *connection).await.map_err(wrong)?;
        if tables.is_empty() {
            return Ok(0);
        }
        if !tables.iter().any(|table| table == "meta") {
            return Err(foreign());
        }
        let version: Option<String> =
            sqlx::query_scalar(READ_VERSION).fetch_optional(&mut *connection).await.map_err(|error| {
                match StoreError::from_sqlx(path, &error) {
                    // A `meta` table with other columns.
                    StoreError::Database { .. } => foreign(),
                    other => other,
                }
            })?;
        let found: u32 = version.and_then(|version| version.parse().ok()).ok_or_else(foreign)?;
        if found > self.version() {
            return Err(StoreError::Newer { path: path.to_owned(), found, known: self.version() });
        }
        Ok(found)
    }

    /// Each step is one transaction together with its version, so that a killed migration is repeated and never half done.
    pub(crate) async fn migrate(&self, connection: &mut SqliteConnection, path: &Path) -> Result<(), StoreError> {
        let found = self.inspect(connection, path).await?;
        for (step, sql) in self.0.iter().enumerate().skip(found as usize) {
            apply(connection, sql, step + 1).await.map_err(|error| StoreError::from_sqlx(path, &error))?;
        }
        Ok(())
    }
}

async fn apply(connection: &mut SqliteConnection, sql: &'static str, version: usize) -> Result<(), sqlx::Error> {
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    sqlx::raw_sql(sql).execute(&mut *connection).await?;
    sqlx::query(WRITE_VERSION).bind(version.to_string()).execute(&mut *connection).await?;
    sqlx::raw_sql("COMMIT").execute(&mut *connection).await?;
    Ok(())
}
