//! What became of one pair: the few facts all figures of this suite are made of.

use std::collections::BTreeMap;
use waterjar_core::{ConditionId, FamilyVerdict, Outcome, RankedLabel, Ruling};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairOutcome {
    pub family: String,
    /// Whether the control was right; `None` without an answer.
    pub control: Option<bool>,
    /// `None` without an answer.
    pub trap: Option<TrapOutcome>,
    pub sham: Option<bool>,
    /// Whether an answer that was asked for is missing.
    pub incomplete: bool,
    /// By how many places the old diagnosis fell from control to trap.
    pub rank_drop: Option<f64>,
    /// The confidence in the old diagnosis where it was reverted to.
    pub reverted_confidence: Option<f64>,
    pub strata: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrapOutcome {
    /// Names what the trap now says.
    Robust,
    /// Stays with the control's diagnosis: `y_gt`, not `y_bias` (specs 10.1, MedEinst 1).
    Rigid,
    /// Something else.
    Stochastic,
}

impl PairOutcome {
    /// `truth` is the control's diagnosis.
    pub fn of_verdict(verdict: &FamilyVerdict, truth: &ConditionId) -> Self {
        let control = verdict.ruling("control");
        let trap = verdict.ruling("trap");
        let rank = |ruling: Option<&Ruling>| ruling.and_then(|ruling| rank_of(ruling, truth));
        let outcome = trap.and_then(|ruling| match ruling.outcome {
            Outcome::Right => Some(TrapOutcome::Robust),
            Outcome::Trapped => Some(TrapOutcome::Rigid),
            Outcome::Missed => Some(TrapOutcome::Stochastic),
            Outcome::Missing => None,
        });
        let reverted = trap.filter(|_| outcome == Some(TrapOutcome::Rigid));
        Self {
            family: verdict.family.to_string(),
            control: control.and_then(right),
            trap: outcome,
            sham: verdict.ruling("sham").and_then(right),
            incomplete: verdict.is_incomplete(),
            rank_drop: rank(control).zip(rank(trap)).map(|(before, after)| after - before),
            reverted_confidence: reverted.and_then(|it| label(it, truth)).and_then(|label| label.confidence),
            strata: verdict.strata.clone(),
        }
    }

    pub fn control_right(&self) -> bool {
        self.control == Some(true)
    }
}

fn right(ruling: &Ruling) -> Option<bool> {
    (ruling.outcome != Outcome::Missing).then_some(ruling.outcome == Outcome::Right)
}

/// The place of a condition in an answer; one that is not listed comes right after the list.
/// A single diagnosis without a confidence is no list and has no places.
fn rank_of(ruling: &Ruling, condition: &ConditionId) -> Option<f64> {
    let is_list = ruling.listed > 1 || ruling.ranking.iter().any(|label| label.confidence.is_some());
    if ruling.outcome == Outcome::Missing || !is_list {
        return None;
    }
    let rank = label(ruling, condition).map_or(ruling.listed + 1, |label| label.rank);
    Some(f64::from(rank))
}

fn label<'a>(ruling: &'a Ruling, condition: &ConditionId) -> Option<&'a RankedLabel> {
    ruling.ranking.iter().find(|label| label.condition == *condition)
}
