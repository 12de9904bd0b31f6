//! The suites from outside: what they make of cases, and the figures they compute.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and one that is skipped says so")]

mod asking;
mod audit_bench;
mod audits;
mod consult;
mod fails;
mod folders;
mod golden;
mod pairs;
mod parity;
mod parity_figures;
mod probes;
mod published;
mod rows;
mod sample;
mod sensitivity;
mod snapshots;
mod strata;
mod umbrellas;
