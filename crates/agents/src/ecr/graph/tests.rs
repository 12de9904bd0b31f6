use super::*;
use crate::ecr::reasoner::stages::{FeatureKind, Link, Reexamination, Reexamined};
use crate::ecr::sample::small_graph;

const WEIGHTS: Weights = Weights { matching: 1.0, conflict: 1.0, shadow: 0.25, pivot: 0.5, experience: 0.0 };

fn check(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

#[test]
fn what_the_patient_has_supports_and_rules_out() {
    let scores = small_graph().scores(&WEIGHTS, &[]);
    check(scores[0].matching, 0.8 + 0.5);
    check(scores[0].conflict, 0.0);
    // The calf rules pneumonia out, and fever is denied.
    check(scores[1].conflict, 1.0 + 0.95);
    // The one rival is ruled out.
    check(scores[0].pivot, 0.8);
    check(scores[0].total, 1.3 + 0.5 * 0.8);
}

#[test]
fn unmentioned_weighs_nothing_before_the_second_look() {
    let graph = small_graph();
    assert_eq!(graph.seen(3), Seen::Unseen);
    check(graph.scores(&WEIGHTS, &[])[1].shadow, 0.0);
}

#[test]
fn what_the_second_look_does_not_find_becomes_a_shadow() {
    let mut graph = small_graph();
    let expected = graph.expected_but_unseen();
    assert_eq!(expected, [3]);
    graph.cast_shadows(&expected, &Reexamination::default());
    assert!(graph.is_shadow(3));
    let score = graph.scores(&WEIGHTS, &[])[1];
    check(score.shadow, 0.4);
    check(score.total, 0.9 - 1.95 - 0.25 * 0.4);
    assert_eq!(graph.shadows_of(1)[0].content, "green phlegm");
    assert!(graph.shadows_of(0).is_empty());
}

#[test]
fn what_the_second_look_finds_is_linked() {
    for (status, matching, conflict) in [(Status::Present, 0.9 + 0.7, 1.95), (Status::Absent, 0.9, 1.95 + 0.4)] {
        let mut graph = small_graph();
        let found = Reexamined { feature: 0, status, original: "green stuff".to_owned() };
        graph.cast_shadows(&[3], &Reexamination { features: vec![found] });
        assert!(!graph.is_shadow(3));
        let score = graph.scores(&WEIGHTS, &[])[1];
        check(score.matching, matching);
        check(score.conflict, conflict);
    }
}

#[test]
fn a_fact_is_learnt_as_what_it_says_and_never_as_its_opposite() {
    let fact = |content: &str, status| PatientNode { content: content.into(), original: content.into(), status };
    let patient = Representation {
        one_liner: "A patient.".to_owned(),
        nodes: vec![
            fact("burning up", Status::Present),
            fact("normal temperature", Status::Present),
            fact("feverish", Status::Absent),
        ],
    };
    let fever = KnowledgeNode {
        content: "fever".to_owned(),
        kind: FeatureKind::General,
        importance: 1.0,
        supports: vec![0],
        rules_out: Vec::new(),
    };
    let link = |patient, kind| Link { patient, feature: 0, kind };
    let links = vec![link(0, LinkKind::Match), link(1, LinkKind::Conflict), link(2, LinkKind::Conflict)];
    let relations = Relations { links, bearings: Vec::new() };
    let graph = CausalGraph::new(&patient, vec![fever], &["Influenza".to_owned()], &relations);
    let facts: Vec<_> = graph.facts().collect();
    let expected = [("fever", Status::Present), ("normal temperature", Status::Present), ("fever", Status::Absent)];
    assert_eq!(facts, expected);
    assert_eq!([graph.name_of("burning up"), graph.name_of("normal temperature")], ["fever", "normal temperature"]);
}

#[test]
fn a_missing_fact_is_no_node() {
    assert_eq!(small_graph().patients().count(), 3);
}

#[test]
fn a_fact_ruled_out_is_not_explained() {
    let graph = small_graph();
    let unexplained = |candidate| graph.unexplained(candidate).iter().map(|it| it.content.clone()).collect::<Vec<_>>();
    assert_eq!(unexplained(0), Vec::<String>::new());
    assert_eq!(unexplained(1), ["swollen calf"]);
}

#[test]
fn the_balance_sheet_adds_up_to_the_score() {
    let mut graph = small_graph();
    graph.cast_shadows(&[3], &Reexamination::default());
    let scores = graph.scores(&WEIGHTS, &[]);
    for (row, score) in balance(&graph, &scores).iter().zip(&scores) {
        let sum = |items: &[Item]| items.iter().map(|item| item.weight).sum::<f64>();
        check(sum(&row.supporting), score.matching);
        check(sum(&row.conflicting), score.conflict);
        check(sum(&row.missing), score.shadow);
    }
    let pneumonia = &balance(&graph, &scores)[1];
    let conflicts: Vec<_> = pneumonia.conflicting.iter().map(|it| (it.feature.as_str(), it.pivot, it.denied)).collect();
    assert_eq!(conflicts, [("swollen calf", true, false), ("fever", false, true)]);
}

#[test]
fn the_drawing_holds_what_was_said_and_the_shadows_asked_for() {
    let mut graph = small_graph();
    graph.cast_shadows(&[3], &Reexamination::default());
    let all = graph.drawn(&[0, 1], &["green phlegm"]);
    let again: Drawn = serde_json::from_str(&serde_json::to_string(&all).unwrap()).unwrap();
    assert_eq!(again, all);
    let dot = to_dot(&all);
    for piece in
        ["denied: fever", "hexagon", "style=dashed, fontcolor", "+0.80", "-1.00", "style=dotted, label=\"-0.40\""]
    {
        assert!(dot.contains(piece), "{piece} in\n{dot}");
    }
    let one = graph.drawn(&[0], &[]);
    assert!(one.nodes.iter().all(|node| !["Pneumonia", "green phlegm"].contains(&one.text_of(node))));
}

#[test]
fn a_quote_does_not_break_the_drawing() {
    let node = |text: &str| DrawnNode { kind: NodeKind::General, text: text.to_owned(), as_node: None };
    let dot = to_dot(&Drawn { nodes: vec![node("a \"tight\" chest")], ..Drawn::default() });
    assert!(dot.contains(r#"a \"tight\" chest"#), "{dot}");
}
