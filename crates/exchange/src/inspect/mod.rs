//! Logs and data sets of Inspect AI. The format is that of version 2 logs, as inspect_ai 0.3.285 writes and reads them
//! (`inspect_ai/log/_log.py` and `log/_recorders/eval.py` in its package).
//!
//! An `.eval` file is a zip archive:
//!
//! ```text
//! _journal/start.json          what is evaluated: known before the first sample
//! samples/ID_epoch_N.json      a file per sample; an ID may hold slashes
//! summaries.json               the samples in short, for lists
//! header.json                  all but the samples
//! ```
//!
//! A `.json` file is the same in one object.

mod dataset;
mod head;
mod read;
mod sample;
mod write;

pub use dataset::row;
pub use head::LogHead;
pub use read::Log;
pub use sample::LogSample;
pub use write::{LogFormat, LogWriter};
