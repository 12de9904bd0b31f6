//! The project a rater works on, found by a name in the address that tells nothing of the run: both may be called after a model.

use crate::account::{cookie, now, secret};
use crate::error::PageError;
use crate::shelf::Shelf;
use axum::http::HeaderMap;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::Mutex;
use waterjar_annotation::Project;
use waterjar_store::Ratings;

pub struct Desk {
    /// In addresses.
    pub key: String,
    /// What the owner calls it.
    pub id: String,
    pub project: Project,
    pub items: u32,
    pub ratings: Ratings,
}

/// Desks that were looked for.
#[derive(Default)]
pub struct Desks(Mutex<HashMap<String, Arc<Desk>>>);

pub const COOKIE: &str = "waterjar_rater";

impl Desks {
    pub async fn find(&self, shelf: &Shelf, key: &str) -> Result<Arc<Desk>, PageError> {
        let mut desks = self.0.lock().await;
        if let Some(desk) = desks.get(key) {
            return Ok(Arc::clone(desk));
        }
        for slot in shelf.slots() {
            // What is wrong with another run is no business of whoever rates this one.
            let Ok(Some(ratings)) = slot.ratings().await else { continue };
            let Ok(projects) = ratings.projects::<Project>().await else { continue };
            let Some((id, project)) = projects.into_iter().find(|(_, project)| project.key == key) else { continue };
            let items = ratings.items(&id).await?;
            let desk = Arc::new(Desk { key: key.to_owned(), id, project, items, ratings });
            desks.insert(key.to_owned(), Arc::clone(&desk));
            return Ok(desk);
        }
        Err(PageError::NotFound("There is nothing to rate here.".to_owned()))
    }

    /// Whoever asks for it again is told that there is nothing.
    pub async fn forget(&self, key: &str) {
        self.0.lock().await.remove(key);
    }
}

impl Desk {
    pub fn address(&self) -> String {
        format!("/rate/{}", self.key)
    }

    /// Who sits here, if anybody is signed in.
    pub async fn rater(&self, headers: &HeaderMap) -> Result<Option<String>, PageError> {
        let Some(token) = cookie::read(headers, COOKIE) else { return Ok(None) };
        let session = self.ratings.session(&secret::digest(token), now()).await?;
        Ok(session.filter(|session| session.project == self.id).map(|session| session.rater))
    }
}
