//! Opening a run, and the two ways into it: many readers, and who writes.

use crate::database::Database;
use crate::place::Place;
use crate::sql::sql;
use crate::{StoreError, lock, schema};
use std::path::Path;

/// One run. Clones share it; the run stays locked for writing until one is closed or the last of them is dropped.
#[derive(Clone)]
pub struct Store {
    pub(crate) database: Database,
}

const STAMP: &str = "SELECT COALESCE(SUM(n_tup_ins + n_tup_upd + n_tup_del), 0)::text FROM pg_stat_user_tables \
    WHERE schemaname = current_schema()";
const PLANNERS: &str = "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND granted \
    AND ((classid::bigint << 32) | objid::bigint) = hashtextextended(current_schema(), 0)";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// For writing, alone. Made if it is not there, opened if it is.
    Create,
    /// For writing, alone. Must be there.
    Existing,
    /// For writing beside others, as workers do. Must be there, and on a server.
    Shared,
    /// For looking, also while another process writes.
    Read,
}

impl Store {
    /// A file, an address `postgres://…?run=NAME`, or a file `….postgres` that holds such an address.
    pub async fn open(path: impl AsRef<Path>, mode: Mode) -> Result<Self, StoreError> {
        let place = Place::of(path.as_ref())?;
        Ok(Self { database: Database::open(&place, &schema::RUN, mode).await? })
    }

    /// The error that opening the run for writing would end with, while another process writes to it.
    pub fn in_use(path: &Path) -> Option<StoreError> {
        lock::in_use(path)
    }

    /// Where it is, as it is told: a file, or an address without a password.
    pub fn path(&self) -> &Path {
        self.database.path()
    }

    /// The name of a run on a server.
    pub fn run_name(&self) -> Option<&str> {
        let (_, query) = self.path().to_str()?.split_once('?')?;
        query.split('&').find_map(|part| part.strip_prefix("run="))
    }

    /// Whether other processes may write to it too.
    pub fn is_shared(&self) -> bool {
        self.database.is_shared()
    }

    /// Changes when the run does; `None` for a file, which has a date.
    pub async fn stamp(&self) -> Result<Option<String>, StoreError> {
        if !self.is_shared() {
            return Ok(None);
        }
        self.database.text(sql(STAMP)).await
    }

    /// Whether somebody plans and writes a run on a server just now.
    pub async fn is_planned(&self) -> Result<bool, StoreError> {
        if !self.is_shared() {
            return Ok(false);
        }
        Ok(self.database.count(sql(PLANNERS)).await? > 0)
    }

    /// Whether the run is still ours alone: a connection that broke takes the lock with it, and nobody may notice.
    pub async fn hold(&self) -> Result<(), StoreError> {
        self.database.hold().await
    }

    /// The same run for looking only. It does not hold the lock.
    pub fn reader(&self) -> Self {
        Self { database: self.database.reader() }
    }

    /// Copies the `-wal` of a file back into the database, beside readers. Closing does it too, while everybody waits.
    pub async fn tidy(&self) {
        self.database.tidy().await;
    }

    /// Leaves one file behind, without the `-wal` beside it. Dropping is as safe, only less tidy.
    pub async fn close(self) {
        self.database.close().await;
    }
}
