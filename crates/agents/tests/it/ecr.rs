//! `ecr` with a language model: six questions a case, and what becomes of answers that cannot be used.

use crate::bad_replies::fails;
use crate::cast::{agent, ask, asked, cast, opened_with, prompt, record, stage, stages};
use crate::http::{FORMATS, model, prompt as prompt_of};
use async_trait::async_trait;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use waterjar_agents::ecr::evidence::{Evidence, Library, LookedUp, Passage};
use waterjar_core::Seed;
use waterjar_testkit::{Clinician, Endpoint, EndpointSettings, Persona, simulated_cases};

const STAGES: [&str; 6] =
    ["ecr_intuition", "ecr_representation", "ecr_features", "ecr_relations", "ecr_second_look", "ecr_audit"];

/// Two candidates, and a fever that is expected of one and nowhere spoken of.
pub fn usual(stage: &str) -> Option<Value> {
    let suspect =
        |name: &str, confidence: f64| json!({"condition": name, "confidence": confidence, "reason": "It fits."});
    let feature = |content: &str, kind: &str, supports: &[u32], rules_out: &[u32]| json!({"content": content, "kind": kind, "importance": 0.8, "supports": supports, "rules_out": rules_out});
    let bearing = |feature: u32, candidate: u32, kind: &str, if_denied: f64| json!({"feature": feature, "candidate": candidate, "kind": kind, "strength": 0.6, "if_denied": if_denied});
    Some(match stage {
        "ecr_intuition" => json!({"candidates": [suspect("Pulmonary embolism (PE)", 0.5), suspect("Pneumonia", 0.3)]}),
        "ecr_representation" => {
            let cough = json!({"content": "cough", "original": "i  cough", "status": "present"});
            json!({"one_liner": "Somebody who coughs.", "nodes": [cough]})
        }
        "ecr_features" => {
            let features = [feature("cough", "general", &[0, 1], &[]), feature("fever", "pivot", &[1], &[0])];
            json!({ "features": features })
        }
        "ecr_relations" => json!({
            "links": [{"patient": 0, "feature": 0, "kind": "match"}],
            "bearings": [bearing(0, 0, "support", 0.1), bearing(0, 1, "support", 0.1), bearing(1, 1, "support", 0.6), bearing(1, 0, "rule_out", 0.0)],
        }),
        "ecr_second_look" => json!({"features": [{"feature": 0, "status": "missing", "original": ""}]}),
        "ecr_audit" => {
            json!({"verdict": "keep", "diagnosis": 0, "also": null, "reasons": ["Nothing speaks against it."]})
        }
        _ => return None,
    })
}

/// The usual answer with one thing changed.
fn but(stage: &str, pointer: &str, value: Value) -> String {
    let mut said = usual(stage).unwrap();
    *said.pointer_mut(pointer).unwrap_or_else(|| panic!("{stage} has no {pointer}")) = value;
    said.to_string()
}

#[tokio::test]
async fn a_case_takes_six_questions_in_their_order() {
    let model = cast(|_, _| None);
    let said = ask(agent("ecr", "").as_ref(), &model).await.unwrap();
    let order: Vec<String> = model.requests().iter().map(|it| stage(it).to_owned()).collect();
    assert_eq!(order, STAGES);
    assert!(said.text.starts_with("1. Pulmonary embolism ("), "the proper name: {}", said.text);
    assert_eq!(said.reasoning.as_deref(), Some("Nothing speaks against it."));
    assert_eq!(record(&said)["facts"]["looked_again"], 1);
}

#[tokio::test]
async fn where_nothing_is_expected_there_is_no_second_look() {
    let model = cast(|stage, _| {
        let mut said = usual(stage)?;
        if stage == "ecr_relations" {
            said["bearings"][2]["if_denied"] = 0.1.into();
        }
        Some(said)
    });
    ask(agent("ecr", "").as_ref(), &model).await.unwrap();
    assert_eq!((model.calls(), stages(&model).get("ecr_second_look")), (5, None));
}

#[tokio::test]
async fn an_ablation_leaves_its_question_out_and_pivots_unmarked() {
    for (settings, calls) in [("audit = false", 5), ("backward = false", 5), ("pivots = false", 6)] {
        let model = cast(|_, _| None);
        let said = ask(agent("ecr", settings).as_ref(), &model).await.unwrap();
        assert_eq!(model.calls(), calls, "{settings}");
        let pivots = record(&said)["graph"].to_string().contains("\"pivot\"");
        assert!(!pivots || settings != "pivots = false", "{settings}");
    }
}

/// Has one article.
struct Shelf;

#[async_trait]
impl Evidence for Shelf {
    fn fingerprint(&self) -> String {
        "shelf".to_owned()
    }

    async fn about(&self, condition: &str) -> LookedUp {
        let article = Passage { text: "Pneumonia brings\nfever.".to_owned(), source: "article pneumonia".to_owned() };
        let passages = if condition == "Pneumonia" { vec![article] } else { Vec::new() };
        LookedUp { passages, down: Vec::new() }
    }
}

impl Library for Shelf {
    fn open(&self, names: &[String], _: &Path) -> Result<Arc<dyn Evidence>, String> {
        assert_eq!(names, ["shelf"]);
        Ok(Arc::new(Self))
    }
}

