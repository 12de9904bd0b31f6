//! Cases in, candidates out in their order.

use crate::sample::{EVERYTHING, case, family, lost, new_case, new_run, suite};
use serde_json::{Value, json};
use waterjar_store::{FamilyState, Stage, Store};

#[tokio::test]
async fn candidates_take_turns_by_group_and_chance_orders_each_round() {
    let run = new_run().await;
    screen(
        &run.store,
        &[
            ("a1", "asthma", 50),
            ("a2", "asthma", 60),
            ("a3", "asthma", 70),
            ("c1", "copd", 10),
            ("c2", "copd", 90),
            ("p1", "pneumonia", 80),
        ],
    )
    .await;
    assert_eq!(order(&run.store, 100).await, "c1 a1 p1 a2 c2 a3");
}

#[tokio::test]
async fn pages_give_the_same_order_as_one_reading() {
    let run = new_run().await;
    let ids: Vec<String> = (0..50).map(|n| format!("case-{n:02}")).collect();
    let cases: Vec<(&str, &str, i64)> =
        ids.iter().zip(0..).map(|(id, n)| (id.as_str(), ["x", "y", "z"][n % 3], (n as i64 * 7919) % 101)).collect();
    screen(&run.store, &cases).await;
    let whole = order(&run.store, 1000).await;
    for limit in [1, 7, 25, 50] {
        assert_eq!(order(&run.store, limit).await, whole);
    }
}

#[tokio::test]
async fn a_case_comes_back_as_it_went_in_to_the_last_digit() {
    let run = new_run().await;
    screen(&run.store, &[("a1", "asthma", 1)]).await;
    let page = run.store.candidates(&suite(), 0, 10).await.unwrap();
    assert_eq!(page.items[0].case, case("a1"));
    assert_eq!(page.items[0].position, 1);
    assert_eq!(page.items[0].group, "asthma");
}

#[tokio::test]
async fn a_killed_screening_is_repeated_from_the_start() {
    let run = new_run().await;
    let begun: Option<Value> = run.store.begin_screening(&suite()).await.unwrap();
    assert_eq!(begun, None);
    let writer = run.store.writer();
    writer.case(&new_case("left over", "asthma", 1)).await.unwrap();
    writer.flush().await.unwrap();

    screen(&run.store, &[("a1", "asthma", 1)]).await;
    assert_eq!(order(&run.store, 10).await, "a1");
}

#[tokio::test]
async fn a_finished_screening_gives_its_counts_and_keeps_its_cases() {
    let run = new_run().await;
    screen(&run.store, &[("a1", "asthma", 1)]).await;
    let counts: Option<Value> = run.store.begin_screening(&suite()).await.unwrap();
    assert_eq!(counts, Some(json!({ "seen": 1 })));
    assert_eq!(order(&run.store, 10).await, "a1");
    let other: Option<Value> = run.store.stage(&suite(), Stage::Vary).await.unwrap();
    assert_eq!(other, None);
}

#[tokio::test]
async fn a_case_that_the_source_gives_twice_is_named() {
    let run = new_run().await;
    let writer = run.store.writer();
    for id in ["a1", "a2", "a3", "a2"] {
        writer.case(&new_case(id, "asthma", 1)).await.unwrap();
    }
    writer.flush().await.unwrap();
    assert_eq!(writer.repeated_case().map(|id| id.as_str()), Some("a2"));
    assert_eq!(run.store.counts(&suite()).await.unwrap().cases, 3);

    // Also when the first one is in the database already.
    let later = run.store.writer();
    later.case(&new_case("a4", "asthma", 1)).await.unwrap();
    later.flush().await.unwrap();
    assert_eq!(later.repeated_case(), None);
    later.case(&new_case("a3", "asthma", 1)).await.unwrap();
    later.flush().await.unwrap();
    assert_eq!(later.repeated_case().map(|id| id.as_str()), Some("a3"));
}

#[tokio::test]
async fn a_candidate_says_what_became_of_it() {
    let run = new_run().await;
    screen(&run.store, &[("case-1", "odd", 1), ("case-2", "odd", 2), ("case-3", "odd", 3)]).await;
    let writer = run.store.writer();
    writer.family(&family(1)).await.unwrap();
    writer.family(&lost(2, "no_isomorph")).await.unwrap();
    writer.flush().await.unwrap();
    run.store.settle(&suite(), EVERYTHING).await.unwrap();

    let page = run.store.candidates(&suite(), 0, 10).await.unwrap();
    let states: Vec<_> = page.items.iter().map(|item| item.state).collect();
    assert_eq!(states, [Some(FamilyState::Kept), Some(FamilyState::Lost), None]);
}

async fn screen(store: &Store, cases: &[(&str, &str, i64)]) {
    let _: Option<Value> = store.begin_screening(&suite()).await.unwrap();
    let writer = store.writer();
    for (id, group, rank) in cases {
        writer.case(&new_case(id, group, *rank)).await.unwrap();
    }
    writer.flush().await.unwrap();
    let counts = json!({ "seen": cases.len() });
    store.finish_screening(&suite(), &counts).await.unwrap();
}

/// The ids in their order, read in pages of `limit`.
async fn order(store: &Store, limit: u32) -> String {
    let mut ids = Vec::new();
    let mut after = Some(0);
    while let Some(position) = after {
        let page = store.candidates(&suite(), position, limit).await.unwrap();
        ids.extend(page.items.iter().map(|item| item.case.id.to_string()));
        after = page.next;
    }
    ids.join(" ")
}
