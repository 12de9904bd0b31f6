//! One request → one reply, faulted or not.

use super::admission::{Gate, Rejected};
use super::batches::Batches;
use super::keys::{Keys, key_in};
use super::made::{Made, bytes_of, response};
use super::manner::{Manner, NextManner};
use super::routes::Route;
use super::stats::{Attempt, Counts, Ending};
use super::{Content, EndpointSettings, Fault, dress::dress};
use crate::format::{AnswerForm, ApiError, Asked, ErrorKind, Format, Said, embeddings};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::RETRY_AFTER;
use hyper::http::request::Parts;
use hyper::{Method, Request, Response};
use serde_json::Value;
use std::time::Duration;
use tokio::time::Instant;
use waterjar_core::ChatReply;

pub(super) struct Service {
    settings: EndpointSettings,
    gate: Gate,
    pub stats: Counts,
    pub keys: Keys,
    pub batches: Batches,
}

impl Service {
    pub fn new(settings: EndpointSettings) -> Self {
        Self {
            gate: Gate::new(settings.admission),
            settings,
            stats: Counts::default(),
            keys: Keys::new(),
            batches: Batches::default(),
        }
    }

    pub fn settings(&self) -> &EndpointSettings {
        &self.settings
    }

    /// What a question in a batch is answered with, and the tokens that took.
    pub fn item_reply(&self, format: Format, head: &Parts, body: &[u8], content: Content) -> (u16, Value, (u64, u64)) {
        let first = Attempt { number: 0, attempt: 0, faulted: 0 };
        let made = match self.read(format, head, body) {
            Ok(asked) => self.made_of_reply(&asked, None, content, first),
            Err(error) => Made::error(format, &error, None),
        };
        (made.status, serde_json::from_slice(&made.body).unwrap_or_default(), made.tokens)
    }

    pub async fn answer(&self, request: Request<Incoming>, next: &NextManner) -> Response<Full<Bytes>> {
        let arrived = Instant::now();
        let (head, body) = request.into_parts();
        if let Some(route) = Route::of(&head.method, head.uri.path()) {
            return self.batch(route, &head, body, next).await;
        }
        let wants_vectors = embeddings::is_path(head.uri.path());
        let format = if wants_vectors { Some(Format::OpenAi) } else { Format::of_path(head.uri.path()) };
        let Some(format) = format.filter(|_| head.method == Method::POST) else {
            return self.elsewhere(&head);
        };
        let Ok(body) = body.collect().await else {
            return response(400, b"the request broke off".to_vec(), false);
        };
        let body = body.to_bytes();
        let content = Content::of(head.uri.path(), &body);
        let turn = self.stats.arrive(head.uri.path(), content, self.keys.note(&head.headers, &head.uri));
        if let Err(rejected) = self.gate.admit(turn.running, arrived) {
            turn.end(&Ending { status: Some(429), fault: None, usable: false, rejected: true, tokens: (0, 0) });
            return rejection(format, &rejected);
        }
        let attempt = turn.admitted();
        let made = match wants_vectors {
            true => self.vectors(&head, &body, attempt),
            false => self.make(format, &head, &body, content, attempt),
        };
        self.wait(&made, arrived, content, attempt).await;
        let manner = made.fault.and_then(manner_of);
        let no_head = matches!(manner, Some(Manner::Reset | Manner::Closed));
        turn.end(&Ending {
            status: (!no_head).then_some(made.status),
            fault: made.fault,
            usable: made.usable,
            rejected: false,
            tokens: made.tokens,
        });
        if let Some(manner) = manner {
            next.set(manner);
        }
        made.into_response(content, attempt)
    }

    fn make(&self, format: Format, head: &Parts, body: &[u8], content: Content, at: Attempt) -> Made {
        let ordered = self.settings.script.fault(at.number, at.attempt, body);
        let fault = ordered.or_else(|| self.settings.faults.draw(content, at.attempt, at.faulted));
        if let Some(fault) = fault
            && let Some(made) = made_of_status(format, head, fault)
        {
            return made;
        }
        match self.read(format, head, body) {
            Ok(asked) => self.made_of_reply(&asked, fault.filter(|fault| can_meet(*fault, &asked)), content, at),
            Err(error) => Made::error(format, &error, None),
        }
    }

