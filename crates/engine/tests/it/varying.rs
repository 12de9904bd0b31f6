//! Which families are kept depends on the study and the seed, never on the order in which work ends.

use crate::lab::{Lab, STUDY};
use crate::parts::families;
use std::sync::atomic::Ordering;
use std::time::Duration;
use waterjar_engine::EngineError;

fn with(settings: &str) -> String {
    STUDY.replace("kind = \"tiny\"", &format!("kind = \"tiny\"\n{settings}"))
}

async fn variants(study: &str, delay: Duration) -> String {
    let lab = Lab::new();
    *lab.world.delay.lock().unwrap() = delay;
    lab.run(study).await.unwrap();
    lab.file("variants.jsonl")
}

/// However long each piece of work takes, and on however many threads.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_kept_families_do_not_depend_on_who_is_done_first() {
    let study = with("cases = 300\nfamilies = 30\nper_group = 9");
    let still = tokio::task::spawn_blocking({
        let study = study.clone();
        move || {
            let one_thread = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            one_thread.block_on(variants(&study, Duration::ZERO))
        }
    });
    let (still, hurried) = (still.await.unwrap(), variants(&study, Duration::from_millis(6)).await);
    assert_eq!(still, hurried);
    assert_eq!(families(&still).len(), 30);
}

#[tokio::test]
async fn no_group_has_more_than_its_share() {
    let kept = families(&variants(&with("cases = 300\nper_group = 5"), Duration::ZERO).await);
    let mut groups = [0; 4];
    for family in &kept {
        groups[family["case-".len()..].parse::<usize>().unwrap() % 4] += 1;
    }
    assert_eq!(groups, [5; 4]);
}

#[tokio::test]
async fn another_seed_keeps_other_families() {
    let study = with("cases = 300\nfamilies = 20");
    let (seven, eight) = (study.clone(), study.replace("seed = 7", "seed = 8"));
    let kept = |jsonl: String| families(&jsonl);
    assert_ne!(kept(variants(&seven, Duration::ZERO).await), kept(variants(&eight, Duration::ZERO).await));
}

#[tokio::test]
async fn a_limit_keeps_the_first_families_and_lifting_it_keeps_the_others_too() {
    let lab = Lab::new();
    let limited = lab.run_limited(STUDY, 5).await.unwrap();
    assert_eq!(limited.metrics.results[0].n, 5);
    let few = families(&lab.file("variants.jsonl"));
    assert_eq!((few.len(), lab.world.asked_in_all()), (5, 5 * 2 * 2));

    let all = lab.run(STUDY).await.unwrap();
    assert_eq!(all.metrics.results[0].n, 27);
    assert!(few.is_subset(&families(&lab.file("variants.jsonl"))));
    assert_eq!(lab.world.asked_twice(), Vec::<String>::new());
    let undisturbed = Lab::new();
    undisturbed.run(STUDY).await.unwrap();
    assert_eq!(lab.file("metrics.json"), undisturbed.file("metrics.json"));

    // And back: what was made beyond the limit is left out of every figure.
    let limited_again = lab.run_limited(STUDY, 5).await.unwrap();
    assert_eq!(limited_again.metrics, limited.metrics);
    assert_eq!(families(&lab.file("variants.jsonl")), few);
    assert_eq!(lab.file("responses.jsonl").lines().count(), 5 * 2 * 2);
    assert_eq!(lab.file("verdicts.jsonl").lines().count(), 5 * 2);
}

#[tokio::test]
async fn a_limit_above_the_quota_changes_nothing() {
    let lab = Lab::new();
    let outcome = lab.run_limited(&with("families = 3"), 1000).await.unwrap();
    assert_eq!(outcome.metrics.results[0].n, 3);
}

#[tokio::test]
async fn losses_are_counted_by_reason() {
    let lab = Lab::new();
    let plan = lab.plan(STUDY).unwrap();
    let dir = waterjar_engine::RunDir::new(lab.dir());
    let store = dir.open(&plan, "test").await.unwrap();
    let run = waterjar_engine::Run {
        plan: &plan,
        dir,
        store,
        stop: waterjar_engine::Stop::default(),
        limit: None,
        tell: std::sync::Arc::new(|_| {}),
        tell_calls: false,
        others: None,
    };
    let summary = run.vary().await.unwrap().remove(0);
    assert_eq!((summary.cases, summary.eligible, summary.families, summary.variants), (40, 32, 27, 54));
    let losses: Vec<_> = summary.losses.iter().map(|(reason, n)| (reason.as_str(), *n)).collect();
    assert_eq!(losses, [("easy", 8), ("unlucky", 5)]);
    assert_eq!(run.vary().await.unwrap().remove(0), summary, "a pass may be repeated");
}

async fn check_error(settings: &str, says: &str) {
    let error = Lab::new().run(&with(settings)).await.err().unwrap();
    assert!(error.to_string().contains(says), "{error}");
}

#[tokio::test]
async fn a_source_that_cannot_be_used_is_told() {
    check_error("cases = 0", "numbers: the source holds no cases").await;
    check_error("twice = 7", "numbers: the case id `case-007` is there twice").await;
    check_error("broken_after = 12", "numbers, line 12: cut off").await;
    check_error("poison = 12", "case case-012: is poison").await;
    check_error("hopeless = true", "suite `tiny`: no family could be made of 40 cases (easy 8, unlucky 32)").await;
}

#[tokio::test]
async fn a_suite_that_panics_ends_the_run_with_the_case() {
    let lab = Lab::new();
    *lab.world.panics_on.lock().unwrap() = Some("case-010".to_owned());
    let error = lab.run(STUDY).await.err().unwrap();
    assert!(matches!(error, EngineError::Lost(_)), "{error}");
    assert!(error.to_string().contains("case-010"), "{error}");
}

#[tokio::test]
async fn two_suites_of_a_kind_are_kept_apart_by_their_names() {
    let lab = Lab::new();
    let study = STUDY.replace(
        "kind = \"tiny\"",
        "kind = \"tiny\"\nname = \"a\"\n[[suite]]\nkind = \"tiny\"\nname = \"b\"\ncases = 20",
    );
    let outcome = lab.run(&study).await.unwrap();
    let of = |suite: &str| outcome.metrics.results.iter().find(|it| it.suite.as_str() == suite).unwrap().n;
    assert_eq!((of("a"), of("b")), (27, 13));
    assert_eq!(lab.world.judged.load(Ordering::SeqCst), (27 + 13) * 2);
}
