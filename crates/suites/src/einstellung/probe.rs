//! Can a trap be told from a control without knowing any diagnosis? If so, subjects could learn the tell instead of
//! the medicine. The probe looks at form and consistency only: how much is told, where, and whether some condition
//! explains all of it.

use std::collections::BTreeMap;
use waterjar_core::{Check, Facts, FindingState, Seed, Variant};
use waterjar_knowledge::{KnowledgeBase, Place};

const FEATURES: usize = 7;
const FOLDS: usize = 5;

/// Accuracy of a logistic regression that never saw the family it is asked about, over traps and controls of a kind.
/// Of each family only a few numbers are kept.
pub(super) fn probe(base: &KnowledgeBase, seed: Seed, families: impl Iterator<Item = Vec<Variant>>) -> Vec<Check> {
    let mut samples: BTreeMap<String, Vec<Sample>> = BTreeMap::new();
    for variants in families {
        if let Some(purity) = variants.iter().find_map(|variant| variant.strata.get("purity")) {
            samples.entry(purity.clone()).or_default().extend(samples_of(base, seed, &variants));
        }
    }
    let kinds = [
        (
            "artefact_probe_pure",
            "pure",
            "Traps that keep none of the old evidence cannot be told from controls by their form when this is near 0.5.",
        ),
        (
            "artefact_probe_mixed",
            "mixed",
            "Traps that keep some of the old evidence fit no condition fully; above 0.5, that gives them away.",
        ),
    ];
    kinds
        .iter()
        .filter_map(|(name, purity, reading)| {
            let (right, n) = cross_validated(samples.get(*purity)?);
            let interval = waterjar_scoring::stats::wilson(right, n)?;
            let rounded = waterjar_core::metric::rounded;
            Some(Check {
                name: (*name).to_owned(),
                value: rounded(right as f64 / n as f64),
                low: rounded(interval.low),
                high: rounded(interval.high),
                n,
                reading: (*reading).to_owned(),
            })
        })
        .collect()
}

struct Sample {
    features: [f64; FEATURES],
    is_trap: bool,
    fold: usize,
}

fn samples_of(base: &KnowledgeBase, seed: Seed, variants: &[Variant]) -> impl Iterator<Item = Sample> {
    let family = variants.first().map_or("", |variant| variant.family.as_str());
    let fold = (seed.rank("probe fold", family) % FOLDS as i64) as usize;
    variants.iter().filter(|variant| variant.role() != "sham").filter_map(move |variant| {
        let facts = variant.facts.as_ref()?;
        Some(Sample { features: features(base, facts, &variant.text), is_trap: !variant.is_control(), fold })
    })
}

fn features(base: &KnowledgeBase, facts: &Facts, text: &str) -> [f64; FEATURES] {
    let mut symptoms = 0.0;
    let mut antecedents = 0.0;
    let mut denied = 0.0;
    let mut told = Vec::new();
    for seen in &facts.findings {
        let Some(finding) = base.finding(&seen.finding) else { continue };
        match (seen.state, finding.kind.place()) {
            (FindingState::Denied, _) => denied += 1.0,
            (_, Place::Symptoms) => symptoms += 1.0,
            (_, Place::Antecedents) => antecedents += 1.0,
        }
        if seen.state == FindingState::Present && !finding.carries_detail() {
            told.push(&finding.id);
        }
    }
    // How many findings each possible condition explains: the best, the second best, and whether one explains all.
    let mut explained: Vec<f64> = base
        .conditions()
        .iter()
        .filter(|condition| condition.weight(facts.sex, facts.age) > 0.0)
        .map(|condition| told.iter().filter(|id| condition.lists(id)).count() as f64)
        .collect();
    explained.sort_by(|a, b| b.total_cmp(a));
    let best = explained.first().copied().unwrap_or(0.0);
    let second = explained.get(1).copied().unwrap_or(0.0);
    let all = told.len() as f64;
    [symptoms, antecedents, denied, text.len() as f64, all - best, all - second, f64::from(all == best)]
}

fn cross_validated(samples: &[Sample]) -> (u64, u64) {
    let mut right = 0;
    for fold in 0..FOLDS {
        let training: Vec<&Sample> = samples.iter().filter(|it| it.fold != fold).collect();
        if training.is_empty() {
            continue;
        }
        let model = Logistic::fit(&training);
        let held_out = samples.iter().filter(|it| it.fold == fold);
        right += held_out.filter(|it| model.says_trap(&it.features) == it.is_trap).count() as u64;
    }
    (right, samples.len() as u64)
}

/// Plain logistic regression on standardised features, by gradient descent with a little ridge.
struct Logistic {
    mean: [f64; FEATURES],
    sd: [f64; FEATURES],
    weights: [f64; FEATURES],
    bias: f64,
}

impl Logistic {
    fn fit(samples: &[&Sample]) -> Self {
        let n = samples.len() as f64;
        let mut model = Self { mean: [0.0; FEATURES], sd: [1.0; FEATURES], weights: [0.0; FEATURES], bias: 0.0 };
        for at in 0..FEATURES {
            let mean = samples.iter().map(|it| it.features[at]).sum::<f64>() / n;
            let variance = samples.iter().map(|it| (it.features[at] - mean).powi(2)).sum::<f64>() / n;
            model.mean[at] = mean;
            model.sd[at] = if variance > 0.0 { variance.sqrt() } else { 1.0 };
        }
        for _ in 0..300 {
            let mut slope = [0.0; FEATURES];
            let mut slope_bias = 0.0;
            for sample in samples {
                let error = model.probability(&sample.features) - f64::from(sample.is_trap);
                for (at, x) in model.standardised(&sample.features).into_iter().enumerate() {
                    slope[at] += error * x;
                }
                slope_bias += error;
            }
            for (weight, slope) in model.weights.iter_mut().zip(slope) {
                *weight -= 0.5 * (slope / n + 0.01 * *weight);
            }
            model.bias -= 0.5 * slope_bias / n;
        }
        model
    }

    fn standardised(&self, features: &[f64; FEATURES]) -> [f64; FEATURES] {
        std::array::from_fn(|at| (features[at] - self.mean[at]) / self.sd[at])
    }

    fn probability(&self, features: &[f64; FEATURES]) -> f64 {
        let x = self.standardised(features);
        let sum: f64 = x.iter().zip(&self.weights).map(|(x, w)| x * w).sum();
        1.0 / (1.0 + (-sum - self.bias).exp())
    }

    fn says_trap(&self, features: &[f64; FEATURES]) -> bool {
        self.probability(features) > 0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(at: usize, x: f64, is_trap: bool) -> Sample {
        let mut features = [1.0; FEATURES];
        features[0] = x;
        Sample { features, is_trap, fold: at % FOLDS }
    }

    #[test]
    fn a_tell_is_found() {
        let samples: Vec<Sample> = (0..100).map(|at| sample(at, f64::from(at as u8 % 2), at % 2 == 1)).collect();
        assert_eq!(cross_validated(&samples), (100, 100));
    }

    #[test]
    fn without_a_tell_the_probe_guesses() {
        // Control and trap of each family look the same, so whatever is said is right once in two.
        let samples: Vec<Sample> = (0..100).map(|at| sample(at / 2, f64::from(at as u8 / 2), at % 2 == 1)).collect();
        assert_eq!(cross_validated(&samples), (50, 100));
    }
}
