//! The causal graph of one case: what the patient says, what is known, and what it may be.

mod balance;
mod expand;
mod export;
mod score;
mod shadow;
#[cfg(test)]
mod tests;

pub use balance::{BalanceRow, Item, balance};
pub use expand::merge_or_prune;
pub use export::{Drawn, DrawnNode, NodeKind, to_dot};
pub use score::{Score, Weights};

use super::reasoner::stages::{BearingKind, KnowledgeNode, LinkKind, PatientNode, Relations, Representation, Status};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use petgraph::{Direction, graph::EdgeReference};
use serde::{Deserialize, Serialize};

/// patient ─match, conflict▶ knowledge ─support, rule out, penalty▶ disease
pub struct CausalGraph {
    graph: DiGraph<Node, Edge>,
    patients: Vec<NodeIndex>,
    features: Vec<NodeIndex>,
    candidates: Vec<NodeIndex>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Patient(PatientNode),
    Knowledge { feature: KnowledgeNode, shadow: bool },
    Disease(String),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    pub kind: EdgeKind,
    pub strength: f64,
    /// Of a support: its strength as a conflict when the patient denies the feature.
    pub if_denied: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeKind {
    Match,
    Conflict,
    Support,
    RuleOut,
    Penalty,
}

/// What the patient says of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    Matched,
    Denied,
    Unseen,
}

impl CausalGraph {
    /// Numbers in `relations` must be in range; `Relations::check` tells.
    pub fn new(
        patient: &Representation,
        features: Vec<KnowledgeNode>,
        candidates: &[String],
        relations: &Relations,
    ) -> Self {
        let mut graph = DiGraph::with_capacity(patient.nodes.len() + features.len() + candidates.len(), 64);
        let told = patient.nodes.iter().filter(|node| node.status != Status::Missing);
        // Missing facts get no node, so places in the list and nodes differ.
        let mut patients = Vec::new();
        let mut of_place = vec![None; patient.nodes.len()];
        for (place, node) in patient.nodes.iter().enumerate().filter(|(_, node)| node.status != Status::Missing) {
            let at = graph.add_node(Node::Patient(node.clone()));
            of_place[place] = Some(at);
            patients.push(at);
        }
        debug_assert_eq!(patients.len(), told.count());
        let knowledge = |feature| Node::Knowledge { feature, shadow: false };
        let features: Vec<NodeIndex> = features.into_iter().map(|it| graph.add_node(knowledge(it))).collect();
        let candidates: Vec<NodeIndex> =
            candidates.iter().map(|name| graph.add_node(Node::Disease(name.clone()))).collect();
        for link in &relations.links {
            if let Some(from) = of_place[link.patient as usize] {
                let kind = match link.kind {
                    LinkKind::Match => EdgeKind::Match,
                    LinkKind::Conflict => EdgeKind::Conflict,
                };
                graph.update_edge(from, features[link.feature as usize], Edge::of(kind, 1.0));
            }
        }
        for bearing in &relations.bearings {
            let kind = match bearing.kind {
                BearingKind::Support => EdgeKind::Support,
                BearingKind::RuleOut => EdgeKind::RuleOut,
            };
            let edge = Edge { kind, strength: bearing.strength, if_denied: bearing.if_denied };
            graph.update_edge(features[bearing.feature as usize], candidates[bearing.candidate as usize], edge);
        }
        Self { graph, patients, features, candidates }
    }

    pub fn candidates(&self) -> impl ExactSizeIterator<Item = &str> {
        self.candidates.iter().map(|at| match &self.graph[*at] {
            Node::Disease(name) => name.as_str(),
            _ => unreachable!("candidates are disease nodes"),
        })
    }

    pub fn patients(&self) -> impl Iterator<Item = &PatientNode> {
        self.patients.iter().map(|at| self.patient(*at))
    }

    fn patient(&self, at: NodeIndex) -> &PatientNode {
        match &self.graph[at] {
            Node::Patient(node) => node,
            _ => unreachable!("patients are patient nodes"),
        }
    }

