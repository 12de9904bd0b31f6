//! Days and times as people read them, in UTC.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// `2026-11-15`
pub fn today() -> String {
    now().chars().take(10).collect()
}

/// `2026-11-15T09:30:00Z`
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// Of the seconds since 1970; nothing where no calendar goes that far.
pub fn time(seconds: u64) -> Option<String> {
    // Year 9999.
    let known = Some(seconds).filter(|it| *it < 253_402_300_800)?;
    Some(humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(known)).to_string())
}
