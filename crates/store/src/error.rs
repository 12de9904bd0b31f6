//! What can go wrong with a run, to which file, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

/// Cloneable, because the writer's first error is told to everybody who still has rows to write.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    #[error("there is no run at {}", path.display())]
    Missing { path: PathBuf },
    #[error("{} is not a run: {problem}", path.display())]
    NotARun { path: PathBuf, problem: String },
    #[error("{} is damaged: {problem}", path.display())]
    Damaged { path: PathBuf, problem: String },
    #[error("{} was written by a newer version of Waterjar (schema {found}, this one knows {known})", path.display())]
    Newer { path: PathBuf, found: u32, known: u32 },
    #[error("{} was written by an older version of Waterjar (schema {found}, this one reads {known})", path.display())]
    Older { path: PathBuf, found: u32, known: u32 },
    #[error("{} is being written by another process{}", path.display(), named(*pid))]
    InUse { path: PathBuf, pid: Option<u32> },
    #[error("{} is locked by another program", path.display())]
    Busy { path: PathBuf },
    #[error("there is no space left to write {}", path.display())]
    DiskFull { path: PathBuf },
    #[error("{url} is no address of a run: {problem}")]
    Address { url: String, problem: String },
    #[error("{} does not answer: {problem}", path.display())]
    Away { path: PathBuf, problem: String },
    #[error("{}: {problem}", path.display())]
    NoRight { path: PathBuf, problem: String },
    #[error("{} holds a run already", path.display())]
    Taken { path: PathBuf },
    #[error("{} is a file, which has one writer at a time", path.display())]
    NotShared { path: PathBuf },
    #[error("{} cannot be written", path.display())]
    ReadOnly { path: PathBuf },
    #[error("{} holds another study{}", path.display(), why.as_ref().map(|why| format!(": {why}")).unwrap_or_default())]
    OtherStudy { path: PathBuf, why: Option<String> },
    #[error("family {family} has no variants")]
    EmptyFamily { family: String },
    #[error("{table} `{id}`: {problem}")]
    Body { table: &'static str, id: String, problem: String },
    #[error("the writer has stopped before everything was written")]
    WriterStopped,
    #[error("{}: {problem}", path.display())]
    File { path: PathBuf, problem: String },
    #[error("{}: {problem}", path.display())]
    Database { path: PathBuf, problem: String },
}

impl StoreError {
    /// What the user can do.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::Missing { .. } => "name the directory of a run, or start one with `waterjar run`",
            Self::NotARun { .. } => "choose another output directory with --out, or move the file away",
            Self::Damaged { .. } => "restore the file from a copy; `sqlite3 FILE .recover` may save part of it",
            Self::Newer { .. } => "use the newer program for this run",
            Self::Older { .. } => "resume the run once with this program, which brings it up to date",
            Self::InUse { .. } => "wait until it ends, or stop it; a run has one writer at a time",
            Self::Busy { .. } => "close the program that holds the file open, then resume the run",
            Self::DiskFull { .. } => "make room, then start the same command again: it goes on where it stopped",
            Self::ReadOnly { .. } => "check the permissions of the file and its directory, or copy the run elsewhere",
            Self::Address { .. } => {
                "write it as `postgres://USER@HOST/DATABASE?run=NAME`; the password is read from PGPASSWORD or ~/.pgpass"
            }
            Self::Away { .. } => {
                "check that the server runs and lets you in, then start the same command again: it goes on where it stopped"
            }
            Self::NoRight { .. } => "the user needs to create schemas there: GRANT CREATE ON DATABASE … TO …",
            Self::Taken { .. } => "choose another name for it: `?run=NAME` on a server, another directory elsewhere",
            Self::NotShared { .. } => {
                "move the run to a PostgreSQL server with `waterjar move`, or start it there with `--store postgres://…`"
            }
            Self::OtherStudy { .. } => {
                "choose another output directory with --out, or resume with the study the run was started with"
            }
            Self::EmptyFamily { .. }
            | Self::Body { .. }
            | Self::WriterStopped
            | Self::File { .. }
            | Self::Database { .. } => return None,
        })
    }

    pub(crate) fn from_sqlx(path: &Path, error: &sqlx::Error) -> Self {
        let path = path.to_owned();
        let problem = match error {
            sqlx::Error::Database(error) => error.message().to_owned(),
            sqlx::Error::Io(error) => return Self::from_io(&path, error),
            other => other.to_string(),
        };
        let code = code(error);
        // The file that readers and writers share cannot grow.
        if code == Some(sqlite::IOERR_SHMSIZE) {
            return Self::DiskFull { path };
        }
        // The low byte of an extended code is the primary one.
        match code.map(|code| code & 0xff) {
            Some(sqlite::FULL) => Self::DiskFull { path },
            Some(sqlite::READONLY | sqlite::PERM) => Self::ReadOnly { path },
            Some(sqlite::BUSY | sqlite::LOCKED) => Self::Busy { path },
            Some(sqlite::CORRUPT) => Self::Damaged { path, problem },
            Some(sqlite::NOTADB) => Self::NotARun { path, problem: "it is not a SQLite database".to_owned() },
            _ => Self::Database { path, problem },
        }
    }

    pub(crate) fn from_io(path: &Path, error: &io::Error) -> Self {
        let path = path.to_owned();
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path },
            io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => Self::ReadOnly { path },
            _ => Self::File { path, problem: error.to_string() },
        }
    }
}

/// Result codes of SQLite, <https://www.sqlite.org/rescode.html>.
mod sqlite {
    pub const PERM: u32 = 3;
    pub const BUSY: u32 = 5;
    pub const LOCKED: u32 = 6;
    pub const READONLY: u32 = 8;
    pub const CORRUPT: u32 = 11;
    pub const FULL: u32 = 13;
    pub const NOTADB: u32 = 26;
    pub const IOERR_SHMSIZE: u32 = 4874;
}

fn code(error: &sqlx::Error) -> Option<u32> {
    error.as_database_error()?.code()?.parse().ok()
}

fn named(pid: Option<u32>) -> String {
    pid.map_or_else(String::new, |pid| format!(" (process {pid})"))
}
