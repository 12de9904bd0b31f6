//! Where cases come from.

use crate::Case;

/// A source can be read again and again and gives the same cases in the same order. It streams.
pub trait CaseSource: Send + Sync {
    /// As the study names it.
    fn name(&self) -> &str;
    /// Changes whenever the source would give other cases, or the knowledge behind them is another.
    fn fingerprint(&self) -> String;
    fn cases(&self) -> Box<dyn Iterator<Item = Result<Case, SourceError>> + Send + '_>;
    /// What is read of the source and what is left out, where something may be. Goes through all of it.
    fn read_through(&self) -> Result<Option<String>, SourceError> {
        Ok(None)
    }
}

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

    pub fn at_line(path: &std::path::Path, line: u64, problem: impl Into<String>) -> Self {
        Self::new(format!("{}, line {line}", path.display()), problem)
    }

    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
