//! The way in and out of a run on a server. A server that is away for a while is waited for; nothing is written twice meanwhile.

use super::errors::{is_away, is_clash, is_twice};
use super::lock::PlannerLock;
use super::server::Server;
use super::wrong;
use crate::insert::Filled;
use crate::schema::Schema;
use crate::sql::{Read, Statement, Value};
use crate::{Mode, StoreError};
use sqlx::postgres::{PgArguments, PgPool, PgRow, Postgres};
use sqlx::query::{Query, QueryAs};
use sqlx::{ConnectOptions, Connection, Row as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};

/// How long a server may be away before the run gives up. It can be resumed either way.
const PATIENCE: Duration = Duration::from_secs(300);
const FIRST_WAIT: Duration = Duration::from_millis(100);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

#[derive(Clone)]
pub(crate) struct PgSide {
    path: PathBuf,
    server: Server,
    pool: PgPool,
    writes: bool,
    lock: Option<Arc<Mutex<Option<PlannerLock>>>>,
}

const SCHEMA_THERE: &str = "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1)";

impl PgSide {
    pub async fn open(server: &Server, schema: &Schema, mode: Mode) -> Result<Self, StoreError> {
        let path = server.path();
        let tell = |error: sqlx::Error| wrong(&path, &error);
        // Not from the pool, which would try for a while and then only say that it did.
        let mut connection = server.options().connect().await.map_err(tell)?;
        let there: bool =
            sqlx::query_scalar(SCHEMA_THERE).bind(server.schema()).fetch_one(&mut connection).await.map_err(tell)?;
        if !there && mode != Mode::Create {
            return Err(StoreError::Missing { path });
        }
        let lock = match mode {
            Mode::Create | Mode::Existing => match PlannerLock::wait(server).await.map_err(tell)? {
                Some(lock) => Some(Arc::new(Mutex::new(Some(lock)))),
                None => return Err(StoreError::InUse { path, pid: None }),
            },
            Mode::Shared | Mode::Read => None,
        };
        let known = schema.version();
        match mode {
            Mode::Create | Mode::Existing => schema.migrate_postgres(&mut connection, server.schema(), &path).await?,
            Mode::Shared | Mode::Read => match schema.inspect_postgres(&mut connection, &path).await? {
                0 => return Err(StoreError::Missing { path }),
                found if found < known => return Err(StoreError::Older { path, found, known }),
                _ => {}
            },
        }
        // Its own errors would only hide that all is well.
        let _ = connection.close().await;
        let pool = if mode == Mode::Read { server.looking_pool() } else { server.pool() };
        Ok(Self { path, server: server.clone(), pool, writes: mode != Mode::Read, lock })
    }

    pub fn pool(&self) -> &PgPool {
        &self.pool
    }

    pub fn for_reading(&self) -> Self {
        Self { writes: false, lock: None, ..self.clone() }
    }

    pub async fn close(&self) {
        if let Some(lock) = &self.lock
            && let Some(lock) = lock.lock().await.take()
        {
            lock.release().await;
        }
        if self.writes {
            self.pool.close().await;
        }
    }

    pub async fn rows<T: Read>(&self, statement: &Statement) -> Result<Vec<T>, StoreError> {
        let mut patience = Patience::new();
        loop {
            let done = query_as::<T>(statement).fetch_all(&self.pool).await;
            match done {
                Err(error) if is_away(&error) && patience.wait().await => self.keep_lock(&mut patience).await?,
                done => return done.map_err(|error| wrong(&self.path, &error)),
            }
        }
    }

