//! Which source failed, how, and what can be done.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceError {
    /// The id of the source.
    pub from: String,
    pub problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error(
        "{host} is neither this machine nor an address in a private network, and only local endpoints are allowed; leave \
         this source out, name a mirror by its number, or set `[privacy] endpoints = \"any\"`"
    )]
    Forbidden { host: String },
    #[error("`{0}` is not an address of a service; it reads like https://host/path, without a user or a key in it")]
    BadAddress(String),
    #[error("{0}; check that the service is up and that this machine can reach it, or leave the source out")]
    Unreachable(String),
    #[error("{0}; it is slow or down: try later, or allow it more time")]
    Timeout(String),
    #[error("it is busy after {attempts} requests: {message}; ask less at once{}", hint(*.key_helps))]
    Busy { attempts: u32, message: String, key_helps: bool },
    #[error("it refused the request with status {status}: {message}; check the settings of this source")]
    Refused { status: u16, message: String },
    #[error("its reply cannot be read: {0}; its format may have changed")]
    Malformed(String),
    #[error("the cache of replies failed: {0}")]
    Cache(String),
    /// A file or the index on this machine; the message says what to do.
    #[error("{0}")]
    Local(String),
}

fn hint(key_helps: bool) -> &'static str {
    if key_helps { ", or set NCBI_API_KEY" } else { "" }
}

impl Problem {
    pub(crate) fn at(self, from: &str) -> EvidenceError {
        EvidenceError { from: from.to_owned(), problem: self }
    }

    /// Whether the next question would end the same way: the source is down, not the question wrong.
    pub(crate) fn lasts(&self) -> bool {
        use Problem::*;
        matches!(self, Forbidden { .. } | BadAddress(_) | Unreachable(_) | Timeout(_) | Busy { .. })
    }
}

impl fmt::Display for EvidenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.from, self.problem)
    }
}

impl std::error::Error for EvidenceError {}
