//! Saving ratings. Hundreds may press a button at once, and each wants to hear that theirs is on the disk: what waits together is written
//! in one transaction, and then everybody is told.

use super::{Rating, Ratings};
use crate::StoreError;
use crate::body::to_body;
use crate::database::Database;
use crate::sql::{Statement, sql};
use tokio::sync::{mpsc, oneshot};

// A draft that was sent before the whole and comes after it changes nothing.
const PUT: &str = "INSERT INTO ratings (project, item, rater, state, body) VALUES ($1, $2, $3, $4, $5) \
    ON CONFLICT (project, rater, item) DO UPDATE SET state = excluded.state, body = excluded.body \
    WHERE excluded.state <> 'draft' OR ratings.state NOT IN ('rated', 'skipped')";
const LOG: &str = "INSERT INTO rating_log (project, item, rater, state, body) VALUES ($1, $2, $3, $4, $5)";

/// In one transaction.
const MOST: usize = 256;

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
    let (queue, mut waiting) = mpsc::channel(MOST);
    tokio::spawn(async move {
        let mut together: Vec<Save> = Vec::new();
        while waiting.recv_many(&mut together, MOST).await > 0 {
            let written = database.write(together.iter().flat_map(Save::statements).collect()).await;
            for save in together.drain(..) {
                // Whoever does not wait any more has their rating all the same.
                let _ = save.done.send(written.clone().map(|_| ()));
            }
        }
    });
    queue
}

impl Save {
    fn statements(&self) -> [Statement; 2] {
        [PUT, LOG].map(|text| {
            sql(text).bind(&self.project).bind(self.item).bind(&self.rater).bind(self.state).bind(&self.body)
        })
    }
}
