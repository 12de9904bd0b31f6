//! Identifiers leave the chart; what is clinical stays.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod ages;
mod clinicians;
mod dates;
mod labels;
mod names;
mod places;
mod ranges;
mod sample;
mod whole;
