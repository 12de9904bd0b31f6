//! How a subject came to one answer, where it leaves a record: what a clinician would want to follow.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReasoningView {
    /// `Gout → Pseudogout, trap: first impression overturned`
    pub title: String,
    pub subject: String,
    /// `right`, `trapped` …
    pub outcome: String,
    pub one_liner: String,
    /// Name, and weight in words.
    pub first_impression: Vec<(String, String)>,
    /// What each of the other streams says: `Evidence`, `Experience`.
    pub streams: Vec<(String, String)>,
    pub verdict: String,
    pub reasons: Vec<String>,
    pub tiers: Vec<(String, Vec<String>)>,
    /// `S = 1·match − …`
    pub formula: String,
    pub balance: Vec<BalanceView>,
    /// What to ask or examine, and what it would speak for.
    pub checklist: Vec<(String, String)>,
    pub notes: Vec<String>,
    pub graph: GraphView,
}

/// A row of the evidence balance sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BalanceView {
    pub candidate: String,
    pub score: String,
    pub supporting: Vec<BalanceItem>,
    pub conflicting: Vec<BalanceItem>,
    pub missing: Vec<BalanceItem>,
}

impl BalanceView {
    pub(crate) fn columns(&self) -> [&[BalanceItem]; 3] {
        [&self.supporting, &self.conflicting, &self.missing]
    }

    /// Agents list the items of the foremost candidates only.
    pub(crate) fn is_bare(&self) -> bool {
        self.columns().iter().all(|items| items.is_empty())
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BalanceItem {
    pub text: String,
    pub weight: f64,
    pub pivot: bool,
    pub denied: bool,
}

/// patient → knowledge → condition
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GraphView {
    pub nodes: Vec<GraphNode>,
    pub edges: Vec<GraphEdge>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphNode {
    pub kind: NodeKind,
    pub text: String,
    /// A second line: the score of a condition.
    pub note: String,
    /// Where a page goes when the node is chosen: the words in the narrative. Empty where there are none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub link: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    Present,
    Denied,
    Pivot,
    Feature,
    /// Expected, and not mentioned.
    Shadow,
    Condition,
    Diagnosis,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphEdge {
    pub from: usize,
    pub to: usize,
    pub kind: EdgeKind,
    /// 0 to 1.
    pub strength: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeKind {
    Match,
    Conflict,
    Support,
    RuleOut,
    Penalty,
}

impl NodeKind {
    /// 0: what the patient says, 1: what is known, 2: what it may be.
    pub(crate) fn column(self) -> usize {
        match self {
            Self::Present | Self::Denied => 0,
            Self::Pivot | Self::Feature | Self::Shadow => 1,
            Self::Condition | Self::Diagnosis => 2,
        }
    }
}
