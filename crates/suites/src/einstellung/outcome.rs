//! What became of one pair: the few facts all figures of this suite are made of.

use std::collections::BTreeMap;
use waterjar_core::{ConditionId, FailureMode, FamilyVerdict, Outcome, RankedLabel, Ruling};

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
    /// The place of the right condition in the control's list; infinite where it is not listed.
    pub control_place: Option<f64>,
    /// The confidence in the old diagnosis where it was reverted to.
    pub reverted_confidence: Option<f64>,
    /// What went wrong where it was reverted to after a right control; `None` where nobody could look into it.
    pub failure: Option<FailureMode>,
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
            Outcome::Missed | Outcome::Partly => Some(TrapOutcome::Stochastic),
            Outcome::Missing => None,
        });
        let reverted = trap.filter(|_| outcome == Some(TrapOutcome::Rigid));
        let failed = reverted.filter(|_| control.and_then(right) == Some(true));
        let mode = |ruling: &Ruling| ruling.audit.as_ref().map_or(FailureMode::Unaudited, |audit| audit.mode);
        Self {
            family: verdict.family.to_string(),
            control: control.and_then(right),
            trap: outcome,
            sham: verdict.ruling("sham").and_then(right),
            incomplete: verdict.is_incomplete(),
            rank_drop: rank(control).zip(rank(trap)).map(|(before, after)| after - before),
            control_place: control.and_then(|ruling| place_of(ruling, truth)),
            reverted_confidence: reverted.and_then(|it| label(it, truth)).and_then(|label| label.confidence),
            failure: failed.map(mode),
            strata: verdict.strata.clone(),
        }
    }

    /// Where one answer was asked for, what else it says is not weighed.
    #[must_use]
    pub fn without_ranks(self) -> Self {
        Self { rank_drop: None, control_place: None, reverted_confidence: None, ..self }
    }

    pub fn control_right(&self) -> bool {
        self.control == Some(true)
    }
}

fn right(ruling: &Ruling) -> Option<bool> {
    (ruling.outcome != Outcome::Missing).then_some(ruling.outcome == Outcome::Right)
}

/// The place of a condition in an answer; one that is not listed comes right after the list.
fn rank_of(ruling: &Ruling, condition: &ConditionId) -> Option<f64> {
    let place = place_of(ruling, condition)?;
    Some(if place.is_finite() { place } else { f64::from(ruling.listed + 1) })
}

/// The place of a condition in an answer, infinite where it is not listed.
/// A single diagnosis without a confidence is no list and has no places.
fn place_of(ruling: &Ruling, condition: &ConditionId) -> Option<f64> {
    let is_list = ruling.listed > 1 || ruling.ranking.iter().any(|label| label.confidence.is_some());
    if ruling.outcome == Outcome::Missing || !is_list {
        return None;
    }
    Some(label(ruling, condition).map_or(f64::INFINITY, |label| f64::from(label.rank)))
}

fn label<'a>(ruling: &'a Ruling, condition: &ConditionId) -> Option<&'a RankedLabel> {
    ruling.ranking.iter().find(|label| label.condition == *condition)
}
