//! What people say, in a file of its own.

use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use waterjar_store::{Mode, NewRater, Rating, RatingBody, RatingState, Ratings, StoredItem};

/// A project of one item and one rater, who has rated it.
async fn rated(dir: &TempDir) -> Ratings {
    let ratings = Ratings::open(dir.path().join("ratings.sqlite"), Mode::Create).await.unwrap();
    let items = [StoredItem::new(&"shown", &"source").unwrap()];
    let raters = [NewRater { name: "anna".to_owned(), link: "hash".to_owned(), password: None }];
    assert!(ratings.make("pilot", &"project", &items, &raters).await.unwrap());
    let rating = Rating {
        item: 0,
        rater: "anna".to_owned(),
        state: RatingState::Rated,
        body: RatingBody { comment: "clear".to_owned(), ..RatingBody::default() },
    };
    ratings.save("pilot", &rating).await.unwrap();
    ratings
}

/// What a copy of the file alone holds, without what stands beside it.
async fn copied(dir: &Path) -> Vec<Rating> {
    let elsewhere = tempfile::tempdir().unwrap();
    let copy = elsewhere.path().join("ratings.sqlite");
    std::fs::copy(dir.join("ratings.sqlite"), &copy).unwrap();
    let ratings = Ratings::open(&copy, Mode::Read).await.unwrap();
    assert_eq!(ratings.projects::<String>().await.unwrap(), [("pilot".to_owned(), "project".to_owned())]);
    ratings.of_all("pilot").await.unwrap()
}

#[tokio::test]
async fn whoever_copies_the_file_alone_has_the_project_at_once_and_ratings_soon_after() {
    let dir = tempfile::tempdir().unwrap();
    let ratings = rated(&dir).await;
    let mut found = copied(dir.path()).await;
    for _ in 0..100 {
        if !found.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        found = copied(dir.path()).await;
    }
    assert_eq!(found, ratings.of_all("pilot").await.unwrap());
    assert_eq!(found.len(), 1);
}

#[tokio::test]
async fn closed_ratings_are_one_file() {
    let dir = tempfile::tempdir().unwrap();
    let ratings = rated(&dir).await;
    // A desk may still have them.
    let held = ratings.clone();
    ratings.close().await;
    assert!(!dir.path().join("ratings.sqlite-wal").exists());
    assert_eq!(copied(dir.path()).await.len(), 1);
    drop(held);
}
