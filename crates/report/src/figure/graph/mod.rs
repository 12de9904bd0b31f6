//! The graph of one case: what the patient says, what is known, what it may be. Lines are told apart by their dashes and by the sign
//! at their end, boxes by their border and a word, so that it reads without colour.

mod layout;
mod paper;

pub(crate) use paper::svgs as paper_svgs;

use super::canvas::{Anchor, Drawing, px, width_of};
use super::{document, style_sheet};
use crate::reasoning::{EdgeKind, GraphEdge, GraphView, NodeKind};
use layout::{LINE, PAD, Placed, SCREEN, Shape, TOP, label, layout};

const HEADS: [&str; 3] = ["What the patient says", "What is known", "What it may be"];
const LEGEND: [(EdgeKind, &str); 5] = [
    (EdgeKind::Match, "matches"),
    (EdgeKind::Conflict, "conflicts"),
    (EdgeKind::Support, "supports"),
    (EdgeKind::RuleOut, "rules out"),
    (EdgeKind::Penalty, "expected, not mentioned"),
];
const READING: [&str; 2] = [
    "Thicker lines are stronger; weak ones are left out.",
    "Boxes with a broken border: denied (dashes), not mentioned (dots).",
];
/// Room for the sign at the end of a line.
const SIGN: f64 = 8.0;
const MARGIN: f64 = 14.0;
/// As `.small` in the style sheet.
const SMALL: f64 = 11.0;
const PIVOT: &str = "◆ tells candidates apart";
/// Strengths below this are left out.
const WEAK: f64 = 0.25;

/// One SVG document that can be saved, opened and printed by itself.
pub fn graph_svg(graph: &GraphView, title: &str) -> String {
    let inner = draw(&legible(graph), &SCREEN, "");
    let mut whole = Drawing::new(inner.width + 2.0 * MARGIN, inner.height + 2.0 * MARGIN);
    whole.place(MARGIN, MARGIN, &inner);
    document("graph", title, &told(graph), &whole, &style_sheet())
}

/// For a page that has the style sheet.
pub(crate) fn inline_svg(graph: &GraphView, title: &str) -> String {
    document("graph", title, &told(graph), &draw(&legible(graph), &SCREEN, ""), "")
}

/// The graph in one sentence, for those who cannot see it.
fn told(graph: &GraphView) -> String {
    let count = |kind: EdgeKind| graph.edges.iter().filter(|it| it.kind == kind).count();
    let parts: Vec<String> = LEGEND.iter().map(|(kind, name)| format!("{name} {}", count(*kind))).collect();
    let names: Vec<&str> = graph.nodes.iter().filter(|it| it.kind.column() == 2).map(|it| it.text.as_str()).collect();
    format!("Facts of the patient, features and {}; lines: {}.", names.join(", "), parts.join(", "))
}

/// Lines that can be followed: a feature the patient does not have rules nothing out, one the patient denies speaks against what lets
/// expect it, and weak lines only cover the strong ones.
fn legible(graph: &GraphView) -> GraphView {
    let said = |feature: usize, kind| graph.edges.iter().any(|it| it.to == feature && it.kind == kind);
    let has = |feature: usize| said(feature, EdgeKind::Match);
    let denied = |feature: usize| said(feature, EdgeKind::Conflict) && !has(feature);
    let shown = |edge: &&GraphEdge| match edge.kind {
        EdgeKind::Match | EdgeKind::Conflict => true,
        EdgeKind::RuleOut => edge.strength >= WEAK && has(edge.from),
        EdgeKind::Support | EdgeKind::Penalty => edge.strength >= WEAK,
    };
    let read = |edge: &GraphEdge| match edge.kind {
        EdgeKind::Support if denied(edge.from) => GraphEdge { kind: EdgeKind::Conflict, ..*edge },
        _ => *edge,
    };
    let edges: Vec<GraphEdge> = graph.edges.iter().filter(shown).map(read).collect();
    without_loose_ends(graph, &edges)
}

/// A feature nobody mentioned says nothing when its lines are left out.
fn without_loose_ends(graph: &GraphView, edges: &[GraphEdge]) -> GraphView {
    let is_loose = |at: usize| graph.nodes[at].kind == NodeKind::Shadow && edges.iter().all(|it| it.from != at);
    let kept: Vec<usize> = (0..graph.nodes.len()).filter(|&at| !is_loose(at)).collect();
    with_only(graph, edges, &kept)
}

