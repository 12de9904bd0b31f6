//! A full disk, made with SQLite's own limit on the number of pages. Here and not in `tests/`, because only the crate can set it.

use crate::sample::{family, new_file, response, suite};
use crate::{Store, StoreError, Writer};

#[tokio::test]
async fn a_full_disk_stops_the_run_with_a_hint_and_leaves_nothing_half_written() {
    let run = new_file().await;
    limit_pages(&run.store, 250).await;
    let writer = run.store.writer();
    let error = write_until_error(&writer, 1).await;
    let full = StoreError::DiskFull { path: run.path() };
    assert_eq!(error, full);
    assert!(error.hint().is_some_and(|hint| hint.contains("make room")));
    let stored = whole_families(&run.store).await;
    assert!(stored > 0);

    // Whatever was not stored is written again, as a resumed run does.
    let resumed = run.store.writer();
    for position in 1..=5_000 {
        write_family(&resumed, position).await.unwrap();
    }
    resumed.flush().await.unwrap();
    assert_eq!(whole_families(&run.store).await, 5_000);
}

#[tokio::test]
async fn a_run_stopped_by_a_full_disk_can_be_opened_and_resumed() {
    let run = new_file().await;
    limit_pages(&run.store, 250).await;
    write_until_error(&run.store.writer(), 1).await;
    let before = whole_families(&run.store).await;
    let path = run.path();
    run.store.close().await;

    let store = Store::open(&path, crate::Mode::Existing).await.unwrap();
    assert_eq!(whole_families(&store).await, before);
    let writer = store.writer();
    write_family(&writer, 9_000).await.unwrap();
    writer.flush().await.unwrap();
    assert_eq!(whole_families(&store).await, before + 1);
}

#[tokio::test]
async fn a_full_disk_is_also_told_by_what_does_not_go_through_the_writer() {
    let run = new_file().await;
    limit_pages(&run.store, 40).await;
    let error = run.store.put_meta("study_text", &"x".repeat(1_000_000)).await.unwrap_err();
    assert!(matches!(error, StoreError::DiskFull { .. }), "{error}");
    run.store.put_meta("study_text", "small").await.unwrap();
}

/// Holds for the connection that writes now. After an error the store opens another one, so the limit is then lifted.
async fn limit_pages(store: &Store, pages: u32) {
    let sql = crate::sql::sql(format!("PRAGMA max_page_count = {pages}"));
    store.database.write(vec![sql]).await.unwrap();
}

async fn write_until_error(writer: &Writer, first: i64) -> StoreError {
    for position in first..first + 100_000 {
        if let Err(error) = write_family(writer, position).await {
            return error;
        }
    }
    panic!("the disk never became full");
}

async fn write_family(writer: &Writer, position: i64) -> Result<(), StoreError> {
    writer.family(&family(position)).await?;
    for role in ["control", "trap"] {
        let new = response(position, role, "plain@logit");
        writer.response(&new).await?;
    }
    Ok(())
}

async fn whole_families(store: &Store) -> u64 {
    let mut n = 0;
    let mut after = Some(0);
    while let Some(position) = after {
        let page = store.families_page(&suite(), position, 500).await.unwrap();
        for family in &page.items {
            assert_eq!(family.variants.len(), 2, "{} is half there", family.id);
        }
        n += page.items.len() as u64;
        after = page.next;
    }
    let kept = store.counts(&suite()).await.unwrap().kept;
    assert_eq!(n, kept, "some families have no variants at all");
    n
}
