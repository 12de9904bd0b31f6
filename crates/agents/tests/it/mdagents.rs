//! MDAgents as its paper intends it.

use crate::cast::{ROLES, agent, ask, asked, cast, complexity, experts, opinion, record, stage, stages, system};
use serde_json::{Value, json};
use waterjar_core::ChatRequest;
use waterjar_testkit::ScriptedModel;

/// Who among the five is asked.
fn number(request: &ChatRequest) -> Option<usize> {
    ROLES.iter().position(|role| system(request).contains(role))
}

/// Everybody has an answer of their own, at first and for good.
fn stubborn(said: &str, request: &ChatRequest) -> Option<Value> {
    let own = ["Gout", "Pneumonia", "Pneumonia", "Gout", "Acute pericarditis"];
    (said == "expert_opinion").then(|| opinion(own[number(request).unwrap()]))
}

fn count(model: &ScriptedModel, stage: &str) -> usize {
    stages(model).get(stage).copied().unwrap_or(0)
}

#[tokio::test]
async fn a_basic_case_takes_two_calls() {
    let model = cast(|stage, _| (stage == "case_complexity").then(|| complexity("basic")));
    let conclusion = ask(agent("mdagents", "").as_ref(), &model).await.unwrap();
    assert_eq!(model.calls(), 2);
    assert_eq!(conclusion.text, "It points to Pulmonary embolism.\n\n1. Pulmonary embolism (0.60)\n2. Gout (0.20)");
    assert_eq!(record(&conclusion)["complexity"], "basic");
}

#[tokio::test]
async fn a_silent_panel_still_gives_final_answers() {
    let model = cast(|_, _| None);
    let conclusion = ask(agent("mdagents", "").as_ref(), &model).await.unwrap();
    // Complexity, recruiting, five opinions, a summary, five who have nothing to say, five final answers.
    assert_eq!(model.calls(), 18);
    assert_eq!(count(&model, "expert_opinion"), 10);
    let record = record(&conclusion);
    assert_eq!(record["votes"], json!([["Pulmonary embolism", 5]]));
    assert_eq!(record["decided_by"], "majority");
    assert_eq!(record["experts"][1]["role"], "Pulmonologist");
    assert!(conclusion.text.ends_with("1. Pulmonary embolism (0.60)\n2. Gout (0.20)"), "{}", conclusion.text);
}

#[tokio::test]
async fn a_message_reaches_its_addressee_and_the_summary_everybody() {
    let model = cast(|said, request| match said {
        "expert_opinion" if !request.last_user_text().contains("Key knowledge") => stubborn(said, request),
        "panel_messages" if number(request) == Some(2) => {
            Some(json!({"messages": [{"to": 1, "message": "Have you seen the calf?"}]}))
        }
        _ => None,
    });
    let conclusion = ask(agent("mdagents", "").as_ref(), &model).await.unwrap();
    assert_eq!(model.calls(), 18, "agreement after the first round ends the discussion");
    let finals: Vec<ChatRequest> =
        model.requests().into_iter().filter(|it| stage(it) == "expert_opinion").skip(5).collect();
    for request in &finals {
        let text = request.last_user_text();
        assert!(text.contains("A clot may travel.") && text.contains("The calf decides."), "{text}");
        match number(request) {
            Some(0) => assert!(text.contains("- Neurologist to you: Have you seen the calf?"), "{text}"),
            Some(2) => assert!(text.contains("- you to Cardiologist: Have you seen the calf?"), "{text}"),
            _ => assert!(!text.contains("Have you seen the calf?"), "{text}"),
        }
    }
    let summed_up = &asked(&model, "panel_summary")[0];
    assert!(summed_up.contains("Radiologist: Acute pericarditis (0.60), Gout (0.20). It points to"), "{summed_up}");
    let round = &record(&conclusion)["rounds"][0];
    assert_eq!(round["messages"], json!([[3, 1]]));
}

#[tokio::test]
async fn a_silent_second_round_leaves_the_answers_of_the_first() {
    let model = cast(|said, request| match said {
        "panel_messages" if number(request) == Some(0) && !request.last_user_text().contains("What was said") => {
            Some(json!({"messages": [{"to": 5, "message": "Why?"}, {"to": 2, "message": "Why not?"}]}))
        }
        _ => stubborn(said, request).filter(|_| number(request) != Some(4)),
    });
    ask(agent("mdagents", "").as_ref(), &model).await.unwrap();
    // The second round is a summary and five who have nothing to say; then the moderator breaks the tie of two and two.
    assert_eq!(model.calls(), 18 + 6 + 1);
}