/// The nodes of these numbers, which ascend, and the lines between them.
fn with_only(graph: &GraphView, edges: &[GraphEdge], kept: &[usize]) -> GraphView {
    let moved = |at: usize| kept.binary_search(&at).ok();
    let edge = |it: &GraphEdge| Some(GraphEdge { from: moved(it.from)?, to: moved(it.to)?, ..*it });
    GraphView {
        nodes: kept.iter().map(|&at| graph.nodes[at].clone()).collect(),
        edges: edges.iter().filter_map(edge).collect(),
    }
}

/// `part` stands beside the first head: which of several it is.
fn draw(graph: &GraphView, shape: &Shape, part: &str) -> Drawing {
    let (places, bottom) = layout(graph, shape);
    let mut drawing = Drawing::new(shape.width, bottom);
    for (((x, _), head), part) in shape.columns.iter().zip(HEADS).zip([part, "", ""]) {
        drawing.text("axis", (*x, TOP - 15.0), Anchor::Start, &format!("{head}{part}"));
    }
    let mut edges: Vec<&GraphEdge> =
        graph.edges.iter().filter(|it| it.from < places.len() && it.to < places.len()).collect();
    // Weak ones first, so that strong ones lie over them.
    edges.sort_by(|a, b| a.strength.total_cmp(&b.strength).then((a.from, a.to).cmp(&(b.from, b.to))));
    for edge in &edges {
        let from = (places[edge.from].right(), leaves(&edges, edge, &places));
        let to = (places[edge.to].x, arrives(&edges, edge, &places));
        let tip = format!(
            "{} {} {}",
            graph.nodes[edge.from].text.trim_end_matches('.'),
            name_of(edge.kind),
            graph.nodes[edge.to].text.trim_end_matches('.')
        );
        line(&mut drawing, edge.kind, edge.strength, from, to, &tip);
    }
    for (node, place) in graph.nodes.iter().zip(&places) {
        let tip = match node.note.as_str() {
            "" => label(node.kind, &node.text),
            note => format!("{}: {note}", node.text),
        };
        if !node.link.is_empty() {
            drawing.open_link(&node.link);
        }
        drawing.rect(class_of(node.kind), (place.x, place.y), (place.width, place.height), &tip);
        let noted = f64::from(!node.note.is_empty());
        let block = (place.lines.len() as f64 + noted) * LINE;
        let mut baseline = place.middle() - block / 2.0 + LINE * 0.75;
        let words = match node.kind {
            NodeKind::Diagnosis => "axis",
            NodeKind::Shadow | NodeKind::Denied => "quiet",
            _ => "",
        };
        for text in &place.lines {
            drawing.text(words, (place.x + PAD, baseline), Anchor::Start, text);
            baseline += LINE;
        }
        if !node.note.is_empty() {
            drawing.text("small quiet", (place.x + PAD, baseline), Anchor::Start, &node.note);
        }
        if !node.link.is_empty() {
            drawing.close_link();
        }
    }
    drawing.height = legend(&mut drawing, bottom + 20.0) + 12.0;
    drawing
}

fn name_of(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Match => "matches",
        EdgeKind::Conflict => "conflicts with",
        EdgeKind::Support => "supports",
        EdgeKind::RuleOut => "speaks against",
        EdgeKind::Penalty => "is not mentioned, and expected in",
    }
}

fn class_of(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Present => "box said",
        NodeKind::Denied => "box denied",
        NodeKind::Pivot => "box pivot",
        NodeKind::Feature => "box",
        NodeKind::Shadow => "box shadow",
        NodeKind::Condition => "box",
        NodeKind::Diagnosis => "box diagnosis",
    }
}

/// Lines that share an end stand side by side there, in the order of their other ends.
fn arrives(all: &[&GraphEdge], edge: &GraphEdge, places: &[Placed]) -> f64 {
    let mut ends: Vec<usize> = all.iter().filter(|it| it.to == edge.to).map(|it| it.from).collect();
    ends.sort_by(|&a, &b| places[a].middle().total_cmp(&places[b].middle()).then(a.cmp(&b)));
    port(&places[edge.to], ends.iter().position(|&at| at == edge.from).unwrap_or(0), ends.len())
}

