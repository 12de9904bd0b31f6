//! Opening a run, and the two ways into it: many readers, one writer.

use crate::lock::RunLock;
use crate::schema::{self, Schema};
use crate::transaction::{Transaction, WriteSide};
use crate::{StoreError, lock};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// One run. Clones share it; the run stays locked for writing until one is closed or the last of them is dropped.
#[derive(Clone)]
pub struct Store {
    path: Arc<Path>,
    pub(crate) reading: SqlitePool,
    writing: Option<Arc<WriteSide>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// For writing. Made if it is not there, opened if it is.
    Create,
    /// For writing. Must be there.
    Existing,
    /// For looking, also while another process writes.
    Read,
}

impl Store {
    pub async fn open(path: impl AsRef<Path>, mode: Mode) -> Result<Self, StoreError> {
        let path: Arc<Path> = path.as_ref().into();
        let found = version_of(&path, &schema::RUN).await?;
        match (mode, found) {
            (Mode::Existing | Mode::Read, 0) => Err(StoreError::Missing { path: path.to_path_buf() }),
            (Mode::Read, found) => Self::for_reading(path, found),
            (Mode::Create | Mode::Existing, _) => Self::for_writing(path).await,
        }
    }

    fn for_reading(path: Arc<Path>, found: u32) -> Result<Self, StoreError> {
        if found < schema::RUN.version() {
            return Err(StoreError::Older { path: path.to_path_buf(), found, known: schema::RUN.version() });
        }
        Ok(Self { reading: reading_pool(&path), path, writing: None })
    }

    async fn for_writing(path: Arc<Path>) -> Result<Self, StoreError> {
        let writing = write_side(&path, &schema::RUN).await?;
        Ok(Self { reading: reading_pool(&path), writing: Some(Arc::new(writing)), path })
    }

    /// The error that opening the run for writing would end with, while another process writes to it.
    pub fn in_use(path: &Path) -> Option<StoreError> {
        lock::in_use(path)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The same run for looking only. It does not hold the lock.
    pub fn reader(&self) -> Self {
        Self { path: Arc::clone(&self.path), reading: self.reading.clone(), writing: None }
    }

    /// Copies the `-wal` back into the database, beside readers. Closing does it too, while everybody waits.
    pub async fn tidy(&self) {
        if let Some(writing) = &self.writing {
            writing.tidy().await;
        }
    }

    /// Leaves one file behind, without the `-wal` beside it. Dropping is as safe, only less tidy.
    pub async fn close(self) {
        self.reading.close().await;
        if let Some(writing) = &self.writing {
            writing.close().await;
        }
    }

    pub(crate) async fn begin(&self) -> Result<Transaction, StoreError> {
        let Some(writing) = &self.writing else {
            return Err(StoreError::ReadOnly { path: self.path.to_path_buf() });
        };
        writing.begin().await.map_err(|error| self.wrong(&error))
    }

    pub(crate) async fn commit(&self, transaction: Transaction) -> Result<(), StoreError> {
        let committed = transaction.commit().await;
        committed.map_err(|error| self.wrong(&error))
    }

    pub(crate) fn wrong(&self, error: &sqlx::Error) -> StoreError {
        StoreError::from_sqlx(&self.path, error)
    }
}

/// The one connection that writes, with the lock that keeps it the only one and the tables as this program knows them.
pub(crate) async fn write_side(path: &Path, schema: &Schema) -> Result<WriteSide, StoreError> {
    let lock = RunLock::take(path)?;
    let wrong = |error: sqlx::Error| StoreError::from_sqlx(path, &error);
    let mut connection = to_write(path).connect().await.map_err(wrong)?;
    schema.migrate(&mut connection, path).await?;
    Ok(WriteSide::new(lock, to_write(path), connection))
}

/// Looks before it touches: a foreign or newer file is refused as it was found. 0 when there is nothing yet.
pub(crate) async fn version_of(path: &Path, schema: &Schema) -> Result<u32, StoreError> {
    match path.try_exists() {
        Ok(true) => {}
        Ok(false) => return Ok(0),
        Err(error) => return Err(StoreError::from_io(path, &error)),
    }
    match look(&to_read(path), path, schema).await {
        // A process killed while it made the file leaves a journal that only a writer can roll back.
        Err(StoreError::ReadOnly { .. }) if path.with_extension("sqlite-journal").exists() => {
            look(&to_read(path).read_only(false), path, schema).await
        }
        found => found,
    }
}

async fn look(options: &SqliteConnectOptions, path: &Path, schema: &Schema) -> Result<u32, StoreError> {
    let wrong = |error: sqlx::Error| StoreError::from_sqlx(path, &error);
    let mut connection = options.connect().await.map_err(wrong)?;
    let version = schema.inspect(&mut connection, path).await;
    // Its own errors would only hide the version's.
    let _ = connection.close().await;
    version
}

/// How long to wait for another program, say a `sqlite3` shell in a transaction, before giving up.
const PATIENCE: Duration = Duration::from_secs(10);

fn to_read(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .read_only(true)
        // A page of rows at once: each time the buffer is full, two threads wait for each other.
        .row_buffer_size(1024)
        .busy_timeout(PATIENCE)
        .disable_statement_logging()
}

/// NORMAL loses nothing when the process is killed. On power loss it may lose the last commits, never the order of them.
fn to_write(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        // A reply with its question takes 2 to 3 kB: of the usual pages of 4 kB each would hold one, and much air. Of a new file only.
        .page_size(16384)
        .journal_mode(SqliteJournalMode::Wal)
        // A run survives power loss, not only a kill: a paid answer is worth the sync (41k instead of 55k rows/s).
        .synchronous(SqliteSynchronous::Full)
        // Replies are found by hash, so storing one touches pages all over their index: 2 MB of them, as by default, are read again and again.
        .pragma("cache_size", "-16384")
        // A page that changes often is copied back into the database less often. The `-wal` beside it grows to 32 MB instead of 4.
        .pragma("wal_autocheckpoint", "2048")
        // What a statement would need to undo itself is otherwise written to a file.
        .pragma("temp_store", "MEMORY")
        .foreign_keys(true)
        .busy_timeout(PATIENCE)
        .disable_statement_logging()
}

pub(crate) fn reading_pool(path: &Path) -> SqlitePool {
    SqlitePoolOptions::new().max_connections(4).test_before_acquire(false).connect_lazy_with(to_read(path))
}
