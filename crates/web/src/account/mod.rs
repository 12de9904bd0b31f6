//! Who may see what: the owner of the runs, raters who see their own items and nothing else, and everybody else.

pub mod cookie;
pub mod origin;
pub mod owner;
pub mod secret;
pub mod throttle;

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since 1970.
pub fn now() -> i64 {
    millis() / 1000
}

pub fn millis() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
