//! The one connection that writes.

use crate::lock::RunLock;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use std::sync::{Arc, MutexGuard, PoisonError};
use tokio::sync::{Mutex, OwnedMutexGuard};

/// SQLite has one writer; waiting for it here is cheaper and fairer than its busy handler.
pub(crate) struct WriteSide {
    connection: Arc<Mutex<Option<SqliteConnection>>>,
    options: SqliteConnectOptions,
    /// Until it is closed, or nobody has it any more. A writer's task may still have it when all is closed.
    lock: std::sync::Mutex<Option<RunLock>>,
}

/// Rolled back unless it is committed.
///
/// It takes the connection out and only `commit` puts it back. SQLite ends a transaction by itself when the disk is full, and a caller may
/// be cancelled half-way; in both cases closing the connection is the one sure way to a clean state.
pub(crate) struct Transaction {
    place: OwnedMutexGuard<Option<SqliteConnection>>,
    connection: SqliteConnection,
}

impl WriteSide {
    pub fn new(lock: RunLock, options: SqliteConnectOptions, connection: SqliteConnection) -> Self {
        Self { connection: Arc::new(Mutex::new(Some(connection))), options, lock: std::sync::Mutex::new(Some(lock)) }
    }

    pub async fn begin(&self) -> Result<Transaction, sqlx::Error> {
        let mut place = Arc::clone(&self.connection).lock_owned().await;
        let mut connection = match place.take() {
            Some(connection) => connection,
            None if self.lock().is_none() => return Err(sqlx::Error::PoolClosed),
            None => self.options.connect().await?,
        };
        sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut connection).await?;
        Ok(Transaction { place, connection })
    }

    pub async fn tidy(&self) {
        if let Some(connection) = self.connection.lock().await.as_mut() {
            // What cannot be copied now is copied by the next who can.
            let _ = sqlx::raw_sql("PRAGMA wal_checkpoint(PASSIVE)").execute(connection).await;
        }
    }

    pub async fn close(&self) {
        let mut place = self.connection.lock().await;
        if let Some(connection) = place.take() {
            // Everything is committed; what closing could still fail at is tidying up.
            let _ = connection.close().await;
        }
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<RunLock>> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Transaction {
    pub fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.connection
    }

    pub async fn commit(mut self) -> Result<(), sqlx::Error> {
        sqlx::raw_sql("COMMIT").execute(&mut self.connection).await?;
        *self.place = Some(self.connection);
        Ok(())
    }
}
