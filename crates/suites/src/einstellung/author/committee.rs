//! The verification committee: each judge votes on the trap by itself; the majority decides.

use super::answers::{CommitteeVote, YesNo};
use super::templates::CastVote;
use crate::prompts::rendered;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use waterjar_core::{ChatModel, ModelError, SuiteError};
use waterjar_structured::ask_checked;

/// Below this a judge's yes does not count: a case nobody would tell tests nothing. Ours; the paper gives no threshold.
const GOOD_ENOUGH: u8 = 6;

pub(in super::super) struct Committee<'a> {
    pub judges: &'a [Arc<dyn ChatModel>],
}

/// One judge's word, as the pair's record keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in super::super) struct Ballot {
    pub judge: String,
    pub accepts: bool,
    /// `None` where the judge gave no usable vote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vote: Option<CommitteeVote>,
}

impl Committee<'_> {
    /// A judge that refuses or cannot be understood abstains, which is not a yes. Without the word of one that could not be
    /// asked nothing is decided.
    pub async fn vote(&self, story: &str, expected: &str, other: &str) -> Result<Vec<Ballot>, SuiteError> {
        let prompt = rendered(&CastVote { expected, other, story });
        let mut ballots = Vec::new();
        for judge in self.judges {
            let asked = ask_checked(judge.as_ref(), &prompt, "vote", |it: &CommitteeVote| Ok(it.clone())).await;
            let vote = match asked {
                Ok(vote) => Some(vote),
                Err(ModelError::InvalidOutput(_) | ModelError::Refused(_)) => None,
                Err(error) => return Err(SuiteError::Unanswered { model: judge.id().clone(), error }),
            };
            ballots.push(Ballot { judge: judge.id().to_string(), accepts: vote.as_ref().is_some_and(accepts), vote });
        }
        Ok(ballots)
    }
}

/// Two of three, and in general more than half of those who were asked.
pub(in super::super) fn accepted(ballots: &[Ballot]) -> bool {
    2 * ballots.iter().filter(|ballot| ballot.accepts).count() > ballots.len()
}

fn accepts(vote: &CommitteeVote) -> bool {
    vote.correct == YesNo::Yes && vote.plausibility >= GOOD_ENOUGH && vote.fluency >= GOOD_ENOUGH
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ballot(accepts: bool) -> Ballot {
        Ballot { judge: "judge".to_owned(), accepts, vote: None }
    }

    #[test]
    fn two_of_three_are_enough_and_one_is_not() {
        assert!(accepted(&[ballot(true), ballot(true), ballot(false)]));
        assert!(!accepted(&[ballot(true), ballot(false), ballot(false)]));
        assert!(!accepted(&[]));
    }

    #[test]
    fn an_implausible_story_is_not_accepted_however_correct() {
        let vote =
            |plausibility| CommitteeVote { correct: YesNo::Yes, plausibility, fluency: 9, reason: String::new() };
        assert!(accepts(&vote(6)));
        assert!(!accepts(&vote(5)));
    }
}
