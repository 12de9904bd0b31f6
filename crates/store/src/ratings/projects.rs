//! Projects and their items, and what was said of these.

use super::{NewRater, Rating, RatingState, Ratings};
use crate::StoreError;
use crate::body::{from_body, to_body};
use crate::sql::sql;
use serde::Serialize;
use serde::de::DeserializeOwned;

const PUT_PROJECT: &str = "INSERT INTO projects (id, body) VALUES ($1, $2) ON CONFLICT DO NOTHING";
const PROJECTS: &str = "SELECT id, body FROM projects ORDER BY id";
const PROJECT: &str = "SELECT body FROM projects WHERE id = $1";
const PUT_ITEM: &str = "INSERT INTO items (project, ord, shown, source) VALUES ($1, $2, $3, $4)";
const SHOWN: &str = "SELECT shown FROM items WHERE project = $1 AND ord = $2";
const SOURCES: &str = "SELECT ord, source FROM items WHERE project = $1 ORDER BY ord";
const COUNT: &str = "SELECT COUNT(*) FROM items WHERE project = $1";
const OF_RATER: &str = "SELECT item, rater, state, body FROM ratings WHERE project = $1 AND rater = $2 ORDER BY item";
const OF_ALL: &str = "SELECT item, rater, state, body FROM ratings WHERE project = $1 ORDER BY item, rater";
const LOG: &str = "SELECT item, rater, state, body FROM rating_log WHERE project = $1 ORDER BY number";
const SAID_OF: &str = "SELECT item, rater, state, body FROM rating_log \
    WHERE project = $1 AND rater = $2 AND item = $3 ORDER BY number";

// What was once said is never taken away: only a project of which nobody has said anything goes, and its items are the first to.
const DROP_ITEMS: &str = "DELETE FROM items WHERE project = $1 \
    AND NOT EXISTS (SELECT 1 FROM rating_log WHERE rating_log.project = items.project)";
const DROP_SESSIONS: &str = "DELETE FROM sessions WHERE project = $1";
const DROP_RATERS: &str = "DELETE FROM raters WHERE project = $1";
const DROP_PROJECT: &str = "DELETE FROM projects WHERE id = $1";

/// What is shown to raters, and where it comes from, as JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredItem {
    pub shown: String,
    pub source: String,
}

impl StoredItem {
    pub fn new(shown: &impl Serialize, source: &impl Serialize) -> Result<Self, StoreError> {
        Ok(Self { shown: to_body("items", "shown", shown)?, source: to_body("items", "source", source)? })
    }
}

type RatingRow = (i64, String, String, String);

impl Ratings {
    /// A project with its items and raters, all or nothing. `false` where there is one of that name.
    pub async fn make(
        &self,
        id: &str,
        project: &impl Serialize,
        items: &[StoredItem],
        raters: &[NewRater],
    ) -> Result<bool, StoreError> {
        let body = to_body("projects", id, project)?;
        let mut all = vec![sql(PUT_PROJECT).bind(id).bind(body).must_change()];
        for (ord, item) in (0_i64..).zip(items) {
            all.push(sql(PUT_ITEM).bind(id).bind(ord).bind(&item.shown).bind(&item.source));
        }
        all.extend(raters.iter().map(|rater| rater.put(id)));
        Ok(self.write(all).await?.first() == Some(&1))
    }

    /// A project of which nobody has said anything, with its items, raters and links. `false` where somebody has, and nothing is changed.
    pub async fn delete(&self, id: &str) -> Result<bool, StoreError> {
        let mut all = vec![sql(DROP_ITEMS).bind(id).must_change()];
        all.extend([DROP_SESSIONS, DROP_RATERS, DROP_PROJECT].map(|text| sql(text).bind(id)));
        Ok(self.write(all).await?.first().is_some_and(|items| *items > 0))
    }

    pub async fn projects<T: DeserializeOwned>(&self) -> Result<Vec<(String, T)>, StoreError> {
        let rows: Vec<(String, String)> = self.database.rows(sql(PROJECTS)).await?;
        rows.into_iter().map(|(id, body)| from_body("projects", &id, &body).map(|project| (id, project))).collect()
    }

    pub async fn project<T: DeserializeOwned>(&self, id: &str) -> Result<Option<T>, StoreError> {
        let body: Option<String> = self.database.text(sql(PROJECT).bind(id)).await?;
        body.map(|body| from_body("projects", id, &body)).transpose()
    }

    /// All a rater is told of an item.
    pub async fn shown<T: DeserializeOwned>(&self, project: &str, item: u32) -> Result<Option<T>, StoreError> {
        let body: Option<String> = self.database.text(sql(SHOWN).bind(project).bind(i64::from(item))).await?;
        body.map(|body| from_body("items", project, &body)).transpose()
    }

    /// Where items come from, in their order: for the owner, never for a rater.
    pub async fn sources<T: DeserializeOwned>(&self, project: &str) -> Result<Vec<T>, StoreError> {
        let rows: Vec<(i64, String)> = self.database.rows(sql(SOURCES).bind(project)).await?;
        rows.iter().map(|(_, body)| from_body("items", project, body)).collect()
    }

    pub async fn items(&self, project: &str) -> Result<u32, StoreError> {
        let count = self.database.count(sql(COUNT).bind(project)).await?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// What a rater says now, by item.
    pub async fn of_rater(&self, project: &str, rater: &str) -> Result<Vec<Rating>, StoreError> {
        ratings(self.database.rows(sql(OF_RATER).bind(project).bind(rater)).await?)
    }

    /// What everybody says now, by item and rater.
    pub async fn of_all(&self, project: &str) -> Result<Vec<Rating>, StoreError> {
        ratings(self.database.rows(sql(OF_ALL).bind(project)).await?)
    }

    /// Everything a rater ever said of an item, in order.
    pub async fn said_of(&self, project: &str, rater: &str, item: u32) -> Result<Vec<Rating>, StoreError> {
        ratings(self.database.rows(sql(SAID_OF).bind(project).bind(rater).bind(i64::from(item))).await?)
    }

    /// Everything anybody ever said, in order.
    pub async fn log(&self, project: &str) -> Result<Vec<Rating>, StoreError> {
        ratings(self.database.rows(sql(LOG).bind(project)).await?)
    }
}

fn ratings(rows: Vec<RatingRow>) -> Result<Vec<Rating>, StoreError> {
    let rating = |(item, rater, state, body): RatingRow| {
        Ok(Rating {
            item: u32::try_from(item).unwrap_or(u32::MAX),
            state: RatingState::of(&state),
            body: from_body("ratings", &rater, &body)?,
            rater,
        })
    };
    rows.into_iter().map(rating).collect()
}
