//! What is asked in each stage, word for word: a change here is a change of the agent, and needs a new version.

use crate::cast::{agent, cast, opinion, prompt, stage, system};
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write;
use waterjar_core::ChatRequest;
use waterjar_testkit::ScriptedModel;

/// The first request of each stage, and of each way of asking it.
fn told(model: &ScriptedModel) -> String {
    let (mut seen, mut whole) = (BTreeSet::new(), String::new());
    for request in model.requests() {
        // Members of a team are asked the same under another name.
        let text = request.last_user_text();
        let part = text.split_once("Your part now:\n").map_or(text, |(_, part)| part);
        let how: String = part.chars().take(60).collect();
        if seen.insert((stage(&request).to_owned(), how)) {
            let _ = writeln!(whole, "## {}\n\n{}\n----\n{}\n", stage(&request), system(&request), text);
        }
    }
    whole
}

async fn check(name: &str, id: &str, settings: &str, model: ScriptedModel) {
    agent(id, settings).answer(&model, &prompt("I cough. My calf is swollen."), 0).await.unwrap();
    insta::assert_snapshot!(name, told(&model));
}

fn class(class: &'static str) -> impl Fn(&str, &ChatRequest) -> Option<serde_json::Value> {
    move |stage, _| (stage == "case_complexity").then(|| json!({"reason": "It is.", "complexity": class}))
}

/// Two against three, and one message.
fn panel(stage: &str, request: &ChatRequest) -> Option<serde_json::Value> {
    let pulmonologist = system(request).contains("Pulmonologist");
    match stage {
        "expert_opinion" if pulmonologist || system(request).contains("Internist") => Some(opinion("Pneumonia")),
        "expert_opinion" if system(request).contains("Radiologist") => Some(opinion("Gout")),
        "panel_messages" if pulmonologist => {
            Some(json!({"messages": [{"to": 1, "message": "Have you seen the calf?"}]}))
        }
        "wants_to_speak" if pulmonologist => Some(json!({"speak": "yes"})),
        _ => None,
    }
}

#[tokio::test]
async fn mdagents_alone() {
    check("mdagents_basic", "mdagents", "", cast(class("basic"))).await;
}

#[tokio::test]
async fn mdagents_on_a_panel() {
    check("mdagents_intermediate", "mdagents", "rounds = 1", cast(panel)).await;
}

#[tokio::test]
async fn mdagents_in_teams() {
    check("mdagents_advanced", "mdagents", "", cast(class("advanced"))).await;
}

#[tokio::test]
async fn mdagents_as_released() {
    check("mdagents_compat", "mdagents", "compat = true\nrounds = 1", cast(panel)).await;
}

#[tokio::test]
async fn dylan() {
    let own = |request: &ChatRequest| match system(request) {
        it if it.contains("cardiologist") => "Pneumonia",
        it if it.contains("emergency") => "Gout",
        _ => "Pulmonary embolism",
    };
    let model = cast(move |stage, request| match stage {
        "expert_opinion" => Some(opinion(own(request))),
        "scored_opinion" => Some(crate::cast::scored(own(request), &[3, 3, 3, 3])),
        _ => None,
    });
    check("dylan", "dylan", "", model).await;
}

#[tokio::test]
async fn medagents() {
    let model = cast(|stage, request| {
        let against = stage == "report_vote" && system(request).contains("Surgery");
        against.then(|| json!({"agrees": "no"}))
    });
    check("medagents", "medagents", "votes = 1", model).await;
}

#[tokio::test]
async fn ecr() {
    check("ecr", "ecr", "", cast(|_, _| None)).await;
}