#[tokio::test]
async fn a_panel_that_never_agrees_stops_after_its_rounds_and_the_moderator_breaks_the_tie() {
    let model = cast(|said, request| match said {
        "panel_messages" => {
            Some(json!({"messages": [{"to": if number(request) == Some(0) { 2 } else { 1 }, "message": "No."}]}))
        }
        "tie_break" => Some(json!({"reason": "The wheeze.", "choice": 2})),
        _ => stubborn(said, request),
    });
    let conclusion = ask(agent("mdagents", "").as_ref(), &model).await.unwrap();
    assert_eq!(model.calls(), 2 + 5 + 5 * 11 + 1);
    let tie = &asked(&model, "tie_break")[0];
    assert!(tie.contains("1. Gout: Gout (0.60)") && tie.contains("2. Pneumonia: Pneumonia (0.60)"), "{tie}");
    assert!(!tie.contains("Acute pericarditis:"), "the one vote is not part of the tie: {tie}");
    assert!(conclusion.text.ends_with("1. Pneumonia (0.60)\n2. Gout (0.20)"), "{}", conclusion.text);
    let record = record(&conclusion);
    assert_eq!(record["decided_by"], "moderator");
    assert_eq!(record["votes"], json!([["Gout", 2], ["Pneumonia", 2], ["Acute pericarditis", 1]]));
    assert_eq!(record["rounds"].as_array().unwrap().len(), 5);
}

#[tokio::test]
async fn other_names_of_a_condition_are_votes_for_it() {
    let model = cast(|said, request| {
        let names = ["PE", "pulmonary embolism", "Pulmonary embolism (PE)", "Gout", "Gout"];
        (said == "expert_opinion").then(|| opinion(names[number(request).unwrap()]))
    });
    let conclusion = ask(agent("mdagents", "").as_ref(), &model).await.unwrap();
    assert_eq!(record(&conclusion)["votes"], json!([["Pulmonary embolism", 3], ["Gout", 2]]));
    assert_eq!(count(&model, "tie_break"), 0);
    assert!(conclusion.text.contains("\n1. PE (0.60)\n"), "{}", conclusion.text);
}

#[tokio::test]
async fn teams_see_what_was_reported_before_them_and_the_decision_maker_sees_all() {
    let model = cast(|stage, _| (stage == "case_complexity").then(|| complexity("advanced")));
    let conclusion = ask(agent("mdagents", "").as_ref(), &model).await.unwrap();
    // Complexity, recruiting, three teams of four calls, the decision.
    assert_eq!(model.calls(), 15);
    let reports = asked(&model, "team_report");
    let (admission, thorax, review) =
        ("Admission (initial assessment): Report of", "Thorax (further diagnostic work-up): Report of", "Reviewers (");
    let sees = |text: &str| [admission, thorax, review].map(|name| text.contains(name));
    assert_eq!(sees(&reports[0]), [false, false, false]);
    assert_eq!(sees(&reports[1]), [true, false, false]);
    assert_eq!(sees(&reports[2]), [true, true, false]);
    assert_eq!(sees(&asked(&model, "expert_opinion")[0]), [true, true, true]);
    let task = &asked(&model, "team_findings")[1];
    assert!(task.contains("Your lead asks you: Look at the lungs."), "{task}");
    assert_eq!(record(&conclusion)["teams"][0]["name"], "Reviewers");
}

#[tokio::test]
async fn settings_change_the_size_of_the_panel_and_the_rounds() {
    let model = cast(|said, request| match said {
        "expert_team" => Some(experts(&ROLES[..3])),
        "panel_messages" => {
            Some(json!({"messages": [{"to": if number(request) == Some(0) { 2 } else { 1 }, "message": "No."}]}))
        }
        _ => stubborn(said, request),
    });
    ask(agent("mdagents", "experts = 3\nrounds = 2").as_ref(), &model).await.unwrap();
    assert_eq!(model.calls(), 2 + 3 + 2 * 7);
    assert!(asked(&model, "expert_team")[0].contains("exactly 3 specialists"));
}

#[tokio::test]
async fn who_reports_to_whom_is_told_to_the_expert() {
    let model = cast(|stage, _| {
        let mut team = experts(&ROLES);
        team["experts"][3]["reports_to"] = json!("Cardiologist");
        (stage == "expert_team").then_some(team)
    });
    ask(agent("mdagents", "").as_ref(), &model).await.unwrap();
    let told: Vec<bool> = model
        .requests()
        .iter()
        .filter(|it| stage(it) == "panel_messages")
        .map(|it| system(it).contains("you report to: Cardiologist"))
        .collect();
    assert_eq!(told, [false, false, false, true, false]);
}
