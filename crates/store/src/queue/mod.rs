//! Work that many processes share, in the database that holds the runs: parts of a pass wait in a queue, workers take them, and a part whose
//! worker died goes back. The queue itself is `graphile_worker`; docs/decisions/0009 tells why, and what of it is ours.

mod begun;
mod files;
mod limits;
mod trouble;
mod work;

pub use begun::Begun;
pub use limits::{Calls, Leave, Wanted};
pub use trouble::Trouble;
pub use work::{Taken, WorkSettings};

use crate::StoreError;
use crate::postgres::{Patience, Server, is_away, wrong};
use graphile_worker::{JobSpec, RawJobSpec, WorkerUtils};
use serde::{Deserialize, Serialize};
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgPool;
use std::collections::HashSet;

/// A part of a pass: one subject, a few families.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    pub run: String,
    /// The hash of the study it was planned for: a worker that knows another does nothing.
    pub study: String,
    /// `answer` or `judge`.
    pub pass: String,
    pub suite: String,
    pub subject: String,
    /// The families after this position,
    pub after: i64,
    /// and so many of them.
    pub families: u32,
    /// What workers can choose by.
    pub labels: Vec<String>,
}

impl Shard {
    /// The same work has the same key, so that it waits in the queue once.
    pub fn key(&self) -> String {
        format!("{}/{}/{}/{}/{:08}", self.run, self.pass, self.suite, self.subject, self.after)
    }
}

/// The queue of a team.
#[derive(Clone)]
pub struct Queue {
    server: Server,
    pool: PgPool,
}

/// Its address may hold a password.
impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Queue({})", self.server.shown())
    }
}

/// What of a run still waits or is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    pub waiting: u64,
    pub taken: u64,
    /// Of those that wait: how many were tried and are not tried again yet, and within how many seconds all of them are.
    pub later: u64,
    pub within: u64,
}

/// Retried for as long as somebody plans the run: whoever plans it gives up sooner.
const MOST_ATTEMPTS: i16 = 1000;
const ONE_AT_A_TIME: &str = "SELECT pg_advisory_lock(hashtextextended($1, 1))";
const NEXT: &str = "SELECT pg_advisory_unlock(hashtextextended($1, 1))";
const TABLES: &str = include_str!("../../migrations/postgres/team.sql");

impl Queue {
    /// Makes the tables where they are not there yet.
    pub async fn open(server: &Server) -> Result<Self, StoreError> {
        let server = server.clone().team();
        let queue = Self { pool: server.pool(), server };
        let wrong = |error: sqlx::Error| queue.wrong(&error);
        // Workers that start together would make the same tables together.
        let mut first = queue.pool.acquire().await.map_err(wrong)?;
        sqlx::query(ONE_AT_A_TIME).bind(queue.server.schema()).execute(&mut *first).await.map_err(wrong)?;
        let made = queue.make_tables().await;
        sqlx::query(NEXT).bind(queue.server.schema()).execute(&mut *first).await.map_err(wrong)?;
        drop(first);
        made?;
        Ok(queue)
    }

    async fn make_tables(&self) -> Result<(), StoreError> {
        self.utils().migrate().await.map_err(|error| self.told(error))?;
        let make = format!("CREATE SCHEMA IF NOT EXISTS \"{}\"; {TABLES}", self.server.schema());
        sqlx::raw_sql(AssertSqlSafe(make)).execute(&self.pool).await.map_err(|error| self.wrong(&error))?;
        Ok(())
    }

    pub fn server(&self) -> &Server {
        &self.server
    }

    /// What waits already is not put there twice; what somebody has would be, so leave it out ([`Queue::taken`]).
    pub async fn add(&self, shards: &[Shard]) -> Result<(), StoreError> {
        let jobs: Vec<RawJobSpec> = shards.iter().map(job).collect::<Result<_, _>>()?;
        let mut patience = Patience::new();
        let mut refused = 0;
        while let Err(error) = self.utils().add_raw_jobs(&jobs).await {
            // The library's error does not say whether the server is away; the server does, if it was not only just started.
            refused += u32::from(self.is_there().await);
            if refused > 1 || !patience.wait().await {
                return Err(self.told(error));
            }
        }
        Ok(())
    }

    async fn is_there(&self) -> bool {
        sqlx::query("SELECT 1").execute(&self.pool).await.is_ok()
    }

