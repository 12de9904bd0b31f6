//! The graph on paper, which neither scrolls nor grows: narrower columns, so that words are printed as large as they are drawn, and as many
//! drawings as it takes to stay within a page.

use super::super::canvas::{Anchor, Drawing};
use super::super::document;
use super::layout::{LINE, PAD, PAPER, TOP, column, conditions, label, loose, ordered, wrapped};
use super::{HEADS, draw, legible, told, with_only};
use crate::parts::parts;
use crate::reasoning::GraphView;
use std::collections::BTreeSet;

/// What the style sheet leaves a drawing of A4: 235 mm.
const HIGHEST: f64 = 888.0;
/// Lines of a box: with heads and legend nearly a page. Models may write a name of any length.
const MOST_LINES: usize = 44;
/// Lines of a drawing of text alone.
const MOST_SAID: usize = ((HIGHEST - TOP) / LINE) as usize - 1;

/// For a page that has the style sheet and shows them on paper only.
pub(crate) fn svgs(graph: &GraphView, title: &str) -> Vec<String> {
    let caption = told(graph);
    drawings(graph).iter().map(|drawing| document("graph-on-paper", title, &caption, drawing, "")).collect()
}

fn drawings(graph: &GraphView) -> Vec<Drawing> {
    let mut graph = legible(graph);
    let said = said_apart(&graph);
    for node in &mut graph.nodes {
        // Paper leads nowhere.
        node.link.clear();
        let lines = wrapped(&node.text, PAPER.columns[node.kind.column()].1 - 2.0 * PAD);
        if lines.len() > MOST_LINES {
            node.text = format!("{} …", lines[..MOST_LINES].join(" "));
        }
    }
    let pages = pages(&graph);
    let has_room = pages.last().is_some_and(|last| height(&graph, last) + room_of(&said) <= HIGHEST);
    let apart = if said.is_empty() || has_room { Vec::new() } else { parts(said.len(), MOST_SAID) };
    let several = pages.len() + apart.len();
    let part = |place: usize| if several == 1 { String::new() } else { format!(" ({place} of {several})") };
    let of_page = |(place, kept): (usize, &Vec<usize>)| draw(&only(&graph, kept), &PAPER, &part(place));
    let mut drawn: Vec<Drawing> = (1..).zip(&pages).map(of_page).collect();
    if let Some(last) = drawn.last_mut().filter(|_| apart.is_empty()) {
        tell(last, &said);
    }
    for lines in apart {
        let mut drawing = Drawing::new(PAPER.width, TOP);
        let head = format!("{}{}", HEADS[0], part(drawn.len() + 1));
        drawing.text("axis", (PAPER.columns[0].0, TOP - 15.0), Anchor::Start, &head);
        tell(&mut drawing, &said[lines]);
        drawn.push(drawing);
    }
    drawn
}

/// The nodes of each drawing. All have every condition, so that no line is lost; where these alone are more than a page, each has some of them
/// and the features that speak of these.
fn pages(graph: &GraphView) -> Vec<Vec<usize>> {
    let conditions = conditions(graph);
    let mut pages = Vec::new();
    for (place, group) in fewest(&conditions, |group| height(graph, group) <= HIGHEST).into_iter().enumerate() {
        let is_here = |feature: &usize| {
            let speaks_of = |to: &usize| graph.edges.iter().any(|it| it.from == *feature && it.to == *to);
            // What speaks of nothing is told once.
            group.iter().any(speaks_of) || place == 0 && !conditions.iter().any(speaks_of)
        };
        let rows: Vec<Vec<usize>> =
            ordered(graph).into_iter().filter(is_here).flat_map(|feature| rows(graph, feature)).collect();
        let page = |rows: &[Vec<usize>]| -> Vec<usize> { rows.iter().flatten().chain(group).copied().collect() };
        let cut = fewest(&rows, |part| height(graph, &page(part)) <= HIGHEST);
        pages.extend(cut.into_iter().map(page));
    }
    pages
}

