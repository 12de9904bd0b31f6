//! `.json`: a log in one object. Its samples are read one by one.

use super::head::Head;
use super::not_a_log;
use super::sample::Sample;
use crate::json_list;
use crate::recorded::Each;
use serde::Deserialize;
use std::path::Path;
use waterjar_core::SourceError;

/// Goes through all of it, so that a log that is cut off is told before anything is made of it.
pub(super) fn head(path: &Path) -> Result<Head, SourceError> {
    Head::deserialize(&mut json_list::open(path)?).map_err(|error| match error.classify() {
        serde_json::error::Category::Eof => {
            SourceError::at(path, format!("is cut off: {error}")).with_hint("copy it again")
        }
        _ => not_a_log(path, &error.to_string()),
    })
}

pub(super) fn each(path: &Path, each: Each<'_>) -> Result<(), SourceError> {
    json_list::each(path, &["samples"], &mut |sample: Sample| each(sample.recorded(path)?))
}
