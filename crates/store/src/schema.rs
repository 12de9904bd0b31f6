//! Which version of the tables a file holds, and bringing it up to date.

use crate::{StoreError, postgres};
use sqlx::postgres::PgConnection;
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Connection};
use std::path::Path;

/// The tables of one kind of file: in order, the first step brings version 0 (an empty file) to version 1. What was released is never
/// edited, only added to.
pub(crate) struct Schema {
    steps: &'static [&'static str],
    /// What is there besides on a server; made where it is not there yet.
    shared: &'static str,
}

pub(crate) const RUN: Schema = Schema {
    steps: &[
        include_str!("../migrations/run/0001_run.sql"),
        include_str!("../migrations/run/0002_gateway.sql"),
        include_str!("../migrations/run/0003_share_pages.sql"),
    ],
    shared: include_str!("../migrations/postgres/run.sql"),
};

pub(crate) const RATINGS: Schema =
    Schema { steps: &[include_str!("../migrations/ratings/0001_ratings.sql")], shared: "" };

const TABLES: &str = "SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 100";
const READ_VERSION: &str = "SELECT value FROM meta WHERE key = 'schema_version'";
const WRITE_VERSION: &str = "INSERT INTO meta (key, value) VALUES ('schema_version', $1) \
    ON CONFLICT (key) DO UPDATE SET value = excluded.value";

impl Schema {
    pub(crate) fn version(&self) -> u32 {
        self.steps.len() as u32
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
        for (step, sql) in self.steps.iter().enumerate().skip(found as usize) {
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

const SCHEMA_HELD: &str =
    "SELECT table_name::text FROM information_schema.tables WHERE table_schema = current_schema()";

impl Schema {
    /// The same for a schema on a server.
    pub(crate) async fn inspect_postgres(&self, connection: &mut PgConnection, path: &Path) -> Result<u32, StoreError> {
        let wrong = |error: sqlx::Error| postgres::wrong(path, &error);
        let tables: Vec<String> = sqlx::query_scalar(SCHEMA_HELD).fetch_all(&mut *connection).await.map_err(wrong)?;
        if tables.is_empty() {
            return Ok(0);
        }
        let foreign =
            || StoreError::NotARun { path: path.to_owned(), problem: "it is a schema of another program".to_owned() };
        if !tables.iter().any(|table| table == "meta") {
            return Err(foreign());
        }
        let version: Option<String> =
            sqlx::query_scalar(READ_VERSION).fetch_optional(&mut *connection).await.map_err(wrong)?;
        let found: u32 = version.and_then(|version| version.parse().ok()).ok_or_else(foreign)?;
        if found > self.version() {
            return Err(StoreError::Newer { path: path.to_owned(), found, known: self.version() });
        }
        Ok(found)
    }

    pub(crate) async fn migrate_postgres(
        &self,
        connection: &mut PgConnection,
        name: &str,
        path: &Path,
    ) -> Result<(), StoreError> {
        let wrong = |error: sqlx::Error| postgres::wrong(path, &error);
        let make = format!("CREATE SCHEMA IF NOT EXISTS \"{name}\"");
        sqlx::raw_sql(AssertSqlSafe(make)).execute(&mut *connection).await.map_err(wrong)?;
        let found = self.inspect_postgres(connection, path).await?;
        for (step, sql) in self.steps.iter().enumerate().skip(found as usize) {
            let mut transaction = connection.begin().await.map_err(wrong)?;
            sqlx::raw_sql(AssertSqlSafe(for_postgres(sql))).execute(&mut *transaction).await.map_err(wrong)?;
            let version = sqlx::query(WRITE_VERSION).bind((step + 1).to_string());
            version.execute(&mut *transaction).await.map_err(wrong)?;
            transaction.commit().await.map_err(wrong)?;
        }
        sqlx::raw_sql(AssertSqlSafe(for_postgres(self.shared))).execute(&mut *connection).await.map_err(wrong)?;
        Ok(())
    }
}

/// One text for both: texts sort by bytes on either, and how a table lies on the disk is the server's affair.
fn for_postgres(sql: &str) -> String {
    sql.replace("TEXT", "TEXT COLLATE \"C\"")
        .replace(" WITHOUT ROWID", "")
        .replace("INTEGER PRIMARY KEY", "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY")
}
