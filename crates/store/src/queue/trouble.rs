//! What workers could not do, told to whoever plans the run.

use crate::sql::sql;
use crate::{Store, StoreError};

const TELL: &str = "INSERT INTO troubles (shard, times, kind, message) VALUES ($1, 1, $2, $3) \
    ON CONFLICT (shard) DO UPDATE SET times = troubles.times + 1, kind = excluded.kind, message = excluded.message";
const ALL: &str = "SELECT shard, times, kind, message FROM troubles ORDER BY times DESC, shard";
const OVER: &str = "DELETE FROM troubles WHERE shard = $1";
const FORGET: &str = "DELETE FROM troubles";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    pub shard: String,
    /// In a row.
    pub times: u64,
    pub kind: String,
    pub message: String,
}

impl Store {
    pub async fn tell_trouble(&self, shard: &str, kind: &str, message: &str) -> Result<(), StoreError> {
        // A text on a server holds no NUL.
        let message = message.replace('\0', "");
        self.database.write(vec![sql(TELL).bind(shard).bind(kind).bind(message)]).await.map(|_| ())
    }

    pub async fn trouble_is_over(&self, shard: &str) -> Result<(), StoreError> {
        self.database.write(vec![sql(OVER).bind(shard)]).await.map(|_| ())
    }

    /// The worst first.
    pub async fn troubles(&self) -> Result<Vec<Trouble>, StoreError> {
        let rows: Vec<(String, i64, String, String)> = self.database.rows(sql(ALL)).await?;
        let trouble = |(shard, times, kind, message): (String, i64, String, String)| Trouble {
            shard,
            times: times.unsigned_abs(),
            kind,
            message,
        };
        Ok(rows.into_iter().map(trouble).collect())
    }

    pub async fn forget_troubles(&self) -> Result<(), StoreError> {
        self.database.write(vec![sql(FORGET)]).await.map(|_| ())
    }
}