    pub fn feature(&self, place: usize) -> &KnowledgeNode {
        match &self.graph[self.features[place]] {
            Node::Knowledge { feature, .. } => feature,
            _ => unreachable!("features are knowledge nodes"),
        }
    }

    pub fn feature_count(&self) -> usize {
        self.features.len()
    }

    /// A match outweighs a denial of the same thing elsewhere in the text.
    pub fn seen(&self, feature: usize) -> Seen {
        let mut seen = Seen::Unseen;
        for edge in self.graph.edges_directed(self.features[feature], Direction::Incoming) {
            match edge.weight().kind {
                EdgeKind::Match => return Seen::Matched,
                EdgeKind::Conflict => seen = Seen::Denied,
                _ => {}
            }
        }
        seen
    }

    /// What a feature says of the candidates.
    pub fn bearings(&self, feature: usize) -> impl Iterator<Item = (usize, Edge)> {
        let first = self.candidates.first().map_or(0, |at| at.index());
        self.graph.edges(self.features[feature]).map(move |edge| (edge.target().index() - first, *edge.weight()))
    }

    /// Whether any feature is known to speak for the candidate.
    pub fn is_known(&self, candidate: usize) -> bool {
        let edges = self.graph.edges_directed(self.candidates[candidate], Direction::Incoming);
        edges.into_iter().any(|edge| edge.weight().kind == EdgeKind::Support)
    }

    /// The features a fact of the patient speaks of.
    fn features_of(&self, patient: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        self.graph.edges(patient).map(|edge: EdgeReference<'_, Edge>| edge.target())
    }

    /// Whether the patient has it: as a fact in these very words, or as a feature a fact was found to match.
    pub fn shows(&self, content: &str) -> bool {
        let stated = self.patients().any(|it| it.status == Status::Present && it.content == content);
        stated
            || (0..self.features.len()).any(|at| self.feature(at).content == content && self.seen(at) == Seen::Matched)
    }

    /// The patient's facts, each under the words of the feature it was found to speak of: what one patient calls this and the next
    /// that is learnt as one thing.
    pub fn facts(&self) -> impl Iterator<Item = (&str, Status)> {
        self.patients.iter().map(|&at| (self.learnt_as(at), self.patient(at).status))
    }

    /// A present fact may speak against a feature: a normal temperature is no fever, and keeps its own words.
    fn learnt_as(&self, at: NodeIndex) -> &str {
        let patient = self.patient(at);
        let same = match patient.status {
            Status::Present => EdgeKind::Match,
            Status::Absent | Status::Missing => EdgeKind::Conflict,
        };
        let feature = self.graph.edges(at).filter(|edge| edge.weight().kind == same).map(|edge| edge.target()).min();
        match feature.map(|at| &self.graph[at]) {
            Some(Node::Knowledge { feature, .. }) => &feature.content,
            _ => &patient.content,
        }
    }

    /// The words under which a fact in these words is learnt.
    pub fn name_of<'a>(&'a self, content: &'a str) -> &'a str {
        let fact = self.patients.iter().find(|at| self.patient(**at).content == content);
        fact.map_or(content, |at| self.learnt_as(*at))
    }

    /// Facts the patient has that no feature of the candidate explains.
    pub fn unexplained(&self, candidate: usize) -> Vec<&PatientNode> {
        let disease = self.candidates[candidate];
        let explains = |feature: NodeIndex| {
            let edge = self.graph.find_edge(feature, disease).map(|at| self.graph[at]);
            edge.is_some_and(|edge| edge.kind == EdgeKind::Support)
        };
        let present = self.patients.iter().filter(|at| self.patient(**at).status == Status::Present);
        let open = present.filter(|at| !self.features_of(**at).any(explains));
        open.map(|at| self.patient(*at)).collect()
    }
}

impl Edge {
    fn of(kind: EdgeKind, strength: f64) -> Self {
        Self { kind, strength, if_denied: 0.0 }
    }
}
