//! The engine from outside, with tiny parts that fail, panic and stall: nothing is lost, nothing is asked twice.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod answering;
mod bounding;
mod lab;
mod measuring;
mod opening;
mod parts;
mod planning;
mod resuming;
mod varying;
