//! A run in a file.

use crate::insert::{Filled, Places, chunk_size};
use crate::lock::RunLock;
use crate::schema::Schema;
use crate::sql::{Read, Statement, Value};
use crate::transaction::WriteSide;
use crate::{Mode, StoreError};
use sqlx::query::{Query, QueryAs};
use sqlx::sqlite::{
    Sqlite, SqliteArguments, SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Row as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

#[derive(Clone)]
pub(crate) struct SqliteSide {
    path: Arc<Path>,
    pub(crate) reading: SqlitePool,
    writing: Option<Arc<WriteSide>>,
}

type Statements<'a> = dyn Iterator<Item = Result<Statement, StoreError>> + Send + 'a;

impl SqliteSide {
    pub async fn open(path: &Path, schema: &Schema, mode: Mode) -> Result<Self, StoreError> {
        let path: Arc<Path> = path.into();
        let (found, known) = (version_of(&path, schema).await?, schema.version());
        let writing = match (mode, found) {
            (Mode::Existing | Mode::Shared | Mode::Read, 0) => {
                return Err(StoreError::Missing { path: path.to_path_buf() });
            }
            (Mode::Shared, _) => return Err(StoreError::NotShared { path: path.to_path_buf() }),
            (Mode::Read, found) if found < known => {
                return Err(StoreError::Older { path: path.to_path_buf(), found, known });
            }
            (Mode::Read, _) => None,
            (Mode::Create | Mode::Existing, _) => Some(Arc::new(write_side(&path, schema).await?)),
        };
        Ok(Self { reading: reading_pool(&path), path, writing })
    }

    pub fn for_reading(&self) -> Self {
        Self { writing: None, ..self.clone() }
    }

    /// Copies the `-wal` back into the database, beside readers. Closing does it too, while everybody waits.
    pub async fn tidy(&self) {
        if let Some(writing) = &self.writing {
            writing.tidy().await;
        }
    }

    /// Leaves one file behind, without the `-wal` beside it. Dropping is as safe, only less tidy.
    pub async fn close(&self) {
        self.reading.close().await;
        if let Some(writing) = &self.writing {
            writing.close().await;
        }
    }

    pub async fn rows<T: Read>(&self, statement: Statement) -> Result<Vec<T>, StoreError> {
        // Safe: the texts are ours, and what is outside comes in by the places.
        let query: QueryAs<'_, Sqlite, T, _> = sqlx::query_as(AssertSqlSafe(statement.sql.as_ref()));
        let query = statement.values.into_iter().fold(query, |query, value| match value {
            Value::Text(text) => query.bind(text),
            Value::Maybe(text) => query.bind(text),
            Value::Int(n) => query.bind(n),
            Value::Bytes(bytes) => query.bind(bytes),
        });
        query.fetch_all(&self.reading).await.map_err(|error| self.wrong(&error))
    }

    /// All or nothing; tells how many rows each statement changed.
    pub async fn write(&self, statements: &mut Statements<'_>) -> Result<Vec<u64>, StoreError> {
        let mut transaction = self.writing()?.begin().await.map_err(|error| self.wrong(&error))?;
        let mut changed = Vec::new();
        for statement in statements {
            let Statement { sql, values, must_change } = statement?;
            let query = bound(sqlx::query(AssertSqlSafe(sql.as_ref())), values);
            let done = query.execute(transaction.connection()).await.map_err(|error| self.wrong(&error))?;
            changed.push(done.rows_affected());
            if must_change && done.rows_affected() == 0 {
                return Ok(changed);
            }
        }
        transaction.commit().await.map_err(|error| self.wrong(&error))?;
        Ok(changed)
    }

    pub async fn insert(&self, tables: Vec<Filled>) -> Result<Vec<String>, StoreError> {
        let mut transaction = self.writing()?.begin().await.map_err(|error| self.wrong(&error))?;
        let mut returned = Vec::new();
        for table in tables {
            let inserted = insert(transaction.connection(), table, &mut returned).await;
            inserted.map_err(|error| self.wrong(&error))?;
        }
        transaction.commit().await.map_err(|error| self.wrong(&error))?;
        Ok(returned)
    }

    fn writing(&self) -> Result<&WriteSide, StoreError> {
        self.writing.as_deref().ok_or_else(|| StoreError::ReadOnly { path: self.path.to_path_buf() })
    }

    fn wrong(&self, error: &sqlx::Error) -> StoreError {
        StoreError::from_sqlx(&self.path, error)
    }
}

/// The values go into the statement as they are: an answer may be long, and need not be copied.
async fn insert(
    connection: &mut SqliteConnection,
    table: Filled,
    returned: &mut Vec<String>,
) -> Result<(), sqlx::Error> {
    let Filled { insert, values } = table;
    let mut values = values.into_iter();
    while values.len() > 0 {
        let rows = chunk_size(values.len() / insert.columns);
        // Safe: the text is made of constants and of placeholders.
        let statement = sqlx::query(AssertSqlSafe(insert.for_rows(rows, Places::Unnumbered)));
        let statement = bound(statement, values.by_ref().take(rows * insert.columns));
        for row in statement.fetch_all(&mut *connection).await? {
            returned.push(row.try_get(0)?);
        }
    }
    Ok(())
}

fn bound<'q>(
    query: Query<'q, Sqlite, SqliteArguments>,
    values: impl IntoIterator<Item = Value>,
) -> Query<'q, Sqlite, SqliteArguments> {
    values.into_iter().fold(query, |query, value| match value {
        Value::Text(text) => query.bind(text),
        Value::Maybe(text) => query.bind(text),
        Value::Int(n) => query.bind(n),
        Value::Bytes(bytes) => query.bind(bytes),
    })
}

/// The one connection that writes, with the lock that keeps it the only one and the tables as this program knows them.
async fn write_side(path: &Path, schema: &Schema) -> Result<WriteSide, StoreError> {
    let lock = RunLock::take(path)?;
    let wrong = |error: sqlx::Error| StoreError::from_sqlx(path, &error);
    let mut connection = to_write(path).connect().await.map_err(wrong)?;
    schema.migrate(&mut connection, path).await?;
    Ok(WriteSide::new(lock, to_write(path), connection))
}

/// Looks before it touches: a foreign or newer file is refused as it was found. 0 when there is nothing yet.
async fn version_of(path: &Path, schema: &Schema) -> Result<u32, StoreError> {
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

/// Two: each connection keeps some megabytes, and a run reads page after page.
fn reading_pool(path: &Path) -> SqlitePool {
    SqlitePoolOptions::new().max_connections(2).test_before_acquire(false).connect_lazy_with(to_read(path))
}