    pub async fn left(&self, run: &str) -> Result<Left, StoreError> {
        let count = format!(
            "SELECT COUNT(*) FILTER (WHERE locked_at IS NULL), COUNT(*) FILTER (WHERE locked_at IS NOT NULL), \
                COUNT(*) FILTER (WHERE locked_at IS NULL AND run_at > now()), \
                COALESCE(MAX(EXTRACT(EPOCH FROM run_at - now())) FILTER (WHERE locked_at IS NULL AND run_at > now()), 0)::bigint \
             FROM \"{}\".jobs WHERE key LIKE $1",
            self.server.queue()
        );
        let counts: (i64, i64, i64, i64) = self
            .patiently(async || {
                sqlx::query_as(AssertSqlSafe(count.as_str())).bind(keys_of(run)).fetch_one(&self.pool).await
            })
            .await?;
        let [waiting, taken, later, within] = <[i64; 4]>::from(counts).map(i64::unsigned_abs);
        Ok(Left { waiting, taken, later, within })
    }

    /// A server that is away is waited for; anything else is told at once.
    async fn patiently<T>(&self, ask: impl AsyncFn() -> Result<T, sqlx::Error>) -> Result<T, StoreError> {
        let mut patience = Patience::new();
        loop {
            match ask().await {
                Err(error) if is_away(&error) && patience.wait().await => {}
                done => return done.map_err(|error| self.wrong(&error)),
            }
        }
    }

    /// The parts of the run that somebody has.
    pub async fn taken(&self, run: &str) -> Result<HashSet<String>, StoreError> {
        let keys =
            format!("SELECT key FROM \"{}\".jobs WHERE key LIKE $1 AND locked_at IS NOT NULL", self.server.queue());
        let keys: Vec<String> = self
            .patiently(async || {
                sqlx::query_scalar(AssertSqlSafe(keys.as_str())).bind(keys_of(run)).fetch_all(&self.pool).await
            })
            .await?;
        Ok(keys.into_iter().collect())
    }

    /// Nobody takes what waits of the run any more. Who has a part of it ends that part.
    pub async fn clear(&self, run: &str) -> Result<(), StoreError> {
        let clear =
            format!("DELETE FROM \"{}\"._private_jobs WHERE key LIKE $1 AND locked_at IS NULL", self.server.queue());
        let clearing = async || sqlx::query(AssertSqlSafe(clear.as_str())).bind(keys_of(run)).execute(&self.pool).await;
        self.patiently(clearing).await.map(|_| ())
    }

    /// The runs of the team, by name.
    pub async fn runs(server: &Server) -> Result<Vec<String>, StoreError> {
        let server = server.clone().team();
        let pool = server.pool();
        let prefix = format!("{}:", server.schema());
        let runs: Result<Vec<String>, sqlx::Error> = sqlx::query_scalar(
            "SELECT substr(nspname, length($1) + 1) FROM pg_namespace WHERE starts_with(nspname, $1) \
                AND position(':' in substr(nspname, length($1) + 1)) = 0 \
                AND EXISTS (SELECT 1 FROM pg_class c WHERE c.relnamespace = pg_namespace.oid AND c.relname = 'families') \
             ORDER BY nspname COLLATE \"C\"",
        )
        .bind(prefix)
        .fetch_all(&pool)
        .await;
        pool.close().await;
        runs.map_err(|error| wrong(&server.path(), &error))
    }

    fn utils(&self) -> WorkerUtils {
        WorkerUtils::new(self.pool.clone(), self.server.queue())
    }

    fn wrong(&self, error: &sqlx::Error) -> StoreError {
        wrong(&self.server.path(), error)
    }

    fn told(&self, error: impl std::fmt::Display) -> StoreError {
        StoreError::Database { path: self.server.path(), problem: format!("the queue: {error}") }
    }
}

fn keys_of(run: &str) -> String {
    // `_` and `%` mean something to LIKE, and names may hold the first.
    format!("{}/%", run.replace('_', "\\_"))
}

fn job(shard: &Shard) -> Result<RawJobSpec, StoreError> {
    let payload = serde_json::to_value(shard).map_err(|error| StoreError::Body {
        table: "shards",
        id: shard.key(),
        problem: error.to_string(),
    })?;
    let spec = JobSpec {
        job_key: Some(shard.key()),
        max_attempts: Some(MOST_ATTEMPTS),
        flags: Some(shard.labels.clone()),
        ..JobSpec::default()
    };
    Ok(RawJobSpec { identifier: work::TASK.to_owned(), payload, spec })
}