/// What cannot be parted: a feature with all that is said of it, or with as much of that as fits a page.
fn rows(graph: &GraphView, feature: usize) -> Vec<Vec<usize>> {
    let speaks = |fact: &usize| graph.edges.iter().any(|it| it.from == *fact && it.to == feature);
    let facts: Vec<usize> = column(graph, 0).filter(speaks).collect();
    let row = |facts: &[usize]| -> Vec<usize> { facts.iter().copied().chain([feature]).collect() };
    fewest(&facts, |part| height(graph, &row(part)) <= HIGHEST).into_iter().map(row).collect()
}

/// As few parts as it takes for each to fit, of nearly equal length where that takes no more. What does not fit even alone is a part too.
fn fewest<T>(all: &[T], fits: impl Fn(&[T]) -> bool) -> Vec<&[T]> {
    let mut full = Vec::new();
    let mut rest = all;
    while full.is_empty() || !rest.is_empty() {
        let most = (2..=rest.len()).take_while(|&number| fits(&rest[..number])).last();
        let (part, after) = rest.split_at(most.unwrap_or(rest.len().min(1)));
        full.push(part);
        rest = after;
    }
    let ranges = parts(all.len(), all.len().div_ceil(full.len()).max(1));
    let even: Vec<&[T]> = ranges.into_iter().map(|range| &all[range]).collect();
    if even.iter().all(|part| fits(part)) { even } else { full }
}

fn height(graph: &GraphView, nodes: &[usize]) -> f64 {
    draw(&only(graph, nodes), &PAPER, "").height
}

fn only(graph: &GraphView, nodes: &[usize]) -> GraphView {
    let kept: BTreeSet<usize> = nodes.iter().copied().collect();
    with_only(graph, &graph.edges, &kept.into_iter().collect::<Vec<_>>())
}

/// Boxes without a line would fill a page: what nothing known speaks of is told in a few lines.
fn said_apart(graph: &GraphView) -> Vec<String> {
    let said = loose(graph).map(|at| label(graph.nodes[at].kind, graph.nodes[at].text.trim_end_matches('.')));
    let said: Vec<String> = said.collect();
    if said.is_empty() {
        return Vec::new();
    }
    wrapped(&format!("Also said, and nothing known speaks of it: {}.", said.join(" · ")), PAPER.width)
}

fn room_of(lines: &[String]) -> f64 {
    if lines.is_empty() { 0.0 } else { lines.len() as f64 * LINE + 3.0 }
}

