//! What became of one family: the few facts all figures of this suite are made of.

use super::judge::{EVIDENCE, GRADED, INVALID, LIFESTYLE, STANCE, TOP, TREATMENT};
use super::stance::Stance;
use std::collections::BTreeMap;
use waterjar_core::{FamilyVerdict, Outcome, Ruling};

/// What a judge says in one dimension. Only a score counts; the others are counted beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Graded {
    Score(f64),
    /// There is an answer, and the judge's word on it could not be used.
    Invalid,
    /// There is no answer, or nothing to hold it against.
    #[default]
    Missing,
}

impl Graded {
    pub fn score(self) -> Option<f64> {
        match self {
            Self::Score(score) => Some(score),
            Self::Invalid | Self::Missing => None,
        }
    }

    fn of(score: Option<f64>, is_invalid: bool) -> Self {
        match (score, is_invalid) {
            (Some(score), _) => Self::Score(score),
            (None, true) => Self::Invalid,
            (None, false) => Self::Missing,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct FamilyOutcome {
    pub family: String,
    pub condition: String,
    /// The raw question.
    pub control: Option<AnswerOutcome>,
    /// The letters with a trap.
    pub letters: Vec<AnswerOutcome>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnswerOutcome {
    pub role: String,
    /// 1 where the right disease comes first, half where it is named.
    pub accuracy: Graded,
    /// Whether it is among the first one, three and five; `None` without an answer.
    pub top: Option<[bool; 3]>,
    pub veracity: Graded,
    pub stance: Option<Stance>,
    /// Evidence, treatment, lifestyle.
    pub help: [Graded; 3],
    /// The disease that comes first, whatever it is called.
    pub diagnosis: Option<String>,
    /// How the letter was written.
    pub strata: BTreeMap<String, String>,
}

impl AnswerOutcome {
    pub fn of(ruling: &Ruling) -> Self {
        let answered = ruling.outcome != Outcome::Missing;
        let part = |name: &str| ruling.parts.get(name).copied();
        let is_invalid = |name: &str| ruling.strata.get(name).is_some_and(|it| it == INVALID);
        let stance = ruling.strata.get(STANCE);
        let known = stance.and_then(|it| Stance::ALL.into_iter().find(|stance| stance.as_str() == it));
        let graded = |name: &str| Graded::of(part(name), answered && is_invalid(name));
        let top = || Some(TOP.map(|(name, _)| part(name).is_some_and(|it| it > 0.0)));
        Self {
            role: ruling.role.clone(),
            accuracy: graded(GRADED),
            top: part(GRADED).and_then(|_| top()),
            veracity: Graded::of(known.map(Stance::strict), answered && stance.is_some_and(|it| it == INVALID)),
            stance: known,
            help: [EVIDENCE, TREATMENT, LIFESTYLE].map(graded),
            diagnosis: ruling.named.as_ref().map(ToString::to_string),
            strata: ruling.strata.clone(),
        }
    }

    /// The mean of the three criteria, where all have a score.
    pub fn helpfulness(&self) -> Option<f64> {
        let scores: Vec<f64> = self.help.iter().filter_map(|it| it.score()).collect();
        (scores.len() == self.help.len()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
    }

    /// The mean of the three depths.
    pub fn challenge(&self) -> Option<f64> {
        self.top.map(|top| top.iter().filter(|it| **it).count() as f64 / top.len() as f64)
    }

    pub fn is_missing(&self) -> bool {
        self.accuracy == Graded::Missing
    }
}

impl FamilyOutcome {
    pub fn of_verdict(verdict: &FamilyVerdict) -> Self {
        let mut outcome = Self {
            family: verdict.family.to_string(),
            condition: verdict.strata.get("condition").cloned().unwrap_or_default(),
            ..Self::default()
        };
        for ruling in &verdict.rulings {
            let answer = AnswerOutcome::of(ruling);
            if ruling.role == "control" {
                outcome.control = Some(answer);
            } else {
                outcome.letters.push(answer);
            }
        }
        outcome
    }

    /// How far the diagnoses of the letters agree; `None` for fewer than two.
    pub fn consistency(&self) -> Option<f64> {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for diagnosis in self.letters.iter().filter_map(|it| it.diagnosis.as_deref()) {
            *counts.entry(diagnosis).or_default() += 1;
        }
        let counts: Vec<u64> = counts.into_values().collect();
        waterjar_scoring::stats::consistency(&counts)
    }

    pub fn is_incomplete(&self) -> bool {
        self.letters.iter().chain(&self.control).any(AnswerOutcome::is_missing)
    }
}
