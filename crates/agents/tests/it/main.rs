//! The agents that ask several times, from outside: who is asked what, how often, and what becomes of bad replies.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod bad_replies;
mod cast;
mod dylan;
mod ecr;
mod http;
mod mdagents;
mod mdagents_compat;
mod medagents;
mod opening;
mod prompts;
