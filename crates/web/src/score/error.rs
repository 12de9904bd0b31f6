//! What goes wrong, as JSON: what, where, and what to do.

use crate::error::PageError;
use axum::http::StatusCode;
use axum::http::header::WWW_AUTHENTICATE;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug)]
pub struct ScoreError {
    status: StatusCode,
    told: Told,
}

/// Why there is no verdict.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Problem {
    pub error: Told,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Told {
    pub what: String,
    /// Where in the request, as far as it is known: `variant`, `rows[3].answer`.
    #[serde(rename = "where")]
    pub place: String,
    pub what_to_do: String,
}

impl ScoreError {
    pub fn new(status: StatusCode, what: impl Into<String>, place: &str, hint: impl Into<String>) -> Self {
        Self { status, told: Told { what: what.into(), place: place.to_owned(), what_to_do: hint.into() } }
    }

    pub fn not_found(what: impl Into<String>, place: &str, hint: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, what, place, hint)
    }

    /// A row as it should be, with something in it that cannot be scored.
    pub fn unscorable(what: impl Into<String>, place: &str, hint: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, what, place, hint)
    }

    /// JSON of another shape.
    pub fn unfit(error: &serde_json::Error) -> Self {
        Self::unscorable(error.to_string(), "body", "see /v1/openapi.json for what is expected")
    }

    pub fn unknown(what: &str) -> Self {
        let hint = "send the header Authorization: Bearer TOKEN, with the token the server was started with";
        Self::new(StatusCode::UNAUTHORIZED, what, "Authorization", hint)
    }

    /// The same, of a part of the request.
    pub fn within(mut self, part: &str) -> Self {
        self.told.place = match self.told.place.as_str() {
            "body" => part.to_owned(),
            place => format!("{part}.{place}"),
        };
        self
    }

    pub fn into_told(self) -> Told {
        self.told
    }
}

/// A run that cannot be opened or read is nobody's mistake here, and may be mended.
impl From<PageError> for ScoreError {
    fn from(error: PageError) -> Self {
        let hint = match &error {
            PageError::Engine(error) => error.hint(),
            _ => None,
        };
        match error {
            PageError::NotFound(what) => Self::not_found(what, "run", "the page / lists the runs and their suites"),
            error => {
                let hint = hint.unwrap_or_else(|| "look at the run in the browser, or with waterjar doctor".to_owned());
                Self::new(StatusCode::CONFLICT, error.to_string(), "run", hint)
            }
        }
    }
}

impl IntoResponse for ScoreError {
    fn into_response(self) -> Response {
        let challenge = (self.status == StatusCode::UNAUTHORIZED).then_some([(WWW_AUTHENTICATE, "Bearer")]);
        let mut response = (self.status, axum::Json(Problem { error: self.told })).into_response();
        response.headers_mut().extend(
            challenge.into_iter().flatten().map(|(name, value)| (name, axum::http::HeaderValue::from_static(value))),
        );
        response
    }
}
