//! Files of other tools, written and read.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod hf;
mod hostile;
mod inspect;
mod others;
mod sample;
mod table;
