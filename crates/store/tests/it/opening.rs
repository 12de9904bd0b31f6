//! New, old, foreign and broken files.

use crate::sample::{family, new_file, suite};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use waterjar_core::metric::Share;
use waterjar_store::{Identity, Mode, Store, StoreError};

#[tokio::test]
async fn a_run_is_there_when_it_is_opened_again() {
    let run = new_file().await.with_families(3).await;
    let path = run.path();
    run.store.close().await;
    assert!(!path.with_extension("sqlite-wal").exists());

    let again = Store::open(&path, Mode::Existing).await.unwrap();
    assert_eq!(again.counts(&suite()).await.unwrap().kept, 3);
    assert_eq!(again.meta("schema_version").await.unwrap().as_deref(), Some("3"));
}

#[tokio::test]
async fn a_run_that_must_exist_is_not_made() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.sqlite");
    for mode in [Mode::Existing, Mode::Read] {
        let error = refused(&path, mode).await;
        assert_eq!(error, StoreError::Missing { path: path.clone() });
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn an_empty_file_left_by_a_killed_start_becomes_a_run() {
    let (_dir, path) = file_with(b"");
    assert!(matches!(refused(&path, Mode::Existing).await, StoreError::Missing { .. }));
    assert!(Store::open(&path, Mode::Create).await.is_ok());
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused_and_left_as_it_was() {
    let text = b"suite,subject,value\n".repeat(300);
    let (_dir, path) = file_with(&text);
    for mode in [Mode::Create, Mode::Existing, Mode::Read] {
        let error = refused(&path, mode).await;
        assert!(matches!(error, StoreError::NotARun { .. }), "{error}");
        assert!(error.to_string().contains("run.sqlite"), "{error}");
        assert!(error.hint().is_some());
    }
    assert_eq!(fs::read(&path).unwrap(), text);
}

#[tokio::test]
async fn a_database_of_another_program_is_refused_and_left_as_it_was() {
    for schema in [
        "CREATE TABLE bookmarks (url TEXT)",
        "CREATE TABLE meta (version INTEGER)",
        "CREATE TABLE meta (key TEXT, value TEXT)",
    ] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("run.sqlite");
        foreign(&path, schema).await;
        let before = fs::read(&path).unwrap();
        let error = refused(&path, Mode::Create).await;
        assert!(matches!(error, StoreError::NotARun { .. }), "{error}");
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}

#[tokio::test]
async fn a_run_of_a_newer_program_is_refused_and_left_as_it_was() {
    let run = new_file().await;
    let path = run.path();
    run.store.put_meta("schema_version", "7").await.unwrap();
    run.store.close().await;
    let before = fs::read(&path).unwrap();
    for mode in [Mode::Create, Mode::Existing, Mode::Read] {
        let error = refused(&path, mode).await;
        let newer = StoreError::Newer { path: path.clone(), found: 7, known: 3 };
        assert_eq!(error, newer);
        assert_eq!(error.hint(), Some("use the newer program for this run"));
    }
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn a_run_of_an_older_program_is_brought_up_to_date_by_whoever_writes() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.sqlite");
    let then = concat!(
        include_str!("../../migrations/run/0001_run.sql"),
        include_str!("../../migrations/run/0002_gateway.sql"),
        "INSERT INTO meta (key, value) VALUES ('schema_version', '2');",
        r#"INSERT INTO shares VALUES ('einstellung', 'plain@logit', 'css', '[{"family":"a","part":1.0,"whole":2.0}]');"#,
    );
    foreign(&path, then).await;
    assert!(matches!(refused(&path, Mode::Read).await, StoreError::Older { found: 2, known: 3, .. }));
    let store = Store::open(&path, Mode::Existing).await.unwrap();
    let shares = store.shares(&"einstellung".into(), &"plain@logit".into(), "css").await.unwrap();
    assert_eq!(shares, Some(vec![Share::new("a".into(), 1.0, 2.0)]));
}

#[tokio::test]
async fn a_damaged_run_is_called_damaged_with_its_path() {
    let run = new_file().await.with_families(200).await;
    let path = run.path();
    run.store.close().await;
    let mut bytes = fs::read(&path).unwrap();
    // The first page holds the schema; what follows is made unreadable.
    bytes[4096..].fill(0xA5);
    fs::write(&path, bytes).unwrap();

    let error = read_all(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert!(error.to_string().contains("run.sqlite"), "{error}");
}

#[tokio::test]
async fn a_truncated_run_is_called_damaged_with_its_path() {
    let run = new_file().await.with_families(200).await;
    let path = run.path();
    run.store.close().await;
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();

    let error = read_all(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert!(error.to_string().contains("run.sqlite"), "{error}");
}

#[tokio::test]
async fn a_directory_in_place_of_the_file_is_an_error_with_its_path() {
    let dir = tempfile::tempdir().unwrap();
    let error = refused(dir.path(), Mode::Create).await;
    assert!(error.to_string().contains(&dir.path().display().to_string()), "{error}");
}

#[tokio::test]
async fn a_run_goes_on_with_the_study_it_was_started_with_and_no_other() {
    let run = new_file().await;
    let identity = |hash: &str| Identity {
        study_hash: hash.to_owned(),
        study_text: "[study]\nname = \"quickstart\"".to_owned(),
        program: "0.1.0".to_owned(),
    };
    assert_eq!(run.store.identity().await.unwrap(), None);
    assert!(!run.store.claim(&identity("a")).await.unwrap());
    assert!(run.store.claim(&identity("a")).await.unwrap());
    let error = run.store.claim(&identity("b")).await.unwrap_err();
    assert!(matches!(error, StoreError::OtherStudy { .. }), "{error}");
    assert_eq!(run.store.identity().await.unwrap(), Some(identity("a")));
}

async fn refused(path: &Path, mode: Mode) -> StoreError {
    match Store::open(path, mode).await {
        Ok(_) => panic!("{} was opened", path.display()),
        Err(error) => error,
    }
}

async fn read_all(path: &Path) -> Result<(), StoreError> {
    let store = Store::open(path, Mode::Existing).await?;
    store.families_page(&suite(), 0, 1000).await?;
    let writer = store.writer();
    for position in 1000..1100 {
        writer.family(&family(position)).await?;
    }
    writer.flush().await
}

fn file_with(bytes: &[u8]) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.sqlite");
    fs::write(&path, bytes).unwrap();
    (dir, path)
}

async fn foreign(path: &Path, schema: &'static str) {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
    let mut connection = options.connect().await.unwrap();
    sqlx::raw_sql(schema).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}
