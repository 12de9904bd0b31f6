//! The endpoint from outside, by raw connections.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod asking;
mod clinician;
mod counting;
mod faults;
mod load;
mod mirrors;
mod program;
mod shapes;
