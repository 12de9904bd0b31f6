//! MDAgents as released: the call counts of specs.md (G-MD-01, without few-shot examples) and what its slips leave out.

use crate::cast::{agent, ask, asked, cast, complexity, record, stage, stages, system};
use serde_json::{Value, json};
use waterjar_testkit::ScriptedModel;

async fn compat(says: impl Fn(&str, &str) -> Option<Value> + Send + Sync + 'static) -> (ScriptedModel, Value) {
    let model = cast(move |stage, request| says(stage, request.last_user_text()));
    let conclusion = ask(agent("mdagents", "compat = true").as_ref(), &model).await.unwrap();
    let record = record(&conclusion).clone();
    (model, record)
}

#[tokio::test]
async fn a_basic_case_takes_four_calls() {
    let (model, _) = compat(|stage, _| (stage == "case_complexity").then(|| complexity("basic"))).await;
    assert_eq!(model.calls(), 4);
    let primed = &model.requests()[0];
    assert_eq!(primed.messages[0].content, primed.messages[1].content, "the role is told twice");
}

#[tokio::test]
async fn a_silent_panel_takes_23_calls_and_the_moderator_sees_no_answer() {
    let (model, record) = compat(|_, _| None).await;
    assert_eq!(model.calls(), 23);
    let moderated = asked(&model, "expert_opinion").pop().unwrap();
    assert!(moderated.contains("The final answers of the panel:\n\nNone."), "{moderated}");
    assert_eq!(record["answers_seen_by_moderator"], 0);
}

#[tokio::test]
async fn a_panel_that_always_talks_takes_426_calls() {
    let (model, record) = compat(|stage, _| (stage == "wants_to_speak").then(|| json!({"speak": "yes"}))).await;
    assert_eq!(model.calls(), 426);
    let moderated = asked(&model, "expert_opinion").pop().unwrap();
    assert!(moderated.contains("Radiologist: Pulmonary embolism (0.60)"), "{moderated}");
    assert_eq!(record["answers_seen_by_moderator"], 5);
    assert_eq!(stages(&model)["panel_message"], 125);
}

#[tokio::test]
async fn silence_in_the_last_turn_throws_the_round_away() {
    let turns = std::sync::atomic::AtomicUsize::new(0);
    let (model, record) = compat(move |stage, _| {
        let asked = || turns.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        (stage == "wants_to_speak").then(|| json!({"speak": if asked() < 20 { "yes" } else { "no" }}))
    })
    .await;
    assert_eq!(record["rounds"], json!([{"messages_by_turn": [5, 5, 5, 5, 0]}]));
    assert_eq!(record["answers_seen_by_moderator"], 0);
    // 2 + 2 + 5 + 5, the summary, four turns of 15 and one of 5, the moderator.
    assert_eq!(model.calls(), 14 + 2 + 4 * 15 + 5 + 2);
}

#[tokio::test]
async fn a_message_never_reaches_its_addressee_in_the_first_round() {
    let (model, _) = compat(|stage, text| {
        (stage == "wants_to_speak" && text.contains("first opinions")).then(|| json!({"speak": "yes"}))
    })
    .await;
    let heard = |text: &str| text.contains("Have you seen the calf?");
    let own_words = |request: &waterjar_core::ChatRequest| {
        request.messages.iter().filter(|it| it.role == waterjar_core::Role::User).any(|it| heard(&it.content))
    };
    assert!(stages(&model)["panel_message"] > 0);
    assert!(!model.requests().iter().any(own_words));
}

#[tokio::test]
async fn later_speakers_of_a_turn_see_the_earlier_ones_from_the_second_round_on() {
    let (model, _) = compat(|stage, _| (stage == "wants_to_speak").then(|| json!({"speak": "yes"}))).await;
    let shown = asked(&model, "wants_to_speak");
    let second_round: Vec<usize> = shown[25..30].iter().map(|text| text.matches("the calf?").count()).collect();
    assert_eq!(second_round, [0, 1, 2, 3, 4]);
}

#[tokio::test]
async fn teams_take_31_calls_and_only_the_first_report_is_read() {
    let (model, record) = compat(|stage, _| (stage == "case_complexity").then(|| complexity("advanced"))).await;
    assert_eq!(model.calls(), 31);
    let decided = asked(&model, "expert_opinion").pop().unwrap();
    assert!(decided.contains("Admission (initial assessment): Report of"), "{decided}");
    assert!(!decided.contains("Thorax (") && !decided.contains("Reviewers ("), "{decided}");
    assert_eq!(record["reports_seen_by_decision_maker"], 1);
    let leads = model.requests().into_iter().filter(|it| stage(it) == "team_report");
    let reviewers = leads.filter(|it| system(it).contains("Reviewers")).count();
    assert_eq!(reviewers, 2, "the reviewers report twice");
}
