//! Free text → the diagnoses it names, first choice first.
//!
//! A ranked list, a heading, a sentence or a bare name can hold the answer. What is said last and most formally counts.

mod aside;
mod beside;
mod claim;
mod denied;
mod gloss;
mod harmless;
mod headed;
mod item;
mod kind;
mod labels;
pub(crate) mod led;
mod list;
mod phrase;
mod piece;
mod prose;
mod ranked;
mod read;
mod supposed;
mod trailing;
pub(crate) mod unwrapped;
pub(crate) mod words;

pub use labels::Labels;

use waterjar_core::{ConditionId, RankedLabel};

/// What an answer says. Naming none of the known conditions is a reading; saying nothing is not an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    pub said: Said,
    /// Recognised conditions with their place in the answer's list.
    pub ranking: Vec<RankedLabel>,
    /// How many diagnoses the answer lists, recognised or not.
    pub listed: u32,
    /// The words of the first choice, recognised or not.
    pub first_words: Option<String>,
}

/// What it comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Said {
    /// No diagnosis could be read.
    #[default]
    Nothing,
    /// In so many words: none of the conditions asked about.
    NoneOfThem,
    /// One first choice, known or not.
    Choice,
    /// Two or more, left open: there is no first choice.
    Open,
}

impl Answer {
    pub fn read(labels: &Labels, text: &str) -> Self {
        Self::read_about(labels, &[], text)
    }

    /// The same where it is known which conditions were asked about: a name that fits several means that one of them.
    pub fn read_about(labels: &Labels, asked: &[&ConditionId], text: &str) -> Self {
        read::read(labels, &unwrapped::unwrapped(text)).settled(labels, asked)
    }

    /// The first choice, where there is one and it is a known condition.
    pub fn named(&self) -> Option<&RankedLabel> {
        self.ranking.first().filter(|label| label.rank == 1 && self.said == Said::Choice)
    }
}

#[cfg(test)]
mod tests;
