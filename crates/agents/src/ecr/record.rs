//! What is kept of a thought with every answer: enough to follow it, small enough to keep (about 8 kB).

use super::audit::Audited;
use super::graph::{BalanceRow, Drawn, Item, Score, Weights, balance};
use super::pipeline::Thought;
use super::reasoner::stages::{Status, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

pub const SCHEMA: &str = "waterjar.ecr/1";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub schema: String,
    pub one_liner: String,
    /// What came to mind, most likely first, with its weight.
    pub intuition: Vec<(String, f64)>,
    pub facts: Facts,
    pub weights: Weights,
    /// The evidence balance sheet, the diagnosis first, then by score; only the first three with their items.
    pub balance: Vec<Row>,
    pub audit: AuditRecord,
    /// What to ask or examine at the next visit, for the diagnosis and its strongest rival.
    pub checklist: Vec<Check>,
    pub graph: Drawn,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A row of the balance sheet. What an item says is in the graph, so that nothing is kept twice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub candidate: String,
    pub score: Score,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supporting: Vec<Entry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicting: Vec<Entry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Entry>,
    #[serde(default)]
    pub tiers: Tiers,
}

/// What the audit looked at, tier by tier.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tiers {
    /// 1: what the candidate cannot be without, and the patient denies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fatal: Vec<String>,
    /// 2: pivots that speak for it, and against it.
    pub won: usize,
    pub lost: usize,
    /// 3: the share of the patient's facts it explains, and expected features nobody mentioned.
    pub coverage: f64,
    pub shadows: usize,
}

/// A node of the graph, what it adds to its column, and how it is marked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry(pub u32, pub f64, pub Mark);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mark {
    #[serde(rename = "")]
    None,
    #[serde(rename = "pivot")]
    Pivot,
    #[serde(rename = "denied")]
    Denied,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    pub present: usize,
    pub denied: usize,
    /// Expected features looked for again, and found.
    pub looked_again: usize,
    pub found: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditRecord {
    pub verdict: Verdict,
    pub diagnosis: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also: Option<String>,
    pub reasons: Vec<String>,
    /// The three streams.
    pub intuition: String,
    pub evidence: Option<String>,
    pub experience: Option<(String, f64)>,
    /// Cases like this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exemplars: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// A node of the graph.
    pub feature: u32,
    /// What it would speak for.
    pub speaks_for: String,
}

/// Candidates whose items are kept, items kept of each column, and shadows drawn for each candidate.
const ROWS: usize = 3;
const ITEMS: usize = 5;
const SHADOWS: usize = 3;
/// The odds a lead of 1 in S is worth are e to the power of this.
const SHARPNESS: f64 = 1.5;

impl Record {
    /// `None` where the JSON is no record of this agent, or of another version of it.
    pub fn read(record: &serde_json::Value) -> Option<Self> {
        Self::deserialize(record).ok().filter(|it: &Self| it.schema == SCHEMA)
    }

    pub fn of(thought: &Thought, weights: &Weights) -> Self {
        let Thought { sheet, opinion, streams, candidates, .. } = thought;
        let name = |at: u32| candidates[at as usize].clone();
        let diagnosis = opinion.diagnosis as usize;
        let ranking: Vec<usize> =
            [diagnosis].into_iter().chain(sheet.ranking().into_iter().filter(|&at| at != diagnosis)).collect();
        let scores: Vec<_> = sheet.candidates.iter().map(|it| it.score).collect();
        let all = balance(&thought.graph, &scores);
        let status = |wanted| thought.patient.nodes.iter().filter(|it| it.status == wanted).count();
        let drawn: Vec<usize> = ranking.iter().copied().take(ROWS).collect();
        let shadows: Vec<&str> = drawn
            .iter()
            .flat_map(|&at| sheet.candidates[at].shadows.iter().take(SHADOWS).map(String::as_str))
            .collect();
        let graph = thought.graph.drawn(&drawn, &shadows);
        let nodes = features_of(&graph);
        let row = |(place, &at): (usize, &usize)| {
            let tiers = tiers_of(&sheet.candidates[at]);
            row_of(&all[at], if place < ROWS { ITEMS } else { 0 }, &nodes, tiers)
        };
        let balance = ranking.iter().enumerate().map(row).collect();
        let checklist = checklist(thought, &ranking, &nodes);
        Self {
            schema: SCHEMA.to_owned(),
            one_liner: thought.patient.one_liner.clone(),
            intuition: thought.intuition.candidates.iter().map(|it| (it.condition.clone(), it.confidence)).collect(),
            facts: Facts {
                present: status(Status::Present),
                denied: status(Status::Absent),
                looked_again: thought.looked_again.0,
                found: thought.looked_again.1,
            },
            weights: *weights,
            balance,
            audit: AuditRecord {
                verdict: opinion.verdict,
                diagnosis: name(opinion.diagnosis),
                also: opinion.also.map(name),
                reasons: opinion.reasons.clone(),
                intuition: name(streams.intuition),
                evidence: streams.evidence.map(name),
                experience: streams.experience.as_ref().map(|it| (name(it.candidate), rounded(it.share))),
                exemplars: thought.exemplars.iter().map(|it| (it.case.clone(), it.label.clone())).collect(),
            },
            checklist,
            graph,
            notes: thought.notes.clone(),
        }
    }

