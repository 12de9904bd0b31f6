//! The record an agent keeps beside its answer, as pages and drawings show it.

use waterjar_agents::ecr::graph::{self, Drawn};
use waterjar_agents::ecr::record::{Entry, Mark, Record, Row};
use waterjar_core::Conclusion;
use waterjar_report::{BalanceItem, BalanceView, EdgeKind, GraphEdge, GraphNode, GraphView, NodeKind, ReasoningView};

/// What stands above a record.
pub struct Heading {
    pub title: String,
    pub subject: String,
    pub outcome: String,
}

/// How an answer came about, where its agent keeps a record.
pub fn of_conclusion(conclusion: &Conclusion, heading: Heading) -> Option<ReasoningView> {
    Some(view(&Record::read(conclusion.record.as_ref()?)?, heading))
}

/// Whether an answer leaves a record.
pub fn is_recorded(conclusion: &Conclusion) -> bool {
    conclusion.record.as_ref().is_some_and(|record| Record::read(record).is_some())
}

pub(crate) fn view(record: &Record, heading: Heading) -> ReasoningView {
    let first = record.intuition.iter().map(|(name, weight)| (name.clone(), format!("{weight:.2}")));
    let streams = record.streams().into_iter().map(|(name, said)| (name.to_owned(), said));
    let tiers = record.tiers().into_iter().map(|(title, lines)| (title.to_owned(), lines));
    let checks = record.checklist.iter().map(|it| (record.words(it.feature).to_owned(), it.speaks_for.clone()));
    ReasoningView {
        title: heading.title,
        subject: heading.subject,
        outcome: heading.outcome,
        one_liner: record.one_liner.clone(),
        first_impression: first.collect(),
        streams: streams.collect(),
        verdict: record.verdict(),
        reasons: record.audit.reasons.clone(),
        tiers: tiers.collect(),
        formula: record.formula(),
        balance: record.balance.iter().map(|row| balance(record, row)).collect(),
        checklist: checks.collect(),
        notes: record.notes.clone(),
        graph: graph_of(record),
    }
}

fn balance(record: &Record, row: &Row) -> BalanceView {
    let item = |Entry(node, weight, mark): &Entry| BalanceItem {
        text: record.words(*node).to_owned(),
        weight: *weight,
        pivot: *mark == Mark::Pivot,
        denied: *mark == Mark::Denied,
    };
    let column = |entries: &[Entry]| entries.iter().map(item).collect();
    let s = &row.score;
    BalanceView {
        candidate: row.candidate.clone(),
        score: format!(
            "S = {:.2}: match {:.2}, conflict {:.2}, missing {:.2}, pivot {:.2}, experience {:.2}",
            s.total, s.matching, s.conflict, s.shadow, s.pivot, s.experience
        ),
        supporting: column(&row.supporting),
        conflicting: column(&row.conflicting),
        missing: column(&row.missing),
    }
}

pub fn graph_of(record: &Record) -> GraphView {
    let Drawn { nodes, edges } = &record.graph;
    let node = |node: &graph::DrawnNode| {
        let text = record.graph.text_of(node).to_owned();
        let row = record.balance.iter().find(|row| node.kind == graph::NodeKind::Disease && row.candidate == text);
        let is_diagnosis = row.is_some() && text == record.audit.diagnosis;
        let first = if text == record.audit.intuition { ", first impression" } else { "" };
        let note = row.map_or(String::new(), |row| format!("S = {:.2}{first}", row.score.total));
        let kind = match node.kind {
            graph::NodeKind::Present => NodeKind::Present,
            graph::NodeKind::Absent => NodeKind::Denied,
            graph::NodeKind::Pivot => NodeKind::Pivot,
            graph::NodeKind::General => NodeKind::Feature,
            graph::NodeKind::Shadow => NodeKind::Shadow,
            graph::NodeKind::Disease if is_diagnosis => NodeKind::Diagnosis,
            graph::NodeKind::Disease => NodeKind::Condition,
        };
        GraphNode { kind, text, note, link: String::new() }
    };
    let edge = |kind: &graph::EdgeKind, &(from, to, strength): &(u32, u32, f64)| GraphEdge {
        from: from as usize,
        to: to as usize,
        kind: match kind {
            graph::EdgeKind::Match => EdgeKind::Match,
            graph::EdgeKind::Conflict => EdgeKind::Conflict,
            graph::EdgeKind::Support => EdgeKind::Support,
            graph::EdgeKind::RuleOut => EdgeKind::RuleOut,
            graph::EdgeKind::Penalty => EdgeKind::Penalty,
        },
        strength,
    };
    let edges = edges.iter().flat_map(|(kind, all)| all.iter().map(move |it| edge(kind, it)));
    GraphView { nodes: nodes.iter().map(node).collect(), edges: edges.collect() }
}
