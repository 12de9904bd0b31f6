//! Findings → conditions ranked by probability. An open world: present, denied and unmentioned are three states, and
//! what was not mentioned weighs nothing.

use crate::{Finding, KnowledgeBase, Place, ValueChance};
use serde::{Deserialize, Serialize};
use waterjar_core::{Candidate, Facts, FindingState, Observation, Sex};

/// How a set of findings is read. The floor decides what flips (offline.md 1.4), so it is always stated with a result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// The least probability of a finding, or of its denial, in a condition that speaks against it.
    pub floor: f64,
    /// Weigh conditions by how common they are at this sex and age; else all that are possible weigh the same.
    pub prior: bool,
    /// Let details count (pain site, character, intensity): each detail weighs as one finding.
    pub details: bool,
    pub scope: Scope,
    /// Exponent on the likelihood. Below 1 it allows for findings that come together; 1 takes them as independent.
    pub temper: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    All,
    /// Symptoms and signs only: how a source without a differential is ranked.
    Symptoms,
    /// What is told of the past counts half: risk factors make nobody ill by themselves.
    HalfHistory,
}

impl Scope {
    /// How much a finding told there counts.
    fn weight(self, place: Place) -> f64 {
        match (self, place) {
            (Self::Symptoms, Place::Antecedents) => 0.0,
            (Self::HalfHistory, Place::Antecedents) => 0.5,
            _ => 1.0,
        }
    }
}

impl Reading {
    /// The judge of flips: floor 0.05, independent findings.
    pub const JUDGE: Self = Self { floor: 0.05, prior: true, details: true, scope: Scope::All, temper: 1.0 };

    /// What a reader of symptoms alone would suspect.
    pub const SYMPTOMS: Self = Self { scope: Scope::Symptoms, temper: 0.5, ..Self::JUDGE };
}

/// Log weights of all conditions, by their place in the base; impossible ones are minus infinity.
#[derive(Clone, Debug)]
pub struct Differential<'a> {
    base: &'a KnowledgeBase,
    weights: Vec<f64>,
}

impl<'a> Differential<'a> {
    pub fn of(base: &'a KnowledgeBase, facts: &Facts, reading: &Reading) -> Self {
        Self::of_findings(base, facts.sex, facts.age, &facts.findings, reading)
    }

    pub fn of_findings(
        base: &'a KnowledgeBase,
        sex: Sex,
        age: u8,
        findings: &[Observation],
        reading: &Reading,
    ) -> Self {
        let mut weights: Vec<f64> = base
            .conditions()
            .iter()
            .map(|condition| match condition.weight(sex, age) {
                weight if weight <= 0.0 => f64::NEG_INFINITY,
                weight if reading.prior => weight.ln(),
                _ => 0.0,
            })
            .collect();
        for seen in findings {
            add(base, seen, reading, &mut weights);
        }
        Self { base, weights }
    }

    /// Odds of one condition over another, by their places in the base.
    pub fn odds(&self, condition: usize, over: usize) -> f64 {
        (self.weights[condition] - self.weights[over]).exp()
    }

    /// The most probable condition; the first in the base among equals.
    pub fn first(&self) -> Option<usize> {
        self.order().first().copied()
    }

    /// Possible conditions, most probable first, ties by id.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> =
            (0..self.weights.len()).filter(|&at| self.weights[at] > f64::NEG_INFINITY).collect();
        order.sort_by(|&a, &b| self.weights[b].total_cmp(&self.weights[a]).then(a.cmp(&b)));
        order
    }

    /// Probabilities that sum to one, most probable first.
    pub fn candidates(&self) -> Vec<Candidate> {
        let order = self.order();
        let Some(&first) = order.first() else {
            return Vec::new();
        };
        let top = self.weights[first];
        let total: f64 = order.iter().map(|&at| (self.weights[at] - top).exp()).sum();
        order
            .into_iter()
            .map(|at| Candidate {
                condition: self.base.conditions()[at].id.clone(),
                probability: (self.weights[at] - top).exp() / total,
            })
            .collect()
    }
}

fn add(base: &KnowledgeBase, seen: &Observation, reading: &Reading, weights: &mut [f64]) {
    // A finding the base does not know tells nothing about the conditions in it.
    let Some(column) = base.finding_index(&seen.finding) else {
        return;
    };
    let finding = &base.findings()[column];
    let counts = reading.scope.weight(finding.kind.place());
    if counts == 0.0 {
        return;
    }
    if finding.carries_detail() && !reading.details {
        return;
    }
    let counts = counts * reading.temper;
    if finding.carries_detail() {
        for (row, weight) in weights.iter_mut().enumerate() {
            *weight += counts * detail_probability(base, row, finding, &seen.values, reading.floor).ln();
        }
        return;
    }
    let log = |chance: f64| {
        let chance = chance.max(finding.background);
        let told = match seen.state {
            FindingState::Present => chance,
            FindingState::Denied => 1.0 - chance,
        };
        told.max(reading.floor).ln()
    };
    // Most conditions do not list it.
    let unlisted = log(0.0);
    for (row, weight) in weights.iter_mut().enumerate() {
        *weight += counts * base.listed(row, column).map_or(unlisted, |it| log(it.p));
    }
}

