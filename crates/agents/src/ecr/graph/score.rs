//! S(d) = w_m·match − w_c·conflict − w_s·shadow + w_p·pivot + w_e·experience. The paper gives no weights; ours are settings and stand in every record.

use super::{CausalGraph, EdgeKind, Seen};
use crate::ecr::reasoner::stages::FeatureKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
    #[serde(rename = "match")]
    pub matching: f64,
    pub conflict: f64,
    pub shadow: f64,
    pub pivot: f64,
    /// Of cases like this one, in experience's favour.
    pub experience: f64,
}

/// Chosen on one half of the quickstart pairs and confirmed on the other: `examples/ecr_weights.rs`.
impl Default for Weights {
    fn default() -> Self {
        Self { matching: 1.0, conflict: 1.0, shadow: 0.1, pivot: 1.0, experience: 0.25 }
    }
}

/// The parts of S(d), unweighted, and their sum, weighted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    #[serde(rename = "match")]
    pub matching: f64,
    pub conflict: f64,
    pub shadow: f64,
    pub pivot: f64,
    pub experience: f64,
    pub total: f64,
}

impl CausalGraph {
    /// By candidate. A feature the patient has counts for those it supports and against those it rules out; one the patient denies
    /// counts against those that let expect it. Unmentioned is not denied: it only counts as a shadow.
    pub fn scores(&self, weights: &Weights, experience: &[f64]) -> Vec<Score> {
        let rivals = self.candidates.len().saturating_sub(1).max(1) as f64;
        let mut scores = vec![Score::default(); self.candidates.len()];
        for at in 0..self.features.len() {
            let feature = self.feature(at);
            let seen = self.seen(at);
            let ruled_out: f64 = self
                .bearings(at)
                .filter(|(_, edge)| edge.kind == EdgeKind::RuleOut)
                .map(|(_, edge)| edge.strength)
                .sum();
            for (candidate, edge) in self.bearings(at) {
                let score = &mut scores[candidate];
                match (edge.kind, seen) {
                    (EdgeKind::Support, Seen::Matched) => {
                        score.matching += feature.importance * edge.strength;
                        if feature.kind == FeatureKind::Pivot {
                            // A pivot is worth more the more rivals it rules out.
                            score.pivot += feature.importance * edge.strength * ruled_out / rivals;
                        }
                    }
                    (EdgeKind::Support, Seen::Denied) => score.conflict += feature.importance * edge.if_denied,
                    (EdgeKind::RuleOut, Seen::Matched) => score.conflict += feature.importance * edge.strength,
                    (EdgeKind::Penalty, _) => score.shadow += feature.importance * edge.strength,
                    _ => {}
                }
            }
        }
        for (score, experience) in scores.iter_mut().zip(experience.iter().chain(std::iter::repeat(&0.0))) {
            score.experience = *experience;
            score.total =
                weights.matching * score.matching - weights.conflict * score.conflict - weights.shadow * score.shadow
                    + weights.pivot * score.pivot
                    + weights.experience * score.experience;
        }
        scores
    }
}