    /// What the vendor would refuse is refused.
    fn read(&self, format: Format, head: &Parts, body: &[u8]) -> Result<Asked, ApiError> {
        let has_key = key_in(&head.headers).is_some() || head.uri.query().is_some_and(|query| query.contains("key="));
        let missing = match format {
            Format::OpenAi => self.settings.openai_needs_key.then(|| ApiError::of_status(401)),
            Format::Anthropic => Some(ApiError::new(401, ErrorKind::Unauthorized, "x-api-key header is required")),
            Format::Gemini => {
                let message = "Method doesn't allow unregistered callers (callers without established identity).";
                Some(ApiError::new(403, ErrorKind::Forbidden, message))
            }
        };
        if let Some(missing) = missing.filter(|_| !has_key) {
            return Err(missing);
        }
        let asked = format.read(head.uri.path(), &head.headers, body)?;
        if !self.settings.models.is_empty() && !self.settings.models.contains(&asked.model) {
            return Err(ApiError::unknown_model(&asked.model));
        }
        if !self.settings.takes.understands(asked.form) {
            return Err(schema_unsupported(&asked));
        }
        if self.settings.context.is_some_and(|most| asked.tokens() > most) {
            return Err(ApiError::context_length(asked.tokens()));
        }
        Ok(asked)
    }

    fn made_of_reply(&self, asked: &Asked, fault: Option<Fault>, content: Content, at: Attempt) -> Made {
        let format = asked.format;
        let error = match fault {
            Some(Fault::ContextLength) => Some(ApiError::context_length(asked.tokens())),
            Some(Fault::UnknownModel) => Some(ApiError::unknown_model(&asked.model)),
            Some(Fault::SchemaUnsupported) => Some(schema_unsupported(asked)),
            _ => None,
        };
        if let Some(error) = error {
            return Made::error(format, &error, fault);
        }
        let said = self.said(asked, fault);
        let tokens = match &said {
            Said::Reply(ChatReply { usage, .. }) => (usage.input, usage.output),
            Said::Refused(_) | Said::Filtered => (asked.tokens(), 0),
        };
        let (status, value) = format.reply(asked, &said, &content.attempt(at.attempt).replace('#', ""));
        let mut body = bytes_of(&value);
        match fault {
            Some(Fault::InvalidJson) => body.truncate(body.len() / 2),
            Some(Fault::ErrorIn200) => body = bytes_of(&format.error(&ApiError::of_status(500))),
            _ => {}
        }
        let usable = status == 200 && fault.is_none_or(Fault::leaves_an_answer);
        Made { status, body, takes_time: true, fault, usable, tokens, ..Made::default() }
    }

    fn said(&self, asked: &Asked, fault: Option<Fault>) -> Said {
        match fault {
            Some(Fault::Refusal) => Said::Refused("I'm sorry, but I can't help with that.".to_owned()),
            Some(Fault::ContentFilter) => Said::Filtered,
            _ => {
                let mut reply = self.settings.clinician.reply(asked);
                if let Some(fault) = fault {
                    dress(fault, asked, &mut reply);
                }
                Said::Reply(reply)
            }
        }
    }

    async fn wait(&self, made: &Made, arrived: Instant, content: Content, at: Attempt) {
        let more = match made.fault {
            Some(Fault::Slow(more) | Fault::Stall(more)) => more,
            _ => Duration::ZERO,
        };
        let usual = if made.takes_time {
            self.settings.latency.draw(self.settings.seed, content, at.attempt)
        } else {
            Duration::ZERO
        };
        let latency = usual + more;
        if !latency.is_zero() {
            // The timer and the poll below it each round up to whole milliseconds: one early is right in the mean (measured).
            tokio::time::sleep_until(arrived + latency.saturating_sub(Duration::from_millis(1))).await;
        }
    }

    /// Vectors rather than words. They go wrong to order only: by chance, they would go wrong where nobody looks.
    fn vectors(&self, head: &Parts, body: &[u8], at: Attempt) -> Made {
        let fault = self.settings.script.fault(at.number, at.attempt, body);
        if let Some(fault) = fault
            && let Some(made) = made_of_status(Format::OpenAi, head, fault)
        {
            return made;
        }
        let missing =
            (self.settings.openai_needs_key && key_in(&head.headers).is_none()).then(|| ApiError::of_status(401));
        match missing.map_or_else(|| embeddings::reply(body), Err) {
            Ok(vectors) => {
                let tokens = vectors["usage"]["prompt_tokens"].as_u64().unwrap_or(0);
                let usable = fault.is_none_or(Fault::leaves_an_answer);
                let body = bytes_of(&vectors);
                Made { body, takes_time: true, fault, usable, tokens: (tokens, 0), ..Made::default() }
            }
            Err(error) => Made::error(Format::OpenAi, &error, None),
        }
    }

