//! What can go wrong while a file is written.

use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
#[error("{} cannot be written: {problem}", path.display())]
pub struct WriteError {
    pub path: PathBuf,
    pub problem: String,
}

impl WriteError {
    pub fn new(path: &Path, problem: impl ToString) -> Self {
        Self { path: path.to_owned(), problem: problem.to_string() }
    }

    /// For `map_err`.
    pub(crate) fn at<E: ToString>(path: &Path) -> impl FnOnce(E) -> Self + '_ {
        move |problem| Self::new(path, problem)
    }
}
