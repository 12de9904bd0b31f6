//! Limits of an endpoint that hold for all workers together.

use super::Queue;
use crate::StoreError;
use crate::postgres::{Patience, is_away};
use std::time::Duration;

const KNOW: &str = "INSERT INTO endpoints (name, next_request, next_token) VALUES ($1, 0, 0) ON CONFLICT DO NOTHING";
/// What is not used is not saved up: after a pause calls begin evenly, not all at once. $2 and $3 are microseconds to move on by.
const TAKE: &str = "UPDATE endpoints SET \
        next_request = GREATEST(next_request, (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint) + $2, \
        next_token = GREATEST(next_token, (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint) + $3 \
    WHERE name = $1 \
    RETURNING GREATEST(next_request - $2, next_token - $3) - (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint";
/// What was taken too much is given back, what was taken too little is made up for.
const CORRECT: &str = "UPDATE endpoints SET next_token = next_token + $2 WHERE name = $1";
/// The row of the endpoint is the lock.
const LOCK: &str = "SELECT 1 FROM endpoints WHERE name = $1 FOR UPDATE";
const OTHERS: &str = "SELECT COUNT(*) FILTER (WHERE wanted > 0), COALESCE(SUM(held), 0)::bigint FROM slots WHERE endpoint = $1 AND worker <> $2 \
    AND until > (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint";
const HOLD: &str = "INSERT INTO slots (endpoint, worker, held, wanted, until) \
    VALUES ($1, $2, $3, $4, (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint + $5) \
    ON CONFLICT (endpoint, worker) DO UPDATE SET held = excluded.held, wanted = excluded.wanted, until = excluded.until";
const FORGET: &str =
    "DELETE FROM slots WHERE until < (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint - 60000000";
const RELEASE: &str = "DELETE FROM slots WHERE worker = $1";

/// What a call wants of an endpoint's minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub requests: u64,
    pub tokens: u64,
    pub requests_per_minute: Option<u64>,
    pub tokens_per_minute: Option<u64>,
}

/// How many calls at once a process may have under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leave {
    pub held: u32,
    /// What it would have, were nobody else's calls still under way.
    pub share: u32,
}

/// Of one process at an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calls {
    pub under_way: u32,
    /// Those under way included.
    pub wanted: u32,
}

impl Queue {
    /// Reserves what is wanted and tells how long to wait before it may be used.
    pub async fn reserve(&self, endpoint: &str, wanted: Wanted) -> Result<Duration, StoreError> {
        let requests = micros(wanted.requests, wanted.requests_per_minute);
        let tokens = micros(wanted.tokens, wanted.tokens_per_minute);
        let mut patience = Patience::new();
        loop {
            let taken: Result<Option<i64>, sqlx::Error> =
                sqlx::query_scalar(TAKE).bind(endpoint).bind(requests).bind(tokens).fetch_optional(&self.pool).await;
            match taken {
                Ok(Some(wait)) => return Ok(Duration::from_micros(u64::try_from(wait).unwrap_or(0))),
                Ok(None) => self.know(endpoint).await?,
                Err(error) if is_away(&error) && patience.wait().await => {}
                Err(error) => return Err(self.wrong(&error)),
            }
        }
    }

    /// How many tokens it really were, beyond those reserved or short of them.
    pub async fn correct(&self, endpoint: &str, beyond: i64, tokens_per_minute: u64) -> Result<(), StoreError> {
        let by = micros(beyond.unsigned_abs(), Some(tokens_per_minute)) * beyond.signum();
        let done = sqlx::query(CORRECT).bind(endpoint).bind(by).execute(&self.pool).await;
        done.map(|_| ()).map_err(|error| self.wrong(&error))
    }

    /// Asks for a share of the calls that may be under way at once. To be asked again well within `lease`.
    ///
    /// The share of everybody who wants some is the same. Who has more gives it up as its calls end, so there may be none to have for a while.
    pub async fn hold(
        &self,
        endpoint: &str,
        worker: &str,
        most: u32,
        calls: Calls,
        lease: Duration,
    ) -> Result<Leave, StoreError> {
        self.know(endpoint).await?;
        let wrong = |error: sqlx::Error| self.wrong(&error);
        let mut transaction = self.pool.begin().await.map_err(wrong)?;
        sqlx::query(LOCK).bind(endpoint).execute(&mut *transaction).await.map_err(wrong)?;
        let (others, theirs): (i64, i64) =
            sqlx::query_as(OTHERS).bind(endpoint).bind(worker).fetch_one(&mut *transaction).await.map_err(wrong)?;
        let others = u32::try_from(others).unwrap_or(u32::MAX - 1);
        let share = most.div_ceil(others + 1).min(calls.wanted);
        let free = most.saturating_sub(u32::try_from(theirs).unwrap_or(u32::MAX));
        // What is under way is, whatever the share.
        let held = share.min(free).max(calls.under_way);
        let until = i64::try_from(lease.as_micros()).unwrap_or(i64::MAX);
        let hold = sqlx::query(HOLD).bind(endpoint).bind(worker).bind(i64::from(held));
        let hold = hold.bind(i64::from(calls.wanted)).bind(until);
        hold.execute(&mut *transaction).await.map_err(wrong)?;
        transaction.commit().await.map_err(wrong)?;
        Ok(Leave { held, share })
    }

    /// The process asks no more. What dead ones held is forgotten on the way.
    pub async fn release(&self, worker: &str) -> Result<(), StoreError> {
        sqlx::query(FORGET).execute(&self.pool).await.map_err(|error| self.wrong(&error))?;
        let released = sqlx::query(RELEASE).bind(worker).execute(&self.pool).await;
        released.map(|_| ()).map_err(|error| self.wrong(&error))
    }

    async fn know(&self, endpoint: &str) -> Result<(), StoreError> {
        let known = sqlx::query(KNOW).bind(endpoint).execute(&self.pool).await;
        known.map(|_| ()).map_err(|error| self.wrong(&error))
    }
}

/// The part of a minute that so much of it takes.
fn micros(amount: u64, per_minute: Option<u64>) -> i64 {
    let Some(per_minute) = per_minute else { return 0 };
    let micros = u128::from(amount) * 60_000_000 / u128::from(per_minute.max(1));
    i64::try_from(micros).unwrap_or(i64::MAX / 4)
}