fn leaves(all: &[&GraphEdge], edge: &GraphEdge, places: &[Placed]) -> f64 {
    let mut ends: Vec<usize> = all.iter().filter(|it| it.from == edge.from).map(|it| it.to).collect();
    ends.sort_by(|&a, &b| places[a].middle().total_cmp(&places[b].middle()).then(a.cmp(&b)));
    port(&places[edge.from], ends.iter().position(|&at| at == edge.to).unwrap_or(0), ends.len())
}

fn port(place: &Placed, number: usize, of: usize) -> f64 {
    place.y + place.height * (number + 1) as f64 / (of + 1) as f64
}

fn line(drawing: &mut Drawing, kind: EdgeKind, strength: f64, from: (f64, f64), to: (f64, f64), tip: &str) {
    let width = match kind {
        EdgeKind::Match | EdgeKind::Penalty => "thin",
        _ if strength >= 0.66 => "strong",
        _ if strength >= 0.33 => "medium",
        _ => "thin",
    };
    let look = match kind {
        EdgeKind::Match => "tie match",
        EdgeKind::Conflict => "tie against",
        EdgeKind::Support => "tie for",
        EdgeKind::RuleOut => "tie against dashed",
        EdgeKind::Penalty => "tie penalty dotted",
    };
    let end = to.0 - SIGN;
    let bend = (end - from.0) / 2.0;
    let path = format!(
        "M{} {}C{} {} {} {} {} {}",
        px(from.0),
        px(from.1),
        px(from.0 + bend),
        px(from.1),
        px(end - bend),
        px(to.1),
        px(end),
        px(to.1)
    );
    drawing.path(&format!("{look} {width}"), &path, tip);
    sign(drawing, kind, look.trim_end_matches(" dashed").trim_end_matches(" dotted"), (end, to.1));
}

/// A dot matches, a cross conflicts, an arrow supports, a bar rules out, a ring is missing.
fn sign(drawing: &mut Drawing, kind: EdgeKind, look: &str, (x, y): (f64, f64)) {
    let (x, y) = (x + 1.0, y);
    let filled = |name: &str| format!("{look} {name}");
    match kind {
        EdgeKind::Match => drawing.path(&filled("filled"), &super::scatter::circle((x + 2.5, y), 3.0), ""),
        EdgeKind::Penalty => drawing.path(&filled("ring"), &super::scatter::circle((x + 2.5, y), 3.0), ""),
        EdgeKind::Conflict => {
            let cross = [(x - 1.0, y - 3.5, x + 6.0, y + 3.5), (x - 1.0, y + 3.5, x + 6.0, y - 3.5)];
            let d: Vec<String> =
                cross.iter().map(|(a, b, c, d)| format!("M{} {}L{} {}", px(*a), px(*b), px(*c), px(*d))).collect();
            drawing.path(&filled("medium"), &d.join(""), "");
        }
        EdgeKind::Support => {
            let d =
                format!("M{} {}L{} {}L{} {}z", px(x - 1.0), px(y - 3.5), px(x + 6.5), px(y), px(x - 1.0), px(y + 3.5));
            drawing.path(&filled("filled"), &d, "");
        }
        EdgeKind::RuleOut => {
            let d = format!("M{} {}L{} {}", px(x + 4.0), px(y - 4.5), px(x + 4.0), px(y + 4.5));
            drawing.path(&filled("strong"), &d, "");
        }
    }
}

