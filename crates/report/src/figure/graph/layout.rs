//! Where the boxes of a graph stand: three columns, a fact beside the feature it speaks of, so that these lines are level and cross
//! nothing.

use super::super::canvas::width_of;
use crate::reasoning::{EdgeKind, GraphView, NodeKind};

pub(super) const TEXT: f64 = 12.0;
pub(super) const LINE: f64 = 15.0;
pub(super) const PAD: f64 = 7.0;

/// How wide a drawing and its columns are.
pub(super) struct Shape {
    /// Left edge and width of each, with room for the border.
    pub columns: [(f64, f64); 3],
    pub width: f64,
}

/// What a report has room for beside its margins; narrower windows scroll.
pub(super) const SCREEN: Shape = Shape { columns: [(1.0, 258.0), (307.0, 258.0), (747.0, 194.0)], width: 942.0 };
/// As wide as A4 within the margins of the style sheet, so that words are printed as large as they are drawn.
pub(super) const PAPER: Shape = Shape { columns: [(1.0, 202.0), (227.0, 202.0), (525.0, 160.0)], width: 686.0 };
/// Between boxes.
const GAP: f64 = 9.0;
/// Lines that end at a condition need so much room beside each other.
const PORT: f64 = 9.0;
pub(super) const TOP: f64 = 30.0;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Placed {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    pub lines: Vec<String>,
}

impl Placed {
    pub fn middle(&self) -> f64 {
        self.y + self.height / 2.0
    }

    pub fn right(&self) -> f64 {
        self.x + self.width
    }
}

/// A place for every node, and the height of it all.
pub(super) fn layout(graph: &GraphView, shape: &Shape) -> (Vec<Placed>, f64) {
    let mut places: Vec<Placed> = graph
        .nodes
        .iter()
        .map(|node| sized(&label(node.kind, &node.text), shape.columns[node.kind.column()]))
        .collect();
    let conditions = conditions(graph);
    let facts_of = |feature: usize| -> Vec<usize> {
        let speaks = |fact: &usize| graph.edges.iter().find(|it| it.from == *fact).is_some_and(|it| it.to == feature);
        column(graph, 0).filter(speaks).collect()
    };
    let mut y = TOP;
    for feature in ordered(graph) {
        let facts = facts_of(feature);
        let stacked: f64 =
            facts.iter().map(|&at| places[at].height).sum::<f64>() + GAP * facts.len().saturating_sub(1) as f64;
        let height = places[feature].height.max(stacked);
        places[feature].y = y + (height - places[feature].height) / 2.0;
        let mut top = y + (height - stacked) / 2.0;
        for fact in facts {
            places[fact].y = top;
            top += places[fact].height + GAP;
        }
        y += height + GAP;
    }
    // What nothing known speaks of stands below, for itself.
    for fact in loose(graph) {
        places[fact].y = y;
        y += places[fact].height + GAP;
    }
    let needed: f64 = conditions.iter().map(|&at| grown(graph, at, &mut places[at])).sum::<f64>();
    let bottom = y.max(TOP + needed + GAP * conditions.len() as f64);
    let spare = (bottom - TOP - needed) / conditions.len().max(1) as f64;
    let mut top = TOP;
    for at in conditions {
        places[at].y = top + spare / 2.0;
        top += places[at].height + spare;
    }
    (places, bottom)
}

/// The nodes of a column.
pub(super) fn column(graph: &GraphView, wanted: usize) -> impl Iterator<Item = usize> {
    (0..graph.nodes.len()).filter(move |&at| graph.nodes[at].kind.column() == wanted)
}

/// What was decided for stands on top.
pub(super) fn conditions(graph: &GraphView) -> Vec<usize> {
    let mut conditions: Vec<usize> = column(graph, 2).collect();
    conditions.sort_by_key(|&at| graph.nodes[at].kind != NodeKind::Diagnosis);
    conditions
}

/// Facts that nothing known speaks of.
pub(super) fn loose(graph: &GraphView) -> impl Iterator<Item = usize> {
    column(graph, 0).filter(move |fact| graph.edges.iter().all(|it| it.from != *fact))
}

/// As high as the lines that end at it need; tells the height.
fn grown(graph: &GraphView, condition: usize, place: &mut Placed) -> f64 {
    let ends = graph.edges.iter().filter(|it| it.to == condition).count();
    place.height = (place.height + LINE).max((ends + 1) as f64 * PORT);
    place.height
}

/// The features from top to bottom: what speaks for the first condition on top, what is not mentioned last among its equals.
pub(super) fn ordered(graph: &GraphView) -> Vec<usize> {
    let conditions = conditions(graph);
    let mut features: Vec<usize> = column(graph, 1).collect();
    let pull = |feature: usize| -> (f64, bool) {
        let (mut sum, mut weight) = (0.0, 0.0);
        for edge in graph.edges.iter().filter(|it| it.from == feature && it.kind != EdgeKind::RuleOut) {
            let place = conditions.iter().position(|&at| at == edge.to).unwrap_or(0);
            sum += place as f64 * edge.strength.max(0.01);
            weight += edge.strength.max(0.01);
        }
        let middle = if weight > 0.0 { sum / weight } else { conditions.len() as f64 };
        (middle, graph.nodes[feature].kind == NodeKind::Shadow)
    };
    features.sort_by(|&a, &b| {
        let (one, other) = (pull(a), pull(b));
        one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)).then(a.cmp(&b))
    });
    features
}

/// What a box says: kinds that a reader must not mistake are told in words or by a sign as well as by the look of the box.
pub(super) fn label(kind: NodeKind, text: &str) -> String {
    match kind {
        NodeKind::Denied => format!("Denied: {text}"),
        NodeKind::Pivot => format!("◆ {text}"),
        NodeKind::Shadow => format!("Not mentioned: {text}"),
        _ => text.to_owned(),
    }
}

fn sized(text: &str, (x, width): (f64, f64)) -> Placed {
    let lines = wrapped(text, width - 2.0 * PAD);
    Placed { x, y: TOP, width, height: lines.len() as f64 * LINE + 2.0 * PAD - 3.0, lines }
}

pub(super) fn wrapped(text: &str, room: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is one line from the start");
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if line.is_empty() || width_of(&longer, TEXT) <= room {
            *line = longer;
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
