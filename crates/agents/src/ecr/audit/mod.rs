//! The audit sheet: three tiers of questions to every candidate, and the three streams an auditor hears.

mod sheet;
mod streams;

pub use sheet::{Audited, Sheet};
pub use streams::{Experience, Streams};
