//! The store from outside: what goes in comes out, whatever happens in between.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::print_stderr, reason = "a test says when it is skipped")]

mod answering;
mod counting;
mod judging;
mod killing;
mod locking;
mod measuring;
mod opening;
mod rating;
mod sample;
mod screening;
mod servers;
mod varying;
mod writing;