/// The geometric mean over the values, so that a detail weighs as one finding however many values it has.
fn detail_probability(base: &KnowledgeBase, row: usize, finding: &Finding, values: &[String], floor: f64) -> f64 {
    let chances = base.conditions()[row].values.get(&finding.id);
    let logs = values.iter().map(|value| {
        let chance = match chances {
            Some(ValueChance::Shares(shares)) => shares.get(value).copied().unwrap_or(0.0),
            Some(&ValueChance::Scale { mean, sd }) => value.parse().map_or(0.0, |x: f64| scale_chance(x, mean, sd)),
            None => 0.0,
        };
        chance.max(floor).ln()
    });
    let sum: f64 = logs.sum();
    (sum / values.len().max(1) as f64).exp()
}

/// The chance of one of the numbers 0 to 10 under a normal curve cut off at both ends.
fn scale_chance(x: f64, mean: f64, sd: f64) -> f64 {
    density(x, mean, sd) / SCALE.map(|at| density(at, mean, sd)).iter().sum::<f64>()
}

/// That of each of them.
pub(crate) fn scale_chances(mean: f64, sd: f64) -> [f64; 11] {
    let densities = SCALE.map(|at| density(at, mean, sd));
    let total: f64 = densities.iter().sum();
    densities.map(|it| it / total)
}

const SCALE: [f64; 11] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0];

fn density(at: f64, mean: f64, sd: f64) -> f64 {
    (-0.5 * ((at - mean) / sd).powi(2)).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::starter;
    use waterjar_core::{ConditionId, FindingId};

    fn observed(finding: &str, state: FindingState) -> Observation {
        Observation { finding: FindingId::from(finding), state, values: Vec::new() }
    }

    fn order_of(findings: &[Observation]) -> Vec<Candidate> {
        let base = starter::base().expect("the starter base is sound");
        Differential::of_findings(&base, Sex::F, 40, findings, &Reading::JUDGE).candidates()
    }

    fn probability(candidates: &[Candidate], condition: &str) -> f64 {
        candidates.iter().find(|it| it.condition == ConditionId::from(condition)).map_or(0.0, |it| it.probability)
    }

    #[test]
    fn probabilities_sum_to_one() {
        let candidates = order_of(&[observed("cough", FindingState::Present)]);
        let sum: f64 = candidates.iter().map(|it| it.probability).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    }

    #[test]
    fn the_order_of_findings_is_irrelevant() {
        let there = [observed("cough", FindingState::Present), observed("fever", FindingState::Denied)];
        let back: Vec<_> = there.iter().rev().cloned().collect();
        let (a, b) = (order_of(&there), order_of(&back));
        for (a, b) in a.iter().zip(&b) {
            assert_eq!(a.condition, b.condition);
            assert!((a.probability - b.probability).abs() < 1e-12);
        }
    }

    #[test]
    fn denied_speaks_against_and_unmentioned_is_silent() {
        let silent = probability(&order_of(&[]), "pneumonia");
        let present = probability(&order_of(&[observed("cough", FindingState::Present)]), "pneumonia");
        let denied = probability(&order_of(&[observed("cough", FindingState::Denied)]), "pneumonia");
        assert!(denied < silent && silent < present, "{denied} {silent} {present}");
    }

    #[test]
    fn history_can_count_whole_half_or_not_at_all() {
        let base = starter::base().expect("the starter base is sound");
        let at = |id: &str| base.condition_index(&ConditionId::from(id)).unwrap();
        let (infarction, pericarditis) = (at("myocardial_infarction"), at("pericarditis"));
        let odds = |scope, findings: &[Observation]| {
            let reading = Reading { scope, ..Reading::JUDGE };
            Differential::of_findings(&base, Sex::F, 60, findings, &reading).odds(infarction, pericarditis)
        };
        let told = [observed("sweating", FindingState::Present), observed("smoker", FindingState::Present)];
        let none = odds(Scope::All, &told[..1]);
        let [whole, half, not] =
            [Scope::All, Scope::HalfHistory, Scope::Symptoms].map(|scope| odds(scope, &told) / none);
        assert!(whole > 1.5 && (half * half - whole).abs() < 1e-9 && (not - 1.0).abs() < 1e-9, "{whole} {half} {not}");
    }

    #[test]
    fn a_condition_of_the_other_sex_is_not_a_candidate() {
        assert_eq!(probability(&order_of(&[]), "acute_prostatitis"), 0.0);
    }

    #[test]
    fn a_scale_is_a_distribution_over_its_numbers() {
        let sum: f64 = (0..=10).map(|x| scale_chance(f64::from(x), 7.0, 2.0)).sum();
        assert!((sum - 1.0).abs() < 1e-12);
    }
}
