//! The passes of a run. Each finds out what is done already and does the rest.

mod anew;
pub mod answer;
mod audit;
mod bearing;
pub mod judge;
pub mod measure;
pub mod stopping;
pub mod vary;

mod course;
mod door;
pub(crate) mod models;
mod outages;
mod screen;

pub use anew::asked_anew;

/// Families or candidates read at a time: enough to keep the cores busy, little to hold in memory.
pub const PAGE: u32 = 128;

/// Units of work under way at once. Those that wait on a network have the gateway's limits, which adapt; this only
/// bounds what is held in memory.
pub const AT_ONCE: usize = 1024;