    /// What is not one of the three formats.
    fn elsewhere(&self, head: &Parts) -> Response<Full<Bytes>> {
        let path = head.uri.path();
        if head.method == Method::GET && path == "/stats" {
            return response(200, bytes_of(&self.stats.summary()), false);
        }
        let format = if head.headers.contains_key("anthropic-version") {
            Format::Anthropic
        } else if path.contains("/v1beta/") {
            Format::Gemini
        } else {
            Format::OpenAi
        };
        if head.method == Method::GET && path.ends_with("/models") {
            let only = ["waterjar-clinician".to_owned()];
            let names = if self.settings.models.is_empty() { &only[..] } else { &self.settings.models };
            return response(200, bytes_of(&format.models(names)), false);
        }
        let message = format!("Invalid URL ({} {path})", head.method);
        let error = ApiError::new(404, ErrorKind::PathNotFound, message);
        response(404, bytes_of(&format.error(&error)), false)
    }
}

/// Faults that do not look at the request.
fn made_of_status(format: Format, head: &Parts, fault: Fault) -> Option<Made> {
    let mut error = match fault {
        Fault::Status { status, .. } => ApiError::of_status(status),
        Fault::Quota => {
            let message = "You exceeded your current quota, please check your plan and billing details.";
            ApiError::new(429, ErrorKind::QuotaExhausted, message)
        }
        Fault::Unauthorized => ApiError::of_status(401),
        Fault::EchoedKey => {
            let key = key_in(&head.headers).unwrap_or("(none)");
            ApiError::new(401, ErrorKind::Unauthorized, format!("Incorrect API key provided: {key}."))
        }
        _ => return None,
    };
    let Fault::Status { status, retry_after } = fault else {
        return Some(Made::error(format, &error, Some(fault)));
    };
    error.retry_seconds = retry_after.seconds();
    let mut made = Made::error(format, &error, Some(fault));
    made.retry_after = retry_after;
    if status == 502 {
        made.html = true;
        made.body =
            b"<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>".to_vec();
    }
    Some(made)
}

/// A fault of structured answers only meets requests for one.
fn can_meet(fault: Fault, asked: &Asked) -> bool {
    let structured = asked.text_schema().is_some();
    match fault {
        Fault::WrongSchema => structured || asked.forced_tool().is_some(),
        Fault::SchemaUnsupported => asked.form != AnswerForm::Text || asked.forced_tool().is_some(),
        fault => structured || !fault.needs_text_schema(),
    }
}

fn manner_of(fault: Fault) -> Option<Manner> {
    Some(match fault {
        Fault::Reset | Fault::LostReply => Manner::Reset,
        Fault::ResetMidBody => Manner::ResetMidBody,
        Fault::Closed | Fault::Stall(_) => Manner::Closed,
        Fault::StallMidBody(time) => Manner::StallMidBody(time),
        Fault::Drip(time) => Manner::Drip(time),
        Fault::Truncated => Manner::Truncated,
        Fault::Duplicate => Manner::Twice,
        _ => return None,
    })
}

fn schema_unsupported(asked: &Asked) -> ApiError {
    let message = match (asked.format, asked.form) {
        (Format::OpenAi, AnswerForm::JsonObject) => {
            "Invalid parameter: 'response_format' of type 'json_object' is not supported with this model.".to_owned()
        }
        (Format::OpenAi, _) => {
            "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.".to_owned()
        }
        (Format::Anthropic, AnswerForm::Text) => {
            "tool_choice: forced tool use is not supported by this model".to_owned()
        }
        (Format::Anthropic, _) => "output_config.format: structured outputs are not supported by this model".to_owned(),
        (Format::Gemini, _) => format!("JSON mode is not enabled for models/{}", asked.model),
    };
    ApiError::new(400, ErrorKind::SchemaUnsupported, message)
}

fn rejection(format: Format, rejected: &Rejected) -> Response<Full<Bytes>> {
    let mut error = ApiError::of_status(429);
    error.message = format!("Rate limit reached: {}.", rejected.why);
    error.retry_seconds = rejected.retry_after.map(|wait| wait.as_secs_f64());
    let mut response = response(429, bytes_of(&format.error(&error)), false);
    if let Some(wait) = rejected.retry_after {
        // Up, because whoever comes back a moment early is rejected again.
        response
            .headers_mut()
            .insert(RETRY_AFTER, wait.as_secs_f64().ceil().max(1.0).to_string().parse().expect("digits"));
    }
    response
}
