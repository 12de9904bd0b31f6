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

impl Exit {
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::BoundBroken => 1,
            Self::BadInput => 2,
            Self::MissingAnswers => 3,
            Self::Stopped => 4,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
