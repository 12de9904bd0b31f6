//! Ratings as files.

use super::project::Open;
use crate::Site;
use crate::error::PageError;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use waterjar_annotation::{Settled, csv, jsonl, results_csv, rows, tallies};

pub async fn table(
    State(site): State<Site>,
    Path((run, suite, id)): Path<(String, String, String)>,
) -> Result<Response, PageError> {
    let open = Open::find(&site, &run, &suite, &id).await?;
    let text = csv(&open.project.form, &rows(&open.sources, &open.said));
    Ok(file(&open.id, "csv", "text/csv; charset=utf-8", text))
}

pub async fn lines(
    State(site): State<Site>,
    Path((run, suite, id)): Path<(String, String, String)>,
) -> Result<Response, PageError> {
    let open = Open::find(&site, &run, &suite, &id).await?;
    Ok(file(&open.id, "jsonl", "application/x-ndjson", jsonl(&rows(&open.sources, &open.said))))
}

/// How often each answer was settled on.
pub async fn results(
    State(site): State<Site>,
    Path((run, suite, id)): Path<(String, String, String)>,
) -> Result<Response, PageError> {
    let open = Open::find(&site, &run, &suite, &id).await?;
    let form = &open.project.form;
    let text = results_csv(&tallies(form, &Settled::of(form, &open.said), &open.sources));
    Ok(file(&format!("{}-results", open.id), "csv", "text/csv; charset=utf-8", text))
}

/// Everything anybody ever said, drafts and what was taken back included.
pub async fn log(
    State(site): State<Site>,
    Path((run, suite, id)): Path<(String, String, String)>,
) -> Result<Response, PageError> {
    let open = Open::find(&site, &run, &suite, &id).await?;
    let log = open.ratings.log(&open.id).await?;
    Ok(file(&format!("{}-log", open.id), "jsonl", "application/x-ndjson", jsonl(&rows(&open.sources, &log))))
}

fn file(name: &str, extension: &str, kind: &'static str, text: String) -> Response {
    // A project's name is letters, digits, - and _.
    let disposition = format!("attachment; filename=\"{name}.{extension}\"");
    ([(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, disposition)], text).into_response()
}
