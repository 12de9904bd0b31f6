//! A memory grown with a model, which also criticises itself.

use super::{ModelCritic, ModelReasoner};
use crate::ecr::evolve::{Evolution, EvolveError, Step, Training};
use crate::ecr::sample::{lexicon, origin, pipeline, prompt};
use crate::ecr::settings::Settings;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use waterjar_core::{ChatReply, ChatRequest, ModelError};
use waterjar_testkit::ScriptedModel;

async fn open(folder: &Path) -> Evolution {
    let mut pipeline = pipeline(Settings::default());
    pipeline.reasoner = Arc::new(ModelReasoner);
    let critic = Arc::new(ModelCritic::new(lexicon()));
    Evolution::open(folder, origin(), pipeline, critic).await.unwrap()
}

fn case(id: &str) -> Training {
    let text = "My big toe is red and hot. I like beer. I have no fever.";
    Training {
        id: id.to_owned(),
        prompt: prompt(&format!("{text} My name is {id}.")),
        condition: "Gout".to_owned(),
        patient: None,
    }
}

fn stage(request: &ChatRequest) -> &str {
    request.schema.as_ref().map_or("", |schema| schema.name.as_str())
}

/// Thinks of pseudogout first and keeps to it, until a teacher has spoken.
fn says(stage: &str, taught: bool) -> Value {
    let suspect = |name: &str| json!({"condition": name, "confidence": 0.4, "reason": "It fits."});
    let fact = |content: &str, original: &str, status: &str| json!({"content": content, "original": original, "status": status});
    let feature = |content: &str, supports: u32, rules_out: u32| json!({"content": content, "kind": "pivot", "importance": 0.9, "supports": [supports], "rules_out": [rules_out]});
    match stage {
        "ecr_intuition" => json!({"candidates": [suspect("Pseudogout"), suspect("Gout")]}),
        "ecr_representation" => json!({"one_liner": "A toe.", "nodes": [
            fact("a hot red toe", "my big toe is red and hot", "present"),
            fact("beer", "I like beer", "present"),
            fact("fever", "I have no fever", "absent"),
        ]}),
        "ecr_features" => json!({"features": [feature("inflamed first toe", 1, 0), feature("a swollen knee", 0, 1)]}),
        "ecr_relations" => json!({"links": [{"patient": 0, "feature": 0, "kind": "match"}], "bearings": [
            {"feature": 0, "candidate": 1, "kind": "support", "strength": 0.9, "if_denied": 0.3},
            {"feature": 0, "candidate": 0, "kind": "rule_out", "strength": 0.5, "if_denied": 0.0},
            {"feature": 1, "candidate": 0, "kind": "support", "strength": 0.9, "if_denied": 0.5},
        ]}),
        "ecr_second_look" => json!({"features": []}),
        "ecr_audit" if taught => {
            json!({"verdict": "overturn", "diagnosis": 1, "also": null, "reasons": ["The toe decides."]})
        }
        "ecr_audit" => json!({"verdict": "keep", "diagnosis": 0, "also": null, "reasons": ["It came to mind."]}),
        "ecr_feedback" => json!({"ignored": ["a hot red toe"], "misleading": [], "advice": "Ask which joint it is."}),
        other => panic!("nobody plays `{other}`"),
    }
}

fn pupil() -> ScriptedModel {
    ScriptedModel::new("pupil", |request| {
        let taught = request.last_user_text().contains("Ask which joint it is.");
        Ok(ChatReply::text(says(stage(request), taught).to_string()))
    })
}

#[tokio::test]
async fn a_critics_word_reaches_the_stages_that_weigh_and_leads_to_a_lesson() {
    let folder = tempfile::tempdir().unwrap();
    let mut evolution = open(folder.path()).await;
    let model = pupil();
    assert_eq!(evolution.learn(&model, &case("t-1")).await.unwrap(), Step::Learnt { rounds: 1 });
    let asked = model.requests();
    assert_eq!(asked.len(), 6 + 1 + 6);
    for request in &asked[7..] {
        let weighs = ["ecr_intuition", "ecr_features", "ecr_audit"].contains(&stage(request));
        assert_eq!(request.last_user_text().contains("Round 1: Ask which joint it is."), weighs, "{}", stage(request));
    }
    let critic = asked[6].last_user_text();
    assert!(critic.contains("A diagnostician answered Pseudogout. The patient has Gout."), "{critic}");
    assert!(asked[7..].iter().all(|it| !it.last_user_text().contains("The patient has")), "only the critic knows");
}

#[tokio::test]
async fn a_fact_is_learnt_under_the_words_of_the_feature_it_matches() {
    let folder = tempfile::tempdir().unwrap();
    let mut evolution = open(folder.path()).await;
    for id in ["t-1", "t-2"] {
        evolution.learn(&pupil(), &case(id)).await.unwrap();
    }
    evolution.save().unwrap();
    let graphs = std::fs::read_to_string(folder.path().join("illness.jsonl")).unwrap();
    let graph: Value = serde_json::from_str(graphs.lines().next().unwrap()).unwrap();
    let features = graph["features"].as_array().unwrap();
    let told = |content: &str| features.iter().find(|it| it["content"] == content).cloned().unwrap_or_default();
    assert_eq!(
        (told("inflamed first toe")["present"].clone(), told("inflamed first toe")["decisive"].clone()),
        (2.into(), 2.into())
    );
    assert_eq!((told("beer")["present"].clone(), told("fever")["denied"].clone()), (2.into(), 2.into()));
}

/// The k-th call fails so.
fn failing(k: usize, error: ModelError) -> ScriptedModel {
    let calls = std::sync::atomic::AtomicUsize::new(0);
    ScriptedModel::new("pupil", move |request| {
        if calls.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == k {
            return Err(error.clone());
        }
        Ok(ChatReply::text(says(stage(request), true).to_string()))
    })
}

#[tokio::test]
async fn what_says_nothing_about_the_case_stops_and_leaves_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let mut evolution = open(folder.path()).await;
    let endings = [
        ModelError::Budget("0 left".to_owned()),
        ModelError::Transport("reset".to_owned()),
        ModelError::Forbidden("public".to_owned()),
        ModelError::Rejected { status: 401, message: "who are you?".to_owned() },
        ModelError::Rejected { status: 400, message: "no such parameter".to_owned() },
    ];
    for error in endings {
        let stopped = evolution.learn(&failing(3, error.clone()), &case("t-1")).await;
        assert!(matches!(&stopped, Err(EvolveError::Model(found)) if *found == error), "{stopped:?}");
    }
    assert_eq!(evolution.cases(), 0);
    assert_eq!(
        evolution.learn(&failing(99, ModelError::Refused(String::new())), &case("t-1")).await.unwrap(),
        Step::Learnt { rounds: 0 }
    );
    // An endpoint that has answered before rejects this one case.
    let long = ModelError::Rejected { status: 400, message: "too long".to_owned() };
    for (id, error) in [("t-2", long), ("t-3", ModelError::Refused("no".to_owned()))] {
        let step = evolution.learn(&failing(1, error), &case(id)).await.unwrap();
        assert!(matches!(step, Step::Discarded { .. }), "{step:?}");
    }
}
