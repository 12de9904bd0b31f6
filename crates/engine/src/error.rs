//! What can go wrong in a run, to what, and what to do.

use crate::passes::vary;
use waterjar_core::{ModelError, SourceError, SuiteError, counted};
use waterjar_store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// Something in the study file, with its line where it is known. `lacks_key`: this suite has no such key, and another may.
    #[error("{place}: {problem}")]
    Study { place: String, problem: String, hint: Option<String>, lacks_key: bool },
    #[error("{path}: {problem}")]
    File { path: String, problem: String, hint: Option<String> },
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Suite(SuiteError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("suite `{suite}`: no family could be made of {}{}", counted(*cases, "case", "cases"), told(losses))]
    NoFamilies { suite: String, cases: u64, losses: Vec<(String, u64)> },
    #[error("the model `{model}` cannot be used: {problem}")]
    Model { model: String, problem: String },
    #[error("part of the work ended without a result: {0}")]
    Lost(String),
    /// Resumable once there is money again.
    #[error("stopped by the budget: {0}")]
    Budget(String),
    /// Resumable once the model can be asked again.
    #[error("`{model}` gave no answer{}: {problem}", in_a_row(*times))]
    Outage { model: String, times: usize, problem: String },
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
            error if error.is_outage() => {
                Self::Outage { model: "a model".to_owned(), times: 1, problem: error.to_string() }
            }
            other => Self::Forbidden(other.to_string()),
        }
    }
}

impl From<SuiteError> for EngineError {
    fn from(error: SuiteError) -> Self {
        match error {
            SuiteError::Model(error) => error.into(),
            SuiteError::Unanswered { model, error } if error.is_outage() => {
                Self::Outage { model: model.to_string(), times: 1, problem: error.to_string() }
            }
            SuiteError::Unanswered { error, .. } => error.into(),
            other => Self::Suite(other),
        }
    }
}

impl EngineError {
    pub fn study(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Study { place: place.into(), problem: problem.into(), hint: None, lacks_key: false }
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

    /// Another suite may have the key.
    #[must_use]
    pub fn lacking_key(mut self) -> Self {
        if let Self::Study { lacks_key, .. } = &mut self {
            *lacks_key = true;
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

    /// Nothing came of many cases in a row, and the others were not tried.
    pub fn gave_up(&self) -> bool {
        matches!(self, Self::NoFamilies { losses, .. } if losses.iter().any(|(reason, _)| reason == vary::NOT_TRIED))
    }

    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Study { hint, .. } | Self::File { hint, .. } => hint.clone(),
            Self::Source(error) => error.hint.clone(),
            Self::Store(error) => error.hint().map(str::to_owned),
            Self::NoFamilies { losses, .. } if losses.iter().any(|(reason, _)| vary::is_unanswered(reason)) => {
                Some("a model gave no answer for some of them; the same command with --retry-failed tries these again".to_owned())
            }
            Self::NoFamilies { losses, .. } if losses.iter().any(|(reason, _)| reason.starts_with("nothing_applies")) => Some(
                "no entry of the catalog could be carried out on any chart: other_cancer, it is for other cancers; pattern_not_found, what it \
                 would change is not there; excluded_by_pattern, something speaks against it; textual_no_op, its edits change nothing; \
                 pattern_gave_up, a pattern needs too many steps. Correct the catalog, with another --out: this run belongs to this study"
                    .to_owned(),
            ),
            Self::NoFamilies { .. } if self.gave_up() => Some(
                "nothing came of many cases in a row, so the others were not tried. The losses say why, lost.jsonl what was written; the same \
                 command goes on with the next ones"
                    .to_owned(),
            ),
            Self::NoFamilies { .. } => {
                Some("the reasons above say what each case was lost for: change the study or its source, with another --out, as this run belongs to this study".to_owned())
            }
            Self::Budget(problem) => {
                let key = if problem.contains("USD") { "usd" } else { "tokens" };
                Some(format!("raise [budget] in the study, or with --set budget.{key}=…, and start the same command again"))
            }
            Self::Closed(_) => Some(
                "start the same command again then; what is answered stays answered. A larger [retry] deadline waits for longer rests"
                    .to_owned(),
            ),
            Self::Outage { .. } => Some(
                "see to its key, its address and its settings (`waterjar doctor STUDY` looks at them), then start the same command again: \
                 it goes on where it stopped, and what was answered is kept"
                    .to_owned(),
            ),
            Self::Interrupted => Some("start the same command again to go on where it stopped".to_owned()),
            _ => None,
        }
    }
}

fn in_a_row(times: usize) -> String {
    if times > 1 { format!(" {times} times in a row, the last time") } else { String::new() }
}

fn told(losses: &[(String, u64)]) -> String {
    let reasons: Vec<String> = losses.iter().map(|(reason, n)| format!("{reason} {n}")).collect();
    if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join(", ")) }
}
