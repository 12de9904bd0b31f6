//! A run as a data set in the layout of Hugging Face: Parquet for programs, JSON Lines for people, and a card that says what it is.
//!
//! ```text
//! README.md                               the card; its head declares the configs and their columns
//! data/benchmark-00000-of-00001.parquet   a row per variant: the control of a case or one change of it
//! data/responses-00000-of-00001.parquet   a row per answer, or why there is none
//! data/verdicts-00000-of-00001.parquet    a row per ruling on an answer
//! jsonl/…                                 the same, whole, a JSON object per line
//! ```

mod card;
mod column;
mod folder;
mod rows;
mod shards;

pub use card::{About, License};
pub use column::{Column, Kind};
pub use folder::Folder;
pub use rows::{BENCHMARK, RESPONSES, VERDICTS};
pub use shards::Written;