/// On as many lines as it takes; tells where the last one stands.
fn legend(drawing: &mut Drawing, mut y: f64) -> f64 {
    let mut x = 0.0;
    let mut place = |room: f64| {
        if x > 0.0 && x + room > drawing.width {
            (x, y) = (0.0, y + 18.0);
        }
        let at = (x, y);
        x += room + 22.0;
        at
    };
    let lines = LEGEND.map(|(kind, name)| (kind, name, place(50.0 + width_of(name, SMALL))));
    let pivot = place(width_of(PIVOT, SMALL));
    for (kind, name, (x, y)) in lines {
        line(drawing, kind, 0.5, (x, y - 4.0), (x + 44.0, y - 4.0), "");
        drawing.text("small", (x + 50.0, y), Anchor::Start, name);
    }
    drawing.text("small", pivot, Anchor::Start, PIVOT);
    let reading = READING.join(" ");
    let fits = width_of(&reading, SMALL) <= drawing.width;
    let sentences = if fits { vec![reading.as_str()] } else { READING.to_vec() };
    for sentence in sentences {
        y += 20.0;
        drawing.text("small quiet", (0.0, y), Anchor::Start, sentence);
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasoning::GraphNode;

    fn node(kind: NodeKind, text: &str) -> GraphNode {
        GraphNode { kind, text: text.to_owned(), note: String::new(), link: String::new() }
    }

    fn edge(from: usize, to: usize, kind: EdgeKind) -> GraphEdge {
        GraphEdge { from, to, kind, strength: 0.5 }
    }

    fn sample() -> GraphView {
        let long =
            "My big toe has been red, hot and swollen since a night last week, and I cannot bear the sheet on it.";
        GraphView {
            nodes: vec![
                node(NodeKind::Present, long),
                node(NodeKind::Denied, "I have had a fever."),
                node(NodeKind::Present, "I like <tea>."),
                node(NodeKind::Pivot, long),
                node(NodeKind::Feature, "I have had a fever."),
                node(NodeKind::Shadow, "My knee is swollen."),
                node(NodeKind::Diagnosis, "Gout"),
                node(NodeKind::Condition, "Pseudogout"),
            ],
            edges: vec![
                edge(0, 3, EdgeKind::Match),
                edge(1, 4, EdgeKind::Conflict),
                edge(3, 6, EdgeKind::Support),
                edge(3, 7, EdgeKind::RuleOut),
                edge(4, 7, EdgeKind::Support),
                edge(5, 7, EdgeKind::Penalty),
            ],
        }
    }

    #[test]
    fn no_box_lies_on_another() {
        let (places, bottom) = layout(&sample(), &SCREEN);
        for (at, one) in places.iter().enumerate() {
            assert!(one.y >= TOP && one.y + one.height <= bottom, "{one:?}");
            for other in places[..at].iter().filter(|other| other.x == one.x) {
                assert!(one.y >= other.y + other.height || other.y >= one.y + one.height, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn a_fact_stands_level_with_the_feature_it_speaks_of() {
        let (places, _) = layout(&sample(), &SCREEN);
        assert!((places[0].middle() - places[3].middle()).abs() < 0.1);
    }

    #[test]
    fn every_node_says_what_it_is_and_words_are_escaped() {
        let svg = graph_svg(&sample(), "Gout");
        for part in ["<title>Denied: I have had a fever.</title>", "I like &lt;tea&gt;.", "<title>Not mentioned: "] {
            assert!(svg.contains(part), "{part}");
        }
        assert_eq!(svg.matches("<rect class=\"box").count(), 8);
    }

    #[test]
    fn what_the_patient_does_not_have_rules_nothing_out_in_the_drawing() {
        let (mut graph, signs) = (sample(), |svg: String| svg.matches("tie against dashed").count());
        let before = signs(graph_svg(&graph, ""));
        graph.edges.push(edge(5, 6, EdgeKind::RuleOut));
        assert_eq!(signs(graph_svg(&graph, "")), before);
        graph.edges.push(edge(3, 7, EdgeKind::RuleOut));
        assert_eq!(signs(graph_svg(&graph, "")), before + 1);
    }

    #[test]
    fn what_the_patient_denies_speaks_against_what_lets_expect_it() {
        let drawn = legible(&sample());
        assert!(
            drawn.edges.contains(&edge(4, 7, EdgeKind::Conflict))
                && drawn.edges.contains(&edge(3, 6, EdgeKind::Support))
        );
    }

    #[test]
    fn a_feature_nobody_mentioned_goes_with_its_lines() {
        let mut graph = sample();
        graph.edges[5].strength = WEAK / 2.0;
        let drawn = legible(&graph);
        assert_eq!(drawn.nodes.len(), 7);
        assert_eq!(drawn.nodes[drawn.edges[2].to].text, "Gout");
        assert!(drawn.nodes.iter().all(|it| it.kind != NodeKind::Shadow));
    }

    #[test]
    fn an_edge_to_a_node_that_is_not_there_is_left_out() {
        let mut graph = sample();
        graph.edges.push(edge(0, 99, EdgeKind::Match));
        assert_eq!(graph_svg(&graph, ""), graph_svg(&sample(), "").replace("matches 1", "matches 2"));
    }
}
