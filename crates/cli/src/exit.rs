//! How a command ends. Scripts rely on the numbers.

use std::process::ExitCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Done,
    BoundBroken,
    BadInput,
    MissingAnswers,
    Stopped,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::BoundBroken => 1,
            Exit::BadInput => 2,
            Exit::MissingAnswers => 3,
            Exit::Stopped => 4,
        })
    }
}
