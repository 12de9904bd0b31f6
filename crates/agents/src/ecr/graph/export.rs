//! The graph as JSON and as Graphviz DOT.

use super::{CausalGraph, EdgeKind, Node};
use crate::ecr::reasoner::stages::{FeatureKind, Status};
use petgraph::visit::EdgeRef;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A graph small enough to keep with every answer: nodes, and by kind the edges as (from, to, strength).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Drawn {
    pub nodes: Vec<DrawnNode>,
    pub edges: BTreeMap<EdgeKind, Vec<(u32, u32, f64)>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawnNode {
    pub kind: NodeKind,
    /// Left out where another node has the same words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_node: Option<u32>,
}

impl NodeKind {
    pub fn is_feature(self) -> bool {
        matches!(self, Self::Pivot | Self::General | Self::Shadow)
    }
}

impl Drawn {
    pub fn text_of<'a>(&'a self, node: &'a DrawnNode) -> &'a str {
        let other = node.as_node.and_then(|other| self.nodes.get(other as usize));
        &other.unwrap_or(node).text
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    Present,
    Absent,
    Pivot,
    General,
    Shadow,
    Disease,
}

impl CausalGraph {
    /// Facts, features and candidates with the relations between them. A feature nothing is said of is left out, unless it is
    /// among the shadows named in `shadows`; so are candidates not in `candidates`.
    pub fn drawn(&self, candidates: &[usize], shadows: &[&str]) -> Drawn {
        let mut drawn = Drawn::default();
        let mut number = vec![None; self.graph.node_count()];
        let kept: BTreeSet<usize> = candidates.iter().map(|at| self.candidates[*at].index()).collect();
        for at in self.graph.node_indices() {
            let (kind, text) = match &self.graph[at] {
                Node::Patient(node) if node.status == Status::Present => (NodeKind::Present, &node.content),
                Node::Patient(node) => (NodeKind::Absent, &node.content),
                Node::Knowledge { feature, shadow: true } if shadows.contains(&feature.content.as_str()) => {
                    (NodeKind::Shadow, &feature.content)
                }
                Node::Knowledge { feature, shadow: false } if self.is_spoken_of(at) => match feature.kind {
                    FeatureKind::Pivot => (NodeKind::Pivot, &feature.content),
                    FeatureKind::General => (NodeKind::General, &feature.content),
                },
                Node::Disease(name) if kept.contains(&at.index()) => (NodeKind::Disease, name),
                _ => continue,
            };
            number[at.index()] = Some(drawn.nodes.len() as u32);
            let same = (0..).zip(&drawn.nodes).find(|(_, known)| known.text == *text).map(|(other, _)| other);
            let text = if same.is_some() { String::new() } else { text.clone() };
            drawn.nodes.push(DrawnNode { kind, text, as_node: same });
        }
        for edge in self.graph.edge_references() {
            let ends = (number[edge.source().index()], number[edge.target().index()]);
            let weight = edge.weight();
            let is_shadow_support = weight.kind == EdgeKind::Support
                && ends.0.is_some_and(|at| drawn.nodes[at as usize].kind == NodeKind::Shadow);
            if let (Some(from), Some(to), false) = (ends.0, ends.1, is_shadow_support) {
                let strength = (weight.strength * 100.0).round() / 100.0;
                drawn.edges.entry(weight.kind).or_default().push((from, to, strength));
            }
        }
        drawn
    }

    fn is_spoken_of(&self, feature: petgraph::graph::NodeIndex) -> bool {
        self.graph.edges_directed(feature, petgraph::Direction::Incoming).next().is_some()
    }
}

/// For `dot -Tsvg`: patient on the left, candidates on the right.
pub fn to_dot(graph: &Drawn) -> String {
    let mut out = String::from(
        "digraph ecr {\n  rankdir=LR; ranksep=1.2; nodesep=0.15;\n  node [fontname=\"Helvetica\", fontsize=11, style=filled, fillcolor=white];\n  edge [fontname=\"Helvetica\", fontsize=9];\n",
    );
    for (number, node) in graph.nodes.iter().enumerate() {
        let look = match node.kind {
            NodeKind::Present => "shape=box, fillcolor=\"#e8f0fa\"",
            NodeKind::Absent => "shape=box, fillcolor=\"#eeeeee\", fontcolor=\"#555555\"",
            NodeKind::Pivot => "shape=hexagon, fillcolor=\"#fdf0c8\", penwidth=2",
            NodeKind::General => "shape=ellipse",
            NodeKind::Shadow => "shape=ellipse, style=dashed, fontcolor=\"#777777\"",
            NodeKind::Disease => "shape=box, style=\"filled,rounded\", fillcolor=\"#e3f3e6\", penwidth=2",
        };
        let prefix = if node.kind == NodeKind::Absent { "denied: " } else { "" };
        writeln!(out, "  n{number} [label=\"{prefix}{}\", {look}];", wrapped(graph.text_of(node)))
            .expect("writing to a String cannot fail");
    }
    let edges = graph.edges.iter().flat_map(|(kind, edges)| edges.iter().map(move |edge| (kind, edge)));
    for (kind, (from, to, strength)) in edges {
        let look = match kind {
            EdgeKind::Match => "color=\"#1f6fb2\"".to_owned(),
            EdgeKind::Conflict => "color=\"#b22222\", style=bold".to_owned(),
            EdgeKind::Support => format!("color=\"#2e7d32\", label=\"+{strength:.2}\""),
            EdgeKind::RuleOut => format!("color=\"#b22222\", style=dashed, label=\"-{strength:.2}\""),
            EdgeKind::Penalty => format!("color=\"#777777\", style=dotted, label=\"-{strength:.2}\""),
        };
        writeln!(out, "  n{from} -> n{to} [{look}];").expect("writing to a String cannot fail");
    }
    out.push_str("}\n");
    out
}

/// Quotes escaped, and lines of about thirty letters.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is one line from the start");
        if !line.is_empty() && line.len() + word.len() > 30 {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n").replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
