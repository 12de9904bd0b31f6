//! A page to try it.

use super::MOST;
use crate::Site;
use crate::pages::{Frame, Page, asked};
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Html;

#[derive(Template)]
#[template(path = "score.html")]
struct ScorePage {
    frame: Frame,
    on: bool,
    runs: Vec<String>,
    chosen: Chosen,
    most: usize,
    /// For the example: a run that is here, and where to ask.
    example: String,
    address: String,
}

/// What the form is filled in with, so that a page elsewhere can link here.
struct Chosen {
    run: String,
    suite: String,
    variant: String,
}

pub async fn page(State(site): State<Site>, Query(query): Query<Vec<(String, String)>>) -> Page {
    let of = |key: &str| asked(&query, key).to_owned();
    let chosen = Chosen { run: of("run"), suite: of("suite"), variant: of("variant") };
    let runs: Vec<String> = site.shelf.slots().iter().map(|it| it.name.clone()).collect();
    let page = ScorePage {
        frame: Frame::new(&crate::texts::spoken().worth),
        on: site.token.is_some(),
        example: runs.iter().find(|it| **it == chosen.run).or(runs.first()).cloned().unwrap_or_default(),
        runs,
        chosen,
        most: MOST,
        address: site.absolute("/v1/score"),
    };
    Ok(Html(page.render()?))
}
