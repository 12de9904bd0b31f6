//! The evidence balance sheet, a row per candidate (the paper's Table A7): what supports it, what conflicts with it, what is missing.

use super::{CausalGraph, EdgeKind, Score, Seen};
use crate::ecr::reasoner::stages::FeatureKind;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BalanceRow {
    pub candidate: String,
    pub score: Score,
    pub supporting: Vec<Item>,
    pub conflicting: Vec<Item>,
    pub missing: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    pub feature: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pivot: bool,
    /// What the item adds to its column before the weights.
    pub weight: f64,
    /// The patient denies it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub denied: bool,
}

/// Rows in the order of the candidates, items by weight.
pub fn balance(graph: &CausalGraph, scores: &[Score]) -> Vec<BalanceRow> {
    let mut rows: Vec<BalanceRow> = graph
        .candidates()
        .zip(scores)
        .map(|(candidate, score)| BalanceRow {
            candidate: candidate.to_owned(),
            score: *score,
            supporting: Vec::new(),
            conflicting: Vec::new(),
            missing: Vec::new(),
        })
        .collect();
    for at in 0..graph.feature_count() {
        let (feature, seen) = (graph.feature(at), graph.seen(at));
        for (candidate, edge) in graph.bearings(at) {
            let row = &mut rows[candidate];
            let (column, strength) = match (edge.kind, seen) {
                (EdgeKind::Support, Seen::Matched) => (&mut row.supporting, edge.strength),
                (EdgeKind::Support, Seen::Denied) => (&mut row.conflicting, edge.if_denied),
                (EdgeKind::RuleOut, Seen::Matched) => (&mut row.conflicting, edge.strength),
                (EdgeKind::Penalty, _) => (&mut row.missing, edge.strength),
                _ => continue,
            };
            let weight = feature.importance * strength;
            if weight > 0.0 {
                let (pivot, denied) = (feature.kind == FeatureKind::Pivot, seen == Seen::Denied);
                column.push(Item { feature: feature.content.clone(), pivot, weight, denied });
            }
        }
    }
    for row in &mut rows {
        for column in [&mut row.supporting, &mut row.conflicting, &mut row.missing] {
            column.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.feature.cmp(&b.feature)));
        }
    }
    rows
}
