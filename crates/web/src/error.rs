//! What goes wrong, as a page.

use crate::pages::Frame;
use crate::texts;
use askama::Template;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use waterjar_engine::EngineError;
use waterjar_report::ReportError;
use waterjar_store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum PageError {
    #[error("{0}")]
    NotFound(String),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error("the page could not be written")]
    Page(#[from] askama::Error),
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage {
    frame: Frame,
    problem: String,
    hint: Option<String>,
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let t = texts::spoken();
        let (status, title) = match &self {
            Self::NotFound(_) => (StatusCode::NOT_FOUND, &t.not_found),
            // A run that has no figures yet, or whose study cannot be opened any more, is nobody's mistake here.
            Self::Engine(_) | Self::Store(_) => (StatusCode::CONFLICT, &t.not_now),
            Self::Report(_) | Self::Page(_) => (StatusCode::INTERNAL_SERVER_ERROR, &t.went_wrong),
        };
        let hint = match &self {
            Self::Engine(error) => error.hint(),
            _ => None,
        };
        let page = ErrorPage { frame: Frame::new(title.as_str()), problem: self.to_string(), hint };
        match page.render() {
            Ok(html) => (status, Html(html)).into_response(),
            Err(_) => (status, self.to_string()).into_response(),
        }
    }
}
