//! Families and losses.

use crate::sample::{EVERYTHING, family, lost, new_run, suite, variant};
use std::collections::BTreeMap;
use waterjar_core::Quota;
use waterjar_store::{FamilyOutcome, NewFamily, Store, StoreError};

#[tokio::test]
async fn a_family_comes_back_with_its_variants_in_order() {
    let run = new_run().await.with_families(1).await;
    let page = run.store.families_page(&suite(), 0, 10).await.unwrap();
    assert_eq!(page.items.len(), 1);
    assert_eq!(page.items[0].id, family(1).id);
    assert_eq!(page.items[0].variants, [variant(1, "control"), variant(1, "trap")]);
    assert_eq!(page.next, None);
}

#[tokio::test]
async fn a_family_is_asked_without_what_only_its_judge_needs() {
    let run = new_run().await.with_families(2).await;
    let mut whole = run.store.families_page(&suite(), 0, 10).await.unwrap();
    assert_ne!(whole.items[0].variants[0].record, serde_json::Value::Null);
    for variant in whole.items.iter_mut().flat_map(|family| &mut family.variants) {
        (variant.facts, variant.record) = (None, serde_json::Value::Null);
    }
    assert_eq!(run.store.told_page(&suite(), 0, 10).await.unwrap(), whole);
}

#[tokio::test]
async fn families_are_read_in_order_whatever_order_they_were_made_in() {
    let run = new_run().await;
    write(&run.store, [5, 2, 4, 1, 3].map(family)).await;
    run.store.settle(&suite(), EVERYTHING).await.unwrap();
    for limit in [1, 2, 5, 100] {
        assert_eq!(kept(&run.store, limit).await, [1, 2, 3, 4, 5]);
    }
}

#[tokio::test]
async fn the_first_families_are_kept_and_the_others_are_surplus() {
    check(Some(3), None, &[1, 3, 5]).await;
}

#[tokio::test]
async fn no_group_gives_more_than_its_share() {
    check(None, Some(2), &[1, 3, 6, 8]).await;
    check(Some(3), Some(2), &[1, 3, 6]).await;
}

#[tokio::test]
async fn without_a_quota_everything_is_kept() {
    check(None, None, &[1, 3, 5, 6, 7, 8]).await;
}

/// Odd and even positions are two groups; 2 and 4 are lost.
async fn check(families: Option<u64>, per_group: Option<u64>, expected: &[i64]) {
    let run = new_run().await;
    write(&run.store, [1, 3, 5, 6, 7, 8].map(family)).await;
    write(&run.store, [2, 4].map(|n| lost(n, "no_isomorph"))).await;
    let quota = Quota { families, per_group };
    let settled = run.store.settle(&suite(), quota).await.unwrap();
    assert_eq!(kept(&run.store, 2).await, expected);
    assert_eq!(settled.kept, expected.len() as u64);
    assert_eq!(settled.surplus, 6 - settled.kept);
    assert_eq!(settled.needed, expected.last().copied().filter(|_| quota != EVERYTHING));
    // Settling again, also under another quota, starts from all that were made.
    run.store.settle(&suite(), EVERYTHING).await.unwrap();
    assert_eq!(run.store.settle(&suite(), quota).await.unwrap(), settled);
}

#[tokio::test]
async fn why_a_case_was_lost_is_found_by_its_id_or_how_that_begins() {
    let run = new_run().await;
    write(&run.store, [family(1), lost(2, "no_isomorph"), lost(21, "too_close"), lost(3, "no_isomorph")]).await;
    // By position: 2 before 3 before 21.
    let cases: [(&str, &[(&str, &str)]); 4] = [
        ("case-2", &[("case-2", "no_isomorph"), ("case-21", "too_close")]),
        ("case-21", &[("case-21", "too_close")]),
        ("case-1", &[]),
        ("%", &[]),
    ];
    for (begins, expected) in cases {
        let found = run.store.lost_like(&suite(), begins, 10).await.unwrap();
        let found: Vec<_> = found.iter().map(|(id, why)| (id.as_str(), why.as_str())).collect();
        assert_eq!(found, expected, "{begins}");
    }
    assert_eq!(run.store.lost_like(&suite(), "case-", 2).await.unwrap().len(), 2);
}

#[tokio::test]
async fn losses_are_counted_by_reason_among_those_that_were_needed() {
    let run = new_run().await;
    write(&run.store, [1, 4].map(family)).await;
    write(&run.store, [2, 3, 5].map(|n| lost(n, "no_isomorph"))).await;
    write(&run.store, [lost(6, "too_close")]).await;
    let all: BTreeMap<String, u64> = [("no_isomorph".to_owned(), 3), ("too_close".to_owned(), 1)].into();
    let filled = [("no_isomorph".to_owned(), 2)].into();
    for (families, expected) in [(Some(2), &filled), (Some(3), &all), (None, &all)] {
        let settled = run.store.settle(&suite(), Quota { families, per_group: None }).await.unwrap();
        assert_eq!(&settled.losses, expected, "{families:?}");
    }
}

#[tokio::test]
async fn a_family_that_is_written_twice_is_there_once() {
    let run = new_run().await;
    write(&run.store, [family(1), family(1)]).await;
    write(&run.store, [family(1)]).await;
    let counts = run.store.counts(&suite()).await.unwrap();
    assert_eq!((counts.kept, counts.variants), (1, 2));
}

#[tokio::test]
async fn a_family_without_variants_is_refused() {
    let run = new_run().await;
    let empty = NewFamily { outcome: FamilyOutcome::Made(Vec::new()), ..family(1) };
    let error = run.store.writer().family(&empty).await.unwrap_err();
    assert!(matches!(error, StoreError::EmptyFamily { .. }), "{error}");
}

async fn write(store: &Store, families: impl IntoIterator<Item = NewFamily>) {
    let writer = store.writer();
    for family in families {
        writer.family(&family).await.unwrap();
    }
    writer.flush().await.unwrap();
}

async fn kept(store: &Store, limit: u32) -> Vec<i64> {
    let mut positions = Vec::new();
    let mut after = Some(0);
    while let Some(position) = after {
        let page = store.families_page(&suite(), position, limit).await.unwrap();
        positions.extend(page.items.iter().map(|family| family.position));
        after = page.next;
    }
    positions
}
