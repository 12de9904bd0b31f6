//! Every question ends in a stored state, and what is not answered is counted as missing.

use crate::lab::{Lab, STUDY, right, study_of};
use std::sync::atomic::Ordering;
use waterjar_engine::EngineError;

#[tokio::test]
async fn every_subject_is_asked_every_variant_once() {
    let lab = Lab::new();
    let outcome = lab.run(STUDY).await.unwrap();
    assert_eq!(right(&outcome, "plain@echo"), (Some(1.0), 27));
    assert_eq!(right(&outcome, "plain@mumble"), (Some(0.0), 27));
    assert_eq!((outcome.missing(), outcome.broken_bounds().count()), (0, 0));
    assert_eq!(lab.world.asked_in_all(), 27 * 2 * 2);
    assert_eq!(lab.world.asked_twice(), Vec::<String>::new());
    assert_eq!(lab.file("responses.jsonl").lines().count(), 27 * 2 * 2);
}

async fn check_failure(model: &str, state: &str, detail: &str) {
    let lab = Lab::new();
    let outcome = lab.run(&study_of("plain", model)).await.unwrap();
    let result = &outcome.metrics.results[0];
    assert_eq!((result.n, result.missing), (27, 27), "{model}");
    assert_eq!(
        (result.metrics["right"].value, result.metrics["right"].n),
        (None, 0),
        "{model}: a failure is not an answer"
    );
    for line in lab.file("responses.jsonl").lines() {
        let response: serde_json::Value = serde_json::from_str(line).unwrap();
        let failure = &response["ending"]["failed"];
        assert_eq!(failure["state"], state, "{line}");
        assert!(failure["detail"].as_str().unwrap().contains(detail), "{line}");
    }
}

#[tokio::test]
async fn a_failure_is_stored_as_what_it_is_and_never_scored() {
    check_failure("refusing", "refused", "no advice").await;
    check_failure("late", "timeout", "after 1 s").await;
    check_failure("unreachable", "transport_error", "no route").await;
}

#[tokio::test]
async fn one_subject_that_fails_leaves_the_others_alone() {
    let lab = Lab::new();
    let study = format!("{STUDY}\n[[subject]]\nagent = \"plain\"\nmodel = \"late\"\n");
    let outcome = lab.run(&study).await.unwrap();
    assert_eq!(right(&outcome, "plain@echo"), (Some(1.0), 27));
    assert_eq!(outcome.missing(), 27);
}

#[tokio::test]
async fn a_model_that_cannot_be_made_is_named() {
    let error = Lab::new().run(&study_of("plain", "unusable")).await.err().unwrap();
    assert_eq!(error.to_string(), "the model `unusable` cannot be used: there are no weights");
}

#[tokio::test]
async fn an_agent_that_panics_ends_the_run_with_its_name_and_the_question() {
    let lab = Lab::new();
    let study = study_of("panicky", "echo");
    *lab.world.panics_on.lock().unwrap() = Some("case-012/trap".to_owned());
    let error = lab.run(&study).await.err().unwrap();
    assert!(matches!(error, EngineError::Lost(_)), "{error}");
    let told = error.to_string();
    assert!(
        told.contains("panicky") && told.contains("case-012/trap") && told.contains("the agent gives up"),
        "{told}"
    );

    // What was answered before is not asked again, but for the few that were under way.
    *lab.world.panics_on.lock().unwrap() = None;
    let outcome = lab.run(&study).await.unwrap();
    assert_eq!(right(&outcome, "panicky@echo"), (Some(1.0), 27));
    let under_way = 2 * std::thread::available_parallelism().unwrap().get();
    let twice = lab.world.asked_twice();
    assert!(twice.len() < under_way, "{twice:?}");
}

#[tokio::test]
async fn a_changed_prompt_is_asked_again_and_judged_again() {
    let lab = Lab::new();
    lab.run(STUDY).await.unwrap();
    *lab.world.task.lock().unwrap() = "Think first.".to_owned();
    let outcome = lab.run(STUDY).await.unwrap();
    assert!(lab.world.asked().values().all(|n| *n == 2));
    assert_eq!(lab.world.judged.load(Ordering::SeqCst), 2 * 27 * 2);
    // The new answers took the place of the old ones.
    assert_eq!(lab.file("responses.jsonl").lines().count(), 27 * 2 * 2);
    assert_eq!(right(&outcome, "plain@echo"), (Some(1.0), 27));
}

#[tokio::test]
async fn answers_that_are_read_by_other_names_are_judged_again_and_not_asked_again() {
    let lab = Lab::new();
    lab.run(STUDY).await.unwrap();
    let asked = lab.world.asked_in_all();
    *lab.world.reads_by.lock().unwrap() = Some("other names".to_owned());
    for _ in 0..2 {
        lab.run(STUDY).await.unwrap();
        assert_eq!(lab.world.judged.load(Ordering::SeqCst), 2 * 27 * 2);
    }
    assert_eq!(lab.world.asked_in_all(), asked);
}

#[tokio::test]
async fn a_study_may_ask_each_question_several_times() {
    let lab = Lab::new();
    lab.run(&study_of("plain", "echo")).await.unwrap();
    let outcome = lab.run(&study_of("plain", "echo").replace("seed = 7", "seed = 7\nrepeats = 3")).await.unwrap();
    // The first time was asked before.
    assert_eq!(lab.world.asked_in_all(), 27 * 2 * 3);
    assert_eq!(lab.world.asked_twice(), Vec::<String>::new());
    assert_eq!(outcome.metrics.results[0].n, 27 * 3);
}

#[tokio::test]
async fn a_new_subject_adds_its_questions_and_no_others() {
    let lab = Lab::new();
    lab.run(&study_of("plain", "echo")).await.unwrap();
    let outcome = lab.run(STUDY).await.unwrap();
    assert_eq!(lab.world.asked_in_all(), 27 * 2 * 2);
    assert_eq!(lab.world.judged.load(Ordering::SeqCst), 27 * 2);
    assert_eq!(outcome.metrics.results.len(), 2);
}

#[tokio::test]
async fn the_reference_is_marked_as_one() {
    let study = format!("{STUDY}\n[[subject]]\nagent = \"plain\"\nmodel = \"reference\"\n");
    let outcome = Lab::new().run(&study).await.unwrap();
    let references: Vec<bool> = outcome.metrics.results.iter().map(|result| result.reference).collect();
    assert_eq!(references, [false, false, true]);
}
