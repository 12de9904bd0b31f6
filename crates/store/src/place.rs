//! Where a run is kept: a file, or a schema of a PostgreSQL database.

use crate::StoreError;
use crate::postgres::Server;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub(crate) enum Place {
    File(PathBuf),
    Postgres(Box<Server>),
}

/// A file of this name beside a run's other files says where its database is.
const POINTER: &str = "postgres";

impl Place {
    /// A database file, an address `postgres://…?run=NAME`, or a file that holds one.
    pub fn of(path: &Path) -> Result<Self, StoreError> {
        if let Some(url) = path.to_str().filter(|it| is_address(it)) {
            return Ok(Self::Postgres(Box::new(Server::of_run(url)?)));
        }
        if path.extension().is_some_and(|it| it == POINTER) {
            return Ok(Self::Postgres(Box::new(Server::read(path)?)));
        }
        Ok(Self::File(path.to_owned()))
    }

    /// Not the run itself, but what people said of it.
    pub fn of_ratings(path: &Path) -> Result<Self, StoreError> {
        Ok(match Self::of(path)? {
            Self::Postgres(server) => Self::Postgres(Box::new(server.ratings())),
            file => file,
        })
    }

    /// As it is told; without a password.
    pub fn shown(&self) -> PathBuf {
        match self {
            Self::File(path) => path.clone(),
            Self::Postgres(server) => PathBuf::from(server.shown()),
        }
    }
}

pub(crate) fn is_address(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}
