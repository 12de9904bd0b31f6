//! What people said of a run, in a database of its own: a run can be worked on while people rate it, and the other way round.

mod people;
mod projects;
mod save;

pub use people::{NewRater, Session, StoredRater};
pub use projects::StoredItem;

use crate::database::Database;
use crate::place::Place;
use crate::sql::Statement;
use crate::{Mode, StoreError, schema};
use save::Save;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use tokio::sync::mpsc;

/// The projects of a run with all their ratings. Clones share it.
#[derive(Clone)]
pub struct Ratings {
    database: Database,
    queue: Option<mpsc::Sender<Save>>,
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
    /// Needs a Tokio runtime, on which what is saved at the same time is gathered into one transaction. `path` is a file of their own, or
    /// where a run is on a server: they stand beside it there.
    pub async fn open(path: impl AsRef<Path>, mode: Mode) -> Result<Self, StoreError> {
        let database = Database::open(&Place::of_ratings(path.as_ref())?, &schema::RATINGS, mode).await?;
        let queue = (mode != Mode::Read).then(|| save::start(database.clone()));
        Ok(Self { database, queue })
    }

    /// Copies what stands in the `-wal` back into the file, beside readers.
    pub async fn tidy(&self) {
        self.database.tidy().await;
    }

    /// Leaves one file behind. Dropping is as safe, only less tidy.
    pub async fn close(self) {
        self.database.close().await;
    }

    /// What is not said by raters: projects, and who rates them. It is rare, so that it can stand in the file itself at once.
    async fn write(&self, statements: Vec<Statement>) -> Result<Vec<u64>, StoreError> {
        let changed = self.database.write(statements).await?;
        self.tidy().await;
        Ok(changed)
    }

    fn queue(&self) -> Result<&mpsc::Sender<Save>, StoreError> {
        self.queue.as_ref().ok_or_else(|| StoreError::ReadOnly { path: self.database.path().to_owned() })
    }
}
