//! Where cases come from.

use crate::Case;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A source can be read again and again and gives the same cases in the same order. It streams.
pub trait CaseSource: Send + Sync {
    /// As the study names it.
    fn name(&self) -> &str;
    /// Changes whenever the source would give other cases, or the knowledge behind them is another.
    fn fingerprint(&self) -> String;
    fn cases(&self) -> Box<dyn Iterator<Item = Result<Case, SourceError>> + Send + '_>;
    /// What is odd about the cases, in sentences: whoever asks should know it before anybody answers. Goes through
    /// all of them.
    fn doubts(&self) -> Vec<String> {
        Vec::new()
    }
    /// What is read of the source and what is left out, where something may be. Goes through all of it.
    fn read_through(&self) -> Result<Option<String>, SourceError> {
        Ok(None)
    }
}

/// What a run keeps of what a suite was opened from, so that judging, measuring and reporting need nothing outside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Holds the suite's files, each under the key of the study that names it.
    pub folder: PathBuf,
    /// The source's fingerprint, where its cases are not needed any more.
    pub source: Option<String>,
}

impl Kept {
    /// Where the file is kept that the study names under a key.
    pub fn file(&self, key: &str, named: &Path) -> PathBuf {
        let file = self.folder.join(key);
        named.extension().map_or_else(|| file.clone(), |extension| file.with_extension(extension))
    }
}

/// A source that a finished benchmark can do without, and that may be gone.
#[derive(Clone, Debug)]
pub struct Away {
    pub name: String,
    pub fingerprint: String,
}

impl CaseSource for Away {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> String {
        self.fingerprint.clone()
    }

    fn cases(&self) -> Box<dyn Iterator<Item = Result<Case, SourceError>> + Send + '_> {
        Box::new(std::iter::once(Err(SourceError::new(&self.name, "is not read by this command"))))
    }
}

/// What is wrong with a text in another encoding.
pub const NOT_UTF_8: &str = "is not written in UTF-8";

/// What to do about it.
pub const AS_UTF_8: &str = "save it as UTF-8; spreadsheets call it “CSV UTF-8”";

/// What is wrong, where, and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct SourceError {
    /// A file, with a line where there is one.
    pub place: String,
    pub problem: String,
    pub hint: Option<String>,
}

impl SourceError {
    pub fn new(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { place: place.into(), problem: problem.into(), hint: None }
    }

    pub fn at(path: &Path, problem: impl Into<String>) -> Self {
        Self::new(path.display().to_string(), problem)
    }

    pub fn at_line(path: &Path, line: u64, problem: impl Into<String>) -> Self {
        Self::new(format!("{}, line {line}", path.display()), problem)
    }

    pub fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::InvalidData => Self::at(path, NOT_UTF_8).with_hint(AS_UTF_8),
            _ => Self::at(path, format!("cannot be read: {error}")),
        }
    }

    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
