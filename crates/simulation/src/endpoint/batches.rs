//! Batches of two vendors: a file of questions or a list of them, answered a little later, and the faults that they have.

use super::made::{bytes_of, response};
use super::manner::{Manner, NextManner};
use super::routes::Route;
use super::service::Service;
use super::{BatchEnd, Content};
use crate::format::{ApiError, ErrorKind, Format};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Response;
use hyper::body::Incoming;
use hyper::http::request::Parts;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The one that goes ill, where one is to.
const FIRST: &str = "batch_1";

/// What the endpoint holds of them.
#[derive(Default)]
pub(super) struct Batches(Mutex<Held>);

#[derive(Default)]
struct Held {
    files: HashMap<String, Vec<u8>>,
    batches: Vec<Batch>,
    /// Looks that were answered with an error.
    broken: u32,
    lost: u32,
}

struct Batch {
    id: String,
    format: Format,
    created: u64,
    metadata: Value,
    looks: u32,
    results: Vec<Item>,
}

struct Item {
    name: String,
    came: Came,
}

enum Came {
    Reply(u16, Value),
    Expired,
    Cancelled,
}

impl Batches {
    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Service {
    pub(super) async fn batch(
        &self,
        route: Route,
        head: &Parts,
        body: Incoming,
        next: &NextManner,
    ) -> Response<Full<Bytes>> {
        let Ok(body) = body.collect().await else {
            return response(400, b"the request broke off".to_vec(), false);
        };
        let body = body.to_bytes();
        self.keys.note(&head.headers, &head.uri);
        match route {
            Route::Upload => self.upload(&body),
            Route::File(id) => self.file(&id),
            Route::Create(format) => self.create(format, head, &body, next),
            Route::List(format) => self.list(format),
            Route::Look(format, id) => self.look(format, &id),
            Route::Results(id) => self.results(&id),
        }
    }

    /// The part of the form that holds the file.
    fn upload(&self, form: &[u8]) -> Response<Full<Bytes>> {
        let text = String::from_utf8_lossy(form);
        let boundary = text.lines().next().unwrap_or_default();
        let parts: Vec<&str> = text.split(boundary).collect();
        let of = |name: &str| {
            let part = parts.iter().find(|part| part.contains(&format!("name=\"{name}\"")))?;
            part.split_once("\r\n\r\n").map(|(_, content)| content.trim_end())
        };
        let (Some("batch"), Some(file)) = (of("purpose"), of("file")) else {
            return bad(Format::OpenAi, "a file for a batch has a purpose and a content");
        };
        let mut held = self.batches.lock();
        let id = format!("file-{}", held.files.len() + 1);
        held.files.insert(id.clone(), file.as_bytes().to_vec());
        good(&json!({ "id": id, "object": "file", "purpose": "batch", "bytes": file.len() }))
    }

    fn create(&self, format: Format, head: &Parts, body: &[u8], next: &NextManner) -> Response<Full<Bytes>> {
        let Ok(order) = serde_json::from_slice::<Value>(body) else { return bad(format, "that is no JSON") };
        let items = match format {
            Format::Anthropic => named(order["requests"].as_array().map(Vec::as_slice).unwrap_or_default(), "params"),
            _ => {
                let file = order["input_file_id"].as_str().unwrap_or_default();
                let file = self.batches.lock().files.get(file).cloned();
                let Some(file) = file else { return bad(format, "there is no such file") };
                let lines: Option<Vec<Value>> =
                    file.split(|byte| *byte == b'\n').map(|line| serde_json::from_slice(line).ok()).collect();
                let Some(lines) = lines else { return bad(format, "the file holds a line that is no JSON") };
                named(&lines, "body")
            }
        };
        if items.is_empty() {
            return bad(format, "a batch has at least one request");
        }
        let results: Vec<Item> =
            items.into_iter().map(|(name, asked)| self.answer_item(format, head, name, &asked)).collect();
        self.stats.batch();
        let mut held = self.batches.lock();
        let batch = Batch {
            id: format!("batch_{}", held.batches.len() + 1),
            format,
            created: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            metadata: order["metadata"].clone(),
            looks: 0,
            results,
        };
        let told = self.told(&batch);
        held.batches.push(batch);
        if held.lost < self.settings().batches.lost_replies {
            held.lost += 1;
            next.set(Manner::Reset);
        }
        good(&told)
    }

    fn answer_item(&self, format: Format, head: &Parts, name: String, asked: &Value) -> Item {
        let path = if format == Format::Anthropic { "/v1/messages" } else { "/v1/chat/completions" };
        let body = bytes_of(asked);
        let content = Content::of(path, &body);
        let settings = &self.settings().batches;
        let before = self.stats.batched(&name);
        let lot = |purpose: &str| self.settings().seed.rank(purpose, &content.to_string()) as f64 / i64::MAX as f64;
        let cancelled = before == 0 && settings.end == BatchEnd::Cancelled && lot("batch cancelled") < 0.5;
        let came = if cancelled {
            Came::Cancelled
        } else if before == 0 && lot("batch expired") < settings.expired {
            Came::Expired
        } else if lot("batch failed") < settings.failed {
            Came::Reply(500, format.error(&ApiError::of_status(500)))
        } else {
            let (status, reply, tokens) = self.item_reply(format, head, &body, content);
            self.stats.batch_answered(content, status == 200, tokens);
            Came::Reply(status, reply)
        };
        Item { name, came }
    }

    /// The newest first, all on one page.
    fn list(&self, format: Format) -> Response<Full<Bytes>> {
        let held = self.batches.lock();
        let of_format = held.batches.iter().rev().filter(|batch| batch.format == format);
        let data: Vec<Value> = of_format.map(|batch| self.told(batch)).collect();
        good(&json!({ "object": "list", "data": data, "has_more": false }))
    }

    fn look(&self, format: Format, id: &str) -> Response<Full<Bytes>> {
        self.stats.batch_look();
        let mut held = self.batches.lock();
        if held.broken < self.settings().batches.broken_looks {
            held.broken += 1;
            return response(500, bytes_of(&format.error(&ApiError::of_status(500))), false);
        }
        match held.batches.iter_mut().find(|batch| batch.id == id) {
            Some(batch) => {
                batch.looks += 1;
                good(&self.told(batch))
            }
            None => missing(format),
        }
    }

    fn told(&self, batch: &Batch) -> Value {
        let settings = &self.settings().batches;
        let ended = batch.looks > settings.looks;
        let count = |fits: fn(&Came) -> bool| batch.results.iter().filter(|item| ended && fits(&item.came)).count();
        let good = count(|came| matches!(came, Came::Reply(200, _)));
        let failed = count(|came| matches!(came, Came::Reply(status, _) if *status != 200));
        let expired = count(|came| matches!(came, Came::Expired));
        let cancelled = count(|came| matches!(came, Came::Cancelled));
        if batch.format == Format::Anthropic {
            let processing = if ended { 0 } else { batch.results.len() };
            return json!({
                "id": batch.id, "type": "message_batch", "created_at": rfc3339(batch.created), "archived_at": null,
                "processing_status": if ended { "ended" } else { "in_progress" },
                "request_counts": { "processing": processing, "succeeded": good, "errored": failed, "expired": expired, "canceled": cancelled },
                // Whoever follows this has sent its key astray.
                "results_url": if ended { json!("http://127.0.0.1:9/stolen") } else { Value::Null },
            });
        }
        let is_failed = settings.end == BatchEnd::Failed && batch.id == FIRST;
        let status = match ended {
            false => "in_progress",
            true if is_failed => "failed",
            true if cancelled > 0 => "cancelled",
            true if expired > 0 => "expired",
            true => "completed",
        };
        let file = |kind: &str, is_there: bool| (ended && is_there).then(|| format!("{kind}-{}", batch.id));
        json!({
            "id": batch.id, "object": "batch", "status": status, "created_at": batch.created, "metadata": batch.metadata,
            "request_counts": { "total": batch.results.len(), "completed": good, "failed": failed },
            "output_file_id": file("out", !is_failed && good > 0),
            "error_file_id": file("err", !is_failed && failed + expired + cancelled > 0),
            "errors": if status == "failed" { json!({ "data": [{ "code": "token_limit_exceeded", "message": "Enqueued token limit reached" }] }) } else { Value::Null },
        })
    }

    fn file(&self, id: &str) -> Response<Full<Bytes>> {
        let Some((kind, id)) = id.split_once('-') else { return missing(Format::OpenAi) };
        let held = self.batches.lock();
        let Some(batch) = held.batches.iter().find(|batch| batch.id == id) else { return missing(Format::OpenAi) };
        let lines = batch.results.iter().rev().filter_map(|item| {
            let error = |code: &str| json!({ "custom_id": item.name, "response": null, "error": { "code": code } });
            let (is_good, line) = match &item.came {
                Came::Reply(status, body) => {
                    let response = json!({ "status_code": status, "body": body });
                    (*status == 200, json!({ "custom_id": item.name, "response": response, "error": null }))
                }
                Came::Expired => (false, error("batch_expired")),
                Came::Cancelled => (false, error("batch_cancelled")),
            };
            ((kind == "out") == is_good).then_some(line)
        });
        response(200, in_lines(lines), false)
    }

    fn results(&self, id: &str) -> Response<Full<Bytes>> {
        let held = self.batches.lock();
        let Some(batch) = held.batches.iter().find(|batch| batch.id == id) else { return missing(Format::Anthropic) };
        let lines = batch.results.iter().rev().map(|item| {
            let result = match &item.came {
                Came::Reply(200, message) => json!({ "type": "succeeded", "message": message }),
                Came::Reply(_, error) => json!({ "type": "errored", "error": error }),
                Came::Expired => json!({ "type": "expired" }),
                Came::Cancelled => json!({ "type": "canceled" }),
            };
            json!({ "custom_id": item.name, "result": result })
        });
        response(200, in_lines(lines), false)
    }
}

/// Results never come in the order of the questions.
fn in_lines(lines: impl Iterator<Item = Value>) -> Vec<u8> {
    lines.flat_map(|line| [bytes_of(&line), b"\n".to_vec()].concat()).collect()
}

fn named(items: &[Value], key: &str) -> Vec<(String, Value)> {
    let named = |item: &Value| Some((item["custom_id"].as_str()?.to_owned(), item.get(key)?.clone()));
    items.iter().filter_map(named).collect()
}

/// 2026-11-16T04:00:00Z
fn rfc3339(seconds: u64) -> String {
    humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(seconds)).to_string()
}

fn good(value: &Value) -> Response<Full<Bytes>> {
    response(200, bytes_of(value), false)
}

fn bad(format: Format, message: &str) -> Response<Full<Bytes>> {
    let error = ApiError::new(400, ErrorKind::Invalid, message);
    response(400, bytes_of(&format.error(&error)), false)
}

fn missing(format: Format) -> Response<Full<Bytes>> {
    let error = ApiError::new(404, ErrorKind::PathNotFound, "there is no such batch or file");
    response(404, bytes_of(&format.error(&error)), false)
}
