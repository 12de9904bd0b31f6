//! What an answer is worth, for reinforcement learning: a variant and an answer go in, a verdict comes out. Nothing is stored, and no model is
//! asked.

mod auth;
mod error;
mod openapi;
mod page;
mod places;
mod ruling;
mod wire;

pub use auth::Token;
pub use page::page;
pub use places::Places;

use crate::Site;
use auth::allowed;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use error::ScoreError;
use serde::de::DeserializeOwned;
use wire::{Batch, Scored, Scores, Wanted};

/// An answer and what stands beside it.
const ONE: usize = 4 << 20;
const MANY: usize = 32 << 20;
/// Rows of a batch.
pub const MOST: usize = 512;

/// What lies under `/v1`: JSON, also where there is nothing.
pub fn router() -> Router<Site> {
    Router::new()
        .route("/score", post(one))
        .route("/score/batch", post(many))
        .route("/openapi.json", get(openapi::describe))
        .fallback(nothing_here)
        .method_not_allowed_fallback(other_method)
}

async fn one(State(site): State<Site>, headers: HeaderMap, body: Body) -> Result<axum::Json<Scored>, ScoreError> {
    allowed(site.token.as_deref(), &headers)?;
    let wanted: Wanted = read(&headers, body, ONE).await?;
    Ok(axum::Json(ruling::score(&site, wanted).await?))
}

/// In the order of the rows. A row that cannot be scored says why, and the others are scored.
async fn many(State(site): State<Site>, headers: HeaderMap, body: Body) -> Result<axum::Json<Scores>, ScoreError> {
    allowed(site.token.as_deref(), &headers)?;
    let batch: Batch = read(&headers, body, MANY).await?;
    if batch.rows.len() > MOST {
        let what = format!("there are {} rows, and a batch has at most {MOST}", batch.rows.len());
        return Err(ScoreError::new(StatusCode::UNPROCESSABLE_ENTITY, what, "rows", "send several batches"));
    }
    let mut rows = Vec::with_capacity(batch.rows.len());
    for (at, row) in batch.rows.into_iter().enumerate() {
        let scored = match serde_json::from_value::<Wanted>(row) {
            Ok(wanted) => ruling::score(&site, wanted).await,
            Err(error) => Err(ScoreError::unfit(&error)),
        };
        rows.push(scored.map_err(|error| error.within(&format!("rows[{at}]"))).into());
    }
    Ok(axum::Json(Scores { rows }))
}

async fn read<T: DeserializeOwned>(headers: &HeaderMap, body: Body, most: usize) -> Result<T, ScoreError> {
    let kind = headers.get(axum::http::header::CONTENT_TYPE).and_then(|it| it.to_str().ok()).unwrap_or_default();
    if kind.split(';').next().is_none_or(|it| !it.trim().eq_ignore_ascii_case("application/json")) {
        let what = format!("the body is `{kind}`, not JSON");
        return Err(ScoreError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            what,
            "Content-Type",
            "send JSON with Content-Type: application/json",
        ));
    }
    let body = to_bytes(body, most).await.map_err(|_| {
        let what = format!("the body is longer than {} MB, or broke off", most >> 20);
        ScoreError::new(StatusCode::PAYLOAD_TOO_LARGE, what, "body", "send less at once")
    })?;
    serde_json::from_slice(&body).map_err(|error| match error.is_data() {
        true => ScoreError::unfit(&error),
        false => {
            let what = format!("the body is no JSON: {error}");
            ScoreError::new(StatusCode::BAD_REQUEST, what, "body", "see /v1/openapi.json for what is expected")
        }
    })
}

async fn nothing_here() -> ScoreError {
    let what = "there is nothing at this address";
    ScoreError::new(StatusCode::NOT_FOUND, what, "address", "see /v1/openapi.json for what there is")
}

async fn other_method() -> ScoreError {
    let what = "this address takes another method";
    ScoreError::new(StatusCode::METHOD_NOT_ALLOWED, what, "method", "see /v1/openapi.json for what there is")
}
