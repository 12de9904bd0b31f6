//! One writer, many readers.

use crate::sample::{family, new_file, new_run, suite};
use waterjar_store::{Mode, Store, StoreError};

#[tokio::test]
async fn a_second_writer_is_refused_and_told_who_holds_the_run() {
    let run = new_file().await;
    for mode in [Mode::Create, Mode::Existing] {
        let Err(error) = Store::open(run.path(), mode).await else {
            panic!("two writers on one run");
        };
        assert_eq!(error, StoreError::InUse { path: run.path(), pid: Some(std::process::id()) });
        assert!(error.to_string().contains("another process"), "{error}");
    }
}

#[tokio::test]
async fn who_writes_is_known_to_those_who_only_look() {
    let run = new_file().await;
    let path = run.path();
    let expected = StoreError::InUse { path: path.clone(), pid: Some(std::process::id()) };
    assert_eq!(Store::in_use(&path), Some(expected));
    drop(run.store);
    assert_eq!(Store::in_use(&path), None);
    assert!(Store::open(&path, Mode::Existing).await.is_ok(), "looking keeps no lock");
    assert_eq!(Store::in_use(&path.with_file_name("none.sqlite")), None);
}

#[tokio::test]
async fn the_run_is_free_again_when_its_writer_is_gone() {
    let run = new_run().await;
    let path = run.path();
    let clone = run.store.clone();
    drop(run.store);
    assert!(Store::open(&path, Mode::Existing).await.is_err());
    drop(clone);
    assert!(Store::open(&path, Mode::Existing).await.is_ok());
}

#[tokio::test]
async fn a_closed_run_is_free_at_once_and_closed_to_those_who_still_hold_it() {
    let run = new_run().await;
    let path = run.path();
    let writer = run.store.writer();
    run.store.close().await;
    let next = Store::open(&path, Mode::Existing).await.unwrap();
    writer.family(&family(1)).await.unwrap();
    assert!(writer.flush().await.is_err());
    assert_eq!(next.counts(&suite()).await.unwrap().kept, 0);
}

#[tokio::test]
async fn readers_see_what_is_committed_while_the_writer_goes_on() {
    let run = new_run().await.with_families(2).await;
    let reader = Store::open(run.path(), Mode::Read).await.unwrap();
    assert_eq!(reader.counts(&suite()).await.unwrap().kept, 2);

    let writer = run.store.writer();
    writer.family(&family(3)).await.unwrap();
    writer.flush().await.unwrap();
    assert_eq!(reader.counts(&suite()).await.unwrap().kept, 3);
}

#[tokio::test]
async fn a_reader_cannot_write() {
    let run = new_run().await;
    let reader = Store::open(run.path(), Mode::Read).await.unwrap();
    let writer = reader.writer();
    writer.family(&family(1)).await.unwrap();
    let error = writer.flush().await.unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
}
