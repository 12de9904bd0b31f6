//! One thing asked of a model that writes.

use waterjar_core::{ChatModel, Loss, ModelError, SuiteError};

/// A step that failed for good is a loss; where the model gave no answer, the case stays undecided.
pub(crate) type Step<T> = Result<Result<T, Loss>, SuiteError>;

/// A model that answered and was wrong twice loses the case, and so does one that refused.
pub(crate) fn settled<T>(model: &dyn ChatModel, asked: Result<T, ModelError>, reason: &str) -> Step<T> {
    match asked {
        Ok(value) => Ok(Ok(value)),
        Err(ModelError::InvalidOutput(_)) => Ok(Err(Loss::new(reason))),
        Err(ModelError::Refused(_)) => Ok(Err(Loss::new("author_refused"))),
        Err(error) => Err(SuiteError::Unanswered { model: model.id().clone(), error }),
    }
}
