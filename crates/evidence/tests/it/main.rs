//! The index on disk, and services in their own formats over real HTTP.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod folder;
mod index;
mod open_targets;
mod pubmed;
mod service;
mod settings;
mod sources;