/// Below what is drawn.
fn tell(drawing: &mut Drawing, lines: &[String]) {
    let top = drawing.height;
    for (place, line) in (1_u32..).zip(lines) {
        drawing.text("", (0.0, top + f64::from(place) * LINE - 3.0), Anchor::Start, line);
    }
    drawing.height += room_of(lines);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasoning::{EdgeKind, GraphEdge, GraphNode, NodeKind};

    const LONG: &str = "I have been coughing for three weeks, and lately there has been some blood in what comes up.";

    /// So many features, each of which the patient has and which speaks for one of two conditions, and half as many facts that nothing known
    /// speaks of.
    fn graph(features: usize) -> GraphView {
        graph_of(features, features / 2, 2)
    }

    fn node(kind: NodeKind, text: String) -> GraphNode {
        GraphNode { kind, text, note: String::new(), link: "#said-1".to_owned() }
    }

    fn edge(from: usize, to: usize, kind: EdgeKind) -> GraphEdge {
        GraphEdge { from, to, kind, strength: 0.5 }
    }

    /// So many features, facts that nothing known speaks of, and conditions. The first fact speaks of the last feature too.
    fn graph_of(features: usize, loose: usize, conditions: usize) -> GraphView {
        let facts = features + loose;
        let (said, known) = (NodeKind::Present, NodeKind::Feature);
        let mut nodes: Vec<GraphNode> = (0..facts).map(|at| node(said, format!("said {at}. {LONG}"))).collect();
        nodes.extend((0..features).map(|at| node(known, format!("known {at}. {LONG}"))));
        nodes.push(node(NodeKind::Diagnosis, "Gout".to_owned()));
        nodes.extend((1..conditions).map(|at| node(NodeKind::Condition, format!("Condition {at}"))));
        let first = facts + features;
        let mut edges: Vec<GraphEdge> = (0..features).map(|at| edge(at, facts + at, EdgeKind::Match)).collect();
        edges.extend((0..features).map(|at| edge(facts + at, first + at % conditions, EdgeKind::Support)));
        edges.push(edge(0, facts + features - 1, EdgeKind::Match));
        GraphView { nodes, edges }
    }

    /// As one reads them, however their lines are broken, and from page to page.
    fn read(drawn: &[Drawing]) -> String {
        let all: String = drawn.iter().map(Drawing::body).collect();
        let texts = all.split('<').filter_map(|it| it.split_once('>'));
        let words = texts.flat_map(|(_, text)| text.split_whitespace()).collect::<Vec<_>>().join(" ");
        let head = |place: usize| format!("What the patient says ({place} of {}) ", drawn.len());
        (1..=drawn.len()).fold(words, |words, place| words.replace(&head(place), ""))
    }

    /// All fit, in no more than so many.
    #[track_caller]
    fn check(graph: &GraphView, most: usize) -> String {
        let drawn = drawings(graph);
        assert!(drawn.len() <= most, "{}", drawn.len());
        for drawing in &drawn {
            assert!(drawing.height <= HIGHEST, "{}", drawing.height);
        }
        let read = read(&drawn);
        for node in &graph.nodes {
            let words: Vec<&str> = node.text.trim_end_matches('.').split_whitespace().take(20).collect();
            assert!(read.contains(&words.join(" ")), "{}", node.text);
        }
        drawn.iter().map(Drawing::body).collect()
    }

    #[test]
    fn conditions_that_fill_more_than_a_page_share_the_features_that_speak_of_them() {
        let mut graph = graph_of(12, 0, 40);
        let further = (0..12).map(|at| edge(12 + at, 24 + 20 + at, EdgeKind::Support));
        graph.edges.extend(further);
        let all = check(&graph, 5);
        assert_eq!(all.matches(" supports ").count(), 24, "each line once");
    }

    #[test]
    fn what_nothing_known_speaks_of_gets_pages_of_its_own_where_it_fills_them() {
        let all = check(&graph_of(5, 200, 2), 5);
        assert_eq!(all.matches(">What the patient says (").count(), 5, "the graph stays whole");
    }

    #[test]
    fn a_feature_of_which_much_is_said_does_not_part_the_others() {
        let mut graph = graph_of(6, 0, 2);
        for at in 0..40 {
            graph.edges.push(edge(graph.nodes.len(), 6, EdgeKind::Match));
            graph.nodes.push(node(NodeKind::Present, format!("further {at}. {LONG}")));
        }
        check(&graph, 8);
    }

    #[test]
    fn a_name_that_is_longer_than_a_page_is_cut() {
        let mut graph = graph_of(5, 0, 2);
        graph.nodes[11].text = "Gout or so ".repeat(500);
        assert!(check(&graph, 1).contains('…'));
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
        let read = read(&drawn);
        for (at, node) in graph.nodes.iter().enumerate() {
            let has_box = !(30..45).contains(&at);
            assert_eq!(all.contains(&format!("<title>{}</title>", node.text)), has_box, "{}", node.text);
            assert!(read.contains(node.text.trim_end_matches('.')), "{}", node.text);
        }
        // As they are told; those in a legend have no tip.
        let lines = |kind: &str| all.matches(&format!(" {kind} ")).count();
        assert_eq!((lines("matches"), lines("supports")), (31, 30));
        let with_boxes = drawn.iter().filter(|drawing| drawing.body().contains("<rect ")).count();
        assert_eq!(all.matches(">Gout<").count(), 2 * with_boxes, "each has every condition: its name and its tip");
        assert!(!all.contains("<a "), "paper leads nowhere");
    }
}
