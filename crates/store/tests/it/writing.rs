//! The writer: when rows are safe, and what an error does.

use crate::sample::{EVERYTHING, family, new_run, response, suite};
use std::time::Duration;
use waterjar_core::{Conclusion, Ending, SubjectId};
use waterjar_store::{Mode, NewResponse, Spend, Store, StoreError};

#[tokio::test]
async fn rows_are_committed_without_a_flush_after_a_moment() {
    let run = new_run().await;
    let writer = run.store.writer();
    writer.family(&family(1)).await.unwrap();
    let reader = Store::open(run.path(), Mode::Read).await.unwrap();
    for _ in 0..200 {
        if reader.counts(&suite()).await.unwrap().kept == 1 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the row was not there after two seconds");
}

#[tokio::test]
async fn what_was_sent_is_still_written_when_the_writer_is_dropped() {
    let run = new_run().await;
    let writer = run.store.writer();
    for position in 1..=10 {
        writer.family(&family(position)).await.unwrap();
    }
    drop(writer);
    let later = run.store.writer();
    for _ in 0..200 {
        later.flush().await.unwrap();
        if run.store.counts(&suite()).await.unwrap().kept == 10 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the rows were not there after two seconds");
}

#[tokio::test]
async fn flushing_an_idle_writer_returns_at_once() {
    let run = new_run().await;
    run.store.writer().flush().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_tasks_may_write_through_clones_of_one_writer() {
    let run = new_run().await.with_families(200).await;
    let writer = run.store.writer();
    let tasks: Vec<_> = (0..8)
        .map(|task| {
            let writer = writer.clone();
            tokio::spawn(async move {
                for position in 1..=200 {
                    let new = response(position, "trap", &format!("plain@{task}"));
                    writer.response(&new).await.unwrap();
                }
                writer.flush().await.unwrap();
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let counts = run.store.counts(&suite()).await.unwrap();
    assert_eq!(counts.subjects.len(), 8);
    assert!(counts.subjects.values().all(|n| n.responses == 200));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_may_be_used_from_any_task() {
    let run = new_run().await.with_families(3).await;
    let store = run.store.clone();
    let task = tokio::spawn(async move {
        store.settle(&suite(), EVERYTHING).await.unwrap();
        store.put_meta("key", "value").await.unwrap();
        store.families_page(&suite(), 0, 1).await.unwrap().items.len()
    });
    assert_eq!(task.await.unwrap(), 1);
}

#[tokio::test]
async fn a_transaction_that_is_given_up_half_way_does_not_block_the_next_one() {
    let run = new_run().await;
    let text = "x".repeat(1_000_000);
    for wait in (0..3_000).step_by(100) {
        let put = run.store.put_meta("study_text", &text);
        let _ = tokio::time::timeout(Duration::from_micros(wait), put).await;
    }
    run.store.put_meta("study_text", "small").await.unwrap();
    assert_eq!(run.store.meta("study_text").await.unwrap().as_deref(), Some("small"));
}

#[tokio::test]
async fn after_the_first_error_nothing_more_is_written_and_every_call_tells_it() {
    let run = new_run().await.with_families(1).await;
    let writer = run.store.writer();
    // There is no family 99, so this one cannot be stored.
    let orphan = response(99, "control", "plain@logit");
    writer.response(&orphan).await.unwrap();
    let first = writer.flush().await.unwrap_err();
    assert!(matches!(first, StoreError::Database { .. }), "{first}");

    let sound = response(1, "control", "plain@logit");
    assert_eq!(writer.response(&sound).await.unwrap_err(), first);
    assert_eq!(writer.clone().flush().await.unwrap_err(), first);
    let page = run.store.responses_page(&suite(), 0, 10).await.unwrap();
    assert_eq!(page.items, []);

    let fresh = run.store.writer();
    fresh.response(&sound).await.unwrap();
    fresh.flush().await.unwrap();
    let page = run.store.responses_page(&suite(), 0, 10).await.unwrap();
    assert_eq!(page.items[0].response, sound.response);
}

#[tokio::test]
async fn a_batch_with_one_bad_row_leaves_nothing_behind() {
    let run = new_run().await.with_families(1).await;
    let writer = run.store.writer();
    for new in [
        response(1, "control", "plain@logit"),
        response(99, "control", "plain@logit"),
        response(1, "trap", "plain@logit"),
    ] {
        writer.response(&new).await.unwrap();
    }
    writer.flush().await.unwrap_err();
    let page = run.store.responses_page(&suite(), 0, 10).await.unwrap();
    assert_eq!(page.items, []);
}

fn long(position: i64, megabytes: usize) -> NewResponse {
    let mut new = response(position, "control", "plain@long");
    new.response.ending = Ending::Ok(Conclusion { text: "x".repeat(megabytes << 20), reasoning: None, record: None });
    new
}

/// Ten times as much as may wait at once; the last by itself is more than that.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_rows_wait_for_room_and_all_of_them_are_written() {
    let run = new_run().await.with_families(40).await;
    let writer = run.store.writer();
    let tasks: Vec<_> = (1..=39)
        .map(|position| {
            let writer = writer.clone();
            tokio::spawn(async move { writer.response(&long(position, 2)).await })
        })
        .collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    writer.response(&long(40, 12)).await.unwrap();
    writer.flush().await.unwrap();
    assert_eq!(run.store.counts(&suite()).await.unwrap().subjects[&SubjectId::from("plain@long")].responses, 40);
}

#[tokio::test]
async fn a_row_that_is_given_up_while_it_waits_leaves_its_room_to_others() {
    let run = new_run().await.with_families(2).await;
    let writer = run.store.writer();
    let large = long(1, 9);
    writer.response(&large).await.unwrap();
    for _ in 0..3 {
        // Looked at once and given up, before the writer has had a chance to write anything.
        tokio::select! {
            biased;
            _ = writer.response(&large) => panic!("there was room for two"),
            () = std::future::ready(()) => {}
        }
    }
    writer.response(&response(2, "control", "plain@long")).await.unwrap();
    writer.flush().await.unwrap();
    assert_eq!(run.store.counts(&suite()).await.unwrap().subjects[&SubjectId::from("plain@long")].responses, 2);
}

/// Here it has its room already, and waits for a place in the queue.
#[tokio::test]
async fn a_row_that_is_given_up_before_it_has_a_place_gives_its_room_back() {
    let run = new_run().await.with_families(1).await;
    let writer = run.store.writer();
    let large = long(1, 3);
    // Without a pause, so that the writer, on the same thread, takes none of them.
    tokio::task::unconstrained(async {
        for _ in 0..4096 {
            writer.spend(Spend::none("m".into())).await.unwrap();
        }
        for _ in 0..3 {
            tokio::select! {
                biased;
                _ = writer.response(&large) => panic!("there was a place"),
                () = std::future::ready(()) => {}
            }
        }
    })
    .await;
    let all = tokio::time::timeout(Duration::from_secs(60), async {
        writer.response(&long(1, 9)).await?;
        writer.flush().await
    });
    all.await.expect("room was lost").unwrap();
}