    /// The ranked list an answer is read from. The diagnosis comes first, and after it the second condition where there are two.
    pub fn answer(&self) -> String {
        let mut names: Vec<&str> = self.balance.iter().map(|row| row.candidate.as_str()).collect();
        let first = |names: &mut Vec<&str>, wanted: &str, place: usize| {
            if let Some(at) = names.iter().position(|name| *name == wanted) {
                names[place..=at].rotate_right(1);
            }
        };
        if let Some(also) = &self.audit.also {
            first(&mut names, also, 1);
        }
        let total =
            |name: &str| self.balance.iter().find(|row| row.candidate == name).map_or(0.0, |row| row.score.total);
        let best = names.iter().map(|name| total(name)).fold(f64::NEG_INFINITY, f64::max);
        let mut weights: Vec<f64> = names.iter().map(|name| (SHARPNESS * (total(name) - best)).exp()).collect();
        // An audit may prefer a lower score; the list must not contradict itself.
        for place in (1..weights.len()).rev() {
            weights[place - 1] = weights[place - 1].max(weights[place]);
        }
        let sum: f64 = weights.iter().sum();
        let lines: Vec<String> = (names.iter().zip(weights).zip(1..))
            .map(|((name, weight), place)| format!("{place}. {name} ({:.2})", weight / sum))
            .collect();
        let both = self
            .audit
            .also
            .as_ref()
            .map(|also| format!("The patient may have two conditions: {} and {also}.\n\n", self.audit.diagnosis));
        both.unwrap_or_default() + &lines.join("\n")
    }
}

/// Knowledge nodes by their words.
fn features_of(graph: &Drawn) -> HashMap<String, u32> {
    let numbered = (0..).zip(&graph.nodes).filter(|(_, node)| node.kind.is_feature());
    numbered.map(|(number, node)| (graph.text_of(node).to_owned(), number)).collect()
}

fn tiers_of(audited: &Audited) -> Tiers {
    Tiers {
        fatal: audited.fatal.clone(),
        won: audited.won.len(),
        lost: audited.lost.len(),
        // As it is told: twice rounded, the same share would read differently in two places.
        coverage: (audited.coverage * 100.0).round() / 100.0,
        shadows: audited.shadows.len(),
    }
}

fn row_of(row: &BalanceRow, items: usize, nodes: &HashMap<String, u32>, tiers: Tiers) -> Row {
    let entry = |item: &Item| {
        let mark = match (item.denied, item.pivot) {
            (true, _) => Mark::Denied,
            (false, true) => Mark::Pivot,
            (false, false) => Mark::None,
        };
        Some(Entry(*nodes.get(&item.feature)?, rounded(item.weight), mark))
    };
    let column = |all: &[Item]| all.iter().filter_map(entry).take(items).collect();
    let Score { matching, conflict, shadow, pivot, experience, total } = row.score;
    Row {
        candidate: row.candidate.clone(),
        score: Score {
            matching: rounded(matching),
            conflict: rounded(conflict),
            shadow: rounded(shadow),
            pivot: rounded(pivot),
            experience: rounded(experience),
            total: rounded(total),
        },
        supporting: column(&row.supporting),
        conflicting: column(&row.conflicting),
        missing: column(&row.missing),
        tiers,
    }
}

/// Expected and not mentioned, for the first two candidates; what both expect tells nothing between them.
fn checklist(thought: &Thought, ranking: &[usize], nodes: &HashMap<String, u32>) -> Vec<Check> {
    let mut checks = Vec::new();
    let pair: Vec<usize> = ranking.iter().copied().take(2).collect();
    for &at in &pair {
        let other = pair.iter().find(|&&it| it != at).map(|&it| &thought.sheet.candidates[it].shadows);
        let own = &thought.sheet.candidates[at];
        let telling = own.shadows.iter().filter(|it| other.is_none_or(|other| !other.contains(it)));
        let check = |&feature: &u32| Check { feature, speaks_for: own.candidate.clone() };
        checks.extend(telling.filter_map(|it| nodes.get(it)).take(SHADOWS).map(check));
    }
    checks
}

fn rounded(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}
