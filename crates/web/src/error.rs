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
        let status = match &self {
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            // A run that has no figures yet, or whose study cannot be opened any more, is nobody's mistake here.
            Self::Engine(_) | Self::Store(_) => StatusCode::CONFLICT,
            Self::Report(_) | Self::Page(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let hint = match &self {
            Self::Engine(error) => error.hint(),
            _ => None,
        };
        let page = ErrorPage { frame: Frame::new(texts::spoken().not_here.as_str()), problem: self.to_string(), hint };
        match page.render() {
            Ok(html) => (status, Html(html)).into_response(),
            Err(_) => (status, self.to_string()).into_response(),
        }
    }
}
