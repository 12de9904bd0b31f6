//! A run from one place to another, row by row, and counted at the end.

use crate::database::{Database, Side};
use crate::insert::{Filled, Insert};
use crate::place::Place;
use crate::schema::{self, Schema};
use crate::sql::{Value, sql};
use crate::{Mode, StoreError};
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, ColumnIndex, Decode, Row, Type};
use std::path::Path;

/// Reading row by row, without a page of them in memory: the stream is written away in bundles.
const ROWS: usize = 512;
/// Under this a place that is being filled says so, so that a move that was broken off can be done again.
const MOVING: &str = "moving_from";
/// And under this where it comes from, the same: the name of this move.
const MOVED: &str = "moving_to";
const MARK: &str = "SELECT value FROM meta WHERE key = $1";

struct Table {
    name: &'static str,
    columns: &'static str,
    /// One letter a column: `t` text, `m` text or nothing, `i` a number.
    kinds: &'static str,
    into: &'static str,
    /// In which it is read, where the order is not in the key.
    order: &'static str,
}

macro_rules! table {
    ($name:literal, $columns:literal, $kinds:literal) => {
        table!($name, $columns, $kinds, "")
    };
    ($name:literal, $columns:literal, $kinds:literal, $order:literal) => {
        Table {
            name: $name,
            columns: $columns,
            kinds: $kinds,
            into: concat!("INSERT INTO ", $name, " (", $columns, ") VALUES"),
            order: $order,
        }
    };
}

/// What is referred to comes before what refers to it.
const RUN: [Table; 14] = [
    table!("meta", "key, value", "tt"),
    table!("stages", "suite, stage, summary", "ttt"),
    table!("cases", "suite, id, grp, rank, body", "tttit"),
    table!("candidates", "suite, position, case_id", "tit"),
    table!("families", "suite, position, id, case_id, grp, state, loss", "tittttm"),
    table!("variants", "suite, position, ord, id, role, hash, body", "tiitttt"),
    table!("responses", "suite, position, ord, subject, repeat, variant, key, state, body", "tiititttt"),
    table!("verdicts", "suite, position, subject, repeat, judge, family, key, body", "tititttt"),
    table!("checks", "suite, body", "tt"),
    table!("results", "suite, subject, body", "ttt"),
    table!("shares", "suite, subject, metric, page, body", "tttit"),
    table!("replies", "key, model, request, reply", "tttt"),
    table!("transcripts", "role, item, sitting, ord, model, state, course, reply_key, body", "ttiitttmm"),
    table!("spend", "model, calls, input, output, picodollars", "tiiii"),
];

const RATINGS: [Table; 7] = [
    table!("meta", "key, value", "tt"),
    table!("projects", "id, body", "tt"),
    table!("items", "project, ord, shown, source", "titt"),
    table!("raters", "project, name, link, password, blocked", "ttmmi"),
    table!("ratings", "project, item, rater, state, body", "tittt"),
    // The numbers are given anew, in their order.
    table!("rating_log", "project, item, rater, state, body", "tittt", " ORDER BY number"),
    table!("sessions", "hash, project, rater, until", "ttti"),
];

/// Copies a run with all it holds to a place where none is yet, and tells how many rows it has. What it came from is left as it is.
pub async fn copy_run(from: &Path, to: &Path) -> Result<u64, StoreError> {
    copy(&Place::of(from)?, &Place::of(to)?, &schema::RUN, &RUN).await
}

/// The same for what people said of it.
pub async fn copy_ratings(from: &Path, to: &Path) -> Result<u64, StoreError> {
    copy(&Place::of_ratings(from)?, &Place::of_ratings(to)?, &schema::RATINGS, &RATINGS).await
}

async fn copy(from: &Place, to: &Place, schema: &Schema, tables: &[Table]) -> Result<u64, StoreError> {
    // For writing, so that nobody else writes meanwhile; and it is brought up to date.
    let source = Database::open(from, schema, Mode::Existing).await?;
    let target = Database::open(to, schema, Mode::Create).await?;
    let token = token_of(&source).await?;
    let marked = target.text(sql(MARK).bind(MOVING)).await?;
    let filled = target.count(sql("SELECT COUNT(*) FROM meta WHERE key <> 'schema_version'")).await?;
    if filled > 0 && marked.as_ref() != Some(&token) {
        return Err(StoreError::Taken { path: target.path().to_owned() });
    }
    // Begun before and broken off: what the source holds now counts, not what it held then.
    let empty = tables.iter().rev().map(|table| sql(format!("DELETE FROM {} WHERE {}", table.name, table.ours())));
    let mark = sql("INSERT INTO meta (key, value) VALUES ($1, $2)").bind(MOVING).bind(&token);
    target.write(empty.chain([mark]).collect()).await?;
    let mut rows = 0;
    for table in tables {
        rows += table.copy(&source, &target).await?;
    }
    source.close().await;
    target.close().await;
    Ok(rows)
}

