//! Wire formats on fixtures, properties, and real HTTP against a small server.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod bytes;
mod embeddings;
mod fixtures;
mod http;
mod opening;
mod programs;
