//! Stopped at any moment, a run goes on where it was and ends as if nothing had happened.

use crate::lab::{Lab, STUDY};
use std::sync::atomic::Ordering;
use std::time::Duration;
use waterjar_engine::EngineError;

const FILES: [&str; 4] = ["metrics.json", "variants.jsonl", "responses.jsonl", "verdicts.jsonl"];

#[tokio::test]
async fn a_second_run_asks_judges_and_prepares_nothing() {
    let lab = Lab::new();
    lab.run(STUDY).await.unwrap();
    let before = FILES.map(|name| lab.file(name));
    let counts = || {
        let world = &lab.world;
        (world.asked_in_all(), world.judged.load(Ordering::SeqCst), world.models_made.load(Ordering::SeqCst))
    };
    let asked = counts();
    lab.run(STUDY).await.unwrap();
    assert_eq!(counts(), asked);
    assert_eq!(FILES.map(|name| lab.file(name)), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_stopped_while_asking_resumes_and_asks_nothing_twice() {
    let undisturbed = Lab::new();
    undisturbed.run(STUDY).await.unwrap();
    for delay in [Duration::ZERO, Duration::from_millis(4)] {
        let lab = Lab::new();
        *lab.world.delay.lock().unwrap() = delay;
        for question in [1, 17, 40, 57, 100] {
            let error = lab.run_until_question(STUDY, question).await.err().unwrap();
            assert!(matches!(error, EngineError::Interrupted), "{error}");
            assert!(error.hint().unwrap().contains("start the same command again"));
            assert!(!lab.dir().join("metrics.json").exists(), "a run that was stopped has no figures");
        }
        lab.run(STUDY).await.unwrap();
        assert_eq!(lab.world.asked_twice(), Vec::<String>::new(), "with a delay of {delay:?}");
        for name in FILES {
            assert_eq!(lab.file(name), undisturbed.file(name), "{name}");
        }
    }
}

#[tokio::test]
async fn an_agent_with_other_settings_is_asked_again() {
    let lab = Lab::new();
    lab.run(STUDY).await.unwrap();
    let before = lab.world.asked_in_all();
    let calm = STUDY.replace("model = \"mumble\"", "model = \"mumble\"\nmood = \"calm\"");
    lab.run(&calm).await.unwrap();
    assert_eq!(lab.world.asked_in_all(), before + before / 2, "one of the two subjects has changed");
}

#[tokio::test]
async fn a_wish_to_stop_before_the_start_is_heard() {
    let lab = Lab::new();
    *lab.world.stop.lock().unwrap() = None;
    let plan = lab.plan(STUDY).unwrap();
    let dir = waterjar_engine::RunDir::new(lab.dir());
    let store = dir.open(&plan, "test").await.unwrap();
    let stop = waterjar_engine::Stop::default();
    stop.request();
    let run = waterjar_engine::Run {
        plan: &plan,
        dir,
        store,
        stop,
        limit: None,
        tell: std::sync::Arc::new(|_| {}),
        tell_calls: false,
        others: None,
    };
    assert!(matches!(run.all().await.err(), Some(EngineError::Interrupted)));
    assert_eq!(lab.world.asked_in_all(), 0);
}
