//! What goes wrong, as a rater is told it: never where anything is kept.

use crate::error::PageError;
use crate::pages::Frame;
use crate::texts::{self, Texts};
use askama::Template;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};

pub struct RaterError(PageError);

impl<E: Into<PageError>> From<E> for RaterError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

#[derive(Template)]
#[template(path = "rater_error.html")]
struct ErrorPage {
    t: &'static Texts,
    here: String,
    frame: Frame,
    problem: String,
}

impl IntoResponse for RaterError {
    fn into_response(self) -> Response {
        let t = texts::spoken();
        let (status, title, problem) = match self.0 {
            PageError::NotFound(problem) => (StatusCode::NOT_FOUND, &t.not_found, problem),
            // Its words may hold the name of a run.
            _ => (StatusCode::SERVICE_UNAVAILABLE, &t.not_now, t.unavailable.clone()),
        };
        let frame = Frame::new(title.as_str());
        let page = ErrorPage { t, here: frame.here.clone(), frame, problem };
        match page.render() {
            Ok(html) => (status, Html(html)).into_response(),
            Err(_) => status.into_response(),
        }
    }
}