#[tokio::test]
async fn what_was_learnt_and_looked_up_is_told_and_nothing_else() {
    let model = cast(|_, _| None);
    let agent = opened_with("ecr", "evidence = \"shelf\"", Seed(7), &Shelf).unwrap();
    ask(agent.as_ref(), &model).await.unwrap();
    for (name, told) in
        [("ecr_features", true), ("ecr_relations", true), ("ecr_intuition", false), ("ecr_audit", false)]
    {
        let text = asked(&model, name).remove(0);
        assert_eq!(
            text.contains("What is known of Pneumonia:\n- article pneumonia: Pneumonia brings fever."),
            told,
            "{name}"
        );
        assert!(!text.contains("What is known of Pulmonary embolism"), "{name}");
    }
}

#[tokio::test]
async fn a_number_out_of_range_is_asked_again_with_the_reason_and_then_a_failure() {
    let fails = async |stage: &'static str, pointer: &str, value: Value, told: &str| {
        fails("ecr", "", (stage, but(stage, pointer, value)), told).await;
    };
    fails("ecr_intuition", "/candidates/0/confidence", json!(1.5), "1.5 is more than 1").await;
    let six = vec![usual("ecr_intuition").unwrap()["candidates"][0].clone(); 6];
    fails("ecr_intuition", "/candidates", six.into(), "there are 6, and at most 5").await;
    fails("ecr_intuition", "/candidates", json!([]), "there are none").await;
    fails("ecr_representation", "/nodes/0/status", json!("perhaps"), "is none of").await;
    fails("ecr_features", "/features/0/importance", json!(-0.1), "-0.1 is less than 0").await;
    fails("ecr_features", "/features/0/supports", json!([2]), "there is no candidate 2").await;
    fails("ecr_features", "/features/1/supports", json!([0, 1]), "candidate 0 stands in supports and in rules_out")
        .await;
    fails("ecr_relations", "/links/0/patient", json!(1), "there is no patient node 1").await;
    fails("ecr_relations", "/links/0/feature", json!(2), "there is no feature 2").await;
    fails("ecr_relations", "/bearings/0/strength", json!(2), "2 is more than 1").await;
    fails("ecr_relations", "/bearings", json!([]), "bearings: there are none").await;
    fails("ecr_second_look", "/features/0/feature", json!(1), "there is no feature 1").await;
    fails("ecr_audit", "/diagnosis", json!(2), "there is no candidate 2").await;
    fails("ecr_audit", "/diagnosis", json!(1), "whoever keeps the first impression names 0").await;
    fails("ecr_audit", "/also", json!(0), "also: it is the diagnosis itself").await;
}

#[tokio::test]
async fn an_invented_quote_is_asked_again_and_then_a_failure() {
    let told = "“I have a fever” is not in the patient's account";
    let invented = but("ecr_representation", "/nodes/0/original", json!("I have a fever"));
    fails("ecr", "", ("ecr_representation", invented), told).await;
    let denied = json!([{"content": "fever", "original": "", "status": "absent"}]);
    fails("ecr", "", ("ecr_representation", but("ecr_representation", "/nodes", denied)), "must quote").await;
    let seen = json!([{"feature": 0, "status": "present", "original": "I have a fever"}]);
    fails("ecr", "", ("ecr_second_look", but("ecr_second_look", "/features", seen)), told).await;
}

#[tokio::test]
async fn an_answer_put_right_when_asked_again_is_taken() {
    let model = cast(|stage, request| {
        let mut said = usual(stage)?;
        if stage == "ecr_audit" && !crate::cast::again(request) {
            said["diagnosis"] = 1.into();
        }
        Some(said)
    });
    ask(agent("ecr", "").as_ref(), &model).await.unwrap();
    assert_eq!(stages(&model)["ecr_audit"], 2);
}

#[tokio::test]
async fn a_stubborn_first_impression_is_sometimes_overturned() {
    let clinician = Clinician::new(Persona::STUBBORN, Seed(7));
    let endpoint = Endpoint::start(EndpointSettings::with_clinician(clinician)).await.unwrap();
    let (agent, model) = (agent("ecr", ""), model(&endpoint, FORMATS[0]));
    let (mut kept, mut overturned, mut found) = (0, 0, 0);
    for case in &simulated_cases(60) {
        let said = agent.answer(model.as_ref(), &prompt_of(case), 0).await.unwrap();
        let record = record(&said);
        *(if record["audit"]["verdict"] == "overturn" { &mut overturned } else { &mut kept }) += 1;
        found += record["facts"]["found"].as_u64().unwrap();
    }
    assert!(overturned > 0 && kept > overturned, "{overturned} overturned, {kept} kept");
    assert!(found > 0, "a second look finds something now and then");
}

#[tokio::test]
async fn the_fingerprint_tells_rules_from_a_model() {
    let model = agent("ecr", "").fingerprint();
    assert!(model.contains("model reasoner, version 1, prompts "), "{model}");
    assert_eq!(model, agent("ecr", "").fingerprint());
    let repeated = cast(|_, _| None);
    agent("ecr", "").answer(&repeated, &prompt("I cough."), 4).await.unwrap();
    assert!(repeated.requests().iter().all(|it| it.repeat == 4));
}
