//! What can go wrong in a run, to what, and what to do.

use waterjar_core::{ModelError, SourceError, SuiteError};
use waterjar_store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// Something in the study file, with its line where it is known.
    #[error("{place}: {problem}")]
    Study { place: String, problem: String, hint: Option<String> },
    #[error("{path}: {problem}")]
    File { path: String, problem: String, hint: Option<String> },
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Suite(SuiteError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("suite `{suite}`: no family could be made of {cases} cases{}", told(losses))]
    NoFamilies { suite: String, cases: u64, losses: Vec<(String, u64)> },
    #[error("the model `{model}` cannot be used: {problem}")]
    Model { model: String, problem: String },
    #[error("part of the work ended without a result: {0}")]
    Lost(String),
    /// Resumable once there is money again.
    #[error("stopped by the budget: {0}")]
    Budget(String),
    #[error("{0}")]
    Forbidden(String),
    /// Resumable once the endpoint is open again.
    #[error("stopped: {0}")]
    Closed(String),
    #[error("interrupted")]
    Interrupted,
}

impl From<ModelError> for EngineError {
    fn from(error: ModelError) -> Self {
        match error {
            ModelError::Budget(problem) => Self::Budget(problem),
            ModelError::Closed(problem) => Self::Closed(problem),
            other => Self::Forbidden(other.to_string()),
        }
    }
}

impl From<SuiteError> for EngineError {
    fn from(error: SuiteError) -> Self {
        match error {
            SuiteError::Model(error) => error.into(),
            other => Self::Suite(other),
        }
    }
}

impl EngineError {
    pub fn study(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Study { place: place.into(), problem: problem.into(), hint: None }
    }

    pub fn file(path: &std::path::Path, problem: impl Into<String>) -> Self {
        Self::File { path: path.display().to_string(), problem: problem.into(), hint: None }
    }

    #[must_use]
    pub fn with_hint(mut self, text: impl Into<String>) -> Self {
        if let Self::Study { hint, .. } | Self::File { hint, .. } = &mut self {
            *hint = Some(text.into());
        }
        self
    }

    /// The same, said of another place.
    #[must_use]
    pub(crate) fn placed(mut self, at: String) -> Self {
        if let Self::Study { place, .. } = &mut self {
            *place = at;
        }
        self
    }

    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Study { hint, .. } | Self::File { hint, .. } => hint.clone(),
            Self::Source(error) => error.hint.clone(),
            Self::Store(error) => error.hint().map(str::to_owned),
            Self::NoFamilies { .. } => {
                Some("look at the reasons; a wider `gap`, more `patients` or more `max_edits` may help (take another --out then, or delete this one: it belongs to this study)".to_owned())
            }
            Self::Budget(problem) => {
                let key = if problem.contains("USD") { "usd" } else { "tokens" };
                Some(format!("raise [budget] in the study, or with --set budget.{key}=…, and start the same command again"))
            }
            Self::Closed(_) => Some(
                "start the same command again then; what is answered stays answered. A larger [retry] deadline waits for longer rests"
                    .to_owned(),
            ),
            Self::Interrupted => Some("start the same command again to go on where it stopped".to_owned()),
            _ => None,
        }
    }
}

fn told(losses: &[(String, u64)]) -> String {
    let reasons: Vec<String> = losses.iter().map(|(reason, n)| format!("{reason} {n}")).collect();
    if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join(", ")) }
}
