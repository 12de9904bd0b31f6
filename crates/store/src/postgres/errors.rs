//! What a PostgreSQL server may say, and what it means for a run.

use crate::StoreError;
use std::path::Path;

/// Error codes of PostgreSQL, <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
mod code {
    pub const DISK_FULL: &str = "53100";
    pub const READ_ONLY: &str = "25006";
    pub const NO_RIGHT: &str = "42501";
    pub const NO_TABLE: &str = "42P01";
    pub const DEADLOCK: &str = "40P01";
    pub const SERIALIZATION: &str = "40001";
    pub const TWICE: &str = "21000";
}

pub(crate) fn wrong(path: &Path, error: &sqlx::Error) -> StoreError {
    let path = path.to_owned();
    let problem = match error {
        sqlx::Error::Database(error) => error.message().to_owned(),
        other => other.to_string(),
    };
    match code_of(error).as_deref() {
        Some(code::DISK_FULL) => StoreError::DiskFull { path },
        Some(code::READ_ONLY) => StoreError::ReadOnly { path },
        Some(code::NO_RIGHT) => StoreError::NoRight { path, problem },
        Some(code::NO_TABLE) => StoreError::Missing { path },
        Some(_) if !is_away(error) => StoreError::Database { path, problem },
        Some(_) => StoreError::Away { path, problem },
        None if is_away(error) => StoreError::Away { path, problem },
        None => StoreError::Database { path, problem },
    }
}

/// Whether the server is not there for the moment: it restarts, or the network does.
pub(crate) fn is_away(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::Protocol(_) => true,
        sqlx::Error::Database(_) => {
            let code = code_of(error).unwrap_or_default();
            // Connection exceptions, and a server that shuts down or starts up. Not a password that is wrong.
            code.starts_with("08") || code.starts_with("57P") || code == "53300"
        }
        _ => false,
    }
}

/// Whether doing the same again may go well at once: two processes stood in each other's way.
pub(super) fn is_clash(error: &sqlx::Error) -> bool {
    matches!(code_of(error).as_deref(), Some(code::DEADLOCK | code::SERIALIZATION))
}

/// Whether a statement with several rows names one of them twice, which PostgreSQL takes only one after the other.
pub(super) fn is_twice(error: &sqlx::Error) -> bool {
    code_of(error).as_deref() == Some(code::TWICE)
}

fn code_of(error: &sqlx::Error) -> Option<String> {
    error.as_database_error()?.code().map(|code| code.into_owned())
}
