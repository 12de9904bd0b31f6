//! Saving ratings. Hundreds may press a button at once, and each wants to hear that theirs is on the disk: what waits together is written
//! in one transaction, and then everybody is told.
//!
//! The `-wal` beside the file is copied back soon after: SQLite does so by itself only once it is as long as a run's, which ratings hardly
//! ever are, and whoever copies the file alone would have none of them.

use super::{Rating, Ratings};
use crate::StoreError;
use crate::body::to_body;
use crate::database::Database;
use crate::sql::{Statement, sql};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

// A draft that was sent before the whole and comes after it changes nothing.
const PUT: &str = "INSERT INTO ratings (project, item, rater, state, body) VALUES ($1, $2, $3, $4, $5) \
    ON CONFLICT (project, rater, item) DO UPDATE SET state = excluded.state, body = excluded.body \
    WHERE excluded.state <> 'draft' OR ratings.state NOT IN ('rated', 'skipped')";
const LOG: &str = "INSERT INTO rating_log (project, item, rater, state, body) VALUES ($1, $2, $3, $4, $5)";

/// In one transaction.
const MOST: usize = 256;
/// How long what was saved may stand beside the file alone.
const LAG: Duration = Duration::from_secs(1);

pub(super) struct Save {
    project: String,
    item: i64,
    rater: String,
    state: &'static str,
    body: String,
    done: oneshot::Sender<Result<(), StoreError>>,
}

impl Ratings {
    /// Returns when it is on the disk.
    pub async fn save(&self, project: &str, rating: &Rating) -> Result<(), StoreError> {
        let (done, saved) = oneshot::channel();
        let save = Save {
            project: project.to_owned(),
            item: i64::from(rating.item),
            rater: rating.rater.clone(),
            state: rating.state.as_str(),
            body: to_body("ratings", project, &rating.body)?,
            done,
        };
        self.queue()?.send(save).await.map_err(|_| StoreError::WriterStopped)?;
        saved.await.map_err(|_| StoreError::WriterStopped)?
    }
}

pub(super) fn start(database: Database) -> mpsc::Sender<Save> {
    let (queue, waiting) = mpsc::channel(MOST);
    tokio::spawn(write(database, waiting));
    queue
}

/// The task. It ends when nobody can save any more.
async fn write(database: Database, mut waiting: mpsc::Receiver<Save>) {
    let mut together: Vec<Save> = Vec::new();
    // When the `-wal` is copied back, where there is anything in it.
    let mut due: Option<Instant> = None;
    loop {
        let more = waiting.recv_many(&mut together, MOST);
        let received = match due {
            Some(due) => timeout_at(due, more).await.ok(),
            None => Some(more.await),
        };
        if received == Some(0) {
            return;
        }
        if !together.is_empty() {
            let written = database.write(together.iter().flat_map(Save::statements).collect()).await;
            for save in together.drain(..) {
                // Whoever does not wait any more has their rating all the same.
                let _ = save.done.send(written.clone().map(|_| ()));
            }
            due.get_or_insert_with(|| Instant::now() + LAG);
        }
        // Also while ratings come without a pause.
        if due.is_some_and(|due| due <= Instant::now()) {
            database.tidy().await;
            due = None;
        }
    }
}

impl Save {
    fn statements(&self) -> [Statement; 2] {
        [PUT, LOG].map(|text| {
            sql(text).bind(&self.project).bind(self.item).bind(&self.rater).bind(self.state).bind(&self.body)
        })
    }
}
