//! The database of a run, or of what people said of it: many readers, and who writes.

use crate::insert::Filled;
use crate::place::Place;
use crate::postgres::{Patience, PgSide};
use crate::schema::Schema;
use crate::sql::{Read, Statement, sql};
use crate::sqlite::SqliteSide;
use crate::{Mode, StoreError};
use std::path::Path;
use std::sync::Arc;

/// Clones share it.
#[derive(Clone)]
pub(crate) struct Database {
    path: Arc<Path>,
    side: Side,
}

#[derive(Clone)]
pub(crate) enum Side {
    Sqlite(SqliteSide),
    Postgres(Box<PgSide>),
}

pub(crate) type Statements<'a> = Box<dyn Iterator<Item = Result<Statement, StoreError>> + Send + 'a>;

impl Database {
    pub async fn open(place: &Place, schema: &Schema, mode: Mode) -> Result<Self, StoreError> {
        let side = match place {
            Place::File(path) => Side::Sqlite(SqliteSide::open(path, schema, mode).await?),
            Place::Postgres(server) => Side::Postgres(Box::new(PgSide::open(server, schema, mode).await?)),
        };
        Ok(Self { path: place.shown().into(), side })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn side(&self) -> &Side {
        &self.side
    }

    pub fn is_shared(&self) -> bool {
        matches!(self.side, Side::Postgres(_))
    }

    pub async fn hold(&self) -> Result<(), StoreError> {
        match &self.side {
            Side::Sqlite(_) => Ok(()),
            Side::Postgres(side) => side.keep_lock(&mut Patience::new()).await,
        }
    }

    /// The same for looking only. It does not hold the lock.
    pub fn reader(&self) -> Self {
        let side = match &self.side {
            Side::Sqlite(side) => Side::Sqlite(side.for_reading()),
            Side::Postgres(side) => Side::Postgres(Box::new(side.for_reading())),
        };
        Self { path: Arc::clone(&self.path), side }
    }

    pub async fn close(self) {
        match &self.side {
            Side::Sqlite(side) => side.close().await,
            Side::Postgres(side) => side.close().await,
        }
    }

    pub async fn tidy(&self) {
        if let Side::Sqlite(side) = &self.side {
            side.tidy().await;
        }
    }

    pub async fn rows<T: Read>(&self, statement: Statement) -> Result<Vec<T>, StoreError> {
        match &self.side {
            Side::Sqlite(side) => side.rows(statement).await,
            Side::Postgres(side) => side.rows(&statement).await,
        }
    }

    /// The first row, where there is one.
    pub async fn row<T: Read>(&self, statement: Statement) -> Result<Option<T>, StoreError> {
        Ok(self.rows(statement).await?.into_iter().next())
    }

    pub async fn text(&self, statement: Statement) -> Result<Option<String>, StoreError> {
        Ok(self.row::<(String,)>(statement).await?.map(|(text,)| text))
    }

    pub async fn count(&self, statement: Statement) -> Result<u64, StoreError> {
        Ok(self.row::<(i64,)>(statement).await?.map_or(0, |(n,)| n.unsigned_abs()))
    }

    /// In one transaction; tells how many rows each statement changed.
    pub async fn write(&self, statements: Vec<Statement>) -> Result<Vec<u64>, StoreError> {
        match &self.side {
            Side::Sqlite(side) => side.write(&mut statements.into_iter().map(Ok)).await,
            Side::Postgres(side) => side.write(move || Box::new(statements.clone().into_iter().map(Ok))).await,
        }
    }

    /// The same for statements that are made one after the other, because together they would not fit into the memory.
    pub async fn write_each<'a>(&self, statements: impl Fn() -> Statements<'a> + Send) -> Result<(), StoreError> {
        match &self.side {
            Side::Sqlite(side) => {
                // They are written once, one after the other: to keep their pages would take as much room as there are families.
                let few = std::iter::once(Ok(sql("PRAGMA cache_size = -2048")));
                let all = std::iter::once(Ok(sql("PRAGMA cache_size = -16384")));
                side.write(&mut few.chain(statements()).chain(all)).await?;
            }
            Side::Postgres(side) => {
                side.write(statements).await?;
            }
        }
        Ok(())
    }

    /// Rows of several tables in one transaction, what is referred to before what refers to it. Gives back what the inserts return.
    pub async fn insert(&self, tables: Vec<Filled>) -> Result<Vec<String>, StoreError> {
        match &self.side {
            Side::Sqlite(side) => side.insert(tables).await,
            Side::Postgres(side) => side.insert(&tables).await,
        }
    }
}
