//! Tier 1: does anything exclude it? Tier 2: whose pivots are verified? Tier 3: what does it explain, and what should be there?

use crate::ecr::graph::{CausalGraph, EdgeKind, Score, Seen, balance};
use crate::ecr::reasoner::stages::Status;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    /// In the order of the candidates.
    pub candidates: Vec<Audited>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Audited {
    pub candidate: String,
    pub score: Score,
    /// Whether anything is known of it: of what was never learnt or read about, no score says anything.
    pub known: bool,
    /// How many cases' worth is known of it.
    pub cases: f64,
    /// Tier 1: what it cannot be without, and the patient denies.
    pub fatal: Vec<String>,
    /// Tier 2: pivots the patient has that speak for it, and pivots that speak against it; with their weight.
    pub won: Vec<(String, f64)>,
    pub lost: Vec<(String, f64)>,
    /// Tier 3: the share of the patient's facts it explains, and those it does not.
    pub coverage: f64,
    pub unexplained: Vec<String>,
    /// What it lets expect and nobody mentioned, the most expected first.
    pub shadows: Vec<String>,
    /// The candidate's graph in a few lines.
    pub summary: String,
}

/// A denial that speaks against a candidate this strongly is fatal: the feature was there in practically every case.
const FATAL: f64 = 0.9;

impl Sheet {
    /// `cases` says how much is known of each candidate.
    pub fn of(graph: &CausalGraph, scores: &[Score], cases: &[f64]) -> Self {
        let rows = balance(graph, scores);
        let present = graph.patients().filter(|node| node.status == Status::Present).count();
        let mut candidates = Vec::with_capacity(rows.len());
        for (number, row) in rows.into_iter().enumerate() {
            let unexplained: Vec<String> =
                graph.unexplained(number).into_iter().map(|node| node.content.clone()).collect();
            let coverage = if present == 0 { 0.0 } else { 1.0 - unexplained.len() as f64 / present as f64 };
            let shadows: Vec<String> =
                graph.shadows_of(number).into_iter().map(|feature| feature.content.clone()).collect();
            let pivots = |items: &[crate::ecr::graph::Item]| {
                let kept = items.iter().filter(|item| item.pivot && !item.denied);
                kept.map(|item| (item.feature.clone(), item.weight)).collect::<Vec<_>>()
            };
            candidates.push(Audited {
                fatal: fatal(graph, number),
                won: pivots(&row.supporting),
                lost: pivots(&row.conflicting),
                summary: summary(&row, coverage, shadows.len()),
                candidate: row.candidate,
                score: row.score,
                known: graph.is_known(number),
                cases: cases.get(number).copied().unwrap_or(0.0),
                coverage,
                unexplained,
                shadows,
            });
        }
        Self { candidates }
    }

    /// Places of the candidates, the best score first, ties in the order of intuition; those nothing is known of come last.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        order.sort_by(|&a, &b| {
            let of = |at: usize| &self.candidates[at];
            of(b).known.cmp(&of(a).known).then(of(b).score.total.total_cmp(&of(a).score.total)).then(a.cmp(&b))
        });
        order
    }

    /// Whether the sheet cannot judge the first impression: nothing is known of it, so nothing can be held against it.
    pub fn says_nothing(&self) -> bool {
        self.candidates.first().is_none_or(|first| !first.known)
    }
}

fn fatal(graph: &CausalGraph, candidate: usize) -> Vec<String> {
    let mut found = Vec::new();
    for at in (0..graph.feature_count()).filter(|&at| graph.seen(at) == Seen::Denied) {
        let excludes = |(of, edge): (usize, crate::ecr::graph::Edge)| {
            of == candidate && edge.kind == EdgeKind::Support && edge.if_denied >= FATAL
        };
        if graph.bearings(at).any(excludes) {
            found.push(graph.feature(at).content.clone());
        }
    }
    found
}

fn summary(row: &crate::ecr::graph::BalanceRow, coverage: f64, shadows: usize) -> String {
    let pivots = row.supporting.iter().filter(|item| item.pivot).count();
    format!(
        "{}: S = {:.2}; {} features match ({pivots} of them pivots), {} conflict, {shadows} expected ones are not mentioned; explains {:.0} % of the facts",
        row.candidate,
        row.score.total,
        row.supporting.len(),
        row.conflicting.len(),
        coverage * 100.0
    )
}
