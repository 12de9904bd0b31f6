//! A page to try it.

use super::MOST;
use crate::Site;
use crate::pages::{Frame, Page};
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Html;
use serde::Deserialize;

#[derive(Template)]
#[template(path = "score.html")]
struct ScorePage {
    frame: Frame,
    on: bool,
    runs: Vec<String>,
    chosen: Chosen,
    most: usize,
}

/// What the form is filled in with, so that a page elsewhere can link here.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Chosen {
    run: String,
    suite: String,
    variant: String,
}

pub async fn page(State(site): State<Site>, Query(chosen): Query<Chosen>) -> Page {
    let runs = site.shelf.slots().iter().map(|it| it.name.clone()).collect();
    let frame = Frame::new(&crate::texts::spoken().worth);
    Ok(Html(ScorePage { frame, on: site.token.is_some(), runs, chosen, most: MOST }.render()?))
}
