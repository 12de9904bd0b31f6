//! Parts that were begun and have not ended. One that its workers die of is found out and stopped.

use crate::sql::sql;
use crate::{Store, StoreError};
use std::time::Duration;

const BEGIN: &str = "INSERT INTO begun (shard, times, worker, until) \
        VALUES ($1, 1, $2, (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint + $3) \
    ON CONFLICT (shard) DO UPDATE SET times = begun.times + 1, worker = excluded.worker, until = excluded.until \
    WHERE begun.until < (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint";
const KEEP: &str = "UPDATE begun SET until = (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint + $3 \
    WHERE shard = $1 AND worker = $2";
const READ: &str = "SELECT times, item, deaths FROM begun WHERE shard = $1";
const SUSPECT: &str =
    "UPDATE begun SET deaths = CASE WHEN item = $2 THEN deaths + 1 ELSE 1 END, item = $2 WHERE shard = $1";
const CLEARED: &str = "UPDATE begun SET item = NULL, deaths = 0 WHERE shard = $1";
const END: &str = "DELETE FROM begun WHERE shard = $1 AND worker = $2";

/// How often a part was begun without having ended, this time included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Begun {
    pub times: u32,
    /// The one question that was being asked, alone, when its worker died; and how often that happened.
    pub suspect: Option<(String, u32)>,
}

impl Store {
    /// Counted before anything is asked: whoever dies of it cannot count any more. `None` while somebody is at it: a part may be given to two
    /// when the queue has lost sight of the first.
    pub async fn begin_shard(&self, shard: &str, worker: &str, lease: Duration) -> Result<Option<Begun>, StoreError> {
        let begin = sql(BEGIN).bind(shard).bind(worker).bind(micros(lease));
        if self.database.write(vec![begin]).await? == [0] {
            return Ok(None);
        }
        let found: Option<(i64, Option<String>, i64)> = self.database.row(sql(READ).bind(shard)).await?;
        let small = |n: i64| u32::try_from(n).unwrap_or(u32::MAX);
        Ok(Some(found.map_or_else(Begun::default, |(times, item, deaths)| Begun {
            times: small(times),
            suspect: item.map(|item| (item, small(deaths))),
        })))
    }

    /// Still at it. To be said again well within the lease.
    pub async fn keep_shard(&self, shard: &str, worker: &str, lease: Duration) -> Result<(), StoreError> {
        self.database.write(vec![sql(KEEP).bind(shard).bind(worker).bind(micros(lease))]).await.map(|_| ())
    }

    /// The question that is asked next, alone.
    pub async fn suspect(&self, shard: &str, item: &str) -> Result<(), StoreError> {
        self.database.write(vec![sql(SUSPECT).bind(shard).bind(item)]).await.map(|_| ())
    }

    /// It went well.
    pub async fn clear_suspect(&self, shard: &str) -> Result<(), StoreError> {
        self.database.write(vec![sql(CLEARED).bind(shard)]).await.map(|_| ())
    }

    /// Ended in good order, well or badly.
    pub async fn end_shard(&self, shard: &str, worker: &str) -> Result<(), StoreError> {
        self.database.write(vec![sql(END).bind(shard).bind(worker)]).await.map(|_| ())
    }
}

fn micros(lease: Duration) -> i64 {
    i64::try_from(lease.as_micros()).unwrap_or(i64::MAX / 4)
}
