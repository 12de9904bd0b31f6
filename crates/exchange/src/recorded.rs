//! Answers that another tool has recorded.

use waterjar_core::{Ending, Failure, FailureState, SourceError};

/// One answer, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// What the tool calls the question: the variant's id, where the questions are ours.
    pub id: String,
    /// What came along with the question: its suite and its hash.
    pub suite: Option<String>,
    pub question: Option<String>,
    /// What was asked, as the tool kept it: a text for each message.
    pub asked: Vec<String>,
    pub repeat: u32,
    pub ending: Ending,
    /// The file and the place in it.
    pub place: String,
}

/// A file with answers.
pub trait Recording: Send + Sync {
    /// Who answered, as the tool calls it; where the file tells.
    fn model(&self) -> Option<&str>;

    /// What a reader of the answers should know.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// One by one, so that memory does not grow with the file.
    fn each(&self, each: Each<'_>) -> Result<(), SourceError>;
}

pub type Each<'a> = &'a mut dyn FnMut(Recorded) -> Result<(), SourceError>;

pub(crate) fn failed(state: FailureState, detail: impl Into<String>) -> Ending {
    Ending::Failed(Failure::new(state, detail))
}

/// An error of another tool, in its words. Ours come back as what they were: `refused: no medical advice`.
pub(crate) fn of_error(message: &str) -> Ending {
    use FailureState::{DependencyFailed, InvalidOutput, NotApplicable, Refused, Timeout, TransportError};
    let known = [InvalidOutput, Refused, Timeout, TransportError, NotApplicable, DependencyFailed];
    if let Some((state, detail)) = message.split_once(": ")
        && let Some(state) = known.into_iter().find(|it| it.as_str() == state)
    {
        return failed(state, detail);
    }
    let lower = message.to_lowercase();
    let timed_out = ["timeout", "timed out", "timeouterror"].iter().any(|it| lower.contains(it));
    let detail: String = message.lines().next().unwrap_or_default().chars().take(500).collect();
    failed(if timed_out { Timeout } else { TransportError }, detail)
}
