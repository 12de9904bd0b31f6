//! A reply before it is sent.

use super::stats::Attempt;
use super::{Content, Fault, RetryAfter};
use crate::format::{ApiError, Format};
use bytes::Bytes;
use http_body_util::Full;
use hyper::Response;
use hyper::header::CONTENT_TYPE;
use serde_json::Value;
use std::time::{Duration, SystemTime};

pub(super) struct Made {
    pub status: u16,
    pub body: Vec<u8>,
    pub html: bool,
    pub retry_after: RetryAfter,
    /// Errors come at once, answers take their time.
    pub takes_time: bool,
    pub fault: Option<Fault>,
    pub usable: bool,
    pub tokens: (u64, u64),
}

impl Default for Made {
    fn default() -> Self {
        Self {
            status: 200,
            body: Vec::new(),
            html: false,
            retry_after: RetryAfter::Unsaid,
            takes_time: false,
            fault: None,
            usable: false,
            tokens: (0, 0),
        }
    }
}

impl Made {
    pub fn error(format: Format, error: &ApiError, fault: Option<Fault>) -> Self {
        Self { status: error.status, body: bytes_of(&format.error(error)), fault, ..Self::default() }
    }

    pub fn into_response(self, content: Content, at: Attempt) -> Response<Full<Bytes>> {
        let mut response = response(self.status, self.body, self.html);
        let headers = response.headers_mut();
        let id = content.attempt(at.attempt).replace('#', "-");
        // OpenAI's name for it, and Anthropic's.
        for name in ["x-request-id", "request-id"] {
            headers.insert(name, id.parse().expect("hexadecimal digits are a header value"));
        }
        let (name, value) = match self.retry_after {
            RetryAfter::Unsaid => return response,
            RetryAfter::Seconds(seconds) => ("retry-after", seconds.to_string()),
            RetryAfter::Millis(millis) => ("retry-after-ms", millis.to_string()),
            RetryAfter::Date(seconds) => {
                let date = SystemTime::now() + Duration::from_secs(u64::from(seconds));
                ("retry-after", httpdate::fmt_http_date(date))
            }
        };
        headers.insert(name, value.parse().expect("a number or a date is a header value"));
        response
    }
}

pub(super) fn response(status: u16, body: Vec<u8>, html: bool) -> Response<Full<Bytes>> {
    let kind = if html { "text/html" } else { "application/json" };
    let response = Response::builder().status(status).header(CONTENT_TYPE, kind);
    response.body(Full::new(Bytes::from(body))).expect("a status of three digits and a known type make a response")
}

pub(super) fn bytes_of(value: &Value) -> Vec<u8> {
    serde_json::to_vec(value).expect("a value is JSON")
}
