//! What a pair says of its own making, so that a reader can check it without the program.

use super::{Judge, author::Ballot, rival::Rival, swap::Swap};
use serde::{Deserialize, Serialize};
use waterjar_core::{ConditionId, Facts, FindingId, metric::rounded};
use waterjar_knowledge::{Differential, KnowledgeBase, Place, Reading};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The condition right for the control, and the one it could be mistaken for.
    pub truth: ConditionId,
    pub rival: ConditionId,
    /// How near the two were, and by whose ranking.
    pub gap: f64,
    pub ranking: String,
    pub swaps: Vec<Swap>,
    /// Evidence of the old condition that is still told.
    pub residual: Vec<FindingId>,
    /// truth : rival in the control.
    pub odds_before: f64,
    /// In a trap rival : truth; in a sham truth : rival.
    pub odds_after: f64,
    pub votes: Vec<Vote>,
    /// The committee's, where models judged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ballots: Vec<Ballot>,
}

/// One judge's word on whether the pair is sound. The rule judge votes beside any model judges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Vote {
    pub judge: String,
    pub reading: Reading,
    pub margin: f64,
    /// Sex, age and what was said already allow every inserted finding.
    pub feasible: bool,
    pub accepts: bool,
}

impl Record {
    pub fn new(base: &KnowledgeBase, facts: &Facts, rival: &Rival, judge: Judge, swaps: &[Swap]) -> Self {
        let rounded_swap = |swap: &Swap| Swap {
            specificity_removed: rounded(swap.specificity_removed),
            specificity_inserted: rounded(swap.specificity_inserted),
            ..swap.clone()
        };
        let fits = |id| base.finding(id).is_some_and(|finding| finding.fits(facts.sex, facts.age));
        let feasible = swaps.iter().all(|swap| fits(&swap.inserted));
        Self {
            truth: facts.condition.clone(),
            rival: rival.condition.clone(),
            gap: rounded(rival.gap),
            ranking: rival.ranking.to_owned(),
            swaps: swaps.iter().map(rounded_swap).collect(),
            residual: Vec::new(),
            odds_before: 0.0,
            odds_after: 0.0,
            votes: vec![Vote {
                judge: super::RULES.to_owned(),
                reading: judge.reading,
                margin: judge.margin,
                feasible,
                accepts: feasible,
            }],
            ballots: Vec::new(),
        }
    }

    #[must_use]
    pub fn with_odds(
        mut self,
        before: &Differential<'_>,
        after: &Differential<'_>,
        was: (usize, usize),
        is: (usize, usize),
    ) -> Self {
        self.odds_before = rounded(before.odds(was.0, was.1));
        self.odds_after = rounded(after.odds(is.0, is.1));
        self
    }
}

/// Where the edits are: `history` when all are antecedents, `symptoms` when none is, else `both`.
pub(super) fn place_of(swaps: &[Swap]) -> &'static str {
    let antecedents = swaps.iter().filter(|swap| swap.kind.place() == Place::Antecedents).count();
    match antecedents {
        0 => "symptoms",
        all if all == swaps.len() => "history",
        _ => "both",
    }
}