/// When all has arrived and it is written down where it is: until then a move that broke off is done again from its beginning.
pub async fn settle_run(place: &Path) -> Result<(), StoreError> {
    settle(&Place::of(place)?, &schema::RUN).await
}

/// The same for what people said of it, if anything.
pub async fn settle_ratings(place: &Path) -> Result<(), StoreError> {
    settle(&Place::of_ratings(place)?, &schema::RATINGS).await
}

async fn settle(place: &Place, schema: &Schema) -> Result<(), StoreError> {
    let database = match Database::open(place, schema, Mode::Existing).await {
        Err(StoreError::Missing { .. }) => return Ok(()),
        opened => opened?,
    };
    database.write([MOVING, MOVED].map(|key| sql("DELETE FROM meta WHERE key = $1").bind(key)).into()).await?;
    database.close().await;
    Ok(())
}

/// The name of the move that was begun, or a new one.
async fn token_of(source: &Database) -> Result<String, StoreError> {
    if let Some(token) = source.text(sql(MARK).bind(MOVED)).await? {
        return Ok(token);
    }
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let token = format!("{}-{}", std::process::id(), since.as_nanos());
    source.write(vec![sql("INSERT INTO meta (key, value) VALUES ($1, $2)").bind(MOVED).bind(&token)]).await?;
    Ok(token)
}

impl Table {
    async fn copy(&self, source: &Database, target: &Database) -> Result<u64, StoreError> {
        let select = format!("SELECT {} FROM {}{}", self.columns, self.name, self.order);
        match source.side() {
            Side::Sqlite(side) => {
                let rows = sqlx::query(AssertSqlSafe(select)).fetch(&side.reading);
                self.pour(rows, |row: &SqliteRow| self.values(row), source, target).await?;
            }
            Side::Postgres(side) => {
                let rows = sqlx::query(AssertSqlSafe(select)).fetch(side.pool());
                self.pour(rows, |row: &PgRow| self.values(row), source, target).await?;
            }
        }
        let count = || sql(format!("SELECT COUNT(*) FROM {} WHERE {}", self.name, self.all()));
        let (there, arrived) = (source.count(count()).await?, target.count(count()).await?);
        if there != arrived {
            let problem = format!("{}: {there} rows left and {arrived} arrived", self.name);
            return Err(StoreError::Database { path: target.path().to_owned(), problem });
        }
        Ok(there)
    }

    /// All but what we put there ourselves.
    fn all(&self) -> &'static str {
        if self.name == "meta" { "key NOT IN ('moving_from', 'moving_to')" } else { "TRUE" }
    }

    /// All but what is there before anything is copied.
    fn ours(&self) -> &'static str {
        if self.name == "meta" { "key <> 'schema_version'" } else { "TRUE" }
    }

    async fn pour<R>(
        &self,
        mut rows: impl futures::Stream<Item = Result<R, sqlx::Error>> + Unpin,
        read: impl Fn(&R) -> Result<Vec<Value>, sqlx::Error>,
        source: &Database,
        target: &Database,
    ) -> Result<(), StoreError> {
        use futures::TryStreamExt;
        let wrong = |error: sqlx::Error| StoreError::Database {
            path: source.path().to_owned(),
            problem: format!("{}: {error}", self.name),
        };
        let columns = self.kinds().count();
        let insert = Insert { into: self.into, columns, conflict: "ON CONFLICT DO NOTHING" };
        let mut values = Vec::new();
        loop {
            let row = rows.try_next().await.map_err(wrong)?;
            let ended = row.is_none();
            if let Some(row) = row {
                values.extend(read(&row).map_err(wrong)?);
            }
            if values.len() >= ROWS * columns || (ended && !values.is_empty()) {
                target.insert(vec![Filled { insert, values: std::mem::take(&mut values) }]).await?;
            }
            if ended {
                return Ok(());
            }
        }
    }

    fn kinds(&self) -> impl Iterator<Item = char> {
        self.kinds.chars()
    }

    /// From either database.
    fn values<R: Row>(&self, row: &R) -> Result<Vec<Value>, sqlx::Error>
    where
        usize: ColumnIndex<R>,
        i64: for<'r> Decode<'r, R::Database> + Type<R::Database>,
        String: for<'r> Decode<'r, R::Database> + Type<R::Database>,
        Option<String>: for<'r> Decode<'r, R::Database> + Type<R::Database>,
    {
        let value = |(n, kind)| {
            Ok(match kind {
                'i' => Value::Int(row.try_get(n)?),
                'm' => Value::Maybe(row.try_get(n)?),
                _ => Value::Text(row.try_get(n)?),
            })
        };
        self.kinds().enumerate().map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_a_kind() {
        for table in RUN.iter().chain(&RATINGS) {
            assert_eq!(table.kinds().count(), table.columns.split(',').count(), "{}", table.name);
        }
    }
}
