//! What each stage is asked for, as types.

use crate::opinion::{Candidate, Opinion, check_ranked};
use schemars::JsonSchema;
use serde::Deserialize;

pub(super) const SCORED: &str = "scored_opinion";
pub(super) const BEST_TWO: &str = "best_two";

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ScoredOpinion {
    /// What speaks for and against the conditions considered.
    pub reasoning: String,
    /// The most likely condition first.
    #[schemars(length(min = 1, max = 5))]
    pub ranked: Vec<Candidate>,
    /// One for each answer that was shown, in the same order.
    pub scores: Vec<Score>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub(super) struct Score(#[schemars(range(min = 1, max = 5))] pub u8);

impl ScoredOpinion {
    pub fn check(&self, shown: usize) -> Result<(), String> {
        if self.scores.len() != shown {
            return Err(format!("scores: there are {}, and {shown} answers were shown", self.scores.len()));
        }
        check_ranked(&self.ranked)
    }

    pub fn parts(self) -> (Opinion, Vec<u8>) {
        let scores = self.scores.iter().map(|score| score.0).collect();
        (Opinion { reasoning: self.reasoning, ranked: self.ranked }, scores)
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BestTwo {
    pub reason: String,
    /// The numbers of two different answers, the better one first.
    #[schemars(length(min = 2, max = 2))]
    pub best: Vec<u32>,
}

impl BestTwo {
    pub fn check(&self, shown: usize) -> Result<(), String> {
        let strange = self.best.iter().find(|&&number| !(1..=shown).contains(&(number as usize)));
        match strange {
            Some(number) => Err(format!("best: there is no answer {number}; the numbers go from 1 to {shown}")),
            None if self.best[0] == self.best[1] => Err(format!("best: answer {} is there twice", self.best[0])),
            None => Ok(()),
        }
    }
}
