//! Parts that were begun and have not ended. One that its workers die of is found out and stopped.

use crate::sql::sql;
use crate::{Store, StoreError};

const BEGIN: &str = "INSERT INTO begun (shard, times) VALUES ($1, 1) \
    ON CONFLICT (shard) DO UPDATE SET times = begun.times + 1";
const READ: &str = "SELECT times, item, deaths FROM begun WHERE shard = $1";
const SUSPECT: &str =
    "UPDATE begun SET deaths = CASE WHEN item = $2 THEN deaths + 1 ELSE 1 END, item = $2 WHERE shard = $1";
const CLEARED: &str = "UPDATE begun SET item = NULL, deaths = 0 WHERE shard = $1";
const END: &str = "DELETE FROM begun WHERE shard = $1";

/// How often a part was begun without having ended, this time included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Begun {
    pub times: u32,
    /// The one question that was being asked, alone, when its worker died; and how often that happened.
    pub suspect: Option<(String, u32)>,
}

impl Store {
    /// Counted before anything is asked: whoever dies of it cannot count any more.
    pub async fn begin_shard(&self, shard: &str) -> Result<Begun, StoreError> {
        self.database.write(vec![sql(BEGIN).bind(shard)]).await?;
        let found: Option<(i64, Option<String>, i64)> = self.database.row(sql(READ).bind(shard)).await?;
        let small = |n: i64| u32::try_from(n).unwrap_or(u32::MAX);
        Ok(found.map_or_else(Begun::default, |(times, item, deaths)| Begun {
            times: small(times),
            suspect: item.map(|item| (item, small(deaths))),
        }))
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
    pub async fn end_shard(&self, shard: &str) -> Result<(), StoreError> {
        self.database.write(vec![sql(END).bind(shard)]).await.map(|_| ())
    }
}
