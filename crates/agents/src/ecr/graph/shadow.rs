//! Backward: what should be there if a candidate were right, and is not.

use super::{CausalGraph, Edge, EdgeKind, Node, Seen};
use crate::ecr::reasoner::stages::{KnowledgeNode, PatientNode, Reexamination, Status};
use petgraph::visit::EdgeRef;

/// A feature is expected of a candidate when its absence would speak against it at least this much.
const EXPECTED: f64 = 0.2;

impl CausalGraph {
    /// Places of the features some candidate lets expect and no fact speaks of.
    pub fn expected_but_unseen(&self) -> Vec<usize> {
        let expected = |feature: usize| {
            self.bearings(feature).any(|(_, edge)| edge.kind == EdgeKind::Support && edge.if_denied >= EXPECTED)
        };
        (0..self.features.len()).filter(|&it| self.seen(it) == Seen::Unseen && expected(it)).collect()
    }

    /// After the second look: what it found is linked, what it did not find becomes a shadow with a penalty for each candidate that
    /// expects it.
    pub fn cast_shadows(&mut self, asked: &[usize], found: &Reexamination) {
        let mut status = vec![(Status::Missing, ""); asked.len()];
        for seen in &found.features {
            status[seen.feature as usize] = (seen.status, &seen.original);
        }
        for (&place, (status, original)) in asked.iter().zip(status) {
            let at = self.features[place];
            let kind = match status {
                Status::Present => EdgeKind::Match,
                Status::Absent => EdgeKind::Conflict,
                Status::Missing => {
                    self.shadow(place);
                    continue;
                }
            };
            let content = self.feature(place).content.clone();
            let node = PatientNode { content, original: original.to_owned(), status };
            let from = self.graph.add_node(Node::Patient(node));
            self.patients.push(from);
            self.graph.update_edge(from, at, Edge::of(kind, 1.0));
        }
    }

    fn shadow(&mut self, place: usize) {
        let at = self.features[place];
        let supports = self.graph.edges(at).filter(|edge| edge.weight().kind == EdgeKind::Support);
        let penalties: Vec<_> = supports
            .filter(|edge| edge.weight().if_denied >= EXPECTED)
            .map(|edge| (edge.target(), edge.weight().if_denied))
            .collect();
        for (disease, strength) in penalties {
            self.graph.add_edge(at, disease, Edge::of(EdgeKind::Penalty, strength));
        }
        if let Node::Knowledge { shadow, .. } = &mut self.graph[at] {
            *shadow = true;
        }
    }

    pub fn is_shadow(&self, feature: usize) -> bool {
        matches!(self.graph[self.features[feature]], Node::Knowledge { shadow: true, .. })
    }

    /// What a candidate lets expect and the patient has not mentioned, the most expected first.
    pub fn shadows_of(&self, candidate: usize) -> Vec<&KnowledgeNode> {
        let penalty = |feature: usize| {
            let all = self.bearings(feature);
            all.filter(|(of, edge)| *of == candidate && edge.kind == EdgeKind::Penalty)
                .map(|(_, edge)| edge.strength)
                .next()
        };
        let shadows = (0..self.features.len()).filter(|&feature| self.is_shadow(feature));
        let mut found: Vec<_> = shadows.filter_map(|at| Some((penalty(at)?, self.feature(at)))).collect();
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.content.cmp(&b.1.content)));
        found.into_iter().map(|(_, feature)| feature).collect()
    }
}
