//! The graph on paper, which neither scrolls nor grows: narrower columns, so that words are printed as large as they are drawn, and as many
//! drawings as it takes to stay within a page.

use super::super::canvas::{Anchor, Drawing};
use super::super::document;
use super::layout::{LINE, PAPER, column, label, loose, ordered, wrapped};
use super::{draw, legible, told, with_only};
use crate::parts::parts;
use crate::reasoning::GraphView;
use std::collections::BTreeSet;

/// What the style sheet leaves a drawing of A4: 235 mm.
const HIGHEST: f64 = 888.0;

/// For a page that has the style sheet and shows them on paper only.
pub(crate) fn svgs(graph: &GraphView, title: &str) -> Vec<String> {
    let caption = told(graph);
    drawings(graph).iter().map(|drawing| document("graph-on-paper", title, &caption, drawing, "")).collect()
}

fn drawings(graph: &GraphView) -> Vec<Drawing> {
    let mut graph = legible(graph);
    // Paper leads nowhere.
    graph.nodes.iter_mut().for_each(|node| node.link.clear());
    let rows = rows(&graph);
    let mut drawn = Vec::new();
    for number in 1..=rows.len().max(1) {
        drawn = cut(&graph, &rows, number);
        if drawn.iter().all(|drawing| drawing.height <= HIGHEST) {
            break;
        }
    }
    drawn
}

/// What cannot be parted, from top to bottom: a feature with all that is said of it.
fn rows(graph: &GraphView) -> Vec<Vec<usize>> {
    let row = |feature: usize| -> Vec<usize> {
        let speaks = |fact: &usize| graph.edges.iter().any(|it| it.from == *fact && it.to == feature);
        column(graph, 0).filter(speaks).chain([feature]).collect()
    };
    ordered(graph).into_iter().map(row).collect()
}

/// So many drawings, or fewer, of nearly as many rows each. All have every condition, so that no line is lost.
fn cut(graph: &GraphView, rows: &[Vec<usize>], number: usize) -> Vec<Drawing> {
    let ranges = parts(rows.len(), rows.len().div_ceil(number).max(1));
    let several = ranges.len();
    let mut drawn = Vec::new();
    for (place, range) in ranges.into_iter().enumerate() {
        let kept: BTreeSet<usize> = rows[range].iter().flatten().copied().chain(column(graph, 2)).collect();
        let kept: Vec<usize> = kept.into_iter().collect();
        let part = if several == 1 { String::new() } else { format!(" ({} of {several})", place + 1) };
        drawn.push(draw(&with_only(graph, &graph.edges, &kept), &PAPER, &part));
    }
    if let Some(last) = drawn.last_mut() {
        tell_loose(graph, last);
    }
    drawn
}

/// Boxes without a line would fill a page: what nothing known speaks of is told in a few lines.
fn tell_loose(graph: &GraphView, drawing: &mut Drawing) {
    let said = loose(graph).map(|at| label(graph.nodes[at].kind, graph.nodes[at].text.trim_end_matches('.')));
    let said: Vec<String> = said.collect();
    if said.is_empty() {
        return;
    }
    for line in wrapped(&format!("Also said, and nothing known speaks of it: {}.", said.join(" · ")), PAPER.width) {
        drawing.height += LINE;
        drawing.text("", (0.0, drawing.height - 3.0), Anchor::Start, &line);
    }
    drawing.height += 3.0;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasoning::{EdgeKind, GraphEdge, GraphNode, NodeKind};

    const LONG: &str = "I have been coughing for three weeks, and lately there has been some blood in what comes up.";

    /// So many features, each of which the patient has and which speaks for one of two conditions, and half as many facts that nothing known
    /// speaks of. The first fact speaks of the last feature too.
    fn graph(features: usize) -> GraphView {
        let node =
            |kind: NodeKind, text: String| GraphNode { kind, text, note: String::new(), link: "#said-1".to_owned() };
        let edge = |from: usize, to: usize, kind: EdgeKind| GraphEdge { from, to, kind, strength: 0.5 };
        let facts = features + features / 2;
        let (said, known) = (NodeKind::Present, NodeKind::Feature);
        let mut nodes: Vec<GraphNode> = (0..facts).map(|at| node(said, format!("said {at}. {LONG}"))).collect();
        nodes.extend((0..features).map(|at| node(known, format!("known {at}. {LONG}"))));
        nodes
            .extend([node(NodeKind::Diagnosis, "Gout".to_owned()), node(NodeKind::Condition, "Pseudogout".to_owned())]);
        let conditions = facts + features;
        let mut edges: Vec<GraphEdge> = (0..features).map(|at| edge(at, facts + at, EdgeKind::Match)).collect();
        edges.extend((0..features).map(|at| edge(facts + at, conditions + at % 2, EdgeKind::Support)));
        edges.push(edge(0, facts + features - 1, EdgeKind::Match));
        GraphView { nodes, edges }
    }

    #[test]
    fn every_drawing_fits_a_page_with_its_words_as_large_as_they_are() {
        for features in [1, 5, 12, 30, 60] {
            for drawing in drawings(&graph(features)) {
                assert!(drawing.height <= HIGHEST, "{features}: {}", drawing.height);
                assert_eq!(drawing.width, PAPER.width);
            }
        }
    }

    #[test]
    fn what_fits_one_page_is_one_drawing_and_does_not_number_itself() {
        let drawn = drawings(&graph(5));
        assert_eq!(drawn.len(), 1);
        assert!(drawn[0].body().contains(">What the patient says<"), "{}", drawn[0].body());
    }

    #[test]
    fn a_graph_of_nothing_is_one_drawing() {
        assert_eq!(drawings(&GraphView::default()).len(), 1);
    }

    #[test]
    fn parts_are_numbered_and_lose_no_box_and_no_line() {
        let graph = graph(30);
        let drawn = drawings(&graph);
        assert!(drawn.len() > 1);
        let all: String = drawn.iter().map(Drawing::body).collect();
        for place in 1..=drawn.len() {
            assert!(all.contains(&format!(">What the patient says ({place} of {})<", drawn.len())));
        }
        // As one reads it, however its lines are broken.
        let texts = all.split('<').filter_map(|it| it.split_once('>'));
        let read = texts.flat_map(|(_, text)| text.split_whitespace()).collect::<Vec<_>>().join(" ");
        for (at, node) in graph.nodes.iter().enumerate() {
            let has_box = !(30..45).contains(&at);
            assert_eq!(all.contains(&format!("<title>{}</title>", node.text)), has_box, "{}", node.text);
            assert!(read.contains(node.text.trim_end_matches('.')), "{}", node.text);
        }
        // As they are told; those in a legend have no tip.
        let lines = |kind: &str| all.matches(&format!(" {kind} ")).count();
        assert_eq!((lines("matches"), lines("supports")), (31, 30));
        assert_eq!(all.matches(">Gout<").count(), 2 * drawn.len(), "each has every condition: its name and its tip");
        assert!(!all.contains("<a "), "paper leads nowhere");
    }
}