    /// All or nothing; tells how many rows each statement changed.
    pub async fn write<'a>(
        &self,
        statements: impl Fn() -> Box<dyn Iterator<Item = Result<Statement, StoreError>> + Send + 'a> + Send,
    ) -> Result<Vec<u64>, StoreError> {
        self.check_writes()?;
        let mut patience = Patience::new();
        loop {
            match self.try_write(statements()).await {
                Ok(changed) => return Ok(changed),
                Err(Tried::Bad(error)) => return Err(error),
                Err(Tried::Committed(changed)) => return Ok(changed),
                Err(Tried::Sql(error)) if is_clash(&error) => {}
                Err(Tried::Sql(error)) if is_away(&error) && patience.wait().await => {
                    self.keep_lock(&mut patience).await?
                }
                Err(Tried::Sql(error)) => return Err(wrong(&self.path, &error)),
            }
        }
    }

    async fn try_write(
        &self,
        statements: impl Iterator<Item = Result<Statement, StoreError>>,
    ) -> Result<Vec<u64>, Tried<Vec<u64>>> {
        let mut transaction = self.pool.begin().await?;
        let mut changed = Vec::new();
        for statement in statements {
            let statement = statement.map_err(Tried::Bad)?;
            let rows = query(&statement).execute(&mut *transaction).await?.rows_affected();
            changed.push(rows);
            if statement.must_change && rows == 0 {
                transaction.rollback().await?;
                return Ok(changed);
            }
        }
        self.commit(transaction, changed).await
    }

    /// Rows of several tables, in their order. What the first statement returns is given back.
    pub async fn insert(&self, tables: &[Filled]) -> Result<Vec<String>, StoreError> {
        self.check_writes()?;
        let mut patience = Patience::new();
        let mut most = usize::MAX;
        loop {
            match self.try_insert(tables, most).await {
                Ok(returned) | Err(Tried::Committed(returned)) => return Ok(returned),
                Err(Tried::Bad(error)) => return Err(error),
                Err(Tried::Sql(error)) if is_clash(&error) => {}
                Err(Tried::Sql(error)) if is_twice(&error) && most > 1 => most = 1,
                Err(Tried::Sql(error)) if is_away(&error) && patience.wait().await => {
                    self.keep_lock(&mut patience).await?
                }
                Err(Tried::Sql(error)) => return Err(wrong(&self.path, &error)),
            }
        }
    }

    async fn try_insert(&self, tables: &[Filled], most: usize) -> Result<Vec<String>, Tried<Vec<String>>> {
        let mut transaction = self.pool.begin().await?;
        let mut returned = Vec::new();
        for table in tables {
            for (sql, values) in table.chunks(most, crate::insert::Places::Numbered) {
                // Safe: the text is made of constants and of placeholders.
                let mut statement = sqlx::query(sqlx::AssertSqlSafe(sql));
                for value in values {
                    statement = bound(statement, value);
                }
                let rows: Vec<PgRow> = statement.fetch_all(&mut *transaction).await?;
                for row in rows {
                    returned.push(row.try_get(0)?);
                }
            }
        }
        self.commit(transaction, returned).await
    }

    /// A connection that breaks while it commits leaves open whether it did: the server knows.
    async fn commit<T>(&self, mut transaction: sqlx::Transaction<'static, Postgres>, made: T) -> Result<T, Tried<T>> {
        let number: String =
            sqlx::query_scalar("SELECT pg_current_xact_id()::text").fetch_one(&mut *transaction).await?;
        let Err(error) = transaction.commit().await else { return Ok(made) };
        if !is_away(&error) {
            return Err(error.into());
        }
        let mut patience = Patience::new();
        while patience.wait().await {
            let status = sqlx::query_scalar("SELECT pg_xact_status($1::text::xid8)").bind(&number);
            match status.fetch_one(&self.pool).await {
                Ok(Some(status)) if status == "committed" => return Err(Tried::Committed(made)),
                // Still under way: the server has not noticed yet that the connection broke.
                Ok(Some(status)) if status == "in progress" => {}
                Ok::<Option<String>, _>(_) => break,
                Err(error) if is_away(&error) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(error.into())
    }

    /// A connection that broke took the lock with it. Where somebody else has it since, the run is theirs.
    pub async fn keep_lock(&self, patience: &mut Patience) -> Result<(), StoreError> {
        let Some(held) = &self.lock else { return Ok(()) };
        let mut held = held.lock().await;
        let Some(lock) = held.as_mut() else { return Ok(()) };
        if lock.holds().await {
            return Ok(());
        }
        loop {
            match PlannerLock::wait(&self.server).await {
                Ok(Some(again)) => {
                    *held = Some(again);
                    return Ok(());
                }
                Ok(None) => return Err(StoreError::InUse { path: self.path.clone(), pid: None }),
                // Not there yet. Going on without it would leave the run to whoever asks next.
                Err(error) if is_away(&error) && patience.wait().await => {}
                Err(error) => return Err(wrong(&self.path, &error)),
            }
        }
    }

    fn check_writes(&self) -> Result<(), StoreError> {
        if self.writes { Ok(()) } else { Err(StoreError::ReadOnly { path: self.path.clone() }) }
    }
}

enum Tried<T> {
    Sql(sqlx::Error),
    Bad(StoreError),
    /// It was done, although the connection broke before that was told.
    Committed(T),
}

impl<T> From<sqlx::Error> for Tried<T> {
    fn from(error: sqlx::Error) -> Self {
        Self::Sql(error)
    }
}

/// Waits longer and longer, until it has waited long enough.
pub(crate) struct Patience {
    until: Instant,
    wait: Duration,
}

impl Patience {
    pub fn new() -> Self {
        Self { until: Instant::now() + PATIENCE, wait: FIRST_WAIT }
    }

    /// `false` when it was long enough.
    pub async fn wait(&mut self) -> bool {
        if Instant::now() >= self.until {
            return false;
        }
        sleep(self.wait).await;
        self.wait = (self.wait * 2).min(LONGEST_WAIT);
        true
    }
}

fn query(statement: &Statement) -> Query<'_, Postgres, PgArguments> {
    // Safe: the texts are ours, and what is outside comes in by the places.
    let query = sqlx::query(sqlx::AssertSqlSafe(statement.sql.as_ref()));
    statement.values.iter().fold(query, bound)
}

fn query_as<T: Read>(statement: &Statement) -> QueryAs<'_, Postgres, T, PgArguments> {
    let query = sqlx::query_as(sqlx::AssertSqlSafe(statement.sql.as_ref()));
    statement.values.iter().fold(query, |query, value| match value {
        Value::Text(text) => query.bind(text.as_str()),
        Value::Maybe(text) => query.bind(text.as_deref()),
        Value::Int(n) => query.bind(n),
        Value::Bytes(bytes) => query.bind(bytes.as_slice()),
    })
}

fn bound<'q>(query: Query<'q, Postgres, PgArguments>, value: &'q Value) -> Query<'q, Postgres, PgArguments> {
    match value {
        Value::Text(text) => query.bind(text.as_str()),
        Value::Maybe(text) => query.bind(text.as_deref()),
        Value::Int(n) => query.bind(n),
        Value::Bytes(bytes) => query.bind(bytes.as_slice()),
    }
}
