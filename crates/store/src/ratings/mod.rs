//! What people said of a run, in a database of its own: a run can be worked on while people rate it, and the other way round.

mod people;
mod projects;
mod save;

pub use people::{NewRater, Session, StoredRater};
pub use projects::StoredItem;

use crate::transaction::{Transaction, WriteSide};
use crate::{Mode, StoreError, schema, store};
use save::Save;
use serde::{Deserialize, Serialize};
use sqlx::sqlite::SqlitePool;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use tokio::sync::mpsc;

/// The projects of a run with all their ratings. Clones share it.
#[derive(Clone)]
pub struct Ratings {
    path: Arc<Path>,
    reading: SqlitePool,
    writing: Option<Writing>,
}

#[derive(Clone)]
struct Writing {
    side: Arc<WriteSide>,
    queue: mpsc::Sender<Save>,
}

/// What a rater said of an item.
#[derive(Clone, Debug, PartialEq)]
pub struct Rating {
    pub item: u32,
    pub rater: String,
    pub state: RatingState,
    pub body: RatingBody,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RatingBody {
    /// By question; several where several may be chosen.
    pub answers: BTreeMap<String, Vec<String>>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Spent on it, as far as is known.
    pub seconds: f64,
    /// Milliseconds since 1970.
    pub at: i64,
    /// Whether the two sides stood the other way round for this rater.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub swapped: bool,
    /// Of the seconds, those before the page it was said on was opened, and when that was.
    #[serde(default)]
    pub before: f64,
    #[serde(default)]
    pub opened: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RatingState {
    /// Begun; counts nowhere.
    Draft,
    Rated,
    Skipped,
    /// Taken back by the rater; what it said is kept, to begin again from.
    Withdrawn,
}

impl RatingState {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Rated => "rated",
            Self::Skipped => "skipped",
            Self::Withdrawn => "withdrawn",
        }
    }

    fn of(text: &str) -> Self {
        let every = [Self::Draft, Self::Rated, Self::Skipped];
        every.into_iter().find(|it| it.as_str() == text).unwrap_or(Self::Withdrawn)
    }
}

impl Ratings {
    /// Needs a Tokio runtime, on which what is saved at the same time is gathered into one transaction.
    pub async fn open(path: impl AsRef<Path>, mode: Mode) -> Result<Self, StoreError> {
        let path: Arc<Path> = path.as_ref().into();
        let found = store::version_of(&path, &schema::RATINGS).await?;
        if found == 0 && mode != Mode::Create {
            return Err(StoreError::Missing { path: path.to_path_buf() });
        }
        let writing = match mode {
            Mode::Read => None,
            Mode::Create | Mode::Existing => Some(Writing::start(&path).await?),
        };
        Ok(Self { reading: store::reading_pool(&path), path, writing })
    }

    /// Leaves one file behind. Dropping is as safe, only less tidy.
    pub async fn close(self) {
        self.reading.close().await;
        if let Some(writing) = &self.writing {
            writing.side.close().await;
        }
    }

    async fn begin(&self) -> Result<Transaction, StoreError> {
        self.writing()?.side.begin().await.map_err(|error| self.wrong(&error))
    }

    async fn commit(&self, transaction: Transaction) -> Result<(), StoreError> {
        transaction.commit().await.map_err(|error| self.wrong(&error))
    }

    fn writing(&self) -> Result<&Writing, StoreError> {
        self.writing.as_ref().ok_or_else(|| StoreError::ReadOnly { path: self.path.to_path_buf() })
    }

    fn wrong(&self, error: &sqlx::Error) -> StoreError {
        StoreError::from_sqlx(&self.path, error)
    }
}

impl Writing {
    async fn start(path: &Arc<Path>) -> Result<Self, StoreError> {
        let side = Arc::new(store::write_side(path, &schema::RATINGS).await?);
        let queue = save::start(Arc::clone(&side), Arc::clone(path));
        Ok(Self { side, queue })
    }
}
