//! MedAgents: call counts, votes, and what becomes of the report.

use crate::cast::{agent, ask, asked, cast, record, stages, system};
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};

#[tokio::test]
async fn agreement_at_once_takes_13_calls() {
    let model = cast(|_, _| None);
    let conclusion = ask(agent("medagents", "").as_ref(), &model).await.unwrap();
    assert_eq!(model.calls(), 13);
    assert!(conclusion.text.ends_with("1. Pulmonary embolism (0.60)\n2. Gout (0.20)"), "{}", conclusion.text);
    let record = record(&conclusion);
    assert_eq!(record["domains"].as_array().unwrap().len(), 5);
    assert_eq!((&record["votes"], &record["agreed"]), (&json!([[true, true, true, true, true]]), &json!(true)));
}

#[tokio::test]
async fn no_agreement_takes_41_calls_and_the_last_revision_is_used_unvoted() {
    let written = AtomicUsize::new(0);
    let model = cast(move |stage, _| match stage {
        "report_vote" => Some(json!({"agrees": "no"})),
        "consultation_report" => {
            let number = written.fetch_add(1, Ordering::SeqCst);
            Some(json!({"key_knowledge": "A clot may travel.", "total_analysis": format!("Draft {number}.")}))
        }
        _ => None,
    });
    let conclusion = ask(agent("medagents", "").as_ref(), &model).await.unwrap();
    assert_eq!(model.calls(), 41);
    assert_eq!(stages(&model)["consultation_report"], 4);
    let diagnosed = &asked(&model, "expert_opinion")[0];
    assert!(diagnosed.contains("Draft 3.") && !diagnosed.contains("Draft 2."), "{diagnosed}");
    assert_eq!(record(&conclusion)["agreed"], json!(false));
    assert_eq!(record(&conclusion)["votes"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn who_objects_gives_advice_and_the_report_is_written_anew() {
    let objected = AtomicUsize::new(0);
    let model = cast(move |stage, request| match stage {
        "report_vote" if system(request).contains("Surgery") => {
            let first = objected.fetch_add(1, Ordering::SeqCst) == 0;
            Some(json!({"agrees": if first { "no" } else { "yes" }}))
        }
        _ => None,
    });
    let conclusion = ask(agent("medagents", "").as_ref(), &model).await.unwrap();
    // One piece of advice, one revision, five votes more.
    assert_eq!(model.calls(), 13 + 1 + 1 + 5);
    let revised = &asked(&model, "consultation_report")[1];
    assert!(revised.contains("Surgery: Mention the calf.") && revised.contains("A clot may travel."), "{revised}");
    assert_eq!(record(&conclusion)["votes"][0], json!([true, false, true, true, true]));
    assert_eq!(record(&conclusion)["agreed"], json!(true));
}

#[tokio::test]
async fn everybody_sees_the_analyses_or_the_report_that_is_theirs_to_see() {
    let model = cast(|_, _| None);
    ask(agent("medagents", "").as_ref(), &model).await.unwrap();
    let report = &asked(&model, "consultation_report")[0];
    assert!(report.contains("Cardiology: The calf matters.") && report.contains("Haematology: The calf"), "{report}");
    for text in asked(&model, "report_vote").iter().chain(&asked(&model, "expert_opinion")) {
        assert!(text.contains("Key knowledge: A clot may travel.\nTotal analysis: The calf decides."), "{text}");
        assert!(text.contains("<patient>\nI cough.\n</patient>"), "{text}");
    }
}

#[tokio::test]
async fn as_released_the_key_knowledge_is_lost_on_the_way() {
    let model = cast(|_, _| None);
    ask(agent("medagents", "compat = true").as_ref(), &model).await.unwrap();
    assert_eq!(model.calls(), 13);
    for text in asked(&model, "report_vote").iter().chain(&asked(&model, "expert_opinion")) {
        assert!(text.contains("Total analysis: The calf decides.") && !text.contains("A clot may travel."), "{text}");
    }
}

#[tokio::test]
async fn settings_change_the_fields_and_the_votes() {
    let model = cast(|stage, _| match stage {
        "medical_domains" => Some(json!({"domains": ["Surgery", "Neurology"]})),
        "report_vote" => Some(json!({"agrees": "no"})),
        _ => None,
    });
    ask(agent("medagents", "domains = 2\nvotes = 1").as_ref(), &model).await.unwrap();
    assert_eq!(model.calls(), 1 + 2 + 1 + (2 + 2 + 1) + 1);
}
