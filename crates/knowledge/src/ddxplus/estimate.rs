//! Patients → how often each finding and each value is there, in one pass.

use super::codes::{Answer, Codes};
use super::row::Row;
use crate::{Likelihood, Prior, ValueChance};
use std::collections::BTreeMap;
use waterjar_core::Sex;

/// Counts of every condition, by the places of `Codes`.
#[derive(Debug)]
pub(super) struct Counts {
    pub patients: u64,
    conditions: Vec<ConditionCounts>,
    /// Per finding, the last row that was counted: several values of a finding are one mention.
    asked_in: Vec<u64>,
    told_in: Vec<u64>,
}

#[derive(Clone, Debug)]
struct ConditionCounts {
    patients: f64,
    /// By sex and age band.
    people: [[f64; 4]; 2],
    findings: Vec<FindingCounts>,
}

#[derive(Clone, Debug)]
struct FindingCounts {
    /// Patients with any item of the finding, "nowhere" included.
    asked: f64,
    /// Patients who have it.
    told: f64,
    values: Vec<f64>,
}

/// Half an observation of each outcome before the first patient (Jeffreys), so that nothing is impossible or certain
/// because it was not met in a small file.
pub(super) fn smoothed(seen: f64, of: f64) -> f64 {
    (seen + 0.5) / (of + 1.0)
}

/// Nobody rates pain the same every time, even if the few patients of a file do.
const LEAST_SD: f64 = 1.0;

impl Counts {
    pub fn new(codes: &Codes) -> Self {
        let none = ConditionCounts {
            patients: 0.0,
            people: [[0.0; 4]; 2],
            findings: codes
                .findings
                .iter()
                .map(|known| FindingCounts { asked: 0.0, told: 0.0, values: vec![0.0; known.values.len()] })
                .collect(),
        };
        Self {
            patients: 0,
            conditions: vec![none; codes.conditions.len()],
            asked_in: vec![0; codes.findings.len()],
            told_in: vec![0; codes.findings.len()],
        }
    }

    pub fn add(&mut self, row: &Row) {
        self.patients += 1;
        let condition = &mut self.conditions[usize::from(row.condition)];
        condition.patients += 1.0;
        condition.people[sex_index(row.sex)][band(row.age)] += 1.0;
        for &(finding, answer) in &row.answers {
            let at = usize::from(finding);
            let counts = &mut condition.findings[at];
            if self.asked_in[at] != row.number {
                self.asked_in[at] = row.number;
                counts.asked += 1.0;
            }
            let told = match answer {
                Answer::Yes => true,
                Answer::No | Answer::Nothing => false,
                Answer::Value(value) => {
                    counts.values[usize::from(value)] += 1.0;
                    true
                }
            };
            if told && self.told_in[at] != row.number {
                self.told_in[at] = row.number;
                counts.told += 1.0;
            }
        }
    }

    /// How many patients of the file have the condition.
    pub fn of(&self, condition: usize) -> f64 {
        self.conditions[condition].patients
    }

    /// P(finding | condition). A condition without a patient tells nothing of its findings: an even chance.
    pub fn likelihood(&self, condition: usize, finding: usize) -> Likelihood {
        let counts = &self.conditions[condition];
        likely(smoothed(counts.findings[finding].told, counts.patients))
    }

    /// Relative weight per year of age, scaled so that the condition has `patients` in all.
    pub fn prior(&self, condition: usize, patients: f64) -> Prior {
        let counts = &self.conditions[condition];
        let weights = |sex| {
            let mut weights = counts.people[sex_index(sex)];
            for (weight, band) in weights.iter_mut().zip(Prior::BANDS) {
                let years = f64::from(band.1 - band.0) + 1.0;
                // Eight cells, each with half a patient before the first.
                *weight = (*weight + 0.5) / (counts.patients + 4.0) * patients / years;
            }
            weights
        };
        Prior { f: weights(Sex::F), m: weights(Sex::M) }
    }

    /// Shares of a choice, over the values that were seen.
    pub fn choice(&self, condition: usize, finding: usize, ids: &[String]) -> Option<ValueChance> {
        let seen = self.seen(condition, finding, ids);
        let total: f64 = seen.iter().map(|(_, count)| count + 0.5).sum();
        shares(seen.into_iter().map(|(id, count)| (id, (count + 0.5) / total)))
    }

    /// Each value's own chance, over the values that were seen: half a patient for each of 170 places of the body would
    /// drown the real ones.
    pub fn multi(&self, condition: usize, finding: usize, ids: &[String]) -> Option<ValueChance> {
        let asked = self.conditions[condition].findings[finding].asked;
        let seen = self.seen(condition, finding, ids).into_iter();
        shares(seen.map(|(id, count)| (id, smoothed(count, asked))))
    }

    pub fn scale(&self, condition: usize, finding: usize, ids: &[String]) -> Option<ValueChance> {
        let seen: Vec<(f64, f64)> = self
            .seen(condition, finding, ids)
            .into_iter()
            .filter_map(|(id, count)| Some((id.parse().ok()?, count)))
            .collect();
        let total: f64 = seen.iter().map(|(_, count)| count).sum();
        if total == 0.0 {
            return None;
        }
        let mean = seen.iter().map(|(x, count)| x * count).sum::<f64>() / total;
        let variance = seen.iter().map(|(x, count)| count * (x - mean).powi(2)).sum::<f64>() / total;
        Some(ValueChance::Scale { mean, sd: variance.sqrt().max(LEAST_SD) })
    }

    fn seen<'a>(&self, condition: usize, finding: usize, ids: &'a [String]) -> Vec<(&'a str, f64)> {
        let values = &self.conditions[condition].findings[finding].values;
        let counted = ids.iter().map(String::as_str).zip(values.iter().copied());
        counted.filter(|&(_, count)| count > 0.0).collect()
    }
}

pub(super) fn likely(p: f64) -> Likelihood {
    // The source flags nothing as essential or pathognomonic.
    Likelihood { p, essential: false, pathognomonic: false }
}

fn shares<'a>(values: impl Iterator<Item = (&'a str, f64)>) -> Option<ValueChance> {
    let shares: BTreeMap<String, f64> = values.map(|(id, chance)| (id.to_owned(), chance)).collect();
    (!shares.is_empty()).then_some(ValueChance::Shares(shares))
}

fn sex_index(sex: Sex) -> usize {
    usize::from(sex == Sex::M)
}

fn band(age: u8) -> usize {
    let last = Prior::BANDS.len() - 1;
    Prior::BANDS.iter().position(|band| band.contains(age)).unwrap_or(last)
}
